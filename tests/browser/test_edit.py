"""A reader changes what a card shows, in one tab: each test puts the page back."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import find_violations
from tests.browser.waiting import scroll_to_end, set_scheme

ADDING = "chapters/adding/"  # the page that runs fastest
TALL = {"width": 1280, "height": 2400}  # the editor draws only lines in the viewport
TERMS, INPUT, DROPOUT = "eq-four-terms", "eq-input", "eq-dropout"


@pytest.fixture(scope="module")
def tab(site_tab: Page, address: str) -> Iterator[Page]:
    """Open a page that stays, with its Python, for all tests."""
    tab = site_tab.context.new_page()
    tab.set_viewport_size(TALL)
    tab.goto(address + ADDING)
    yield tab
    tab.close()


def open_editor(page: Page, name: str) -> Locator:
    """Open a card for changes."""
    card = page.locator(f"[data-card={name}]")
    if not card.evaluate("fold => fold.open"):
        card.locator("summary").click()
    card.get_by_role("button", name="Edit").click()
    expect(card.locator(".cm-editor").first).to_be_visible()
    return card


@pytest.fixture
def edit(tab):
    """Return a function that opens a card for changes, which are taken back after the test."""
    yield lambda name: open_editor(tab, name)
    resets = tab.locator("details.verification").get_by_role("button", name="Reset")
    while resets.count():
        resets.first.click()
    tab.set_viewport_size(TALL)


def change_line(line: Locator, keys: str, text: str) -> None:
    """Go to the end of a line, press keys, and write."""
    line.click()
    for key in ["End", *keys.split()]:
        line.page.keyboard.press(key)
    line.page.keyboard.type(text)


def test_changed_lines_of_the_package_break_their_card_and_no_other(tab, edit):
    terms = edit(TERMS)
    change_line(tab.locator(".cm-line", has_text='"content_position"'), "ArrowLeft", " * 2")
    terms.get_by_role("button", name="Run as changed").click()

    expect(terms.locator(".run-status")).to_contain_text("The page does not hold")
    expect(terms.locator("summary .run-mark")).to_have_text("does not hold here")
    expect(tab.locator(f"[data-card={DROPOUT}] summary .run-mark")).to_have_text("holds here")
    assert "the sides differ by" in terms.locator("pre").first.inner_text()
    onward = terms.get_by_role("link", name="Try it on all equations of the book")
    search = tab.evaluate("location.search")
    assert urlsplit(onward.get_attribute("href") or "").query == search[1:]

    for width, scheme in ((1280, "light"), (390, "dark")):
        tab.set_viewport_size({"width": width, "height": 3000})
        set_scheme(tab, scheme)
        scroll_to_end(tab)
        assert find_violations(tab, f"[data-card={TERMS}]") == []
        assert tab.evaluate("document.documentElement.scrollWidth") == width

    terms.get_by_role("button", name="Reset").click()
    expect(tab).not_to_have_url(re.compile("edit="))
    assert not tab.locator(".cm-editor, summary .run-mark").count()
    expect(terms.get_by_role("button", name="Edit")).to_be_focused()


def test_a_changed_answer_is_refused(tab, edit):
    card = edit(INPUT)
    change_line(card.locator(".cm-line").last, "Backspace " * 4, "1")
    tab.keyboard.press("Control+Enter")

    expect(card.locator(".run-status")).to_contain_text("The card does not hold")
    expect(card.locator(".run-outcomes pre")).to_have_text("Expected: 1 Got: True")


def test_an_address_restores_a_change_and_runs_nothing(tab, edit, page):
    edit(INPUT)
    change_line(tab.locator(".cm-line").last, "", "  # and é")
    shared = tab.evaluate("location.href")  # Playwright hears of the last keys later
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.set_viewport_size(TALL)
    page.goto(shared)

    expect(page.locator(".cm-line").last).to_have_text("True  # and é")
    expect(page.locator(".run-status").first).to_contain_text("not run yet")
    assert not [url for url in requests if "pyodide" in url]


TWO_FIELDS_OF_SEVEN = "W1siY2hhcHRlcnMvYWRkaW5nLm1kIiwiZXEtaW5wdXQiXV0"


@pytest.mark.parametrize("shared", ["nonsense", "W10", TWO_FIELDS_OF_SEVEN, "A" * 2004])
def test_a_change_in_an_address_that_means_nothing_is_ignored(page, address, shared):
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"{address}{ADDING}?edit={shared}", wait_until="networkidle")

    assert errors == []
    assert not page.locator(".cm-editor").count()


def test_an_endless_loop_is_stopped_and_the_page_runs_again(tab, edit):
    card = edit(INPUT)
    change_line(card.locator(".cm-line", has_text="import math").last, "Enter", "while True: pass")
    tab.keyboard.press("Control+Enter")
    expect(card.locator(".run-status")).to_have_text(re.compile(r"^Running: \d+ of \d+ prompts"))
    card.get_by_role("button", name="Stop").click()
    expect(card.locator(".run-status")).to_have_text("stopped")

    card.get_by_role("button", name="Reset").click()
    card.get_by_role("button", name="Run it here").click()
    expect(card.locator(".run-status")).to_contain_text("The card holds")
