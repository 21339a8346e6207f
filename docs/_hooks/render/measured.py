"""What was measured: tables of the stored results, on the page that has the goals.

`docs/reference/measured/` has a JSON file for each command that measures, with its date, its
machine and its versions, as `benchmarks/timing.py` stores them. Where the page says
`<!-- measured: shards -->`, the tables of `shards.json` are put in, so that no number on it was
typed; where there is no such file yet, the page says that.
"""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from check.paths import DOCS

FOLDER = DOCS / "reference/measured"
MARK = re.compile(r"<!-- measured: (?P<name>[\w-]+) -->")
NOT_MEASURED = "Not measured yet.\n{ .provenance }"
GOAL_WORDS = {True: "yes", False: "**no**", None: ""}  # whether a goal is met


def insert_results(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield what is put in place of each mark of a page."""
    for match in MARK.finditer(text):
        file = FOLDER / f"{match['name']}.json"
        said = (
            render_results(json.loads(file.read_text("utf-8")), file.name)
            if file.exists()
            else NOT_MEASURED
        )
        yield *match.span(), said


def render_results(stored: dict[str, Any], name: str) -> str:
    """Return what was stored as tables, with when, where and how it was measured."""
    lines = [
        *_lines(stored["lines"]),
        *_table(stored.get("table", [])),
        _provenance(stored["about"], name),
        "{ .provenance }",
    ]
    return "\n".join(lines)


def _lines(lines: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the rows of what has, or could have, a goal."""
    if lines:
        yield from ("| what | measured | goal | met |", "| :-- | --: | --: | :-- |")
        for line in lines:
            goal = line["goal"].replace(" ", "\N{NO-BREAK SPACE}")  # a sign stays with its number
            yield _row(
                [line["what"], format_value(line["measured"]), goal, GOAL_WORDS[line["met"]]]
            )
        yield ""


def _table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a table of any columns, named as its rows name them; numbers stand on the right."""
    if rows:
        yield _row(rows[0])
        yield _row(":--" if isinstance(value, str) else "--:" for value in rows[0].values())
        yield from (_row(map(format_value, row.values())) for row in rows)
        yield ""


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _provenance(about: dict[str, Any], name: str) -> str:
    """Return when, where and with which command something was measured."""
    day = date.fromisoformat(about["date"])
    versions = ", ".join(f"{package} {found}" for package, found in about["versions"].items())
    machine = f"{about['machine']}, {about['cores']} cores"
    if about["load"] is not None:
        machine += f", load {about['load']:.1f}"
    return (
        f"{day.day} {day:%B %Y}; {machine}; {versions}. "
        f"To repeat it: `{about['command']}`. [All numbers](measured/{name})"
    )


def format_value(value: float | str | None) -> str:
    """Return a number with as many digits as one looks at; a text as it is, None as nothing."""
    if value is None or isinstance(value, str):
        return value or ""
    size = abs(value)
    if isinstance(value, int) or size >= 100 or value == 0:
        return f"{value:,.0f}".replace(",", "\N{NO-BREAK SPACE}")
    if size >= 0.01:
        return f"{value:.2f}" if size < 10 else f"{value:.1f}"
    digits, _, power = f"{value:.1e}".partition("e")
    return rf"${digits} \cdot 10^{{{int(power)}}}$"
