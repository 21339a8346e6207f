"""Exercises and questions in the reader's browser: written, judged, remembered, forgotten."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from posenc import exercises
from tests import nav
from tests.browser.axe import find_violations
from tests.browser.conftest import open_tab
from tests.browser.waiting import scroll_to_end, set_scheme

PAGE = "chapters/relative/"
WRONG = """def mean_by_distance(pe):
    products = pe @ pe.T
    sums = [products.diagonal(k).sum() for k in range(len(pe))]
    return np.array(sums) / len(pe)
"""
ENDLESS = "def mean_by_distance(pe):\n    while True:\n        pass\n"
STORED = "localStorage.getItem('posenc-answer-relative-easy')"


def read_start() -> str:
    """Return what the first box of the page contains at first."""
    exercise = exercises.find("relative-easy")
    signature = exercise.asks.partition(":")[0]
    return f'def {signature}:\n    """{exercise.solution.__doc__}"""\n    '


def open_first_box(page: Page, address: str) -> Locator:
    """Open the page, and return the box of its first exercise."""
    page.goto(address + PAGE)
    return page.locator(".exercise").first


def write_answer(box: Locator, text: str) -> None:
    """Replace what a box contains."""
    box.get_by_role("textbox").click()
    expect(box.locator(".cm-content")).to_be_focused()
    box.page.keyboard.press("Control+A")
    box.page.keyboard.press("Delete")
    box.page.keyboard.insert_text(text)


@pytest.fixture(params=["browser", "firefox"], ids=["Chromium", "Firefox"])
def tab(request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open a tab of each browser."""
    with open_tab(request.getfixturevalue(request.param)) as tab:
        yield tab


def test_an_answer_is_judged_kept_stopped_and_reset(tab, address):
    page = tab
    box = open_first_box(page, address)
    status, check = box.get_by_role("status"), box.get_by_role("button", name="Check")
    expect(box.get_by_role("textbox")).to_have_value(read_start())

    write_answer(box, WRONG)
    page.keyboard.press("Control+Enter")
    expect(status).to_contain_text("Not yet: 1 of 3 properties hold.")
    expect(status).to_contain_text("at distance 1: found 0.6, expected 0.9")
    expect(status).to_contain_text("hint: the sum was divided by L")
    expect(page.locator("h3 .done")).to_have_count(0)

    write_answer(box, WRONG.replace("len(pe)\n", "2\n"))
    check.click()
    expect(status).to_contain_text("found 1.5, expected 1.0")
    expect(status).not_to_contain_text("hint")
    write_answer(box, WRONG)

    page.reload()
    expect(box.get_by_role("textbox")).to_have_value(WRONG)
    solution = box.locator("xpath=following-sibling::details[1]").locator(".highlight code").first
    write_answer(box, solution.text_content() or "")
    check.click()
    expect(status).to_contain_text("Right. All 3 properties hold:")
    expect(status).to_contain_text("dot products: For sinusoids, each mean is a sum of cosines.")
    following = status.get_by_role("link", name="Medium: a shift without its matrix")
    expect(following).to_have_attribute("href", "#medium-a-shift-without-its-matrix")
    expect(page.get_by_role("img", name="solved")).to_have_count(1)

    write_answer(box, ENDLESS)
    check.click()
    expect(status).to_have_text("Checking")
    box.get_by_role("button", name="Stop").click()
    expect(status).to_have_text("stopped")
    expect(check).to_be_visible()
    assert page.evaluate(STORED) == ENDLESS

    box.get_by_role("button", name="Reset").click()
    assert box.locator(".cm-line").all_inner_texts() == read_start().split("\n")
    assert page.evaluate(STORED) is None


def test_the_editor_takes_over_the_selection_and_is_accessible(page, address):
    box = open_first_box(page, address)
    field = box.get_by_role("textbox")
    field.evaluate("field => field.setSelectionRange(4, 8)")
    field.focus()
    content = box.locator(".cm-content")
    expect(content).to_be_focused()
    page.keyboard.insert_text("my")
    assert box.locator(".cm-line").first.inner_text().startswith("def my_by_distance")

    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(content).not_to_be_focused()
    help_text = page.locator(f"#{content.get_attribute('aria-describedby')}")
    assert "Escape, then Tab" in help_text.inner_text()
    for width, scheme in ((1280, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": 3000})
        set_scheme(page, scheme)
        scroll_to_end(page)
        assert find_violations(page, ".exercise") == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_an_endless_answer_is_stopped_after_30_seconds(new_tab, address):
    new_tab.clock.install()
    box = open_first_box(new_tab, address)
    status = box.get_by_role("status")
    write_answer(box, ENDLESS)
    new_tab.keyboard.press("Control+Enter")
    expect(status).to_have_text("Checking")
    new_tab.clock.fast_forward(6_000)
    expect(status).to_contain_text("If the answer has a loop that never ends, press Stop")
    new_tab.clock.fast_forward(25_000)

    expect(status).to_have_text("stopped: no answer for 30 seconds")


@pytest.mark.parametrize("chapter", nav.CHAPTERS)
def test_every_box_begins_with_a_function_and_its_docstring(page, address, chapter):
    page.goto(f"{address}chapters/{chapter}/")
    boxes = page.locator("textarea.box[aria-label^='Your answer: ']")
    expect(boxes).to_have_count(3)
    for text in boxes.evaluate_all("boxes => boxes.map(box => box.value)"):
        assert re.fullmatch(r'def \w+\(.+\):\n    """Return .+\."""\n    ', text), text


def test_what_a_reader_has_done_is_remembered_and_can_be_forgotten(tab, address):
    page = tab
    page.clock.install()
    page.goto(address + PAGE)
    chapter = page.locator(".md-nav--primary a.md-nav__link--active").first
    question = page.locator("#check-yourself ~ p").first
    field = page.get_by_role("textbox", name="Your answer to question 1")
    page.locator("#check-yourself").scroll_into_view_if_needed()
    field.fill("27.7, the root of 768")
    page.get_by_role("button", name="Compare with the book").first.click()
    expect(page.get_by_text("at every position").first).to_be_visible()
    page.get_by_role("button", name="Not yet").first.click()
    expect(question.get_by_role("img", name="right")).to_have_count(0)
    page.get_by_role("button", name="I was right").first.click()
    expect(question.get_by_role("img", name="right")).to_be_visible()
    expect(chapter.locator(".done")).to_have_count(0)
    page.clock.fast_forward(61_000)
    page.locator("article h2").last.scroll_into_view_if_needed()
    expect(chapter.locator(".done")).to_have_count(1)
    page.evaluate("localStorage.setItem('posenc-solved-relative-easy', 'yes')")

    page.reload()
    expect(page.locator("h3").get_by_role("img", name="solved")).to_have_count(1)
    page.locator("#check-yourself").scroll_into_view_if_needed()
    expect(field).to_have_value("27.7, the root of 768")
    expect(question.get_by_role("img", name="right")).to_be_visible()

    page.goto(address + "reference/help/")
    forgotten = page.locator(".forget")
    expect(forgotten).to_contain_text("1 solved exercise, 1 read chapter, 1 marked question")
    forgotten.get_by_role("button").click()
    expect(forgotten).to_contain_text("Nothing is remembered.")
    assert page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('posenc-'))") == []
    assert find_violations(page, "article") == []

    page.goto(address + PAGE)
    page.locator("#check-yourself").scroll_into_view_if_needed()
    expect(page.get_by_role("textbox", name="Your answer to question 1")).to_have_value("")
    expect(page.locator(".done")).to_have_count(0)
