"""Every page, opened once: what it asks for, what it weighs, whether it fits and is for all."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests import nav
from tests.browser import access

FIRST_VIEW = 300_000  # bytes over the wire, fonts included
TEXT = {".html", ".css", ".js", ".json", ".svg", ".xml"}

# From the first paint on; the table of contents at the side may follow the reader.
WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) {
    const moved = entry.sources.map(source => source.node)
      .filter(node => !node?.parentElement?.closest(".md-sidebar"));
    if (moved.length) shifts.push([entry.value, ...moved.map(node => node?.textContent)]);
  }
}).observe({type: "layout-shift", buffered: true});
"""

# As a reader does, a bit at a time, so that what is lazy comes in sight before it is loaded.
SCROLL = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  scrollTo({top: 0, behavior: "instant"});
  while (scrollY + innerHeight < document.documentElement.scrollHeight - 1) {
    scrollBy({top: innerHeight / 2, behavior: "instant"});
    await frame(), await frame();
  }
}"""

# Also what sticks out of its own box.
BEYOND_PAPER = """[...document.querySelectorAll("article :is(math, pre, code, table, img, p, li)")]
  .filter(one => one.checkVisibility())
  .filter(one => {
    const box = one.getBoundingClientRect();
    return box.left + Math.max(box.width, one.scrollWidth) > innerWidth + 1;
  })
  .map(one => one.outerHTML.slice(0, 200))"""

# How high a block of code is, and the room that is kept for it before it is laid out.
CODE = """() => {
  const blocks = [...document.querySelectorAll(".highlight > pre > code:not(.live *)")];
  const high = () => blocks.map(block => block.getBoundingClientRect().height);
  const look = (name, value) => blocks.forEach(block => block.style.setProperty(name, value));
  look("content-visibility", "visible");
  const real = high();
  look("contain-intrinsic-height", "calc(var(--lines) * 1.4em)");
  look("content-visibility", "hidden");
  const kept = high();
  look("content-visibility", "");
  look("contain-intrinsic-height", "");
  return [real, kept, blocks.every(block => getComputedStyle(block).contentVisibility === "auto")];
}"""


@dataclass
class Visit:
    """A page as it was found."""

    page: Page
    asked: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)  # what the first view asked for


@pytest.fixture(scope="module")
def reader(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """Return a browser that has the font, as from a reader's second page on.

    On the first, a machine under load may get it after the first paint, and formulas move.
    """
    context = browser.new_context()
    context.set_default_timeout(20_000)
    context.add_init_script(WATCH_SHIFTS)
    first = context.new_page()
    first.goto(address + "reference/questions/", wait_until="networkidle")
    first.evaluate("document.fonts.ready.then(() => true)")
    first.close()
    yield context
    context.close()


@pytest.fixture(scope="module", params=nav.ADDRESSES)
def visit(request: pytest.FixtureRequest, reader: BrowserContext, address: str) -> Iterator[Visit]:
    """Open a page, read it to its end, and look at it in the dark."""
    visit = Visit(reader.new_page())
    visit.page.set_viewport_size({"width": 1280, "height": 900})
    visit.page.emulate_media(color_scheme="light")
    visit.page.on("request", lambda request: visit.asked.append(request.url))
    visit.page.on("pageerror", lambda error: visit.errors.append(str(error)))
    visit.page.on(
        "console",
        lambda said: visit.errors.append(said.text) if said.type in ("error", "warning") else None,
    )
    visit.page.goto(address + request.param, wait_until="networkidle")
    visit.first = list(visit.asked)
    visit.page.evaluate(SCROLL)
    visit.page.wait_for_load_state("networkidle")
    access.prepare(visit.page)
    yield visit
    visit.page.close()


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Return the kinds of text whose contrast has been judged."""
    return set()


def arrange(page: Page, width: int, scheme: str) -> None:
    """Give the page another width and another system setting, to the end."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    name = {"light": "default", "dark": "slate"}[scheme]
    page.wait_for_function(f"document.body.dataset.mdColorScheme === '{name}'")


def test_it_asks_no_other_host_and_does_not_complain(visit, address):
    assert [url for url in visit.asked if not url.startswith((address, "data:"))] == []
    assert len(visit.asked) > 5, "the page loaded nothing"
    assert visit.errors == []


def test_its_first_view_is_light(visit, address, site):
    weights = {
        url: weight(site / urlsplit(url.removeprefix(address)).path)
        for url in set(visit.first)
        if url.startswith(address)
    }

    assert sum(weights.values()) <= FIRST_VIEW, weights


@cache
def weight(path: Path) -> int:
    """Return how many bytes a host sends that compresses what is text."""
    path = path / "index.html" if path.is_dir() else path
    content = path.read_bytes()
    return len(gzip.compress(content)) if path.suffix in TEXT else len(content)


def test_nothing_moves_while_it_is_read(visit):
    assert visit.page.evaluate("shifts") == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_for_everybody(visit, known, scheme):
    """As axe judges: whole and folded on a desktop, opened on a phone; contrast in all four."""
    arrange(visit.page, 1280, scheme)
    found = access.colours(visit.page, known)
    if scheme == "light":
        found += access.structure(visit.page)
    arrange(visit.page, 390, scheme)
    visit.page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")
    found += access.colours(visit.page, known)
    if scheme == "dark":
        # Code is laid out, and judged for its width, as it comes in sight: here, much at a time.
        visit.page.set_viewport_size({"width": 390, "height": 3000})
        visit.page.evaluate(SCROLL)
        found += access.structure(visit.page)

    assert not found, "\n".join(found)


@pytest.mark.parametrize("width", [390, 1280])
def test_it_does_not_scroll_sideways(visit, width):
    """Whatever is unfolded."""
    arrange(visit.page, width, "dark")
    visit.page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)")

    assert visit.page.evaluate("document.documentElement.scrollWidth") == width


def test_it_fits_on_paper(visit):
    """A4 with the margins of print.css is 172 mm wide; nothing is cut off or overlaps an edge."""
    visit.page.set_viewport_size({"width": 650, "height": 900})
    visit.page.emulate_media(media="print")
    cut = visit.page.evaluate(BEYOND_PAPER)
    visit.page.emulate_media(media="screen")

    assert not cut, "\n".join(cut)


def test_the_room_of_code_is_right_before_it_is_laid_out(visit):
    """Or a link to a place below it would miss; a browser rounds lines to a 64th of a pixel."""
    real, kept, wait = visit.page.evaluate(CODE)

    assert wait
    assert kept == pytest.approx(real, abs=0.5)


def test_every_page_of_the_site_is_visited(site):
    there = {str(path.parent.relative_to(site)) for path in site.rglob("index.html")}

    assert there == {address.rstrip("/") or "." for address in nav.ADDRESSES}
