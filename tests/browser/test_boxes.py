"""Exercises answered in the reader's browser: written, judged, kept, stopped and put back."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from engine.places import ROOT
from engine.texts import read
from posenc import exercises
from posenc.exercises import Exercise
from tests import nav
from tests.browser import access
from tests.browser.conftest import opened
from tests.browser.visits import Reader

RELATIVE = "chapters/relative/"
WRONG = """def mean_by_distance(pe):
    products = pe @ pe.T
    sums = [products.diagonal(k).sum() for k in range(len(pe))]
    return np.array(sums) / len(pe)
"""
ENDLESS = "def mean_by_distance(pe):\n    while True:\n        pass\n"
KEPT = "localStorage.getItem('posenc-answer-relative-easy')"


def begins() -> str:
    """Return what the first box of the page begins with."""
    exercise = exercises.find("relative-easy")
    signature, _, _ = exercise.asks.partition(":")
    return f'def {signature}:\n    """{exercise.solution.__doc__}"""\n    '


def editor(box: Locator) -> Locator:
    """Go into a box, and return the editor that comes for its field."""
    box.get_by_role("textbox").click()
    found = box.locator(".cm-content")
    expect(found).to_be_focused()
    return found


def write(box: Locator, text: str) -> None:
    """Put a text in the place of what a box has."""
    editor(box)
    box.page.keyboard.press("Control+A")
    box.page.keyboard.press("Delete")
    box.page.keyboard.insert_text(text)


def test_an_answer_is_judged_kept_stopped_and_reset(page, address):
    page.goto(address + RELATIVE)
    box = page.locator(".exercise").first
    said = box.get_by_role("status")
    check = box.get_by_role("button", name="Check")
    expect(box.get_by_role("textbox")).to_have_value(begins())
    assert page.locator(".exercise").count() == 3

    write(box, WRONG)
    page.keyboard.press("Control+Enter")
    expect(said).to_contain_text("relative-easy: 1 of 3 properties hold")
    expect(said).to_contain_text("fails: mean of the pairs")
    expect(said).to_contain_text("at distance 1: found 0.6, expected 0.9")
    expect(said).to_contain_text("usually: the sum was divided by L")

    page.reload()
    expect(box.get_by_role("textbox")).to_have_value(WRONG)
    shown = box.locator("xpath=following-sibling::details[1]").locator(".highlight code").first
    write(box, shown.evaluate("code => code.textContent"))
    check.click()
    expect(said).to_have_text("relative-easy: 3 of 3 properties hold")

    write(box, ENDLESS)
    check.click()
    expect(said).to_have_text("Checking")
    box.get_by_role("button", name="Stop").click()
    expect(said).to_have_text("stopped")
    expect(check).to_be_visible()

    assert page.evaluate(KEPT) == ENDLESS
    box.get_by_role("button", name="Reset").click()
    expect(box.locator(".cm-content")).to_be_focused()
    assert box.locator(".cm-line").all_inner_texts() == begins().split("\n")
    assert page.evaluate(KEPT) is None
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(box.locator(".cm-content")).not_to_be_focused()


def test_the_editor_goes_on_where_the_reader_was_in_the_field(page, address, site):
    page.goto(address + RELATIVE)
    box = page.locator(".exercise").first
    field = box.get_by_role("textbox")
    field.evaluate("field => field.setSelectionRange(4, 8)")
    field.focus()
    expect(box.locator(".cm-content")).to_be_focused()
    page.keyboard.insert_text("my")

    first = begins().split("\n")[0].replace("mean", "my")
    assert box.locator(".cm-line").first.inner_text() == first
    described = box.locator(".cm-content").get_attribute("aria-describedby")
    assert "Escape, then Tab" in page.locator(f"#{described}").inner_text()
    reader = Reader(page, address, site)
    access.prepare(page)
    for width, scheme in ((1280, "light"), (390, "dark")):
        reader.arrange(width, 3000, scheme)
        reader.scroll()
        assert [*access.complaints(page, set())] == []
        assert page.evaluate("document.documentElement.scrollWidth") == width


def test_without_the_editor_the_field_stays(page, address):
    page.route("**/editor/*", lambda route: route.abort())
    page.goto(address + RELATIVE)
    box = page.locator(".exercise").first
    field = box.get_by_role("textbox")
    with page.expect_event("requestfailed"):
        field.click()
    field.fill(WRONG)
    expect(field).to_have_value(WRONG)
    assert page.evaluate(KEPT) == WRONG


def test_a_browser_that_keeps_nothing_has_the_boxes(page, address):
    page.add_init_script(
        """for (const name of ["getItem", "setItem", "removeItem"]) {
            const before = Storage.prototype[name];
            Storage.prototype[name] = function (key, ...rest) {
                if (key.startsWith("posenc")) throw new Error("may not be kept");
                return before.call(this, key, ...rest);
            };
        }"""
    )
    page.goto(address + RELATIVE)
    box = page.locator(".exercise").first
    write(box, "x = 1")
    expect(box.locator(".cm-line")).to_have_text("x = 1")
    box.get_by_role("button", name="Reset").click()
    assert box.locator(".cm-line").all_inner_texts() == begins().split("\n")


def test_an_endless_answer_is_given_up_in_time(newcomer, address):
    newcomer.clock.install()
    newcomer.goto(address + RELATIVE)
    box = newcomer.locator(".exercise").first
    said = box.get_by_role("status")
    write(box, ENDLESS)
    newcomer.keyboard.press("Control+Enter")
    expect(said).to_have_text("Checking")

    newcomer.clock.fast_forward(31_000)

    expect(said).to_have_text("stopped: no answer for 30 seconds")


@pytest.fixture(scope="module")
def python(browser: Browser, address: str) -> Iterator[Page]:
    """Open a page whose Python judges the answers of all chapters."""
    context = opened(browser)
    tab = context.new_page()
    tab.goto(address + RELATIVE)
    yield tab
    context.close()


def judged(tab: Page, address: str, answers: list[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return what the reader's Python says of texts of answers, each with its exercise."""
    found: list[dict[str, Any]] = tab.evaluate(
        """async ([python, answers]) => {
            const { ask } = await import(python);
            const found = [];
            for (const [exercise, text] of answers) {
                found.push(await ask({ exercise, text }, () => {}));
            }
            return found;
        }""",
        [f"{address}assets/scripts/run/python.js", answers],
    )
    return found


