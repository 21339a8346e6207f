"""The report on an answer: what fails, for which call, and which known mistake it makes."""

import reprlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from posenc.exercises import shadow
from posenc.exercises.exercise import Answer, Exercise, NoNumbers, Report, Test, copy_arrays
from posenc.exercises.kinds import name_mismatch
from posenc.exercises.watching import Forbidden, forbid_calls

Call = tuple[tuple[Any, ...], dict[str, Any]]

SMALL = 8  # entries of an array that is written out


def judge_answer(exercise: Exercise, answer: Answer) -> Report:
    """Return what an answer does to each property; one that raises has failed."""
    calls: list[Call] = []
    watched = _watch(exercise, answer, calls)
    findings: list[str | None] = []
    last_call = ""
    for asked in exercise.properties:
        findings.append(_judge_property(asked.test, watched))
        if findings[-1] and not last_call:
            last_call = _write_call(exercise.solution.__name__, *calls[-1]) if calls else ""
    if not any(findings):
        return Report(exercise, tuple(findings))
    return _explain(exercise, answer, findings, last_call)


def _judge_property(test: Test, answer: Answer) -> str | None:
    try:
        return test(answer)
    except Forbidden as error:
        return f"called {error}, which this exercise forbids"
    except NoNumbers as error:
        return f"returned {error}"
    except Exception as error:  # whichever it is, it comes from the reader's function
        return f"raised {type(error).__name__}: {error}"


def _explain(exercise: Exercise, answer: Answer, findings: list[str | None], call: str) -> Report:
    """Report the mistake that an answer makes, or else its first wrong result."""
    number, finding = next((n, finding) for n, finding in enumerate(findings) if finding)
    if finding.startswith("called "):
        return Report(exercise, tuple(findings))
    records = shadow.record_answer(exercise, answer)
    if _fails_like(exercise, number, findings) and all(
        map(shadow.agree, records, shadow.record_mistake(exercise, number))
    ):
        return Report(exercise, tuple(findings), hint=exercise.properties[number].hint)
    right = shadow.record_solution(exercise)[number]
    if not any(isinstance(each, shadow.Raised) for each in records[number]):
        findings[number] = name_mismatch(records[number], right) or finding
    return Report(exercise, tuple(findings), call=call)


def _fails_like(exercise: Exercise, number: int, findings: list[str | None]) -> bool:
    return _failures_of_mistake(exercise, number) == tuple(map(bool, findings))


@cache
def _failures_of_mistake(exercise: Exercise, number: int) -> tuple[bool, ...]:
    """Return which properties fail for the wrong answer to one of them."""
    wrong = _watch(exercise, exercise.properties[number].wrong, [])
    return tuple(bool(_judge_property(asked.test, wrong)) for asked in exercise.properties)


def _watch(exercise: Exercise, answer: Answer, calls: list[Call]) -> Callable[..., Any]:
    """Return an answer that may write into its arguments, and whose calls are noted."""

    def called(*args: Any, **keywords: Any) -> Any:
        calls.append((args, keywords))
        with forbid_calls(exercise.forbids):
            return answer(*copy_arrays(args), **keywords)

    return called


def _write_call(name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> str:
    given = [_write(arg) for arg in args]
    given += [f"{key}={_write(arg)}" for key, arg in keywords.items()]
    return f"{name}({', '.join(given)})"


def _write(value: Any) -> str:
    """Return an argument as code where it is short, and otherwise as what it is."""
    if isinstance(value, np.ndarray):
        if value.size > SMALL:
            return f"<{value.dtype} array of shape {value.shape}>"
        return str(np.round(value, 4).tolist())
    if isinstance(value, np.generic):
        value = value.item()
    if callable(value) or hasattr(value, "__next__"):
        return f"<{'function' if callable(value) else 'iterator'}>"
    return reprlib.repr(value)
