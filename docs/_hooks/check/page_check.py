"""The check of a page: each of its examples, in order, and what came of it."""

import decimal
import linecache
import random
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable
from contextlib import ExitStack
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

RUNS_CODE = (
    doctests.evaluate,
    code_blocks.run_python,
    code_blocks.check_figure,
    inline_checks.evaluate,
    labs.run_cell,
)
PRINT_OPTIONS, ERRORS = np.get_printoptions(), np.geterr()
SPOILT = ", which all pages share and find as they left it; change it within a `with`"


def reset_state(namespace: dict[str, Any]) -> None:
    """Begin a page: no page sees what another set."""
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
    """What is wrong on a page, and on which line."""

    line: int
    message: str


@dataclass
class Report:
    """What came of a page: how many examples, which failed, and the figures as drawn."""

    examples: int = 0
    failures: list[Failure] = field(default_factory=list)
    drawings: list[tuple[Fence, Drawing]] = field(default_factory=list)
    answers: list[tuple[Fence, labs.Answer]] = field(default_factory=list)  # of a lab
    runs: bool = True  # whether its code holds, whatever else is wrong


def check_page(
    document: Document,
    *,
    holds: bool = False,
    drawn: Callable[[str], Drawing | None] = lambda source: None,
    answers: Iterable[labs.Answer] = (),
    first: bool = False,
) -> Report:
    """Evaluate every example of a page in order, as pytest does, and go on after a failure.

    Where the code of the page is known to hold, it is not run again. `drawn` returns the
    drawing of a figure's code, if there is one; `answers` are those of a lab that holds.
    Whoever needs no more than the `first` failure gets no other.
    """
    report, known = Report(), iter(answers)
    state: SharedState | None = None  # taken when the first code runs
    reset_state(document.namespace)
    linecache.checkcache()
    for example in document:
        if first and report.failures:
            break
        report.examples += 1
        kind, lexemes = example.region.evaluator, example.region.lexemes
        if holds and kind in (doctests.evaluate, code_blocks.run_python, inline_checks.evaluate):
            continue
        if kind is code_blocks.check_figure and (drawing := drawn(example.parsed.source)):
            lexemes["drawing"] = drawing
        if kind is labs.run_cell and (answer := next(known, None)):
            lexemes["answer"] = answer
        runs_here = kind in RUNS_CODE and not {"answer", "drawing"} & lexemes.keys()
        if runs_here and state is None:
            state = SharedState()
        begun = list[Thread]()
        try:
            with warnings.catch_warnings(), ExitStack() as stack:
                warnings.simplefilter("error")
                if runs_here:
                    begun = stack.enter_context(limit_code())
                example.evaluate()
        except SybilFailure as failure:
            line = lexemes.get("line", example.line)
            report.failures.append(Failure(line, failure.result.strip()))
            report.runs &= kind not in RUNS_CODE
        except (Exception, SystemExit, EndlessError) as error:
            report.failures.append(make_failure(error, example))
            report.runs &= kind not in RUNS_CODE
        else:
            if kind is code_blocks.check_figure:
                report.drawings.append((example.parsed, lexemes["drawing"]))
            if kind is labs.run_cell:
                report.answers.append((example.parsed, lexemes["answer"]))
        spoilt = [f"it leaves {name} at work; join it" for name in find_running(begun)]
        if runs_here and state:
            spoilt += [f"it changes {what}{SPOILT}" for what in state.restore_changes()]
        if (
            kind is labs.run_cell
        ):  # JAX sets variables, which are put back, and tqdm starts a thread
            spoilt = []
        report.failures += [Failure(example.line, said) for said in spoilt]
        report.runs &= not spoilt
    return report


def make_failure(error: BaseException, example: Example) -> Failure:
    """Return the failure of an example: on the deepest line, with the line that led there."""
    lines = list_lines(error, example)
    through = f" (through line {lines[0]})" if lines[1:] else ""
    return Failure(find_line(error, example), f"{format_error(error)}{through}")


def find_line(error: BaseException, example: Example) -> int:
    """Return the deepest line of the page on the way to the error."""
    if isinstance(error, SyntaxError) and error.filename == example.path:
        return error.lineno or example.line
    lines = list_lines(error, example)
    return lines[-1] if lines else example.line


def list_lines(error: BaseException, example: Example) -> list[int]:
    """Return the lines of the page on the way to the error."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame.lineno for frame in frames if frame.filename == example.path and frame.lineno]


def format_error(error: BaseException) -> str:
    """Return an exception as its last lines would be printed."""
    return "".join(traceback.format_exception_only(error)).strip()
