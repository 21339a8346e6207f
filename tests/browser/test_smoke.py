"""Each kind of page, in Chromium and in Firefox, wide and on a phone: it is whole and it works.

What every page must be is judged in Chromium (`visits.py`). Here is what a second engine may do
otherwise: lay out formulas, refuse a script.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.explorers import live, shown
from tests.browser.visits import UNFOLD, ask_for

KINDS = {
    "first page": "",
    "chapter": "chapters/relative/",
    "lab": "labs/build/",
    "equations": "reference/equations/",
    "cookbook": "reference/cookbook/",
    "tables": "reference/conventions/",
    "API": "reference/api/rotary/",
}
WIDTHS = {"wide": 1280, "phone": 390}

# Formulas that are not as high as they are with all the room that they want: they have been
# broken into lines.
BROKEN = """() => {
  const formulas = [...document.querySelectorAll("div.arithmatex > math")];
  const high = () => formulas.map(formula => formula.getBoundingClientRect().height);
  const before = high();
  formulas.forEach(formula => formula.style.setProperty("width", "max-content", "important"));
  const after = high();
  formulas.forEach(formula => formula.style.removeProperty("width"));
  return formulas.filter((_, n) => Math.abs(before[n] - after[n]) > 1)
    .map(formula => formula.getAttribute("alttext"));
}"""

# By how much a page is wider than its window, less a scroll bar, and what sticks out.
BEYOND = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [scrollWidth - clientWidth, ...[...document.querySelectorAll("article *")]
    .filter(one => one.getBoundingClientRect().right > clientWidth + 1)
    .map(one => one.outerHTML.slice(0, 120))];
}"""

# Parts of formulas with more or fewer children than their kind has.
MISCOUNTED = """() => {
  const kinds = {
    mfrac: 2, mroot: 2, msub: 2, msup: 2, munder: 2, mover: 2, msubsup: 3, munderover: 3,
  };
  return Object.entries(kinds).flatMap(([kind, count]) =>
    [...document.querySelectorAll(kind)].filter(one => one.childElementCount !== count)
      .map(one => one.outerHTML));
}"""
# Firefox lays out a page while it comes in, and complains of a formula of which half is there.
HALF = re.compile(r"Incorrect number of children for <\w+/> tag\.")


@dataclass
class Window:
    """A window of a browser, and what its console has said."""

    page: Page
    address: str
    said: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Begin to listen."""
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))

    def open(self, path: str, width: int = 1280) -> None:
        """Open a page, unfolded and with its fonts."""
        self.said.clear()
        self.page.set_viewport_size({"width": width, "height": 900})
        self.page.goto(self.address + path)
        self.page.evaluate("document.fonts.ready.then(() => true)")
        self.page.evaluate(UNFOLD)

    def complaints(self) -> list[str]:
        """Return what the console has said that a reader would miss something for."""
        heard = [said for said in self.said if not said.startswith(("log:", "info:", "debug:"))]
        return [said for said in heard if not HALF.fullmatch(said)]


@pytest.fixture(scope="module", params=["browser", "firefox"], ids=["Chromium", "Firefox"])
def window(request: pytest.FixtureRequest, address: str) -> Iterator[Window]:
    """Open a window of either."""
    browser: Browser = request.getfixturevalue(request.param)
    page = browser.new_page()
    yield Window(page, address)
    page.context.close()


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
@pytest.mark.parametrize("path", KINDS.values(), ids=KINDS)
def test_a_page_is_whole(window, path, width):
    window.open(path, width)

    assert window.page.evaluate(MISCOUNTED) == []
    assert window.page.evaluate(BROKEN) == []
    assert window.page.evaluate(BEYOND) == []
    assert window.complaints() == []


def test_the_search_answers(window):
    window.open("reference/equations/")
    ask_for(window.page)
    window.page.keyboard.type("rotate_half")

    first = window.page.locator(".md-search-result__item").first
    first.locator("a[href*='#door']").click()
    expect(window.page).to_have_url(re.compile(r"/chapters/rotary/(\?h=\S+)?#door$"))
    assert window.complaints() == []


def test_the_theme_can_be_switched(window):
    window.open("chapters/relative/")
    ground = "getComputedStyle(document.body).backgroundColor"
    grounds = []
    for _ in range(3):  # light, dark, and what the system says
        window.page.locator("[data-book-palette] label:visible").click()
        grounds.append(window.page.evaluate(ground))

    assert len({*grounds}) == 2
    assert window.complaints() == []


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_an_explorer_follows_the_keys(window, width):
    window.open("chapters/relative/", width)
    block = live(window.page, "explore-similarity")
    before = shown(block)
    block.get_by_role("application").last.press("ArrowRight")

    assert shown(block) != before
    assert window.complaints() == []


# A picture of an explorer that is whole on the screen, under the header and above what is moved.
IN_SIGHT = """block => {
  const controls = [...block.querySelectorAll("form input")].filter(one => one.checkVisibility());
  const last = controls.at(-1);
  last.scrollIntoView({ block: "end", behavior: "instant" });
  const head = document.querySelector(".md-header").getBoundingClientRect().bottom;
  const plots = block.querySelectorAll(".explorer-body > :is(.explorer-plot, .pictures)");
  return [...plots].some(plot => {
    const { top, bottom } = plot.getBoundingClientRect();
    return top >= head - 1 && bottom <= last.getBoundingClientRect().top;
  });
}"""
LONG = {
    "chapters/rotary/": "explore-rotary",
    "chapters/scaling/": "explore-scaling",
    "chapters/relative/": "explore-similarity",
    "chapters/biases/": "explore-biases",
}


@pytest.mark.parametrize(("path", "name"), LONG.items())
def test_on_a_phone_the_picture_is_in_sight_while_the_last_control_is_moved(window, path, name):
    window.open(path, 390)

    assert live(window.page, name).evaluate(IN_SIGHT)


def test_a_card_runs_in_the_page(window):
    window.open("chapters/adding/")
    card = window.page.locator("[data-card=eq-input]")
    card.get_by_role("button", name="Run it here").click()

    expect(card.locator(".run-status")).to_contain_text("The card holds")
    assert window.complaints() == []
