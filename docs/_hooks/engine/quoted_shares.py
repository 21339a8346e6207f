r"""Shares that the text quotes, 38 % or *a seventh*: each must be shown where it is said.

Small numbers are everywhere on a page, so one that agrees by chance is no proof. A share is
looked for in the section that states it, under its heading of the second level: in sessions, in
the code of figures, in tables, and as a fraction in a formula or in code. In front of the first
heading, and in a summary, it may repeat what a section shows. What is no statement of size (*less
than a tenth*, *a quarter turn*, *a third axis*) is left alone, and so is what names its source.
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from sybil import Document, Region

from engine.complaints import complaint
from engine.fences import blank, fences, prose
from engine.quoted_numbers import NOT_QUOTED, found_in
from engine.texts import FRONT_MATTER, by_text

PARTS = {"third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9}
PARTS |= {"tenth": 10, "twelfth": 12, "hundredth": 100, "thousandth": 1000}
COUNTS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}
COUNTS |= {"eight": 8, "nine": 9}
BOUND = re.compile(r"\b(?:than|least|most|within|below|above|beyond|under|over|close to)\s+\Z")
WORDS = re.compile(
    rf"\b(?P<count>{'|'.join(COUNTS)})[ -](?P<part>{'|'.join(PARTS)})s?\b"
    r"(?= (?:of|at|and|as|by|in|from|apart|the|longer|more|less)\b|[)]?[.,;:?]|$)",
    re.IGNORECASE | re.MULTILINE,
)
PERCENT = re.compile(r"(?<![\w.])(?P<percent>\d+) ?%")
FRACTION = re.compile(r"\\[td]?frac\{?(\d+)\}?\{?(\d+)\}?|(\d+) ?/ ?(\d+)")
SECTION = re.compile(r"^## [^\n]*", re.MULTILINE)
SUMMARY = re.compile(r"\{ *#summary *\}")
LINKED = re.compile(r"\]\((?:[^)]*bibliography\.md#|https?://)")
NEAR = 0.1  # of a fraction in words; a whole percent is right to half of one


@by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each share that nothing in its section shows."""
    if Path(document.path).parent.name != "chapters":
        return
    for place, said in unfounded(document.text):
        yield complaint(
            place,
            f"the text says {said}, and nothing in this section shows it; let a session print it, "
            "name the source in this line, or say more than, or less than",
        )


def unfounded(text: str) -> Iterator[tuple[int, str]]:
    """Yield where a share stands that its section does not show, each with its words."""
    seen = FRONT_MATTER.sub(lambda match: blank(match[0]), prose(text))
    repeated: list[tuple[int, str]] = []
    founded: set[float] = set()
    for start, end, summary in sections(seen):
        shown, fractions = shown_between(text, start, end)
        for place, said, value, near in quoted(seen, start, end):
            if value in fractions or any(_near(value, one, near) for one in shown):
                founded.add(value)
            elif summary:
                repeated.append((place, said))
            else:
                yield place, said
    for place, said in repeated:
        ((_, _, value, near),) = quoted(said, 0, len(said))
        if not any(_near(value, one, near) for one in founded):
            yield place, said


def sections(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield where each section begins and ends, and whether it sums up others."""
    starts = [0, *(match.start() for match in SECTION.finditer(text)), len(text)]
    for start, end in pairwise(starts):
        heading = SECTION.match(text, start)
        yield start, end, not heading or SUMMARY.search(heading[0]) is not None


def quoted(text: str, start: int, end: int) -> Iterator[tuple[int, str, float, float]]:
    """Yield the shares between two places: where, in which words, how much, and how nearly."""
    place = start
    for raw in text[start:end].split("\n"):
        line = NOT_QUOTED.sub(lambda match: blank(match[0]), raw)
        if not LINKED.search(raw) and not raw.startswith("#"):
            for match in WORDS.finditer(line):
                if not BOUND.search(line, 0, match.start()):
                    part = PARTS[match["part"].lower()]
                    value = COUNTS[match["count"].lower()] / part
                    yield place + match.start(), match[0], value, NEAR * value
            for match in PERCENT.finditer(line):
                if not BOUND.search(line, 0, match.start()):
                    yield place + match.start(), match[0], int(match["percent"]) / 100, 0.00501
        place += len(raw) + 1


def shown_between(text: str, start: int, end: int) -> tuple[list[float], set[float]]:
    """Return the numbers that a section shows, and the fractions that it writes as such."""
    code = [fence.source for fence in fences(text) if start <= fence.start < end]
    rows = [line for line in text[start:end].split("\n") if line.startswith("|")]
    numbers = [float(number) for source in (*code, *rows) for number in found_in(source)]
    return numbers, {*_fractions(text[start:end])}


def _fractions(text: str) -> Iterator[float]:
    for match in FRACTION.finditer(text):
        above, below = (int(number) for number in match.groups() if number)
        if below:
            yield above / below


def _near(value: float, shown: float, near: float) -> bool:
    """Return whether a number is the share, as a part of one or of a hundred."""
    return abs(shown - value) <= near or abs(shown - 100 * value) <= 100 * near
