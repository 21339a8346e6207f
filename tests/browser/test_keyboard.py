"""Reading with the keyboard: where the focus goes, and that it is seen."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import open_tab
from tests.browser.waiting import wait_until_loaded

# Material hides the radio button of the theme, and outlines its label; the search opens.
FOCUS_IS_SEEN = """() => {
  const here = document.activeElement;
  const drawn = here.matches(".md-option") ? here.nextElementSibling : here;
  return getComputedStyle(drawn).outlineStyle !== "none" || here.matches(".md-search__input");
}"""


def test_the_first_key_offers_to_skip_the_navigation(page, address):
    page.goto(address + "chapters/relative/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent.trim()") == "Skip to content"

    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('article') !== null")


def test_the_focus_is_seen_and_moves_on(page, address):
    page.goto(address + "chapters/relative/")
    page.evaluate("window.visited = new Set([document.body])")
    for _ in range(40):
        page.keyboard.press("Tab")
        here = page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        assert page.evaluate(FOCUS_IS_SEEN), here
        assert not page.evaluate("visited.has(document.activeElement)"), here
        page.evaluate("visited.add(document.activeElement) && null")


def test_wide_code_in_sight_is_reached_in_firefox(firefox, address):
    with open_tab(firefox) as page:
        page.goto(address + "contributing/figure/")
        wait_until_loaded(page)
        code = page.locator("pre > code").first
        assert code.evaluate("code => code.scrollWidth > code.clientWidth")
        expect(code).to_be_in_viewport()
        expect(code).to_have_attribute("tabindex", "0")


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
def test_a_link_leads_to_its_target_below_the_header(page, address, place, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(address + place)
    wait_until_loaded(page)

    top = f"document.getElementById('{place.partition('#')[2]}').getBoundingClientRect().top"
    header = "document.querySelector('.md-header').getBoundingClientRect().bottom"
    page.wait_for_function(f"{header} <= {top} && {top} <= 200")
