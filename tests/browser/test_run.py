"""Cards run in the reader's browser: as they stand, with a fault, and on every page."""

import json
from base64 import urlsafe_b64encode

import pytest
from playwright.sync_api import Locator, expect

from engine import breakages
from engine.places import DOCS
from tests.browser import access
from tests.browser.idle import PATIENCE
from tests.browser.visits import SCROLL, weight

RELATIVE = "chapters/relative/"
CHAPTERS = sorted(page.stem for page in (DOCS / "chapters").glob("*.md"))
LACKING = 0.05  # of the prompts of a page, at most, need what a browser has not


@pytest.fixture
def card(page, address):
    """Open a card, and return what runs it."""
    page.goto(address + RELATIVE)
    page.locator("#eq-shift ~ details.verification summary").first.click()
    return page.locator("details.verification .run").first


def status(card: Locator) -> Locator:
    """Return where it says what came of it."""
    return card.locator(".run-status")


def test_a_card_holds_in_the_browser_and_with_a_fault_it_does_not(page, card):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    card.get_by_role("button", name="Run it here").click()
    expect(status(card)).to_contain_text("The card holds")
    assert [url for url in asked if url.endswith("pyodide.asm.wasm.gz")]
    assert not card.locator("[data-came=failed]").count()
    assert card.locator("[data-came=held]").count() > 3

    card.locator("select").focus()
    expect(card.locator("option").nth(5)).to_be_attached()
    names = [said["title"] for said in breakages.stored()["relative"] if said["card"] == "eq-shift"]
    options = card.locator("option").all_inner_texts()
    assert options[: len(names) + 1] == ["as it stands", *names]
    card.locator("select").select_option(index=len(names) + 4)
    card.get_by_role("button", name="Run it here").click()
    expect(status(card)).to_contain_text("The fault is noticed")
    assert "AssertionError" in card.locator("pre").first.inner_text() or (
        "Expected" in card.locator("pre").first.inner_text()
    )

    card.locator("select").select_option("")
    card.get_by_role("button", name="Run it here").click()
    expect(status(card)).to_contain_text("The card holds")


def test_it_can_be_stopped_and_started_again(card):
    card.get_by_role("button", name="Run the whole page").click()
    card.get_by_role("button", name="Stop").click()
    expect(status(card)).to_have_text("stopped")

    card.get_by_role("button", name="Run it here").click()
    expect(status(card)).to_contain_text("The card holds")


def test_nothing_is_loaded_before_a_press(page, address, site):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address + RELATIVE, wait_until="networkidle")

    expect(page.locator(".run").nth(5)).to_be_attached()
    assert not [url for url in asked if "/runtime/" in url or url.endswith("worker.js")]
    ours = {url for url in asked if "/scripts/run/" in url or url.endswith("/parts/elements.js")}
    paths = [site / url.removeprefix(address) for url in ours]
    paths.append(DOCS / "assets/style/run.css")
    assert len(paths) > 2
    assert sum(map(weight, paths)) <= 5 * 1024


@pytest.mark.thorough
def test_who_has_run_a_card_finds_python_started_on_the_next_page(page, card, address):
    with page.expect_event("worker", lambda worker: worker.url.endswith("/run/worker.js")):
        card.get_by_role("button", name="Run it here").click()
    expect(status(card)).to_contain_text("The card holds")

    with page.expect_event("worker", lambda worker: worker.url.endswith("/run/worker.js")):
        page.goto(address + "chapters/order/")
    page.locator("details.verification summary").first.click()
    there = page.locator("details.verification .run").first
    there.get_by_role("button", name="Run it here").click()
    expect(status(there)).to_contain_text("The card holds")
    assert len(page.workers) == len({worker.url for worker in page.workers})


@pytest.mark.thorough
def test_the_register_runs_chapter_after_chapter_until_it_is_stopped(page, address):
    page.goto(address + "reference/equations/")
    page.get_by_role("button", name="Run all equations here").click()
    rows = page.locator(".run tbody tr")
    expect(rows.first).to_be_visible()
    cells = rows.first.locator("td").all_inner_texts()
    held, _, cards = cells[1].partition(" of ")
    assert cards == f"{held} hold"
    assert int(held) > 4
    assert page.locator("h3 .run-mark[data-came=held]").count() == int(held)

    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".run-status")).to_have_text("stopped")


def test_the_register_says_what_was_changed_before_it_runs(page, address):
    change = ["chapters/order.md", "eq-permutation", "lines", 0, 1, 1, "matrix[0, rows] = 1\n"]
    edit = (
        urlsafe_b64encode(json.dumps([change], separators=(",", ":")).encode()).decode().rstrip("=")
    )
    page.goto(f"{address}reference/equations/?edit={edit}")
    bar = page.locator("#run-all")

    expect(bar.locator("pre")).to_have_text("matrix[0, rows] = 1")
    origin = bar.get_by_role("link", name="changed lines of the package").get_attribute("href")
    assert origin == f"{address}chapters/order/?edit={edit}#eq-permutation"
    bar.get_by_role("link", name="Put them back").click()
    expect(page.locator("#run-all pre")).to_have_count(0)


@pytest.mark.thorough
def test_mistakes_with_a_name_turn_their_cards_red_and_no_other(page, address):
    page.goto(address + RELATIVE)
    panel = page.get_by_role("region", name="Break it")
    buttons = panel.locator(".breakages-choices button")
    entries = breakages.stored()["relative"]
    cards = page.locator(".statement").count()
    assert buttons.all_inner_texts() == [said["title"] for said in entries]

    for place, said in enumerate(entries):
        buttons.nth(place).click()
        # What the one before came to may still stand, and may have the same count.
        expect(buttons.nth(place)).to_have_attribute("aria-current", "true")
        expect(panel.locator(".run-status")).to_contain_text(
            f"{len(said['red'])} of {cards} cards", timeout=3000 * PATIENCE
        )
        red = panel.locator(".breakages-cards [data-came=failed] a")
        assert [link.get_attribute("href")[1:] for link in red.all()] == said["red"]
        green = panel.locator(".breakages-cards > [data-came=held]").count()
        assert green == cards - len(said["red"])
        assert said["was"] in panel.locator("del").inner_text()
        assert said["now"] in panel.locator("ins").inner_text()
        assert page.locator("summary > .run-mark[data-came=failed]").count() == len(said["red"])

    page.evaluate(SCROLL, PATIENCE)
    access.prepare(page)
    assert [*access.complaints(page, set())] == []
    panel.get_by_role("button", name="Put it back").click()
    assert page.locator("summary > .run-mark").count() == 0
    assert panel.locator("[aria-current]").count() == 0


@pytest.mark.thorough
@pytest.mark.turns(7)
@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_prompt_of_a_page_holds(page, address, chapter):
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

    failed = [one for one in outcomes if one["came"] == "failed"]
    assert not failed, "\n".join(f"{one['line']}: {one['message'][-300:]}" for one in failed)
    lacking = sum(one["came"] == "elsewhere" for one in outcomes)
    assert len(outcomes) > 30
    assert lacking <= LACKING * len(outcomes)
