"""A card previews what a reference points to, where the pointer or the focus rests on it."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import find_violations
from tests.browser.conftest import open_tab

CHAPTER = "chapters/relative/"
REFERENCE = re.compile(r'<a class="(?:eq|term)" href="[^"]*#([\w-]+)"')


def open_page(page: Page, url: str) -> Locator:
    """Open a page, and return the card once the page listens."""
    page.goto(url)
    page.wait_for_selector("#preview", state="attached")
    return page.locator("#preview")


def find_reference(page: Page) -> Locator:
    """Return a reference of the chapter, in the middle of the window."""
    found = page.locator("article a.eq[href$='#eq-shift']:visible").first
    found.evaluate("link => link.scrollIntoView({block: 'center', behavior: 'instant'})")
    return found


def focus_by_key(page: Page, target: Locator) -> None:
    """Give the focus to an element by the Tab key, which counts as a reader's wish."""
    target.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")


def test_each_reference_has_a_preview(site):
    stored = {path.stem for path in (site / "assets/previews").glob("*.html")}
    used = {
        name for path in site.glob("*/*/index.html") for name in REFERENCE.findall(path.read_text())
    }

    assert used - stored == set()
    assert len(used) > 50


def test_the_pointer_opens_the_card_and_may_move_into_it(new_tab, address):
    card = open_page(new_tab, address + CHAPTER)
    find_reference(new_tab).hover()
    expect(card).to_be_visible()
    expect(card.locator(".preview-title")).to_have_text("6.1 Shift by k")
    assert card.locator("math").count() > 3
    assert new_tab.locator(".md-tooltip2, [title='Shift by k']").count() == 0

    new_tab.clock.install()
    card.hover()
    new_tab.clock.run_for(5000)
    expect(card).to_be_visible()
    new_tab.mouse.move(2, 2)
    new_tab.clock.run_for(5000)
    expect(card).to_be_hidden()


def test_the_focus_opens_the_card_and_escape_closes_it(page, address):
    card = open_page(page, address + CHAPTER)
    reference = find_reference(page)
    focus_by_key(page, reference)
    expect(card).to_be_visible()
    expect(card).to_have_role("tooltip")
    expect(reference).to_have_attribute("aria-describedby", "preview")

    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    assert reference.get_attribute("aria-describedby") is None
    expect(reference).to_be_focused()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_card_fits_the_window_and_is_readable(page, address, width, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    card = open_page(page, address + CHAPTER)
    find_reference(page).hover()
    expect(card).to_be_visible()

    box = card.bounding_box()
    assert box
    assert 0 <= box["x"] <= box["x"] + box["width"] <= width
    assert 0 <= box["y"] <= box["y"] + box["height"] <= 800
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert find_violations(page, "#preview") == []


def test_a_finger_follows_the_link(browser, address):
    with open_tab(browser, has_touch=True, is_mobile=True) as tab:
        card = open_page(tab, address + CHAPTER)
        find_reference(tab).tap()
        tab.wait_for_url("**#eq-shift")
        expect(card).to_be_hidden()


def test_an_abbreviation_is_explained_by_pointer_and_by_one_stop_of_the_tab_key(page, address):
    card = open_page(page, address + "chapters/costs/")
    stops = page.locator("article abbr[tabindex='0']")
    texts = page.locator("article abbr").all_text_contents()
    assert len(texts) > len(set(texts)) == stops.count() > 3

    abbreviation = stops.first
    meaning = abbreviation.get_attribute("aria-description")
    assert abbreviation.get_attribute("title") is None, "the browser would show it, too"
    abbreviation.hover()
    expect(card).to_have_text(meaning)
    page.mouse.move(2, 2)
    expect(card).to_be_hidden()
    focus_by_key(page, abbreviation)
    expect(card).to_have_text(meaning)
