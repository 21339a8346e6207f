"""What a reader copies: sessions, and the citation of a page."""

from playwright.sync_api import ElementHandle, Page

PAGE = "chapters/relative/"


def click_copy_button(page: Page, block: ElementHandle) -> str:
    """Bring a block into sight, where it gets its button; click that, and return the text."""
    page.evaluate("navigator.clipboard.writeText('')")
    block.scroll_into_view_if_needed()
    page.wait_for_function("one => one.querySelector('button[data-clipboard-target]')", arg=block)
    block.eval_on_selector("button[data-clipboard-target]", "button => button.click()")
    page.wait_for_function("navigator.clipboard.readText().then(text => text !== '')")
    copied: str = page.evaluate("navigator.clipboard.readText()")
    return copied


def test_copied_sessions_are_a_program(page, address):
    """Without prompts and without output; and it runs."""
    page.goto(address + PAGE)
    page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    code = ".language-pycon.highlight, .implementation .language-python.highlight"
    sessions = page.locator(code).element_handles()
    assert len(sessions) > 20

    program = []
    for session in sessions:
        shown = session.query_selector("code").text_content()
        copied = click_copy_button(page, session)
        lines = shown.splitlines()
        if lines[0].startswith(">>> "):
            lines = [line[4:] for line in lines if line.startswith((">>> ", "... "))]
        assert copied.split() == "\n".join(lines).split()
        if "Traceback" not in shown:
            program.append(copied)
    exec(compile("\n".join(program), PAGE, "exec"), {})


def test_the_citation_is_copied(page, address):
    page.goto(address + PAGE)
    cite = page.locator("details.cite")
    cite.locator("summary").click()
    copied = click_copy_button(page, cite.element_handle())

    assert copied.strip() == cite.locator("code").text_content().strip()
    assert copied.startswith("@incollection{posenc-relative,")
