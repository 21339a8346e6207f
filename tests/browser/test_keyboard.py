"""Reading with the keyboard: where the focus goes, and that it is seen; and coming in by a link."""

import pytest

from tests.browser.explorers import opened
from tests.browser.visits import arrived

FOCUSED = """(() => {
  const here = document.activeElement;
  // Material hides the radio of the theme, and draws the focus around its label.
  const drawn = here.matches(".md-option") ? here.nextElementSibling : here;
  const outline = getComputedStyle(drawn).outlineStyle !== "none";
  return [here.textContent.trim(), outline || here.matches(".md-search__input")];
})()"""

# Whether the focus has not been there before.
NEW = """(() => {
  const {activeElement: here} = document;
  window.visited ??= new Set([document.body]);
  return !visited.has(here) && Boolean(visited.add(here));
})()"""

# What an element is called here, and what can be used in a block: of radio buttons the chosen one.
NAME = "one => `${one.localName} ${one.type ?? ''} ${one.id} ${one.textContent.slice(0, 20)}`"
CONTROLS = "a[href], button, input, select, [role=application]"
STOPS = f"""block => [...block.querySelectorAll("{CONTROLS}")]
  .filter(one => one.checkVisibility({{visibilityProperty: true}}))
  .filter(one => one.type !== "radio" || one.checked)
  .map({NAME})"""


def test_the_first_key_offers_to_skip_the_navigation(page, address):
    page.goto(address + "chapters/relative/")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUSED)[0] == "Skip to content"

    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    assert page.evaluate("document.activeElement.closest('article') !== null")


def test_the_focus_is_always_seen_and_goes_on(page, address):
    """The search has no outline: it opens, with the cursor in it."""
    page.goto(address + "chapters/relative/")
    for _ in range(40):
        page.keyboard.press("Tab")
        said, seen = page.evaluate(FOCUSED)
        assert seen, said
        assert page.evaluate(NEW), f"again: {said}"


@pytest.mark.parametrize("name", ["explore-similarity", "explore-shift"])
def test_the_tab_key_goes_through_an_explorer_to_all_it_has_and_out(page, address, name):
    block = opened(page, f"{address}chapters/relative/#{name}")
    stops = block.evaluate(STOPS)
    assert len(stops) > 5
    block.locator(f":is({CONTROLS}):visible").first.focus()
    found = []
    while block.evaluate("block => block.contains(document.activeElement)"):
        assert page.evaluate(NEW), "again, in place of going on"
        found.append(page.evaluate(f"({NAME})(document.activeElement)"))
        page.keyboard.press("Tab")

    assert found == stops


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
