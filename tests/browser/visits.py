"""A visit of a page: it is opened, read to its end, turned dark and narrow, and printed.

Each page is loaded once, and says at once all that is wrong with it.
"""

import base64
import gzip
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import ConsoleMessage, Page, Request

from tests.browser import access
from tests.browser.idle import COME, IDLE, PATIENCE, at_rest

FIRST_VIEW = 300_000  # bytes over the wire, fonts included
TEXT = {".html", ".css", ".js", ".json", ".svg", ".xml"}

# From the first paint on; the table of contents at the side may follow the reader.
WATCH_SHIFTS = """
window.shifts = [];
window.noteShifts = entries => {
  for (const entry of entries) {
    const moved = entry.sources.map(source => source.node)
      .filter(node => !node?.parentElement?.closest(".md-sidebar"));
    if (moved.length) shifts.push([entry.value, ...moved.map(node => node?.textContent)]);
  }
};
window.shiftWatch = new PerformanceObserver(list => noteShifts(list.getEntries()));
shiftWatch.observe({type: "layout-shift", buffered: true});
"""
SHIFTS = "() => { noteShifts(shiftWatch.takeRecords()); return shifts; }"

# A machine under load paints a page before the end of its text is read, and tables take new
# widths as rows come; and it gets the font of formulas, which readers have from the second page
# on, only later. So nothing is seen until both are there; what scripts add comes after that.
UNSEEN = """{
  const unseen = new CSSStyleSheet();
  unseen.replaceSync(":root { visibility: hidden }");
  document.adoptedStyleSheets = [unseen];
  const face = new FontFace("STIX Two Math",
    Uint8Array.from(atob("{font}"), letter => letter.charCodeAt(0)));
  document.fonts.add(face);
  const read = new Promise(done => document.addEventListener("readystatechange", done));
  Promise.all([face.loaded, read]).then(() => document.adoptedStyleSheets = []);
}"""

# As a reader does, a screen at a time, and on when all that is in sight has come.
SCROLL = f"""async (patience) => {{
  const come = {COME};
  scrollTo({{top: 0, behavior: "instant"}});
  for (;;) {{
    await come(patience);
    if (scrollY + innerHeight >= document.documentElement.scrollHeight - 1) break;
    scrollBy({{top: innerHeight, behavior: "instant"}});
  }}
}}"""

# What waits for a new width hears of it with the next picture.
DRAWN = """() => new Promise(done => {
    let left = 4;
    const next = () => left-- ? requestAnimationFrame(next) : done();
    next();
})"""
UNFOLD = "document.querySelectorAll('details:not([open])').forEach(fold => fold.open = true)"

# What can be pressed or filled in, and not be reached by the Tab key. (Material's button that
# empties the search does what Escape does, and that to the top what Home does.)
UNREACHABLE = """[...document.querySelectorAll(
    "a, button, input, select, textarea, summary, [role=button], [role=link], [role=application]")]
  .filter(one => one.tabIndex < 0 && !one.matches(".md-search__icon, .md-top"))
  .filter(one => one.checkVisibility({visibilityProperty: true}))
  .map(one => one.outerHTML.slice(0, 200))"""

# Also what sticks out of its own box.
BEYOND_PAPER = """[...document.querySelectorAll("article :is(math, pre, code, table, img, p, li)")]
  .filter(one => one.checkVisibility())
  .filter(one => {
    const box = one.getBoundingClientRect();
    return box.left + Math.max(box.width, one.scrollWidth) > innerWidth + 1;
  })
  .map(one => one.outerHTML.slice(0, 200))"""

