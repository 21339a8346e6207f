"""A reader changes what a card shows, in one tab: each test leaves the page as it stands."""

import re
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from engine import edits, faults, statements
from engine.places import DOCS
from engine.texts import read
from tests.browser import access
from tests.browser.conftest import opened
from tests.browser.visits import Reader

ADDING = "chapters/adding/"  # the page that runs fastest
TERMS, INPUT, DROPOUT = "eq-four-terms", "eq-input", "eq-dropout"
FOCUSED = "document.activeElement.closest('.cm-editor') !== null"


@pytest.fixture(scope="module")
def tab(browser: Browser, address: str) -> Iterator[Page]:
    """Open a page that stays, with its Python, for all tests."""
    context = opened(browser)
    tab = context.new_page()
    tab.goto(address + ADDING)
    yield tab
    context.close()


@pytest.fixture
def card(tab):
    """Return what opens a card for changes; they are taken back after the test."""

    def edited(name: str) -> Locator:
        found: Locator = tab.locator(f"[data-card={name}]")
        if not found.evaluate("fold => fold.open"):
            found.locator("summary").click()
        found.get_by_role("button", name="Edit").click()
        expect(found.locator(".cm-editor").first).to_be_visible()
        return found

    yield edited
    resets = tab.locator("details.verification").get_by_role("button", name="Reset")
    while resets.count():
        resets.first.click()
    tab.set_viewport_size({"width": 1280, "height": 900})


def status(card: Locator) -> Locator:
    """Return where it says what came of it."""
    return card.locator(".run-status")


def change(line: Locator, keys: str, text: str) -> None:
    """Go to a line, press a key, and write."""
    line.click()
    line.page.keyboard.press("End")
    for key in keys.split():
        line.page.keyboard.press(key)
    line.page.keyboard.type(text)


def test_what_is_changed_is_what_the_engine_takes_for_it(tab, address):
    """Line by line, or a change would be put in another place."""
    there = tab.evaluate(
        """async script => {
            const { blocks } = await import(script);
            const text = ({ block }) => block.querySelector("pre > code").textContent.trimEnd();
            const cards = [...document.querySelectorAll("[data-card]")];
            const lines = card => [card.dataset.card, blocks(card).map(text)];
            return Object.fromEntries(cards.map(lines));
        }""",
        f"{address}assets/scripts/run/card.js",
    )
    text = read(DOCS / "chapters/adding.md")
    here = {
        card.id: [
            *(edits.shown(lines).rstrip() for lines in faults.shown(card.support.text)),
            *(fence.source.rstrip() for fence in edits.sessions(text, card)),
        ]
        for card in statements.cards(text)
    }
    assert there == here
    assert len(here) > 3


def test_lines_that_are_changed_fell_their_card_and_leave_the_others(tab, card, address, site):
    terms = card(TERMS)
    line = tab.locator(".cm-line", has_text='"content_position"')
    change(line, "ArrowLeft", " * 2")
    terms.get_by_role("button", name="Run as changed").click()

    expect(status(terms)).to_contain_text("The page does not hold")
    expect(terms.locator("summary .run-mark")).to_have_text("does not hold here")
    expect(tab.locator(f"[data-card={DROPOUT}] summary .run-mark")).to_have_text("holds here")
    assert "Expected:\n    True\nGot:\n    False" in terms.locator("pre").first.inner_text()
    onward = terms.get_by_role("link", name="Run all equations with this change")
    assert parse_qs(urlsplit(tab.url).query) == parse_qs(
        urlsplit(onward.get_attribute("href") or "").query
    )

    reader = Reader(tab, address, site)
    access.prepare(tab)
    for width, scheme in ((1280, "light"), (390, "dark")):
        reader.arrange(width, 3000, scheme)
        reader.scroll()
        assert [*access.complaints(tab, set())] == []
        assert tab.evaluate("document.documentElement.scrollWidth") == width

    terms.get_by_role("button", name="Reset").click()
    assert "edit=" not in tab.url
    assert not tab.locator(".cm-editor, summary .run-mark").count()
    assert terms.get_by_role("button", name="Edit").evaluate("it => it === document.activeElement")


def test_an_answer_that_is_changed_is_refused_as_by_the_tests(tab, card):
    first = card(INPUT)
    change(first.locator(".cm-line").last, "Backspace " * 4, "1")
    tab.keyboard.press("Control+Enter")

    expect(status(first)).to_contain_text("The card does not hold")
    (said,) = first.locator(".run-outcomes pre").all_inner_texts()
    assert said == "Expected:\n    1\nGot:\n    True"


