r"""Whole numbers that a chapter quotes, from 10 on, 4 MiB and $6d$: shown where they are said.

Shown are the numbers of code, in sessions and figures, of formulas and of code within a line,
in the section that says them. Where a chapter looks back or asks (`AFTER`), and in front of the
first section, the whole chapter shows them, and so it does the `LARGE` ones everywhere, rounded
or not. A multiple that is a whole formula, as $6d$, is shown by code, `6 * d`, or by a displayed
formula. A line may also compute a number from two others, as in "16 beside 512 are 528", or end a
range before one, as in "positions 0 to 31" of 32. Left alone are years, percents, bounds (*less
than 40*), wrong answers (*if you found 48*), and lines that name their source.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import permutations
from math import inf

from engine.fences import blank, fences, prose
from engine.formulas import DISPLAY, INLINE
from engine.quoted_numbers import NOT_QUOTED, found_in
from engine.quoted_shares import LINKED, SECTION, sections
from engine.sentences import AROUND, SPAN
from engine.texts import FRONT_MATTER

LEAST, LARGE = 10, 100  # a large one is hardly on a page by chance
YEARS = range(1900, 2030)
AFTER = re.compile(r"\{ *#summary *\}|^## (?:Pitfalls|Check yourself|Exercises|Further reading)")
LINE = re.compile(r"^[^#\n][^\n]*", re.MULTILINE)  # but for headings
GROUPED = r"\d{1,3}(?:(?: |,|_|\\,|\{,\})\d{3})+(?!\d)|\d+"
WHOLE = re.compile(
    rf"(?<![\w.:/#^{{}}\\-])(?P<number>{GROUPED})(?!\w|[.,/:-]\d|-\w| ?(?:%|percent|\\%))"
)
BOUND = re.compile(
    r"\b(?:than|least|most|within|below|above|beyond|under|over|before|close to|up to|near)\s+"
    r"(?:about\s+)?\Z"
)
LAST = re.compile(r"\b(?:to|and|till|last|is|head|pair|rows?|position)\s+\Z", re.IGNORECASE)
SIZE = re.compile(rf"({GROUPED}) ([KMGT])iB\b")
MULTIPLE = re.compile(r"\$(\d+) ?([A-Za-z])(?:_\w|_\{\w+\})?\$")
MULTIPLES = re.compile(r"(?<![\w.])(\d+)(?: ?\* ?| ?)([A-Za-z])")
MISTAKEN = re.compile(r"^ *If you (?:found|said|named|wrote)\b[^.]*?, ", re.MULTILINE)
NUMBERED = re.compile(r"^ *(?:\d+[.)] |\*\*\d+\.\*\*)")


@lru_cache(maxsize=256)
def unfounded(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return where numbers stand that their sections do not show: place, number and line."""
    return tuple(_unfounded(text))


def _unfounded(text: str) -> Iterator[tuple[int, int, str]]:
    seen = prose(text)
    for pattern in (FRONT_MATTER, DISPLAY):
        seen = pattern.sub(lambda match: blank(match[0]), seen)
    everywhere = shown_between(text, 0, len(text))
    for start, end, _ in sections(seen):
        heading = SECTION.match(seen, start)
        looks_back = not heading or AFTER.search(heading[0])
        large: set[int | str] = {one for one in everywhere if isinstance(one, int) and one >= LARGE}
        shown = everywhere if looks_back else large | shown_between(text, start, end)
        for place, line in lines(text, seen, start, end):
            for number in unshown(line, shown):
                yield place, number, line


def lines(text: str, seen: str, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Yield what is written between two places: lines, captions and alternative texts."""
    for match in LINE.finditer(seen, start, end):
        if not AROUND.fullmatch(match[0]):
            yield match.start(), match[0]
    for fence in fences(text):
        if start <= fence.start < end:
            for kind in ("alt", "caption"):
                yield fence.start, fence.attributes.get(kind, "")


def unshown(line: str, shown: set[int | str]) -> Iterator[int]:
    """Yield the numbers of a line that are neither shown nor computed in it."""
    if LINKED.search(line):
        return
    for pattern in (NOT_QUOTED, NUMBERED, MISTAKEN):
        line = pattern.sub(lambda match: blank(match[0]), line)
    yield from (int(times) for times, of in MULTIPLE.findall(line) if times + of not in shown)
    written = {number for match in INLINE.finditer(line) for number in wholes(match[0])}
    said = INLINE.sub(lambda match: blank(match[0]), line)
    yield from (number for number, size in sizes(said) if size not in shown)
    found = [(match.start(), wholes(match["number"])[0]) for match in WHOLE.finditer(said)]
    written |= {number for _, number in found}
    for place, number in found:
        ends = LAST.search(said, 0, place) and number + 1 in shown
        bounds = BOUND.search(said, 0, place)
        if number < LEAST or number in YEARS or number in shown or ends or bounds:
            continue
        if not computed(number, written - {number}):
            yield number


def computed(number: int, others: set[int]) -> bool:
    """Return whether a number is the sum, difference, product or quotient of two others."""
    pairs = permutations(others, 2)
    return any(number in (a + b, a - b, a * b) or b * number == a for a, b in pairs)


def shown_between(text: str, start: int, end: int) -> set[int | str]:
    """Return the whole numbers, and multiples, of code and of formulas between two places."""
    code = [fence.source for fence in fences(text) if start <= fence.start < end]
    numbers = [float(number) for source in code for number in found_in(source)]
    shown: set[int | str] = {
        abs(round(one)) for one in numbers if one == one // 1 or LARGE <= abs(one) < inf
    }
    shown |= {size for source in code for _, size in sizes(source)}
    seen = prose(text)
    for source in (*code, *(match[0] for match in DISPLAY.finditer(seen, start, end))):
        shown.update(times + of for times, of in MULTIPLES.findall(source))
    for pattern, where in ((DISPLAY, seen), (INLINE, DISPLAY.sub(_blanked, seen)), (SPAN, text)):
        for match in pattern.finditer(where, start, end):
            shown.update(wholes(match[0]))
    return shown


def wholes(written: str) -> list[int]:
    r"""Return the whole numbers in a text, with 49 152, 49_152 and 49\,152 as one each."""
    return [int(re.sub(r"\D", "", number)) for number in re.findall(GROUPED, written)]


def sizes(written: str) -> Iterator[tuple[int, int]]:
    """Yield the sizes in a text, such as 4 MiB: the number, and how many bytes it means."""
    for number, unit in SIZE.findall(written):
        (count,) = wholes(number)
        yield count, count * 1024 ** (1 + "KMGT".index(unit))


def _blanked(match: re.Match[str]) -> str:
    return blank(match[0])
