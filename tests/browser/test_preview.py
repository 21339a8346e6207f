"""What a reference points at, shown where the pointer or the focus rests on it."""

import re

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.visits import arrived

HREF = re.compile(r'<a class="(?:eq|term)" href="[^"]*#([\w-]+)"')
CARD = "#preview"


def listening(page: Page, url: str) -> None:
    """Open a page and wait until it shows previews."""
    page.goto(url)
    page.wait_for_selector(CARD, state="attached")


def referred(page: Page, address: str) -> Locator:
    """Open a chapter and return a reference of it, in the middle of the window."""
    listening(page, address + "chapters/relative/")
    found = page.locator("article a.eq[href$='#eq-shift']:visible").first
    found.evaluate("link => link.scrollIntoView({block: 'center'})")
    return found


@pytest.fixture
def reference(page, address):
    """Return a reference of a chapter that is open."""
    return referred(page, address)


def test_each_reference_has_its_preview(site):
    there = {path.stem for path in (site / "assets/previews").glob("*.html")}
    meant = {
        name for path in site.glob("*/*/index.html") for name in HREF.findall(path.read_text())
    }

    assert meant - there == set()
    assert len(meant) > 50


def test_the_pointer_shows_the_equation_and_may_move_into_it(newcomer, address):
    page = newcomer
    reference = referred(page, address)
    reference.hover()
    page.wait_for_selector(f"{CARD}:visible")
    card = page.locator(CARD)

    assert card.locator(".preview-title").inner_text() == "6.1 Shift by k"
    assert card.locator("math").count() > 3
    assert page.locator(".md-tooltip2, [title='Shift by k']").count() == 0

    page.clock.install()
    card.hover()
    box = card.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 5, box["y"] + box["height"] - 5)
    page.clock.run_for(5000)
    assert card.is_visible(), "long after the pointer has left the link"

    page.mouse.move(2, 2)
    page.clock.run_for(5000)
    assert card.is_hidden()


def test_the_focus_shows_it_and_escape_puts_it_away(page, reference):
    reference.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.wait_for_selector(f"{CARD}:visible")

    assert reference.get_attribute("aria-describedby") == "preview"
    assert page.locator(CARD).get_attribute("role") == "tooltip"

    page.keyboard.press("Escape")

    assert page.locator(CARD).is_hidden()
    assert reference.get_attribute("aria-describedby") is None
    assert reference.evaluate("link => link === document.activeElement")


def test_moving_the_focus_on_puts_it_away(page, reference):
    reference.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.wait_for_selector(f"{CARD}:visible")

    page.keyboard.press("Tab")

    assert page.locator(CARD).is_hidden() or reference.get_attribute("aria-describedby") is None


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_stays_in_the_window_moves_nothing_and_can_be_read(
    page, address, reference, width, scheme
):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    reference.evaluate("link => link.scrollIntoView({block: 'center'})")
    arrived(page)
    size = "[document.body.scrollHeight, document.documentElement.scrollWidth]"
    before = page.evaluate(size)

    reference.hover()
    page.wait_for_selector(f"{CARD}:visible")

    assert page.evaluate(size) == before
    box = page.locator(CARD).bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= 800
    ground, ink = page.locator(CARD).evaluate(
        "card => [getComputedStyle(card).backgroundColor, getComputedStyle(card).color]"
    )
    assert ground != ink
    assert "rgba(0, 0, 0, 0)" not in ground


def test_a_finger_follows_the_link(touched, address):
    page = touched
    listening(page, address + "chapters/relative/")
    link = page.locator("article a.eq:visible").first
    target = link.get_attribute("href").partition("#")[2]

    link.tap()
    page.wait_for_url(f"**#{target}")

    assert page.locator(CARD).is_hidden()


def test_a_preview_that_cannot_be_fetched_is_not_shown_and_the_link_works(page, reference):
    page.route("**/previews/*", lambda route: route.abort())
    reference.hover()

    reference.click()

    page.wait_for_url("**#eq-shift")
    assert page.locator(CARD).is_hidden()


def test_a_term_is_told_at_its_first_use(page, address):
    listening(page, address + "chapters/order/")
    terms = page.locator("article a.term")
    names = terms.evaluate_all("links => links.map(link => link.hash)")

    assert len(names) == len(set(names)) >= 5
    page.locator("article a.term[href$='#term-token']").hover()
    page.wait_for_selector(f"{CARD}:visible")
    assert page.locator(CARD).inner_text().startswith("Token\n")


def test_an_abbreviation_is_told_by_pointer_and_tab(page, address):
    listening(page, address + "chapters/order/")
    abbreviation = page.locator("article abbr").first
    meaning = abbreviation.get_attribute("aria-description")

    assert len(meaning) > 10
    assert abbreviation.get_attribute("title") is None, "the browser would show it, too"
    abbreviation.hover()
    page.wait_for_selector(f"{CARD}:visible")
    assert page.locator(CARD).inner_text() == meaning

    page.mouse.move(2, 2)
    page.wait_for_selector(CARD, state="hidden")
    abbreviation.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    page.wait_for_selector(f"{CARD}:visible")
    assert abbreviation.get_attribute("aria-describedby") == "preview"


def test_each_abbreviation_is_one_stop_of_the_tab_key(page, address):
    listening(page, address + "chapters/costs/")
    every = page.locator("article abbr").all_text_contents()
    stops = page.locator("article abbr[tabindex='0']").all_text_contents()

    assert len(every) > len(stops) > 3
    assert sorted(stops) == sorted(set(every))


def test_a_finger_asks_an_abbreviation(touched, address):
    page = touched
    listening(page, address + "chapters/order/")
    abbreviation = page.locator("article abbr").first

    abbreviation.tap()
    page.wait_for_selector(f"{CARD}:visible")
    assert page.locator(CARD).inner_text() == abbreviation.get_attribute("aria-description")

    page.locator("article h1").tap()
    page.wait_for_selector(CARD, state="hidden")