def solution(name: str) -> str:
    """Return the solution of an exercise as its page shows it."""
    module = read(ROOT / f"posenc/exercises/{name.rpartition('-')[0]}.py")
    return module.partition(f"[start:{name}]\n")[2].partition(f"# --8<-- [end:{name}]")[0]


def mistakes(exercise: Exercise) -> list[tuple[str, str]]:
    """Return the wrong answers that are stored with an exercise."""
    fetched = f"exercises.find({exercise.name!r}).properties"
    function = exercise.solution.__name__
    texts = (
        f"from posenc import exercises\n{function} = {fetched}[{place}].wrong\n"
        for place, _ in enumerate(exercise.properties)
    )
    return [(exercise.name, text) for text in texts]


@pytest.mark.turns(5)  # tests/package/exercises looks at all of them, in the Python of the tests
@pytest.mark.parametrize("chapter", nav.CHAPTERS)
def test_solutions_are_accepted_and_stored_wrong_answers_refused(python, address, chapter):
    names = exercises.names(chapter)
    right = judged(python, address, [(name, solution(name)) for name in names])
    assert [said["holds"] for said in right] == [True] * len(names), right

    found = [exercises.find(name) for name in names]
    wrong = judged(python, address, [one for exercise in found for one in mistakes(exercise)])
    fails = [f"\n  fails: {asked.name}\n" for one in found for asked in one.properties]
    assert len(wrong) == len(fails) > 5
    assert not [said for fail, said in zip(fails, wrong, strict=True) if fail not in said["said"]]
