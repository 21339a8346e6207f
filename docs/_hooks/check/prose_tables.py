"""Rule for tables of numbers: a session prints each row, or each column, in one line.

The order counts, because a number in the wrong cell may be elsewhere on the page, too. Cells with a
number, with or without a unit, are compared along the rows and along the columns, without whole
numbers that label these. A row that links its source is ignored.
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
MARKUP = re.compile(r"[$*]|(?<=\d)[ ](?=\d{3}(?!\d))")  # and the space in 12 345
_NUMBER = r"[-−]?\d+(?:\.\d+)?"
_BETWEEN = r"(?:,|,? (?:of|to|and|or|then|→|±)) ?"
NUMERIC_CELL = re.compile(rf"{_NUMBER}(?:{_BETWEEN}{_NUMBER})*(?: [A-Za-zµ%/]{{1,7}}){{0,2}}")
WHOLE_CELL = re.compile(rf"[-−]?\d+(?:{_BETWEEN}[-−]?\d+)*")
NUMBER = re.compile(_NUMBER)
CHECK_AFTER = re.compile(r"\s*<!-- check: (.*?)-->", re.DOTALL)


class Cell(NamedTuple):
    """A cell of a table, or a number in it, and the position of its row."""

    position: int
    text: str


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each table whose numbers no session prints in order."""
    sessions = [f.source for f in find_fences(document.text) if f.language == "pycon"]
    if is_lab(document.path) or not sessions:
        return
    for numbers, index in find_unsupported_series(document.text, sessions):
        before, after = numbers[:index], numbers[index + 1 :]
        context = f"after {_join(before)}" if before else f"before {_join(after)}"
        yield make_problem(
            numbers[index].position,
            f"the text says {numbers[index].text} {context} in a table, and no session prints them "
            "in a line, in this order; print each row (or each column) in one line, or link the "
            "source in the row",
        )


def _join(numbers: Sequence[Cell]) -> str:
    return ", ".join(number.text for number in numbers)


def find_unsupported_series(text: str, sessions: list[str]) -> Iterator[tuple[list[Cell], int]]:
    """Yield, for each table, a row or column that no session prints, and its first wrong number."""
    sources = (session.replace("\n... ", " ") for session in sessions)  # a prompt is one line
    printed = [find_code_numbers(line) for source in sources for line in source.split("\n")]
    for match in TABLE.finditer(keep_prose(text)):
        check = _read_check_after(text, match.end())
        head, *rows = _read_cells(match[0], match.start())
        rows = rows[1:]  # without the rule under the head
        numeric_rows = [
            _find_numbers(row)
            for row in rows
            if not any(SOURCE_LINK.search(cell.text) for cell in row)
        ]
        is_single = len(rows) == 1  # then a column is a number and its head
        columns = zip_longest(*([head] if is_single else []), *rows, fillvalue=Cell(0, ""))
        numeric_columns = [_find_numbers(column, skip_labels=not is_single) for column in columns]
        if any(are_printed_in_turn(series, check) for series in (numeric_rows, numeric_columns)):
            continue
        unsupported = min(
            _list_unsupported(numeric_rows, printed),
            _list_unsupported(numeric_columns, printed),
            key=len,
        )
        if unsupported:
            yield unsupported[0], max(count_in_order(unsupported[0], line) for line in printed)


def _read_check_after(text: str, end: int) -> list[list[str]]:
    """Return the numbers of each list in the check that follows a table, if it has a list."""
    check = CHECK_AFTER.match(text, end)
    rows = re.split(r"[\[\]()]", check[1].partition("==")[2]) if check else []
    return [numbers for row in rows if len(numbers := find_code_numbers(row)) > 1]


def _read_cells(table: str, start: int) -> Iterator[list[Cell]]:
    """Yield the cells of each row of a table; the second row is the rule under the head."""
    for row in re.finditer(r"\|(.*)\n", table):
        inner = row[1].strip("|").split("|")
        yield [Cell(start + row.start(), cell.strip()) for cell in inner]


def _find_numbers(row: Sequence[Cell], *, skip_labels: bool = True) -> list[Cell]:
    """Return the numbers of numeric cells, without labels at the start.

    Labels are whole numbers before others; where all are whole, only the first is a label.
    """
    plain = (Cell(position, MARKUP.sub("", text).strip()) for position, text in row)
    numeric = [cell for cell in plain if NUMERIC_CELL.fullmatch(cell.text)]
    whole = [*takewhile(lambda cell: WHOLE_CELL.fullmatch(cell.text), numeric)]
    if skip_labels and _count_up(whole) and len(whole) == len(numeric):
        return []
    if skip_labels:
        del numeric[: 1 if len(whole) == len(numeric) else len(whole)]
    return [
        Cell(position, number.replace("−", "-"))
        for position, text in numeric
        for number in NUMBER.findall(text)
    ]


def _count_up(cells: Sequence[Cell]) -> bool:
    """Return whether cells only number the rows, from 0 or 1."""
    return [cell.text for cell in cells] in [
        [str(number + start) for number in range(len(cells))] for start in (0, 1)
    ]


def are_printed_in_turn(series: list[list[Cell]], lines: list[list[str]]) -> bool:
    """Return whether a line has the first row, or column, a later one the second, and so on."""
    rest = iter(lines)
    return bool(lines) and all(
        any(count_in_order(numbers, line) == len(numbers) for line in rest)
        for numbers in series
        if len(numbers) > 1
    )


def _list_unsupported(series: list[list[Cell]], lines: list[list[str]]) -> list[list[Cell]]:
    """Return the rows, or the columns, of at least two numbers that no line prints in order."""
    return [
        numbers
        for numbers in series
        if len(numbers) > 1
        and not any(count_in_order(numbers, line) == len(numbers) for line in lines)
    ]


def count_in_order(numbers: list[Cell], line: list[str]) -> int:
    """Return how many of the numbers, from the first, a line has in order, perhaps with gaps."""
    rest = iter(line)
    found = (any(numbers_agree(_make_exact(n.text), other) for other in rest) for n in numbers)
    return sum(takewhile(bool, found))


def _make_exact(number: str) -> str:
    """Return a number so that whole numbers must be equal to agree."""
    return number if "." in number else f"{number}."
