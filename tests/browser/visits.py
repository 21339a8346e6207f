"""A reader's visit to the site: what is requested, and what the console says."""

import re
import time
from dataclasses import dataclass, field

from playwright.sync_api import ConsoleMessage, Page

from tests.browser.waiting import PATIENCE, wait_until_loaded

# The kinds of pages that the site has.
KINDS = {
    "home": "",
    "chapter": "chapters/relative/",
    "workbench": "workbench/inspect/",
    "lab": "labs/build/",
    "equations": "reference/equations/",
    "cookbook": "reference/cookbook/",
    "tables": "reference/conventions/",
    "API": "reference/api/rotary/",
}

UNFOLD = "document.querySelectorAll('details:not([open])').forEach(fold => fold.open = true)"

# By how much a page is wider than its window, less a scroll bar, and what sticks out.
BEYOND_WINDOW = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [scrollWidth - clientWidth, ...[...document.querySelectorAll("article *")]
    .filter(one => one.getBoundingClientRect().right > clientWidth + 1)
    .map(one => one.outerHTML.slice(0, 120))];
}"""

# Firefox lays out a page while it comes in, and complains of a formula that is half there.
HALF_A_FORMULA = re.compile(r"Incorrect number of children for <\w+/> tag\.")


@dataclass
class Visit:
    """A tab, all that it requests, and all warnings and errors in its console."""

    page: Page
    address: str
    requests: list[str] = field(default_factory=list)
    console: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin to listen."""
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.console.append(str(error)))
        self.page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.console.append(message.text)

    def open(self, path: str, width: int = 1280) -> None:
        """Open a page and wait until all that is in sight has loaded."""
        self.requests.clear()
        self.console.clear()
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.emulate_media(color_scheme="light")
        self.page.goto(self.address + path)
        wait_until_loaded(self.page)

    def list_problems(self) -> list[str]:
        """List what the console said and what was requested from other hosts."""
        foreign = [url for url in self.requests if not url.startswith((self.address, "data:"))]
        said = [text for text in self.console if not HALF_A_FORMULA.fullmatch(text)]
        return said + [f"request to another host: {url}" for url in foreign]


def focus_search(page: Page) -> None:
    """Go into the search by its key, as soon as the page listens to keys."""
    query = page.locator("[data-md-component=search-query]")
    end = time.monotonic() + PATIENCE
    while not query.evaluate("query => query === document.activeElement"):
        assert time.monotonic() < end, "the search does not listen to its key"
        page.keyboard.press("f")
