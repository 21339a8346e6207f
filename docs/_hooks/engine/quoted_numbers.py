"""Numbers that the text quotes: each must stand in a checked session of the same page.

The sessions are run; so a number that agrees with one of theirs, to the digits that the
text shows, is as true as they are. Looked at are numbers with a decimal point and whole
numbers of five digits and more, in sentences, tables and formulas within a line. In a lab,
where answers are not written, they must stand in a cell, or in what the cells have answered.
"""

import re
from collections.abc import Iterable, Iterator

from sybil import Document, Example, Region

from engine.complaints import complaint
from engine.fences import blank, fences, prose
from engine.formulas import DISPLAY
from engine.numbers import agrees
from engine.scripts import is_lab
from engine.texts import FRONT_MATTER, by_text

# A number sign before it makes it the number of a thread: repo#1234.
QUOTED = re.compile(
    r"(?<![\w.:/#-])(?P<number>[-−]?(?:\d+\.\d+|\d{1,3}(?: \d{3})+|\d{5,}))(?![\w.]*\d)"
)
COMPUTED = re.compile(r"-?\d[\d_]*\.?\d*(?:e[+-]?\d+)?")
# Headings, also those that a table lists; sections of papers, versions, and addresses.
NOT_QUOTED = re.compile(
    r"^#.*|^\| [\d.]+ (?=[A-Z])|sections? [\d.]+|Python [\d.]+|arXiv:[\d.v]+|\]\([^)]*\)"
)


@by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each number that no session of the page has."""
    if is_lab(document.path):  # behind all cells
        yield Region(len(document.text), len(document.text), None, answered)
        return
    sessions = [fence.source for fence in fences(document.text) if fence.language == "pycon"]
    for place, number in unfounded(document.text, sessions):
        yield complaint(
            place, f"the text says {number}, and no session of this page does; let one print it"
        )


def answered(example: Example) -> str | None:
    """Compare the text of a lab with its cells and with what they have answered."""
    cells = [region for _, region in example.document.regions if "answer" in region.lexemes]
    said = [cell.parsed.source for cell in cells]
    for cell in cells:
        said += cell.lexemes["answer"].printed, cell.lexemes["answer"].value
    text = example.document.text
    return "\n".join(
        f"line {text.count(chr(10), 0, place) + 1}: the text says {number}, and no cell does; "
        "let one print it"
        for place, number in unfounded(text, said)
    )


def found_in(code: str) -> list[str]:
    """Return the numbers of a session, as Python reads them, in order."""
    return [match[0].replace("_", "") for match in COMPUTED.finditer(code)]


def unfounded(text: str, sessions: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield where lines begin whose numbers no session has, each with the number."""
    computed = {number for source in sessions for number in found_in(source)}
    text = prose(text)
    for pattern in (FRONT_MATTER, DISPLAY):
        text = pattern.sub(lambda match: blank(match[0]), text)
    place = 0
    for line in text.split("\n"):
        for match in QUOTED.finditer(NOT_QUOTED.sub("", line)):
            number = match["number"].replace(" ", "").replace("−", "-")
            exact = number if "." in number else f"{number}."
            if not any(agrees(exact, other) for other in computed):
                yield place, match["number"]
        place += len(line) + 1
