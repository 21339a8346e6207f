"""Answers typed on a page: solutions pass, and wrong answers get the report of the check."""

import inspect
import json
import re
from typing import Any

import pytest

from browser import exercise_check
from check.fences import find_fences
from check.page_source import read_page
from check.paths import ROOT
from posenc import exercises
from tests import nav

NAMES = [name for chapter in nav.CHAPTERS for name in exercises.names(chapter)]
WRONG_ANSWERS = [
    pytest.param(name, number, id=f"{name}-{asked.name.replace(' ', '-')}")
    for name in NAMES
    for number, asked in enumerate(exercises.find(name).properties)
]


def check_answer(name: str, text: str) -> dict[str, Any]:
    """Return the verdict on the text of an answer."""
    verdict: dict[str, Any] = json.loads(exercise_check.check_answer(name, text))
    return verdict


def read_solution(name: str) -> str:
    """Return the solution of an exercise as its page shows it."""
    text = read_page(ROOT / f"posenc/exercises/{name.rpartition('-')[0]}.py")
    return text.partition(f"[start:{name}]\n")[2].partition(f"# --8<-- [end:{name}]")[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_on_the_page_is_accepted(name):
    properties = exercises.find(name).properties

    verdict = check_answer(name, read_solution(name))

    assert verdict["holds"], verdict
    assert verdict["report"] == f"Right. All {len(properties)} properties hold:"
    assert [text.partition(": ")[0] for text in verdict["shown"]] == [p.name for p in properties]
    assert all(re.search(r": [A-Z0-9].+\.$", text) for text in verdict["shown"])
    assert verdict["printed"] == ""


@pytest.mark.parametrize(("name", "number"), WRONG_ANSWERS)
def test_a_wrong_answer_fails_its_property(name, number):
    exercise = exercises.find(name)
    asked = exercise.properties[number]
    wrong = f"exercises.find({name!r}).properties[{number}].wrong"
    text = f"from posenc import exercises\n\n{exercise.solution.__name__} = {wrong}\n"

    verdict = check_answer(name, text)

    assert verdict["holds"] is False
    assert verdict["report"].startswith("Not yet: ")
    assert verdict["shown"] == []
    assert f"\n  fails: {asked.name}\n" in verdict["report"]
    assert f"hint: {asked.hint}" in re.sub(r"\s+", " ", verdict["report"])


@pytest.mark.parametrize("name", NAMES)
def test_the_page_has_the_signature_and_docstring_for_the_box(name):
    """The box starts with the signature in the task and the docstring in the solution."""
    exercise = exercises.find(name)
    function = exercise.solution.__name__
    text = read_page(ROOT / f"docs/chapters/{name.rpartition('-')[0]}.md")
    task = text.partition(f'`exercises.check("{name}", {function})`')[0].rpartition("\n### ")[2]
    solution = read_solution(name)
    docstring = re.search(r'"""(.+?)"""', solution[solution.index(f"def {function}(") :])

    assert f"`{exercise.asks.partition(': ')[0]}`" in task
    assert docstring
    assert docstring[1] == inspect.getdoc(exercise.solution)
    assert not [*find_fences(task)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the answer defines no function mean_by_distance; keep this name"),
        ("mean_by_distance = 3", "the answer defines no function mean_by_distance"),
        ("def mean_by_distance(pe):\n    return (", "line 2: SyntaxError: '(' was never closed"),
        ("x = 1\ny = x / 0", "line 2: ZeroDivisionError: division by zero"),
        ("import missing_module", "line 1: ModuleNotFoundError: No module named"),
        ("def mean_by_distance(pe):\n    raise SystemExit(1)", "line 2: SystemExit: 1"),
        ("def mean_by_distance(pe):\n    pass", "returned None, expected an array"),
        (
            "def mean_by_distance(pe: Unknown):\n    pass",
            "returned None, expected an array",
        ),
    ],
)
def test_a_broken_answer_gets_a_message_of_one_line(text, message):
    verdict = check_answer("relative-easy", text)

    assert verdict["holds"] is False
    assert message in verdict["report"]


def test_printed_text_is_returned_and_cut(capsys):
    short = check_answer("relative-easy", "print('here')")
    long = check_answer("relative-easy", "print('x' * 5000)")

    assert short["printed"] == "here\n"
    assert long["printed"].startswith("x" * exercise_check.PRINT_LIMIT + "\n… cut after")
    assert capsys.readouterr().out == ""


def test_an_answer_cannot_use_its_own_solution():
    verdict = check_answer("relative-easy", "alias = mean_by_distance")

    assert verdict["report"] == "line 1: NameError: name 'mean_by_distance' is not defined"
