"""What an answer returns for every call that the properties of an exercise make.

A property stops at the first wrong result, so its calls tell little about a wrong answer. Here
the property gets the results of the solution, and makes all its calls; the answer is called
with the same arguments, and what it returns is recorded. Two answers with equal records agree
on all probes.
"""

import contextlib
import copy
import io
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from posenc.exercises.exercise import Answer, Exercise, Test, copy_arrays

RELATIVE, ABSOLUTE = 1e-9, 1e-13  # rounding: of each number, and of the largest in its array

Record = list[Any]  # results, in the order of the calls


@dataclass(frozen=True)
class Raised:
    """The result of a call that raised an exception of this type."""

    error: str


@cache
def record_solution(exercise: Exercise) -> tuple[Record, ...]:
    """Return what the solution returns, for each property."""
    return tuple(_run(asked.test, exercise.solution) for asked in exercise.properties)


@cache
def record_mistake(exercise: Exercise, number: int) -> tuple[Record, ...]:
    """Return what the wrong answer to a property returns, for each property."""
    return record_answer(exercise, exercise.properties[number].wrong)


def record_answer(exercise: Exercise, answer: Answer) -> tuple[Record, ...]:
    """Return what an answer returns, for each property."""
    rights = record_solution(exercise)
    return tuple(
        _run_beside(asked.test, answer, right)
        for asked, right in zip(exercise.properties, rights, strict=True)
    )


def agree(one: Any, other: Any) -> bool:
    """Return whether two results are equal up to rounding."""
    if type(one) is type(other) and isinstance(one, int | str):
        return bool(one == other)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(agree, one, other))
    mine, theirs = _numbers(one), _numbers(other)
    if mine is not None and theirs is not None:
        return _near(mine, theirs)
    if callable(one) and callable(other):
        return True  # what they return is recorded
    return type(one) is type(other) and bool(one == other)


def _numbers(value: Any) -> Any:
    """Return a value as an array of numbers, or None."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        return None
    return array if array.dtype.kind in "biufc" else None


def _near(one: Any, other: Any) -> bool:
    if one.shape != other.shape:
        return False
    finite = abs(other[np.isfinite(other)] * 1.0)
    slack = ABSOLUTE * finite.max(initial=0)
    return np.allclose(one, other, rtol=RELATIVE, atol=slack, equal_nan=True)


def _run(test: Test, solution: Answer) -> Record:
    """Judge the solution, and return its results."""
    record: Record = []

    def follow(function: Answer) -> Answer:
        def called(*args: Any, **keywords: Any) -> Any:
            result = function(*copy_arrays(args), **keywords)
            record.append(_copy(result))
            return follow(result) if callable(result) else result

        return called

    test(follow(solution))
    return record


def _run_beside(test: Test, answer: Answer, right: Record) -> Record:
    """Judge the solution, call the answer with the same arguments, and return its results."""
    record: Record = []
    results = iter(right)

    def follow(function: Answer) -> Answer:
        def called(*args: Any, **keywords: Any) -> Any:
            found = _attempt(function, *copy_arrays(args), **keywords)
            record.append(_copy(found))
            result = _copy(next(results))
            return follow(found) if callable(result) else result

        return called

    with _quiet():
        test(follow(answer))
    return record


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Print and warn of nothing a second time."""
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


def _attempt(function: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
    try:
        return function(*args, **keywords)
    except Exception as error:  # whichever it is, it comes from the reader's function
        return Raised(type(error).__name__)


def _copy(result: Any) -> Any:
    """Return a copy, since a property may write into what it gets."""
    if isinstance(result, np.ndarray):
        return result.copy()
    if isinstance(result, int | float | str):
        return result
    try:
        return copy.deepcopy(result)
    except TypeError:  # a generator
        return result