def test_lines_that_are_no_python_are_told(tab, card):
    terms = card(TERMS)
    change(tab.locator(".cm-line", has_text="return {"), "Home", "(")
    terms.get_by_role("button", name="Run as changed").click()

    expect(status(terms)).to_have_text(
        re.compile(r"line \d+ of posenc/added/attention_terms.py as shown: ")
    )


def test_the_keyboard_gets_out_of_an_editor(tab, card):
    content = card(INPUT).locator(".cm-content").last
    content.click()
    tab.keyboard.press("Tab")
    assert tab.evaluate(FOCUSED)
    tab.keyboard.press("Escape")
    tab.keyboard.press("Tab")
    assert not tab.evaluate(FOCUSED)
    described = content.get_attribute("aria-describedby")
    assert "Escape, then Tab" in tab.locator(f"#{described}").inner_text()


def test_an_address_opens_what_was_changed_and_runs_nothing(tab, card, page):
    card(INPUT)
    change(tab.locator(".cm-line").last, "", "  # and é")
    expect(tab).to_have_url(re.compile("edit="))
    asked = []
    page.on("request", lambda request: asked.append(request.url))

    page.goto(tab.url)

    expect(page.locator(".cm-line").last).to_have_text("True  # and é")
    expect(page.locator(".run-status").first).to_contain_text("not run yet")
    assert not [url for url in asked if "pyodide" in url]


CUT = "W1siY2hhcHRlcnMvYWRkaW5nLm1kIiwiZXEtaW5wdXQiXV0"  # two fields of seven


@pytest.mark.parametrize("shared", ["nonsense", "W10", "WzFd", "bnVsbA", CUT, "A" * 2004])
def test_an_address_that_is_none_of_ours_is_no_error(page, address, shared):
    said = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{address}{ADDING}?edit={shared}", wait_until="networkidle")
    assert said == []
    assert not page.locator(".cm-editor").count()


def test_an_endless_loop_is_stopped_and_the_page_goes_on(tab, card):
    first = card(INPUT)
    line = first.locator(".cm-line", has_text="import math").last
    change(line, "Enter", "while True: pass")
    tab.keyboard.press("Control+Enter")
    expect(status(first)).to_have_text(re.compile("^[01] of"))
    first.get_by_role("button", name="Stop").click()
    expect(status(first)).to_have_text("stopped")

    first.get_by_role("button", name="Reset").click()
    first.get_by_role("button", name="Run it here").click()
    expect(status(first)).to_contain_text("The card holds")


@pytest.mark.thorough
def test_an_endless_loop_is_stopped_by_time(newcomer, address):
    newcomer.clock.install()
    newcomer.goto(address + ADDING)
    first = newcomer.locator(f"[data-card={INPUT}]")
    first.locator("summary").click()
    first.get_by_role("button", name="Edit").click()
    change(first.locator(".cm-line", has_text="import math").last, "Enter", "while True: pass")
    newcomer.keyboard.press("Control+Enter")
    expect(status(first)).to_have_text(re.compile("^[01] of"))

    newcomer.clock.fast_forward(121_000)

    expect(status(first)).to_have_text("stopped: no answer for 120 seconds")
    first.get_by_role("button", name="Reset").click()
    first.get_by_role("button", name="Run it here").click()
    expect(status(first)).to_contain_text("The card holds")


@pytest.mark.thorough
def test_fingers_run_a_card_change_it_and_put_it_back(touched, address):
    touched.goto(address + ADDING)
    first = touched.locator(f"[data-card={INPUT}]")
    first.locator("summary").tap()
    first.get_by_role("button", name="Run it here").tap()
    expect(status(first)).to_contain_text("The card holds")

    first.get_by_role("button", name="Edit").tap()
    line = first.locator(".cm-line").last
    line.tap()
    expect(first.locator(".cm-content").last).to_be_focused()
    assert line.evaluate("line => parseFloat(getComputedStyle(line).fontSize)") >= 16
    touched.keyboard.press("End")
    touched.keyboard.type("1")
    first.get_by_role("button", name="Run as changed").tap()
    expect(status(first)).to_contain_text("The card does not hold")
    expect(first.locator(".run-outcomes pre")).to_have_text("Expected: True1 Got: True")
    assert touched.evaluate("document.documentElement.scrollWidth") == 390

    first.get_by_role("button", name="Reset").tap()
    expect(first.locator(".cm-editor")).to_have_count(0)
    assert "edit=" not in touched.url
