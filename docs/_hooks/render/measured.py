"""Benchmark results: tables that are generated from stored results.

`benchmarks/timing.py` stores the results of each benchmark with date, machine and versions as a
JSON file in `docs/reference/measured/`. A page shows those of `shards.json` in place of
`<!-- measured: shards -->`.
"""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

from check.paths import DOCS
from render.text_edits import Edit

FOLDER = DOCS / "reference/measured"
MARK = re.compile(r"<!-- measured: (?P<name>[\w-]+) -->")
NOT_MEASURED = "Not measured yet.\n{ .provenance }"
GOAL_WORDS = {True: "yes", False: "**no**", None: ""}  # whether a goal is met


def insert_results(text: str) -> Iterator[Edit]:
    """Yield the edits that replace each mark on a page by stored results."""
    for match in MARK.finditer(text):
        file = FOLDER / f"{match['name']}.json"
        if file.exists():
            results = json.loads(file.read_text("utf-8"))
            yield *match.span(), render_results(results, file.name)
        else:
            yield *match.span(), NOT_MEASURED


def render_results(stored: dict[str, Any], name: str) -> str:
    """Return stored results as tables with date, machine and command; `name` is the file."""
    lines = [
        *_lines(stored["lines"]),
        *_table(stored.get("table", [])),
        _provenance(stored["about"], name),
        "{ .provenance }",
    ]
    return "\n".join(lines)


def _lines(lines: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the table of results with goals."""
    if lines:
        yield from ("| what | measured | goal | met |", "| :-- | --: | --: | :-- |")
        for line in lines:
            goal = line["goal"].replace(" ", "\N{NO-BREAK SPACE}")  # no line break after the sign
            yield _row(
                [line["what"], format_value(line["measured"]), goal, GOAL_WORDS[line["met"]]]
            )
        yield ""


def _table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Yield a table whose columns are the keys of its rows; numbers are aligned on the right."""
    if rows:
        yield _row(rows[0])
        yield _row(":--" if isinstance(value, str) else "--:" for value in rows[0].values())
        yield from (_row(map(format_value, row.values())) for row in rows)
        yield ""


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _provenance(about: dict[str, Any], name: str) -> str:
    """Return a sentence with the date, the machine, the versions and the command."""
    day = date.fromisoformat(about["date"])
    versions = ", ".join(f"{package} {version}" for package, version in about["versions"].items())
    machine = f"{about['machine']}, {about['cores']} cores"
    if about["load"] is not None:
        machine += f", load {about['load']:.1f}"
    return (
        f"{day.day} {day:%B %Y}; {machine}; {versions}. "
        f"To repeat it: `{about['command']}`. [All numbers](measured/{name})"
    )


def format_value(value: float | str | None) -> str:
    """Return a number with two or three digits, a string unchanged, and None as an empty string."""
    if value is None or isinstance(value, str):
        return value or ""
    size = abs(value)
    if isinstance(value, int) or size >= 100 or value == 0:
        return f"{value:,.0f}".replace(",", "\N{NO-BREAK SPACE}")
    if size >= 0.01:
        return f"{value:.2f}" if size < 10 else f"{value:.1f}"
    digits, _, power = f"{value:.1e}".partition("e")
    return rf"${digits} \cdot 10^{{{int(power)}}}$"
