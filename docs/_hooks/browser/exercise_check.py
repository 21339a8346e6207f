"""Check the answer that a reader types below an exercise, as `posenc.exercises.check` does.

The text may not be Python, may raise before it defines a function, and may print. The worker in
the browser calls `check_answer`, so the result is JSON.
"""

import __future__

import inspect
import io
import json
import traceback
import warnings
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

from posenc import exercises

FILENAME = "<your answer>"
PRINT_LIMIT = 2000  # characters


@dataclass
class Verdict:
    """The verdict on an answer."""

    holds: bool
    report: str  # of the check, or why the answer could not be checked
    shown: tuple[str, ...] = ()  # each property of an answer that has all of them, in words
    printed: str = ""


def check_answer(name: str, text: str) -> str:
    """Run the text of an answer to an exercise, and return the verdict of `check`."""
    printed = io.StringIO()
    with warnings.catch_warnings(), redirect_stdout(printed):
        warnings.simplefilter("ignore")
        try:
            verdict = _run_answer(exercises.find(name), text)
        except (Exception, SystemExit) as error:
            verdict = Verdict(False, _describe_error(error))
    verdict.printed = _shorten(printed.getvalue())
    return json.dumps(asdict(verdict))


def _run_answer(exercise: exercises.Exercise, text: str) -> Verdict:
    function = exercise.solution.__name__
    namespace = _build_namespace(exercise)
    flags = __future__.annotations.compiler_flag  # annotations may use any names
    exec(compile(text, FILENAME, "exec", flags=flags, dont_inherit=True), namespace)
    if not callable(namespace.get(function)):
        return Verdict(False, f"the answer defines no function {function}; keep this name")
    return _describe_report(exercises.check(exercise.name, namespace[function]))


def _describe_report(report: exercises.Report) -> Verdict:
    """Return what a report says, without the name of the exercise, which its page shows."""
    properties, holding = report.exercise.properties, report.findings.count(None)
    if report.holds:
        shown = [f"{asked.name}: {inspect.getdoc(asked.test)}" for asked in properties]
        return Verdict(True, f"Right. All {holding} properties hold:", tuple(shown))
    found = repr(report).partition("\n")[2]
    return Verdict(False, f"Not yet: {holding} of {len(properties)} properties hold.\n{found}")


def _build_namespace(exercise: exercises.Exercise) -> dict[str, Any]:
    """Return the names that the solution may use: its imports, and the other solutions."""
    module = exercise.solution.__module__
    names = vars(import_module(module))
    imports = {
        name: value
        for name, value in names.items()
        if getattr(value, "__module__", "") != module and name != "EXERCISES"
    }
    solutions = [other.solution for other in names["EXERCISES"] if other is not exercise]
    return {**imports, **{each.__name__: each for each in solutions}, "__name__": FILENAME}


def _describe_error(error: BaseException) -> str:
    """Return an error of the answer, with the line of the answer that raised it."""
    message = "".join(traceback.format_exception_only(error)).strip().split("\n")[-1]
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {message}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == FILENAME]
    return f"line {lines[-1]}: {message}" if lines else message


def _shorten(text: str) -> str:
    if len(text) <= PRINT_LIMIT:
        return text
    return f"{text[:PRINT_LIMIT]}\n… cut after {PRINT_LIMIT} characters"
