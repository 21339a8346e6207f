"""The one definition of what an example is, for pytest, for the build, and for the browser.

A page is a list of claims, and each is a Sybil example: prompts are checked line by line,
Python is run, figures are drawn. Whatever looks like code and would escape is complained of.
"""

import re
from collections.abc import Iterator

from sybil import Document, Example, Region

from check import (
    doctests,
    figures,
    figures_csv,
    formulas,
    lab_source,
    labs,
    prose_numbers,
    snippets,
)
from check.fences import OTHER_LANGUAGES, PYTHON, Fence, blank_fences, find_fences, keep_prose
from check.page_source import cache_by_text
from check.problems import make_problem, suggest

STRAY = re.compile(r"^[ \t>]*(?P<code>>>> |```|~~~|-+8<-)", re.MULTILINE)
VANISHES = re.compile(r"(?<![;-])-+8<-+[ \t]+\[")
NOT_RUN = (
    "code that nothing runs, or an include outside a fence; put prompts into a ```pycon "
    "fence, and close each fence with as many backticks, at the same indent, as opened it"
)
UNKNOWN = "a fence of code may have .figure or .not-run in its braces; unknown in the braces:"
HTML = re.compile(r"<(pre|code|script|iframe|img|a)\b", re.IGNORECASE)


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield what every fence of a page claims, and a complaint for all that escapes."""
    figure_ids: set[str] = set()
    lab = lab_source.is_lab(document.path)
    for fence in find_fences(document.text):
        strange = fence.classes - {"figure", "not-run"} - (labs.CLASSES if lab else set())
        if fence.language not in (*PYTHON, *OTHER_LANGUAGES):
            yield make_problem(fence.start, explain_unknown_language(fence.language))
        elif strange:
            yield make_problem(fence.start, f"{UNKNOWN} {', '.join(sorted(strange))}")
        elif fence.language in OTHER_LANGUAGES or "not-run" in fence.classes:
            if fence.language in OTHER_LANGUAGES[1:] and STRAY.search(fence.source):
                yield make_problem(fence.start, f"{NOT_RUN}; this one is {fence.language}")
        elif lab:
            yield labs.make_region(fence)
        elif fence.language == "pycon":
            yield from doctests.parse_session(fence.source, fence.line_starts, document.path)
        elif "figure" in fence.classes:
            name = fence.attributes.get("id", "")
            if name in figure_ids:
                yield make_problem(fence.start, f"the id {name} is taken; give this figure another")
            else:
                yield Region(fence.start, fence.end, fence, check_figure)
            figure_ids.add(name)
        elif "-8<-" in fence.source:
            yield Region(fence.start, fence.end, fence, snippets.check_include)
        else:
            yield Region(fence.start, fence.end, fence, run_python)
    for marker in VANISHES.finditer(document.text):
        yield make_problem(
            marker.start(), "a line with this mark vanishes; write ;--8<-- in its place"
        )
    for stray in STRAY.finditer(blank_fences(document.text)):
        yield make_problem(stray.start("code"), NOT_RUN)
    for tag in HTML.finditer(formulas.blank_formulas(keep_prose(document.text))):
        yield make_problem(tag.start(), f"write Markdown in place of {tag[0]}>: it is looked at")


def explain_unknown_language(language: str) -> str:
    """Return what to write in place of what a fence says of itself."""
    known = (*PYTHON, *OTHER_LANGUAGES)
    first = re.match(r"\w*", language.strip("{. "))
    word = first[0] if first else ""
    near = suggest(word, known)
    if word in PYTHON:
        near = f"; what is more goes into braces: {{.{word} …}}, each quotation closed"
    return f"language {language!r} is not one of {', '.join(known)}{near}"


def run_python(example: Example) -> None:
    """Run a fence of Python in the namespace of the page."""
    fence: Fence = example.parsed
    exec(compile("\n" * example.line + fence.source, example.path, "exec"), example.namespace)


def check_figure(example: Example) -> str | None:
    """Draw a figure, unless its region comes with the drawing, and leave it there."""
    fence: Fence = example.parsed
    if wrong := figures.check_header(fence):
        return wrong
    drawn = example.region.lexemes
    if "drawing" not in drawn:
        try:
            drawn["drawing"] = figures.draw(fence.source, example.path, example.line)
        except ValueError as error:
            return str(error)
    if not (data := drawn["drawing"].data):
        return None
    printed = (one.source for one in find_fences(example.document.text) if one.language == "pycon")
    return prose_numbers.check_figure_text(fence, figures_csv.list_quotable_numbers(data), printed)
