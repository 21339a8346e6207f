"""A page that runs where it is read: the same answers, and a fault that is taken back."""

import json
from pathlib import Path

import pytest

import posenc
from browser import page_session
from browser.page_session import ELSEWHERE, FAILED, HELD, Running
from check.paths import DOCS

RELATIVE = str(DOCS / "chapters/relative.md")


def outcomes(page: Running, *asked: object) -> list[dict[str, object]]:
    """Return what comes of a page, or of a card."""
    return [json.loads(outcome) for outcome in page.run(*asked)]


def test_a_card_runs_with_all_that_stands_before_it():
    page = Running(RELATIVE)
    found = outcomes(page, "eq-group")

    assert {one["came"] for one in found} == {HELD}
    assert found[-1]["card"] == "eq-group"
    assert "eq-shift" in {one["card"] for one in found}
    assert len(found) == json.loads(page.examples("eq-group")) < json.loads(page.examples())


def test_a_fault_is_noticed_and_taken_back():
    page = Running(RELATIVE)
    told = json.loads(page.broken("eq-shift"))
    number = next(n for n, one in enumerate(told) if (one["was"], one["now"]) == ("sin", "cos"))
    before = posenc.rotation_matrix(3, 4).tolist()

    found = outcomes(page, "eq-shift", number)

    failed = [one for one in found if one["came"] == FAILED]
    assert failed
    assert {one["card"] for one in failed} == {"eq-shift"}
    assert posenc.rotation_matrix(3, 4).tolist() == before
    assert {one["came"] for one in outcomes(page, "eq-shift")} == {HELD}


def test_a_fault_of_one_card_is_tried_on_the_whole_page():
    page = Running(RELATIVE)
    found = outcomes(page, "", 0, "eq-shift")

    fallen = {one["card"] for one in found if one["came"] == FAILED}
    assert "eq-shift" in fallen
    assert "eq-dot" not in fallen


@pytest.mark.parametrize(
    ("source", "came", "said"),
    [
        ("1 + 1\n2", HELD, ""),
        ("1 + 1\n3", FAILED, "Got:\n    2"),
        ("1 / 0\n1", FAILED, "ZeroDivisionError"),
        ("import a_module_that_nobody_has", FAILED, "a_module_that_nobody_has"),
    ],
)
def test_what_comes_of_a_prompt(tmp_path: Path, source, came, said):
    (tmp_path / "page.md").write_text(f"# Page\n\n```pycon\n>>> {source}\n```\n")

    (found,) = outcomes(Running(str(tmp_path / "page.md")))

    assert found["came"] == came
    assert said in str(found["message"])
    assert found["line"] == 4


def test_what_a_browser_lacks_is_no_failure(tmp_path, monkeypatch):
    monkeypatch.setattr(page_session, "LACKING", ("a_module_that_nobody_has",))
    (tmp_path / "page.md").write_text("```pycon\n>>> import a_module_that_nobody_has\n```\n")

    (found,) = outcomes(Running(str(tmp_path / "page.md")))

    assert found["came"] == ELSEWHERE
