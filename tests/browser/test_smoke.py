"""Each kind of page in Chromium and in Firefox, wide and light, and dark on a phone."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import open_tab
from tests.browser.explorers import find_explorer, read_values
from tests.browser.visits import BEYOND_WINDOW, KINDS, UNFOLD, Visit, focus_search

# Formulas that are lower with all the room that they want: they have been broken into lines.
BROKEN_FORMULAS = """() => {
  const formulas = [...document.querySelectorAll("div.arithmatex > math")];
  const measure = () => formulas.map(formula => formula.getBoundingClientRect().height);
  const before = measure();
  formulas.forEach(formula => formula.style.setProperty("width", "max-content", "important"));
  const after = measure();
  formulas.forEach(formula => formula.style.removeProperty("width"));
  return formulas.filter((_, n) => Math.abs(before[n] - after[n]) > 1)
    .map(formula => formula.getAttribute("alttext"));
}"""


@pytest.fixture(scope="module", params=["browser", "firefox"], ids=["Chromium", "Firefox"])
def visit(request: pytest.FixtureRequest, address: str) -> Iterator[Visit]:
    """Open a tab of each browser."""
    with open_tab(request.getfixturevalue(request.param)) as tab:
        yield Visit(tab, address)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "default"), (390, "slate")])
@pytest.mark.parametrize("path", KINDS.values(), ids=KINDS)
def test_a_page_loads_and_fits_its_window(visit, path, width, scheme):
    visit.open(path, width)
    visit.page.evaluate(UNFOLD)
    # Playwright cannot tell Firefox that the system is dark.
    visit.page.evaluate("scheme => document.body.dataset.mdColorScheme = scheme", scheme)

    assert visit.page.evaluate(BROKEN_FORMULAS) == []
    assert visit.page.evaluate(BEYOND_WINDOW) == []
    assert visit.list_problems() == []
    assert len(visit.requests) > 5


def test_the_search_leads_to_a_section(visit):
    visit.open("reference/equations/")
    focus_search(visit.page)
    visit.page.keyboard.type("rotate_half")
    visit.page.locator(".md-search-result__item a[href*='#pytorch']").first.click()

    expect(visit.page).to_have_url(re.compile(r"/chapters/rotary/(\?h=\S+)?#pytorch$"))
    assert visit.list_problems() == []


def test_the_theme_can_be_switched_by_mouse_and_by_keys(visit):
    visit.open("chapters/relative/")
    scheme = "document.body.dataset.mdColorScheme"
    switch = visit.page.locator("[data-book-palette] label:visible")
    found = []
    for _ in range(3):  # light, dark, and what the system says
        switch.click()
        found.append(visit.page.evaluate(scheme))
    visit.page.locator("[data-book-palette] input").first.focus()
    for _ in range(3):
        visit.page.keyboard.press("Enter")
        found.append(visit.page.evaluate(scheme))

    assert found == ["default", "slate", "default"] * 2
    assert visit.list_problems() == []


@pytest.mark.parametrize("width", [1280, 390])
def test_an_explorer_follows_the_keys(visit, width):
    visit.open("chapters/relative/", width)
    block = find_explorer(visit.page, "explore-similarity")
    before = read_values(block)
    block.get_by_role("application").last.press("ArrowRight")

    assert read_values(block) != before
    assert visit.list_problems() == []


def test_a_card_runs_in_the_page(visit):
    visit.open("chapters/adding/")
    card = visit.page.locator("[data-card=eq-input]")
    card.locator("summary").click()
    card.get_by_role("button", name="Run it here").click()

    expect(card.locator(".run-status")).to_contain_text("The card holds")
    assert visit.list_problems() == []
