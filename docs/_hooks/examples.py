"""The one definition of what an example is, for pytest and for the build.

A page is a list of claims, and each is a Sybil example: prompts are checked line by line,
Python is run, figures are drawn, formulas are converted, statements are looked at for
their implementation and verification, references for their targets. The root
`conftest.py` collects them for pytest; the hooks evaluate them for the site. Both get the
same examples in the same order in one namespace a page, and `file:line` of what is wrong.
"""

import linecache
import re
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sybil import Document, Example, Region, Sybil
from sybil.evaluators.doctest import DocTestEvaluator, DocTestRunner
from sybil.example import SybilFailure
from sybil.parsers.abstract.doctest import DocTestStringParser

import figures
import formulas
import references
import statements
from complaints import complaint
from fences import INCLUDE, OTHERS, PYTHON, Fence, fences, without_fences
from precision import HalfUnit

ROOT = Path(__file__).resolve().parents[2]

STRAY = re.compile(r"^[ \t>]*(?P<code>>>> |```|~~~)", re.MULTILINE)

PRINT_OPTIONS = np.get_printoptions()


class Runner(DocTestRunner):
    """Sybil's runner, with numbers compared at half a unit of the last digit shown."""

    def __init__(self) -> None:
        super().__init__(optionflags=0)
        self._checker = HalfUnit()


class Prompts:
    """Check a prompt: the answer was written first, and what is printed must agree."""

    def __init__(self) -> None:
        self.evaluate = DocTestEvaluator()
        self.evaluate.runner = Runner()
        self.parse = DocTestStringParser(self.evaluate)


PROMPTS = Prompts()


def python_fences(document: Document) -> Iterator[Region]:
    """Yield what every fence of a page claims, and a complaint for each that escapes."""
    for fence in fences(document.text):
        if fence.language in OTHERS or "not-run" in fence.classes:
            continue
        if fence.language not in PYTHON:
            known = ", ".join((*PYTHON, *OTHERS))
            yield complaint(fence.start, f"language {fence.language!r} is not one of {known}")
        elif fence.language == "pycon":
            yield from prompts(fence, document.path)
        elif "figure" in fence.classes:
            yield Region(fence.start, fence.end, fence, figure)
        elif "--8<--" in fence.source:
            yield Region(fence.start, fence.end, fence, include)
        else:
            yield Region(fence.start, fence.end, fence, python)
    for stray in re.finditer(
        r"^[ \t>]*(>>> |```|~~~)", without_fences(document.text), re.MULTILINE
    ):
        yield complaint(
            stray.start(1),
            "code that nothing runs; put prompts into a ```pycon fence, and close each "
            "fence with as many backticks, at the same indent, as opened it",
        )


def prompts(fence: Fence, path: str) -> Iterator[Region]:
    """Yield one region for each prompt, and a complaint for each line no prompt covers."""
    try:
        regions = list(PROMPTS.parse(fence.source, path))
    except ValueError as error:  # a prompt without a space, an inconsistent indent
        yield complaint(fence.start, f"{error}; a prompt is '>>> ' or '... '")
        return
    covered: set[int] = set()
    for region in regions:
        example = region.parsed
        lines = example.source.count("\n") + example.want.count("\n")
        covered.update(range(example.lineno, example.lineno + lines))
        # The same region, in characters of the page in place of the dedented source.
        region.start = fence.line_starts[example.lineno]
        region.end = fence.line_starts[example.lineno + lines] - 1
        if example.options:
            yield complaint(region.start, "a doctest directive switches a check off; remove it")
        else:
            yield region
    for number, line in enumerate(fence.source.splitlines()):
        if line.strip() and number not in covered:
            yield complaint(
                fence.line_starts[number],
                "a line that no prompt covers; write <BLANKLINE> for an empty line of output, "
                "and put a comment behind code",
            )


def python(example: Example) -> None:
    """Run a fence of Python in the namespace of the page."""
    fence: Fence = example.parsed
    code = compile("\n" * example.line + fence.source, example.path, "exec")
    exec(code, example.namespace)


