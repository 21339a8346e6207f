"""The one definition of what an example is, for pytest and for the build.

A page is a list of claims, and each is a Sybil example: prompts are checked line by line,
Python is run, figures are drawn, formulas are converted, statements are looked at for
their implementation and verification, references for their targets. The root
`conftest.py` collects them for pytest; the hooks evaluate them for the site. Both get the
same examples in the same order in one namespace a page, and `file:line` of what is wrong.
"""

import decimal
import linecache
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sybil import Document, Example, Region, Sybil
from sybil.example import SybilFailure

import api
import bibliography
import explorers
import figures
import formulas
import fronts
import glossary
import heads
import includes
import labs
import mirrors
import percent
import prompts
import questions
import quotations
import references
import statements
from complaints import complaint, perhaps
from fences import OTHERS, PYTHON, Fence, fences, prose, without_fences
from figures import Drawing
from kept import by_text

ROOT = Path(__file__).resolve().parents[2]

STRAY = re.compile(r"^[ \t>]*(?P<code>>>> |```|~~~|-+8<-)", re.MULTILINE)
VANISHES = re.compile(r"(?<![;-])-+8<-+[ \t]+\[")
NOT_RUN = (
    "code that nothing runs, or an include outside a fence; put prompts into a ```pycon "
    "fence, and close each fence with as many backticks, at the same indent, as opened it"
)
UNKNOWN = "a fence of code may have .figure or .not-run in its braces; unknown in the braces:"
HTML = re.compile(r"<(pre|code|script|iframe|img|a)\b", re.IGNORECASE)

PRINT_OPTIONS, ERRORS = np.get_printoptions(), np.geterr()


@by_text
def code(document: Document) -> Iterator[Region]:
    """Yield what every fence of a page claims, and a complaint for all that escapes."""
    figure_ids: set[str] = set()
    lab = percent.is_lab(document.path)
    for fence in fences(document.text):
        strange = fence.classes - {"figure", "not-run"} - (labs.CLASSES if lab else set())
        if fence.language not in (*PYTHON, *OTHERS):
            yield complaint(fence.start, unknown_language(fence.language))
        elif strange:
            yield complaint(fence.start, f"{UNKNOWN} {', '.join(sorted(strange))}")
        elif fence.language in OTHERS or "not-run" in fence.classes:
            if fence.language in OTHERS[1:] and STRAY.search(fence.source):
                yield complaint(fence.start, f"{NOT_RUN}; this one is {fence.language}")
        elif lab:
            yield labs.region(fence)
        elif fence.language == "pycon":
            yield from prompts.session(fence.source, fence.line_starts, document.path)
        elif "figure" in fence.classes:
            name = fence.attributes.get("id", "")
            if name in figure_ids:
                yield complaint(fence.start, f"the id {name} is taken; give this figure another")
            else:
                yield Region(fence.start, fence.end, fence, figure)
            figure_ids.add(name)
        elif "-8<-" in fence.source:
            yield Region(fence.start, fence.end, fence, includes.include)
        else:
            yield Region(fence.start, fence.end, fence, python)
    for marker in VANISHES.finditer(document.text):
        yield complaint(
            marker.start(), "a line with this mark vanishes; write ;--8<-- in its place"
        )
    for stray in STRAY.finditer(without_fences(document.text)):
        yield complaint(stray.start("code"), NOT_RUN)
    for tag in HTML.finditer(formulas.without_formulas(prose(document.text))):
        yield complaint(tag.start(), f"write Markdown in place of {tag[0]}>: it is looked at")


def unknown_language(language: str) -> str:
    """Return what to write in place of what a fence says of itself."""
    known = (*PYTHON, *OTHERS)
    first = re.match(r"\w*", language.strip("{. "))
    word = first[0] if first else ""
    near = perhaps(word, known)
    if word in PYTHON:
        near = f"; what is more goes into braces: {{.{word} …}}, each quotation closed"
    return f"language {language!r} is not one of {', '.join(known)}{near}"


