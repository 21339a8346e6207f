"""Code of a page: which example each fence is, for pytest, for the build and for the browser.

Prompts are checked one by one, Python is run, figures are drawn, and included lines must exist.
Anything else that looks like code, and would not be checked, is a problem.
"""

import re
from collections.abc import Iterator

from sybil import Document, Example, Region

from check import doctests, figures, figures_csv, formulas, lab_source, labs, prose_numbers
from check.fences import (
    INCLUDE,
    OTHER_LANGUAGES,
    PYTHON,
    Fence,
    blank_fences,
    find_fences,
    keep_prose,
)
from check.page_source import cache_by_text
from check.paths import ROOT
from check.problems import make_problem, suggest

STRAY = re.compile(r"^[ \t>]*(?P<code>>>> |```|~~~|-+8<-)", re.MULTILINE)
REMOVED_LINE = re.compile(r"(?<![;-])-+8<-+[ \t]+\[")
NOT_CHECKED = (
    "this code is not checked, or this include is outside a fence; put prompts into a ```pycon "
    "fence, and close each fence with as many backticks, at the same indent, as opened it"
)
HTML = re.compile(r"<(pre|code|script|iframe|img|a)\b", re.IGNORECASE)


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield an example for each fence, and a problem for all code that would not be checked."""
    figure_ids: set[str] = set()
    is_lab = lab_source.is_lab(document.path)
    for fence in find_fences(document.text):
        unknown = fence.classes - {"figure", "not-run"} - (labs.CLASSES if is_lab else set())
        if fence.language not in (*PYTHON, *OTHER_LANGUAGES):
            yield make_problem(fence.start, explain_unknown_language(fence.language))
        elif unknown:
            yield make_problem(
                fence.start,
                f"unknown in the braces: {', '.join(sorted(unknown))}; "
                "a fence of code may have .figure or .not-run",
            )
        elif fence.language in OTHER_LANGUAGES or "not-run" in fence.classes:
            if fence.language in OTHER_LANGUAGES[1:] and STRAY.search(fence.source):
                yield make_problem(fence.start, f"{NOT_CHECKED}; this one is {fence.language}")
        elif is_lab:
            yield labs.make_region(fence)
        elif fence.language == "pycon":
            yield from doctests.parse_session(fence.source, fence.line_starts, document.path)
        elif "figure" in fence.classes:
            name = fence.attributes.get("id", "")
            if name in figure_ids:
                yield make_problem(fence.start, figures.REPEATED_ID.format(name))
            else:
                yield Region(fence.start, fence.end, fence, check_figure)
            figure_ids.add(name)
        elif "-8<-" in fence.source:
            yield Region(fence.start, fence.end, fence, check_include)
        else:
            yield Region(fence.start, fence.end, fence, run_python)
    for marker in REMOVED_LINE.finditer(document.text):
        message = "the include syntax removes a line with this mark; write ;--8<-- instead"
        yield make_problem(marker.start(), message)
    for stray in STRAY.finditer(blank_fences(document.text)):
        yield make_problem(stray.start("code"), NOT_CHECKED)
    for tag in HTML.finditer(formulas.blank_formulas(keep_prose(document.text))):
        message = f"{tag[0]}> is HTML, which is not checked; write Markdown instead"
        yield make_problem(tag.start(), message)


def explain_unknown_language(language: str) -> str:
    """Return an error message for the language of a fence, with what to write instead."""
    known = (*PYTHON, *OTHER_LANGUAGES)
    first = re.match(r"\w*", language.strip("{. "))
    word = first[0] if first else ""
    hint = suggest(word, known)
    if word in PYTHON:
        hint = f"; write further options in braces, {{.{word} …}}, and close each quotation"
    return f"language {language!r} is not one of {', '.join(known)}{hint}"


def run_python(example: Example) -> None:
    """Run a fence of Python in the namespace of the page."""
    fence: Fence = example.parsed
    exec(compile("\n" * example.line + fence.source, example.path, "exec"), example.namespace)


def check_figure(example: Example) -> str | None:
    """Draw a figure, unless its region has a drawing, and check the numbers in its caption.

    The drawing is stored in the region.
    """
    fence: Fence = example.parsed
    if error := figures.check_header(fence):
        return error
    results = example.region.lexemes
    if "drawing" not in results:
        try:
            results["drawing"] = figures.draw(fence.source, example.path, example.line)
        except ValueError as error:
            return str(error)
    if not (data := results["drawing"].data):
        return None
    fences = find_fences(example.document.text)
    sessions = (other.source for other in fences if other.language == "pycon")
    numbers = figures_csv.list_quotable_numbers(data)
    return prose_numbers.check_figure_text(fence, numbers, sessions)


def check_include(example: Example) -> str | None:
    """Return an error message if the lines that a fence includes don't exist."""
    fence: Fence = example.parsed
    match = INCLUDE.fullmatch(fence.source)
    if match is None:
        return 'an include is one line, --8<-- "posenc/file.py:section", and alone in its fence'
    path, section = match["path"], match["section"]
    if fence.attributes.get("title") != path:
        return f'the fence includes {path}; write title="{path}"'
    if not (ROOT / path).is_file():
        files = (file.relative_to(ROOT).as_posix() for file in ROOT.glob("posenc/**/*.py"))
        return f"no file {path}; paths begin at the root of the project{suggest(path, files)}"
    text = (ROOT / path).read_text("utf-8")
    for end in ("start", "end"):
        if section and f"[{end}:{section}]" not in text:
            hint = suggest(section, re.findall(r"\[start:([\w-]+)\]", text))
            return (
                f"no section {section!r} in {path}; mark it with # --8<-- [{end}:{section}]{hint}"
            )
    return None