def figure(example: Example) -> str | None:
    """Draw a figure, unless its region comes with the drawing, and leave it there."""
    fence: Fence = example.parsed
    for attribute, remedy in (
        ("id", "write #fig-… in its braces, so that text can link to it"),
        ("alt", 'write alt="…", the message of the figure for those who cannot see it'),
        ("caption", 'write caption="…"'),
    ):
        if not fence.attributes.get(attribute, "").strip():
            return f"a figure without {attribute}; {remedy}"
    drawn = example.region.lexemes
    if "drawing" not in drawn:
        try:
            drawn["drawing"] = figures.draw(fence.source, example.path, example.line)
        except ValueError as error:
            return str(error)
    return None


def include(example: Example) -> str | None:
    """Look whether the lines that a page includes are there."""
    fence: Fence = example.parsed
    match = INCLUDE.fullmatch(fence.source)
    if match is None:
        return "an include is one line, and alone in its fence"
    path, section = match["path"], match["section"]
    if fence.attributes.get("title") != path:
        return f'the fence includes {path}; write title="{path}"'
    if not (ROOT / path).is_file():
        return f"no file {path}"
    if section and f"[start:{section}]" not in (ROOT / path).read_text("utf-8"):
        return f"no section {section!r} in {path}; mark it with # --8<-- [start:{section}]"
    return None


def reset(namespace: dict[str, Any]) -> None:
    """Begin a page: no page sees what another set."""
    namespace.clear()
    np.set_printoptions(**PRINT_OPTIONS)


def docstring(document: Document) -> Iterator[Region]:
    """Yield the prompts of one docstring; each docstring runs on its own."""

    def first(example: Example) -> str:
        reset(example.namespace)
        return PROMPTS.evaluate(example)

    for number, region in enumerate(PROMPTS.parse(document.text, document.path)):
        if number == 0:
            region.evaluator = first
        yield region


pages = Sybil(
    parsers=[python_fences, formulas.parse, statements.parse, references.parse],
    patterns=["*.md"],
    path=str(ROOT),
    setup=reset,
)
docstrings = Sybil(
    parsers=[docstring], patterns=["posenc/*.py", "posenc/plots/*.py"], path=str(ROOT)
)


@dataclass
class Failure:
    """What is wrong on a page, and on which line."""

    line: int
    message: str


@dataclass
class Report:
    """What came of a page: how many examples, which failed, and the drawings by their code."""

    examples: int = 0
    failures: list[Failure] = field(default_factory=list)
    drawings: dict[str, figures.Drawing] = field(default_factory=dict)


def check(
    path: Path,
    *,
    holds: bool = False,
    drawn: Callable[[str], figures.Drawing | None] = lambda source: None,
) -> Report:
    """Evaluate every example of a page in order, as pytest does, and go on after a failure.

    Where the code of the page is known to hold, it is not run again. `drawn` returns the
    drawing of a figure's code, if there is one.
    """
    report = Report()
    document = pages.parse(path)
    reset(document.namespace)
    linecache.checkcache()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for example in document:
            report.examples += 1
            kind, lexemes = example.region.evaluator, example.region.lexemes
            if holds and kind in (PROMPTS.evaluate, python):
                continue
            if kind is figure and (drawing := drawn(example.parsed.source)):
                lexemes["drawing"] = drawing
            try:
                example.evaluate()
            except SybilFailure as failure:
                report.failures.append(Failure(example.line, failure.result.strip()))
            except Exception as error:
                report.failures.append(Failure(line_of(error, example), told(error)))
            else:
                if kind is figure:
                    report.drawings[example.parsed.source] = lexemes["drawing"]
    return report


def line_of(error: Exception, example: Example) -> int:
    """Return the deepest line of the page on the way to the error."""
    if isinstance(error, SyntaxError) and error.filename == example.path:
        return error.lineno or example.line
    frames: Iterable[traceback.FrameSummary] = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == example.path and frame.lineno]
    return lines[-1] if lines else example.line


def told(error: Exception) -> str:
    """Return an exception as its last lines would be printed."""
    return "".join(traceback.format_exception_only(error)).strip()
