"""Press a copy button, and read what it copied."""

from playwright.sync_api import ElementHandle, Page


def click_copy_button(page: Page, block: ElementHandle) -> str:
    """Bring a block into sight, where it gets its button; click that, and return the text."""
    page.evaluate("navigator.clipboard.writeText('')")
    block.scroll_into_view_if_needed()
    page.wait_for_function("one => one.querySelector('button[data-clipboard-target]')", arg=block)
    block.eval_on_selector("button[data-clipboard-target]", "button => button.click()")
    page.wait_for_function("navigator.clipboard.readText().then(text => text !== '')")
    copied: str = page.evaluate("navigator.clipboard.readText()")
    return copied
