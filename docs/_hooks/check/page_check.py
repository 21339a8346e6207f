"""Check of a page: evaluate each of its examples in order and report the failures."""

import decimal
import linecache
import random
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

import numpy as np
from sybil import Document, Example
from sybil.example import SybilFailure

from check import code_blocks, doctests, inline_checks, labs
from check.fences import Fence
from check.figures import Drawing
from check.isolation import EndlessError, SharedState, find_running, limit_code

CODE = (doctests.evaluate, code_blocks.run_python, inline_checks.evaluate)
RUNS_CODE = (*CODE, code_blocks.check_figure, labs.run_cell)
PRINT_OPTIONS, ERRORS = np.get_printoptions(), np.geterr()


def reset_state(namespace: dict[str, Any]) -> None:
    """Clear the namespace and restore all that a page may set, before the next page runs."""
    namespace.clear()
    np.set_printoptions(**PRINT_OPTIONS)
    np.seterr(**ERRORS)
    decimal.setcontext(decimal.Context())
    random.seed()
    if "mpmath" in sys.modules:
        sys.modules["mpmath"].mp.dps = 15
    if "numpy.random" in sys.modules:
        np.random.seed()  # noqa: NPY002


@dataclass
class Failure:
    """An error on a page, with its line."""

    line: int
    message: str


@dataclass
class Report:
    """The result of checking a page."""

    examples: int = 0
    failures: list[Failure] = field(default_factory=list)
    drawings: list[tuple[Fence, Drawing]] = field(default_factory=list)
    answers: list[tuple[Fence, labs.Answer]] = field(default_factory=list)  # of a lab
    code_passed: bool = True  # whatever else fails


def check_page(
    document: Document,
    *,
    skip_code: bool = False,
    find_drawing: Callable[[str], Drawing | None] = lambda source: None,
    answers: Iterable[labs.Answer] = (),
    first_only: bool = False,
) -> Report:
    """Evaluate every example of a page in order, and go on after a failure.

    Results from the cache save work: `skip_code` if the code of the page has passed before,
    `find_drawing` to get the drawing of a figure's code, and `answers` for the cells of a lab.
    With `first_only`, the check ends at the first failure.
    """
    report, cached_answers = Report(), iter(answers)
    state: SharedState | None = None  # as it is before the first code runs
    reset_state(document.namespace)
    linecache.checkcache()
    for example in document:
        if first_only and report.failures:
            break
        report.examples += 1
        evaluator, results = example.region.evaluator, example.region.lexemes
        if skip_code and evaluator in CODE:
            continue
        if evaluator is code_blocks.check_figure:
            if drawing := find_drawing(example.parsed.source):
                results["drawing"] = drawing
        elif evaluator is labs.run_cell and (answer := next(cached_answers, None)):
            results["answer"] = answer
        failures: list[Failure] = []
        if evaluator in RUNS_CODE and not {"answer", "drawing"} & results.keys():
            state = state or SharedState()
            threads: list[Thread] = []
            failure = _evaluate(example, limit_code(threads))
            failures += _find_side_effects(example, state, threads)
        else:
            failure = _evaluate(example, nullcontext())
        if failure:
            failures.insert(0, failure)
        elif evaluator is code_blocks.check_figure:
            report.drawings.append((example.parsed, results["drawing"]))
        elif evaluator is labs.run_cell:
            report.answers.append((example.parsed, results["answer"]))
        report.failures += failures
        report.code_passed &= not (failures and evaluator in RUNS_CODE)
    return report


def _evaluate(example: Example, limits: AbstractContextManager[None]) -> Failure | None:
    """Evaluate an example within limits, with warnings as errors; return its failure, if any."""
    try:
        with warnings.catch_warnings(), limits:
            warnings.simplefilter("error")
            example.evaluate()
    except SybilFailure as failure:
        line = example.region.lexemes.get("line", example.line)
        return Failure(line, failure.result.strip())
    except (Exception, SystemExit, EndlessError) as error:
        return _make_failure(error, example)
    return None


def _find_side_effects(
    example: Example, state: SharedState, threads: list[Thread]
) -> list[Failure]:
    """Undo what an example changed in the state that pages share, and return a failure for each.

    Cells of a lab may do this: JAX sets environment variables, and tqdm starts a thread.
    """
    messages = [f"the thread {name} is still running; join it" for name in find_running(threads)]
    messages += [
        f"it changes {name}, which all pages share; restore it, for example by a with statement"
        for name in state.restore_changes()
    ]
    if example.region.evaluator is labs.run_cell:
        return []
    return [Failure(example.line, message) for message in messages]


def _make_failure(error: BaseException, example: Example) -> Failure:
    """Return a failure at the innermost line of the page in the traceback of an error."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == example.path and frame.lineno]
    line = lines[-1] if lines else example.line
    if isinstance(error, SyntaxError) and error.filename == example.path:
        line = error.lineno or example.line
    through = f" (through line {lines[0]})" if lines[1:] else ""
    return Failure(line, f"{format_error(error)}{through}")


def format_error(error: BaseException) -> str:
    """Return an exception as the last line of its traceback."""
    return "".join(traceback.format_exception_only(error)).strip()
