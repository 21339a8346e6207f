"""Cards run in the browser: as they are, with a generated fault, and with a named mistake."""

import pytest
from playwright.sync_api import Locator, Page, expect

from browser import named_mistakes
from tests import nav
from tests.browser.axe import find_violations
from tests.browser.conftest import open_tab
from tests.browser.copying import click_copy_button
from tests.browser.waiting import PATIENCE, scroll_to_end

RELATIVE = "chapters/relative/"


def open_card(page: Page, address: str) -> Locator:
    """Open a card, and return the panel that runs it."""
    page.goto(address + RELATIVE)
    page.locator("#eq-shift ~ details.verification summary").first.click()
    return page.locator("details.verification .run").first


def test_a_card_holds_and_fails_with_a_fault(page, address):
    """It can be stopped, too, and Python is only loaded for the first run."""
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    panel = open_card(page, address)
    page.wait_for_load_state("networkidle")
    assert not [url for url in requests if "/runtime/" in url or url.endswith("worker.js")]
    status, run = panel.locator(".run-status"), panel.get_by_role("button", name="Run it here")
    run.click()
    expect(status).to_contain_text("The card holds")
    assert [url for url in requests if url.endswith("pyodide.asm.wasm.gz")]
    assert panel.locator("[data-status=passed]").count() > 3

    menu = panel.locator("select")
    menu.focus()
    expect(panel.locator("option").nth(5)).to_be_attached()
    mistakes = named_mistakes.read_mistakes()["relative"]
    names = [mistake["title"] for mistake in mistakes if mistake["card"] == "eq-shift"]
    options = panel.locator("option").all_inner_texts()
    assert options[: len(names) + 1] == ["as it stands", *names]
    menu.select_option(index=1)  # it runs at once
    expect(status).to_contain_text("Caught: this card fails")  # before the whole page has run
    expect(status).to_contain_text("Caught: with this mistake")
    assert panel.locator("[data-status=failed]").count()
    assert panel.locator("[data-status=passed]").count() == 0  # earlier results are cleared
    card = page.locator("details.verification").first
    assert card.locator("summary .run-mark").inner_text() == "fails with the mistake"
    expect(card.locator("summary .checked")).to_be_hidden()
    marked = page.locator("code > del.run-row, code > ins.run-row")
    assert {one.get_attribute("data-line") for one in marked.all()} == {
        one.get_attribute("data-line") for one in panel.locator(".run-diff .run-row").all()
    }

    code = page.locator(".highlight:has(ins.run-row)")
    copied = click_copy_button(page, code.element_handle())
    assert code.locator("del").inner_text().strip() in copied
    assert code.locator("ins").inner_text().strip() not in copied

    assert find_violations(page, "#eq-shift ~ details") == []
    panel.get_by_role("button", name="Put it back").click()
    expect(status).to_have_text("The lines are as they were.")
    assert page.locator(".run-row, .run-mark").count() == 0

    panel.get_by_role("button", name="Run the whole page").click()
    panel.get_by_role("button", name="Stop").click()
    expect(status).to_have_text("stopped")
    run.click()
    expect(status).to_contain_text("The card holds")


def test_a_mistake_is_marked_and_caught_in_firefox(firefox, address):
    with open_tab(firefox) as page:
        panel = open_card(page, address)
        menu, status = panel.locator("select"), panel.locator(".run-status")
        menu.focus()
        expect(panel.locator("option").nth(1)).to_be_attached()
        menu.select_option(index=1)
        expect(status).to_contain_text("Caught: with this mistake")
        expect(page.locator("code > ins.run-row")).to_contain_text("-np.array(offset)")
        fallen = status.locator("a").all_inner_texts()
        assert fallen[:-1] == ["(6.2)", "(6.5)"]
        assert fallen[-1] == "Try it on all equations of the book"


@pytest.mark.thorough
def test_the_register_runs_the_chapters_until_stopped(page, address):
    page.goto(address + "reference/equations/")
    page.get_by_role("button", name="Run all equations here").click()
    first = page.locator(".run tbody tr").first
    expect(first).to_be_visible()
    held, _, cards = first.locator("td").all_inner_texts()[1].partition(" of ")
    assert cards == f"{held} hold"
    assert int(held) > 4
    assert page.locator("h3 .run-mark[data-status=passed]").count() == int(held)

    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".run-status")).to_have_text("stopped")


@pytest.mark.thorough
def test_named_mistakes_break_the_cards_that_they_should(page, address):
    page.goto(address + RELATIVE)
    page.locator("#pitfalls").scroll_into_view_if_needed()
    panel = page.get_by_role("region", name="Break it")
    expect(panel).to_be_visible()
    buttons = panel.locator(".mistakes-choices button")
    mistakes = named_mistakes.read_mistakes()["relative"]
    count = page.locator(".statement").count()
    assert buttons.all_inner_texts() == [mistake["title"] for mistake in mistakes]

    for place, mistake in enumerate(mistakes):
        buttons.nth(place).click()
        # Earlier results are cleared.
        expect(buttons.nth(place)).to_have_attribute("aria-current", "true")
        result = f"{len(mistake['red'])} of {count} cards"
        expect(panel.locator(".run-status")).to_contain_text(result, timeout=3000 * PATIENCE)
        red = panel.locator(".mistakes-cards [data-status=failed] a").all()
        assert [link.get_attribute("href")[1:] for link in red] == mistake["red"]
        assert mistake["was"] in panel.locator("del").inner_text()
        assert mistake["now"] in panel.locator("ins").inner_text()
        marks = page.locator("summary > .run-mark[data-status=failed]")
        assert marks.count() == len(mistake["red"])

    scroll_to_end(page)
    assert find_violations(page) == []
    panel.get_by_role("button", name="Put it back").click()
    assert page.locator("summary > .run-mark").count() == 0


@pytest.mark.nightly
@pytest.mark.parametrize("chapter", nav.CHAPTERS)
def test_every_session_of_a_chapter_holds_in_pyodide(page, address, chapter):
    page.set_default_timeout(3000 * PATIENCE)
    page.goto(f"{address}chapters/{chapter}/")
    outcomes = page.evaluate(
        """async ([python, page]) => {
             const { ask } = await import(python);
             const outcomes = [];
             await ask({ page }, ({ outcome }) => outcome && outcomes.push(outcome));
             return outcomes;
           }""",
        [f"{address}assets/scripts/run/python.js", f"chapters/{chapter}.md"],
    )
    failed = [f"{one['line']}: {one['message']}" for one in outcomes if one["status"] == "failed"]

    assert not failed
    assert len(outcomes) > 30
    unavailable = sum(one["status"] == "unavailable" for one in outcomes)
    assert unavailable <= 0.05 * len(outcomes)


def test_the_session_on_the_first_page_rounds_like_the_checks(page, address):
    """A claim may differ by half a unit of its last digit."""
    page.goto(address)
    verdicts = []
    for claim in ("16.04", "16", "17", "16.00", ""):
        page.get_by_role("textbox", name="said to print").fill(claim)
        classes = page.locator(".live").get_attribute("class") or ""
        verdicts.append("false" not in classes.split())

    assert verdicts == [False, True, False, True, False]
