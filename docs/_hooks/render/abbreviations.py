"""Abbreviations: a table on the notation page defines them, and every page gets tooltips."""

import re

from check.page_source import read_outline
from check.paths import DOCS

NOTATION = DOCS / "reference/notation.md"

TABLE = re.compile(
    r"^## [^\n]+ \{ #abbreviations \}\n(?:(?!## )[^\n]*\n)*?\| :-[^\n]*\n"
    r"(?P<rows>(?:\|[^\n]*(?:\n|\Z))*)",
    re.MULTILINE,
)
ROW = re.compile(r"^\| (?P<short>[\w-]+) +\| (?P<long>[^|\n]+?) +\|$", re.MULTILINE)


def read_abbreviations() -> dict[str, str]:
    """Return the long form of each abbreviation."""
    table = TABLE.search(read_outline(NOTATION))
    rows = ROW.finditer(table["rows"]) if table else ()
    return {row["short"]: row["long"] for row in rows}


def render_definitions() -> str:
    """Return the abbreviations in the syntax of Markdown's extension `abbr`."""
    return "".join(f"\n*[{short}]: {long}" for short, long in read_abbreviations().items()) + "\n"
