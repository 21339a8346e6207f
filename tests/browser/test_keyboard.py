"""Reading with the keyboard: where the focus goes, and that it is seen; and coming in by a link."""

import pytest

from tests.browser.visits import arrived

FOCUSED = """(() => {
  const here = document.activeElement;
  // Material hides the radio of the theme, and draws the focus around its label.
  const drawn = here.matches(".md-option") ? here.nextElementSibling : here;
  const outline = getComputedStyle(drawn).outlineStyle !== "none";
  return [here.textContent.trim(), outline || here.matches(".md-search__input")];
})()"""


def test_the_first_key_offers_to_skip_the_navigation(page, address):
    page.goto(address + "chapters/relative/")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED)[0] == "Skip to content"

    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    assert page.evaluate("document.activeElement.closest('article') !== null")


def test_the_focus_is_always_seen(page, address):
    """The search has no outline: it opens, with the cursor in it."""
    page.goto(address + "chapters/relative/")
    for _ in range(40):
        page.keyboard.press("Tab")
        said, seen = page.evaluate(FOCUSED)
        assert seen, said


def test_what_is_wider_than_a_phone_scrolls_by_keys(page, address):
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto(address + "reference/equations/")
    page.wait_for_selector("div.arithmatex[tabindex='0']")

    wide = page.locator("div.arithmatex[tabindex='0']").first
    wide.focus()
    page.keyboard.press("ArrowRight")

    page.wait_for_function("document.activeElement.scrollLeft > 0")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "place",
    [
        "chapters/relative/#eq-shift",
        "chapters/sinusoidal/#explore-table",
        "reference/claims/#claim-invariant",
        "reference/api/rotary/#posenc.apply_rotary",
    ],
)
def test_a_link_from_elsewhere_leads_below_the_header(page, address, place, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(address + place)
    arrived(page)

    top = f"document.getElementById('{place.partition('#')[2]}').getBoundingClientRect().top"
    header = "document.querySelector('.md-header').getBoundingClientRect().bottom"
    page.wait_for_function(f"{header} <= {top} && {top} <= 200")
