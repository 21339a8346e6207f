"""Pages that run in the browser: results of prompts, and mutants that are undone."""

import json
from pathlib import Path

import pytest

import posenc
from browser import page_session
from browser.page_session import FAILED, PASSED, UNAVAILABLE, PageSession
from check.paths import DOCS

RELATIVE = str(DOCS / "chapters/relative.md")


def run_page(session: PageSession, *arguments: object) -> list[dict[str, object]]:
    """Return the outcomes of a page, or of the page up to a card."""
    return [json.loads(outcome) for outcome in session.run(*arguments)]


def test_a_card_runs_after_everything_above_it():
    session = PageSession(RELATIVE)
    outcomes = run_page(session, "eq-group")

    assert {outcome["status"] for outcome in outcomes} == {PASSED}
    assert outcomes[-1]["card"] == "eq-group"
    assert "eq-shift" in {outcome["card"] for outcome in outcomes}
    count = json.loads(session.count_examples("eq-group"))
    assert len(outcomes) == count < json.loads(session.count_examples())


def test_a_mutant_fails_its_card_and_is_undone():
    session = PageSession(RELATIVE)
    mutants = json.loads(session.list_mutants("eq-shift"))
    number = next(n for n, one in enumerate(mutants) if (one["was"], one["now"]) == ("sin", "cos"))
    before = posenc.rotation_matrix(3, 4).tolist()

    outcomes = run_page(session, "eq-shift", number)

    failed_cards = {outcome["card"] for outcome in outcomes if outcome["status"] == FAILED}
    assert failed_cards == {"eq-shift"}
    assert posenc.rotation_matrix(3, 4).tolist() == before
    assert {outcome["status"] for outcome in run_page(session, "eq-shift")} == {PASSED}


def test_a_mutant_of_one_card_runs_on_the_whole_page():
    outcomes = run_page(PageSession(RELATIVE), "", 0, "eq-shift")

    failed_cards = {outcome["card"] for outcome in outcomes if outcome["status"] == FAILED}
    assert "eq-shift" in failed_cards
    assert "eq-dot" not in failed_cards


@pytest.mark.parametrize(
    ("source", "status", "message"),
    [
        ("1 + 1\n2", PASSED, ""),
        ("1 + 1\n3", FAILED, "Got:\n    2"),
        ("1 / 0\n1", FAILED, "ZeroDivisionError"),
        ("import missing_module", FAILED, "missing_module"),
    ],
)
def test_outcome_of_a_prompt(tmp_path: Path, source, status, message):
    (tmp_path / "page.md").write_text(f"# Page\n\n```pycon\n>>> {source}\n```\n")

    (outcome,) = run_page(PageSession(str(tmp_path / "page.md")))

    assert outcome["status"] == status
    assert message in str(outcome["message"])
    assert outcome["line"] == 4


def test_a_package_that_browsers_lack_is_not_a_failure(tmp_path, monkeypatch):
    monkeypatch.setattr(page_session, "NOT_IN_BROWSER", ("missing_module",))
    (tmp_path / "page.md").write_text("```pycon\n>>> import missing_module\n```\n")

    (outcome,) = run_page(PageSession(str(tmp_path / "page.md")))

    assert outcome["status"] == UNAVAILABLE
