"""Every page of the site, opened once: read to its end, on a phone, and on paper."""

from collections.abc import Iterator

import pytest

from tests import nav
from tests.browser.axe import find_violations
from tests.browser.conftest import open_tab
from tests.browser.visits import BEYOND_WINDOW, KINDS, UNFOLD, Visit
from tests.browser.waiting import scroll_to_end, set_scheme, wait_until_loaded

# What moves from now on, except the table of contents, which follows the reader.
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    const moved = entry.sources.map(source => source.node)
      .filter(node => !node?.parentElement?.closest(".md-sidebar"));
    if (moved.length) shifts.push(`moves: ${moved.map(node => node?.textContent.slice(0, 80))}`);
  }
}).observe({type: "layout-shift"});
"""

BEYOND_PAPER = """[...document.querySelectorAll("article :is(math, pre, code, table, img, p, li)")]
  .filter(one => one.checkVisibility())
  .filter(one => {
    const box = one.getBoundingClientRect();
    return box.left + Math.max(box.width, one.scrollWidth) > innerWidth + 1;
  })
  .map(one => `cut off on paper: ${one.outerHTML.slice(0, 200)}`)"""


@pytest.fixture(scope="module")
def visit(browser, address: str) -> Iterator[Visit]:
    """Open a tab for all pages, which finds fonts and scripts in its cache."""
    with open_tab(browser) as tab:
        yield Visit(tab, address)


@pytest.mark.nightly
@pytest.mark.parametrize("path", nav.ADDRESSES, ids=[path or "home" for path in nav.ADDRESSES])
def test_a_page_is_steady_accessible_and_printable(visit, path):
    """Colours are judged on one page of each kind, since they take seconds."""
    page, colours = visit.page, path in KINDS.values()
    visit.open(path)
    assert visit.list_problems() == []

    page.evaluate(WATCH_SHIFTS)
    scroll_to_end(page)
    problems = [*page.evaluate("shifts"), *find_violations(page, colours=colours)]

    for width, scheme in ((1280, "light"), (320, "dark")):
        page.set_viewport_size({"width": width, "height": 3000})
        set_scheme(page, scheme)
        page.evaluate(UNFOLD)
        wait_until_loaded(page)
        problems += page.evaluate(BEYOND_WINDOW)
    scroll_to_end(page)
    problems += find_violations(page, colours=colours)

    page.set_viewport_size({"width": 650, "height": 900})  # A4 with the margins of print.css
    page.emulate_media(media="print")
    problems += page.evaluate(BEYOND_PAPER)
    page.emulate_media(media="screen")
    assert problems + visit.list_problems() == []


def test_every_page_of_the_site_is_in_the_navigation(site):
    found = {str(path.parent.relative_to(site)) for path in site.rglob("index.html")}

    assert found == {address.rstrip("/") or "." for address in nav.ADDRESSES}
