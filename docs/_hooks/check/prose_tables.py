"""Tables of numbers: a session prints each row, or each column, in one line and in this order.

A number in the wrong cell is elsewhere on the page, too, so its order counts as well. The cells
that are numbers, with or without a unit, are read along the rows and along the columns, without
labels that only count them. A row that links its source is left alone.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile, zip_longest
from typing import NamedTuple

from sybil import Document, Region

from check.digits import numbers_agree
from check.fences import find_fences, keep_prose
from check.lab_source import is_lab
from check.page_source import cache_by_text
from check.problems import make_problem
from check.prose_numbers import SOURCE_LINK, find_code_numbers

TABLE = re.compile(r"(?:^\|[^\n]*\n)+", re.MULTILINE)
MARK = re.compile(r"[$*]|(?<=\d)[ ](?=\d{3}(?!\d))")
_NUMBER = r"[-−]?\d+(?:\.\d+)?"
_BETWEEN = r"(?:,|,? (?:of|to|and|or|then|→|±)) ?"
CELL = re.compile(rf"{_NUMBER}(?:{_BETWEEN}{_NUMBER})*(?: [A-Za-zµ%/]{{1,7}}){{0,2}}")
WHOLE = re.compile(rf"[-−]?\d+(?:{_BETWEEN}[-−]?\d+)*")
NUMBER = re.compile(_NUMBER)


class Cell(NamedTuple):
    """A cell of a table, or a number in it, and where its row begins."""

    place: int
    text: str


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each table whose numbers no session has in its order."""
    sessions = [fence.source for fence in find_fences(document.text) if fence.language == "pycon"]
    if is_lab(document.path) or not sessions:
        return
    for numbers, at in find_unsupported_series(document.text, sessions):
        before, after = numbers[:at], numbers[at + 1 :]
        beside = f"behind {_join_numbers(before)}" if before else f"before {_join_numbers(after)}"
        yield make_problem(
            numbers[at].place,
            f"the text says {numbers[at].text} {beside} in a table, and no session has them in a "
            "line, in this order; print each row (or each column) in one line, or name the "
            "source in the row",
        )


def _join_numbers(numbers: Sequence[Cell]) -> str:
    return ", ".join(number.text for number in numbers)


def find_unsupported_series(text: str, sessions: list[str]) -> Iterator[tuple[list[Cell], int]]:
    """Yield a row or column of each table that no session shows, and which number breaks it off."""
    joined = (source.replace("\n... ", " ") for source in sessions)  # a prompt is one line
    lines = [find_code_numbers(line) for source in joined for line in source.split("\n")]
    for match in TABLE.finditer(keep_prose(text)):
        head, *rows = read_cells(match[0], match.start())
        rows = rows[1:]  # behind the rule, without which it is no table
        by_row = [
            find_numbers(row)
            for row in rows
            if not any(SOURCE_LINK.search(each.text) for each in row)
        ]
        alone = len(rows) == 1  # then what stands above a number is read with it
        columns = zip_longest(*([head] if alone else []), *rows, fillvalue=Cell(0, ""))
        by_column = [find_numbers(column, named=not alone) for column in columns]
        missing = min(_find_missing(by_row, lines), _find_missing(by_column, lines), key=len)
        if missing:
            yield missing[0], max(count_in_order(missing[0], line) for line in lines)


def read_cells(table: str, start: int) -> Iterator[list[Cell]]:
    """Yield the cells of a table, row by row; the second row is the rule below its head."""
    for row in re.finditer(r"\|(.*)\n", table):
        inner = row[1].strip("|").split("|")
        yield [Cell(start + row.start(), cell.strip()) for cell in inner]


def find_numbers(row: Sequence[Cell], *, named: bool = True) -> list[Cell]:
    """Return the numbers of the cells that are numbers, without those that head it as a name."""
    bare = (Cell(place, MARK.sub("", text).strip()) for place, text in row)
    there = [cell for cell in bare if CELL.fullmatch(cell.text)]
    while named and there and WHOLE.fullmatch(there[0].text):
        del there[0]
    return [
        Cell(place, number.replace("−", "-"))
        for place, text in there
        for number in NUMBER.findall(text)
    ]


def _find_missing(series: list[list[Cell]], lines: list[list[str]]) -> list[list[Cell]]:
    return [each for each in series if len(each) > 1 and not is_in_line(each, lines)]


def is_in_line(numbers: list[Cell], lines: list[list[str]]) -> bool:
    """Return whether a line has the numbers in their order, others between them or not."""
    return any(count_in_order(numbers, line) == len(numbers) for line in lines)


def count_in_order(numbers: list[Cell], line: list[str]) -> int:
    """Return how many of the numbers, from the first, a line has in their order."""
    rest = iter(line)
    found = (any(numbers_agree(make_exact(each.text), other) for other in rest) for each in numbers)
    return sum(takewhile(bool, found))


def make_exact(number: str) -> str:
    """Return a whole number so that only itself agrees with it."""
    return number if "." in number else f"{number}."
