"""Hints are true: an answer gets one only if it behaves like the mistake that the hint names."""

import copy
import inspect
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc import exercises
from tests.package.exercises.fresh_calls import FRESH

Answer = Callable[..., Any]
TABLE = Path(__file__).with_name("wrong_answers.txt").read_text(encoding="utf-8")


def read_edits(name: str) -> list[tuple[str, str]]:
    """Return the changes that make a solution wrong."""
    section = TABLE.partition(f"\n# {name}\n")[2].partition("\n# ")[0]
    lines = (line.partition(" =>") for line in section.splitlines() if line)
    return [(old, new.strip()) for old, _, new in lines]


def write_answer(name: str, old: str, new: str) -> Answer:
    """Return the solution with a change."""
    solution = exercises.find(name).solution
    text = inspect.getsource(solution)
    if old == "return":
        before, _, last = text.rpartition("\n    return ")
        text = f"{before}\n    return {new}\n"
        assert last, name
    else:
        assert old in text, (name, old)
        text = text.replace(old, new)
    namespace = {**vars(sys.modules[solution.__module__])}
    exec(compile(text, f"<{name}>", "exec", dont_inherit=True), namespace)
    answer: Answer = namespace[solution.__name__]
    return answer


def call_fresh(name: str, answer: Answer) -> list[Any]:
    """Return what an answer does in calls that the check doesn't make."""
    found = []
    for call in copy.deepcopy(FRESH[name]):
        try:
            found.append(call(answer))
        except Exception as error:
            found.append(type(error).__name__)
    return found


@cache
def call_mistake(name: str, hint: str) -> list[Any]:
    """Return what the wrong answer that a hint is about does in these calls."""
    mistakes = [asked for asked in exercises.find(name).properties if asked.hint == hint]
    return call_fresh(name, mistakes[0].wrong)


def are_equal(one: Any, other: Any) -> bool:
    """Return whether two results are the same up to rounding."""
    if isinstance(one, str) or isinstance(other, str) or one is None or other is None:
        return bool(type(one) is type(other) and one == other)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(are_equal, one, other))
    one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    return one.shape == other.shape and np.allclose(one, other, 1e-6, 1e-11, equal_nan=True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", exercises.names())
def test_a_hint_names_the_mistake_that_the_answer_makes(name):
    edits = read_edits(name)
    assert len(edits) >= 4

    for old, new in edits:
        answer = write_answer(name, old, new)
        report = exercises.check(name, answer)

        assert not report.holds, (old, new)
        if report.hint:
            same = are_equal(call_fresh(name, answer), call_mistake(name, report.hint))
            assert same, (old, new, report.hint)
