"""Answers that readers write on the page: run, and judged as `posenc.exercises.check` does.

Here is only what stands around a function that was typed: the text itself may be no Python, may
raise before there is a function, or print. A worker of the browser calls this, so JSON goes out.
"""

import __future__

import io
import json
import traceback
import warnings
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from importlib import import_module
from types import CodeType
from typing import Any

from posenc import exercises

NAME = "<your answer>"
MOST = 2000  # characters of what an answer prints


@dataclass
class Judged:
    """What is said of an answer."""

    holds: bool
    said: str  # the report, or why there is none
    printed: str = ""


def judged(name: str, text: str) -> str:
    """Run the text of an answer to an exercise, and return what `check` says of its function."""
    printed = io.StringIO()
    with warnings.catch_warnings(), redirect_stdout(printed):
        warnings.simplefilter("ignore")
        try:
            holds, said = _judged(exercises.find(name), text)
        except (Exception, SystemExit) as error:
            holds, said = False, _told(error, text)
    return json.dumps(asdict(Judged(holds, said, _cut(printed.getvalue()))))


def _judged(exercise: exercises.Exercise, text: str) -> tuple[bool, str]:
    function = exercise.solution.__name__
    namespace = _known(exercise)
    exec(_compiled(text), namespace)
    if not callable(namespace.get(function)):
        return False, f"there is no function {function} here; it has to keep its name"
    report = exercises.check(exercise.name, namespace[function])
    return report.holds, repr(report)


def _compiled(text: str) -> CodeType:
    """Return the code of an answer, whose annotations may name anything."""
    flags = __future__.annotations.compiler_flag
    code: CodeType = compile(text, NAME, "exec", flags=flags, dont_inherit=True)
    return code


def _known(exercise: exercises.Exercise) -> dict[str, Any]:
    """Return what an answer may use as the solution does: its imports, and the other solutions."""
    module = exercise.solution.__module__
    there = vars(import_module(module))
    imported = {
        name: value
        for name, value in there.items()
        if getattr(value, "__module__", "") != module and name != "EXERCISES"
    }
    solutions = [other.solution for other in there["EXERCISES"] if other is not exercise]
    return {**imported, **{one.__name__: one for one in solutions}, "__name__": NAME}


def _told(error: BaseException, text: str) -> str:
    """Return what went wrong before there was a function, and in which line of the answer."""
    said = "".join(traceback.format_exception_only(error)).strip().split("\n")[-1]
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {said}"
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == NAME]
    return f"line {lines[-1]}: {said}" if lines else said


def _cut(text: str) -> str:
    return text if len(text) <= MOST else f"{text[:MOST]}\n… cut after {MOST} characters"