# How high a block of code is, and the room that is kept for it before it is laid out. Or a link
# to a place below it would miss; a browser rounds lines to a 64th of a pixel.
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
  return blocks.flatMap((block, n) => [
    ...Math.abs(kept[n] - real[n]) > 0.5 ? [`${kept[n]} px kept for ${real[n]}`] : [],
    ...getComputedStyle(block).contentVisibility === "auto" ? [] : ["laid out at once"],
  ].map(said => `${said}: ${block.textContent.slice(0, 80)}`));
}"""


def arrived(page: Page) -> None:
    """Wait until a page that was opened has its fonts, and all that is in sight."""
    page.evaluate("document.fonts.ready.then(() => true)")
    at_rest(page)


@dataclass
class Reader:
    """A reader with one window, who goes from page to page and hears all that is asked and said."""

    page: Page
    address: str
    site: Path
    asked: list[str] = field(default_factory=list)
    pending: set[Request] = field(default_factory=set)
    said: list[str] = field(default_factory=list)
    known: set[str] = field(default_factory=set)  # kinds of text whose contrast has been judged

    def __post_init__(self) -> None:
        """Begin to listen."""
        font = base64.b64encode((self.site / "assets/math.woff2").read_bytes()).decode()
        self.page.add_init_script(WATCH_SHIFTS + UNSEEN.replace("{font}", font))
        self.page.on("request", self._asks)
        self.page.on("requestfinished", lambda request: self.pending.discard(request))
        self.page.on("requestfailed", lambda request: self.pending.discard(request))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("console", self._says)

    def _asks(self, request: Request) -> None:
        self.asked.append(request.url)
        self.pending.add(request)

    def _says(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.said.append(message.text)

    def open(self, path: str) -> None:
        """Open a page and wait until all is there that its first view asks for."""
        for heard in (self.asked, self.pending, self.said):
            heard.clear()
        self.page.set_viewport_size({"width": 1280, "height": 900})
        self.page.emulate_media(color_scheme="light")
        self.page.goto(self.address + path)
        self.settle()

    def settle(self) -> None:
        """Wait until all that was asked for is there, and has asked for nothing more."""
        end = time.monotonic() + PATIENCE
        count = -1
        while self.pending or count != len(self.asked):
            assert time.monotonic() < end, [request.url for request in self.pending]
            count = len(self.asked)
            self.page.evaluate(IDLE)

    def arrange(self, width: int, height: int, scheme: str) -> None:
        """Give the page another size and another system setting, to the end."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=scheme)
        name = {"light": "default", "dark": "slate"}[scheme]
        self.page.wait_for_function(f"document.body.dataset.mdColorScheme === '{name}'")
        self.page.evaluate(DRAWN)

    def scroll(self) -> None:
        """Read the page to its end."""
        self.page.evaluate(SCROLL, PATIENCE)

    def sideways(self) -> Iterator[str]:
        """Yield how far the page, unfolded, can be scrolled sideways."""
        self.page.evaluate(UNFOLD)
        self.page.evaluate(DRAWN)
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        window = self.page.viewport_size
        assert window
        if wide != window["width"]:
            yield f"{wide} px wide in a window of {window['width']}"

    def complaints(self) -> Iterator[str]:
        """Yield what the console said, and what was asked of other hosts."""
        yield from (f"said: {said}" for said in self.said)
        for url in self.asked:
            if not url.startswith((self.address, "data:")):
                yield f"another host: {url}"
        if len(self.asked) <= 5:
            yield f"the page loaded nothing but {self.asked}"

    def unfit(self) -> Iterator[str]:
        """Yield what is not for everybody, as the page stands."""
        yield from access.complaints(self.page, self.known)
        for control in self.page.evaluate(UNREACHABLE):
            yield f"not reached by the Tab key: {control}"

    def heavy(self) -> Iterator[str]:
        """Yield what the first view weighs, if that is too much."""
        weights = {
            url: weight(self.site / urlsplit(url.removeprefix(self.address)).path)
            for url in set(self.asked)
            if url.startswith(self.address)
        }
        if sum(weights.values()) > FIRST_VIEW:
            yield f"the first view weighs {sum(weights.values())} bytes: {weights}"


@cache
def weight(path: Path) -> int:
    """Return how many bytes a host sends that compresses what is text."""
    path = path / "index.html" if path.is_dir() else path
    content = path.read_bytes()
    return len(gzip.compress(content)) if path.suffix in TEXT else len(content)


def judged(reader: Reader, path: str) -> Iterator[str]:
    """Yield all that is wrong with a page.

    As axe judges, it is for everybody: whole and folded on a desktop, opened on a phone, each
    in both themes. Else only the width matters, or nothing does.
    """
    page = reader.page
    reader.open(path)
    yield from reader.heavy()
    reader.scroll()
    yield from (f"moves while it is read: {shift}" for shift in page.evaluate(SHIFTS))

    access.prepare(page)
    yield from (f"desktop, {said}" for said in reader.unfit())
    yield from reader.sideways()

    # Code is laid out, and judged for its width, as it comes in sight: here, much at a time.
    reader.arrange(390, 3000, "dark")
    reader.scroll()
    reader.scroll()  # what is laid out at first sight moves what is below, maybe past the screen
    yield from (f"phone, {said}" for said in reader.unfit())
    yield from reader.sideways()

    reader.settle()
    yield from reader.complaints()

    # A4 with the margins of print.css is 172 mm wide; nothing is cut off or overlaps an edge.
    page.set_viewport_size({"width": 650, "height": 900})
    page.emulate_media(media="print")
    yield from (f"cut off on paper: {cut}" for cut in page.evaluate(BEYOND_PAPER))
    page.emulate_media(media="screen")
    yield from page.evaluate(CODE)


def ask_for(page: Page) -> None:
    """Go into the search by its key, as soon as the page listens to keys."""
    query = page.locator("[data-md-component=search-query]")
    given_up = time.monotonic() + PATIENCE
    while not query.evaluate("query => query === document.activeElement"):
        assert time.monotonic() < given_up, "the search does not listen to its key"
        page.keyboard.press("f")