def python(example: Example) -> None:
    """Run a fence of Python in the namespace of the page."""
    fence: Fence = example.parsed
    exec(compile("\n" * example.line + fence.source, example.path, "exec"), example.namespace)


def figure(example: Example) -> str | None:
    """Draw a figure, unless its region comes with the drawing, and leave it there."""
    fence: Fence = example.parsed
    if wrong := figures.header(fence):
        return wrong
    drawn = example.region.lexemes
    if "drawing" not in drawn:
        try:
            drawn["drawing"] = figures.draw(fence.source, example.path, example.line)
        except ValueError as error:
            return str(error)
    return None


def reset(namespace: dict[str, Any]) -> None:
    """Begin a page: no page sees what another set."""
    namespace.clear()
    np.set_printoptions(**PRINT_OPTIONS)
    np.seterr(**ERRORS)
    decimal.setcontext(decimal.Context())
    if "mpmath" in sys.modules:
        sys.modules["mpmath"].mp.dps = 15


pages = Sybil(
    parsers=[
        code,
        fronts.parse,
        formulas.parse,
        quotations.parse,
        statements.parse,
        explorers.parse,
        references.parse,
        heads.parse,
        api.parse,
        mirrors.parse,
        questions.parse,
        glossary.parse,
        bibliography.parse,
        labs.parse,
    ],
    patterns=["*.md", "docs/labs/*.py"],
    document_types={".py": labs.Lab},
    path=str(ROOT),
    setup=reset,
    encoding="utf-8-sig",
)
docstrings = Sybil(
    parsers=[prompts.docstring],
    patterns=["posenc/*.py", "posenc/*/*.py", "posenc/*/*/*.py"],
    path=str(ROOT),
)


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
    seconds: float = 0.0  # that a lab ran


def check(
    path: Path,
    book: Sybil = pages,
    *,
    holds: bool = False,
    drawn: Callable[[str], Drawing | None] = lambda source: None,
    answers: Iterable[labs.Answer] = (),
) -> Report:
    """Evaluate every example of a page in order, as pytest does, and go on after a failure.

    Where the code of the page is known to hold, it is not run again. `drawn` returns the
    drawing of a figure's code, if there is one; `answers` are those of the cells of a lab.
    """
    report, answered = Report(), iter(answers)
    document = book.parse(path)
    reset(document.namespace)
    linecache.checkcache()
    for example in document:
        report.examples += 1
        kind, lexemes = example.region.evaluator, example.region.lexemes
        if holds and kind in (prompts.evaluate, python):
            continue
        if kind is figure and (drawing := drawn(example.parsed.source)):
            lexemes["drawing"] = drawing
        if kind is labs.cell and (answer := next(answered, None)):
            lexemes["answer"] = answer
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                example.evaluate()
        except SybilFailure as failure:
            report.failures.append(Failure(example.line, failure.result.strip()))
        except (Exception, SystemExit) as error:
            where, lines = line_of(error, example), lines_of(error, example)
            through = f" (through line {lines[0]})" if kind is labs.cell and lines[1:] else ""
            report.failures.append(Failure(where, told(error) + through))
        else:
            if kind is figure:
                report.drawings.append((example.parsed, lexemes["drawing"]))
            if kind is labs.cell:
                report.answers.append((example.parsed, lexemes["answer"]))
    return report


def line_of(error: BaseException, example: Example) -> int:
    """Return the deepest line of the page on the way to the error."""
    if isinstance(error, SyntaxError) and error.filename == example.path:
        return error.lineno or example.line
    lines = lines_of(error, example)
    return lines[-1] if lines else example.line


def lines_of(error: BaseException, example: Example) -> list[int]:
    """Return the lines of the page on the way to the error."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame.lineno for frame in frames if frame.filename == example.path and frame.lineno]


def told(error: BaseException) -> str:
    """Return an exception as its last lines would be printed."""
    return "".join(traceback.format_exception_only(error)).strip()
