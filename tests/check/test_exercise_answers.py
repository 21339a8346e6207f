"""Answers typed on the page: solutions pass, and wrong ones get the report of `exercises.check`.

As in the browser, the text of an answer goes through `browser.exercise_check.judged`.
"""

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
MISTAKES = [
    pytest.param(name, place, id=f"{name}-{asked.name.replace(' ', '-')}")
    for name in NAMES
    for place, asked in enumerate(exercises.find(name).properties)
]


def judged(name: str, text: str) -> dict[str, Any]:
    """Return what is said of a text."""
    found: dict[str, Any] = json.loads(exercise_check.judged(name, text))
    return found


def module(name: str) -> str:
    """Return the file of a chapter's exercises."""
    return f"posenc/exercises/{name.rpartition('-')[0]}.py"


@pytest.mark.parametrize("name", NAMES)
def test_the_solution_that_the_page_shows_is_accepted_as_it_stands(name):
    shown = read_page(ROOT / module(name)).partition(f"[start:{name}]\n")[2]
    count = len(exercises.find(name).properties)

    found = judged(name, shown.partition(f"# --8<-- [end:{name}]")[0])

    assert found == {
        "holds": True,
        "said": f"{name}: {count} of {count} properties hold",
        "printed": "",
    }


@pytest.mark.parametrize(("name", "place"), MISTAKES)
def test_each_stored_wrong_answer_is_refused_in_the_words_of_check(name, place):
    """It is fetched as the page fetches it, and bound to the name that is asked for."""
    exercise = exercises.find(name)
    asked = exercise.properties[place]
    fetched = f"exercises.find({name!r}).properties[{place}].wrong"
    text = f"from posenc import exercises\n\n{exercise.solution.__name__} = {fetched}\n"

    found = judged(name, text)

    assert found["holds"] is False
    assert f"\n  fails: {asked.name}\n" in found["said"]
    assert f"usually: {asked.usually}" in re.sub(r"\s+", " ", found["said"])


@pytest.mark.parametrize("name", NAMES)
def test_the_page_tells_what_the_box_begins_with(name):
    """The signature stands in the task, and the docstring in the first code of the solution."""
    exercise = exercises.find(name)
    text = read_page(ROOT / f"docs/chapters/{name.rpartition('-')[0]}.md")
    task, _, _ = text.partition(f'`exercises.check("{name}", {exercise.solution.__name__})`')
    task = task.rpartition("\n### ")[2]
    shown = read_page(ROOT / module(name)).partition(f"[start:{name}]\n")[2]
    start = shown.index(f"def {exercise.solution.__name__}(")
    docstring = re.search(r'"""(.+?)"""', shown[start:])

    assert f"`{exercise.asks.partition(': ')[0]}`" in task
    assert docstring
    assert docstring[1] == inspect.getdoc(exercise.solution)
    assert not [*find_fences(task)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "there is no function mean_by_distance here; it has to keep its name"),
        ("mean_by_distance = 3", "there is no function mean_by_distance here; it has to keep"),
        ("def mean_by_distance(pe):\n    return (", "line 2: SyntaxError: '(' was never closed"),
        ("x = 1\ny = x / 0", "line 2: ZeroDivisionError: division by zero"),
        ("import nothing_of_this_name", "line 1: ModuleNotFoundError: No module named"),
        ("def mean_by_distance(pe):\n    raise SystemExit(1)", "line 2: SystemExit: 1"),
        ("def mean_by_distance(pe):\n    pass", "raised TypeError: object of type"),
        (
            "def mean_by_distance(pe: Unknown):\n    pass",
            "raised TypeError: object of type",
        ),
    ],
)
def test_what_is_no_answer_is_told_in_a_line(text, said):
    found = judged("relative-easy", text)

    assert found["holds"] is False
    assert said in found["said"]


def test_what_an_answer_prints_is_shown_and_cut(capsys):
    short = judged("relative-easy", "print('here')")
    long = judged("relative-easy", "print('x' * 5000)")

    assert short["printed"] == "here\n"
    assert long["printed"].startswith("x" * exercise_check.MOST + "\n… cut after")
    assert capsys.readouterr().out == ""


def test_an_answer_cannot_use_its_own_solution():
    found = judged("relative-easy", "of = mean_by_distance")

    assert found["said"] == "line 1: NameError: name 'mean_by_distance' is not defined"
