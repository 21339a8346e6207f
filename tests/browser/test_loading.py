"""What is loaded when a reader does something: nothing from elsewhere, and no complaint."""

import pytest

from tests.browser.visits import ask_for


@pytest.mark.parametrize(
    "path", ["", "chapters/sinusoidal/", "reference/claims/"], ids=lambda path: path or "home"
)
def test_a_reader_who_does_everything_meets_no_other_host(visitor, path):
    """Scrolls to the end, unfolds all, searches, switches the theme and moves every control."""
    page = visitor.page
    visitor.open(path)
    page.evaluate(
        """document.querySelectorAll("details").forEach(fold => fold.open = true);
           scrollTo(0, document.documentElement.scrollHeight);"""
    )
    for control in page.locator("[data-explorer] :is(input, button, select):visible").all():
        control.focus()
        control.press("ArrowRight")
    page.locator("[data-book-palette] label:visible").click()
    ask_for(page)
    page.keyboard.type("wavelength")
    page.wait_for_selector(".md-search-result__item")
    visitor.settle()

    assert list(visitor.complaints()) == []
    assert any(url.endswith(".js") for url in visitor.asked)
