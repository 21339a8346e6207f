"""Abbreviations: told once, in a table of the page of notation, and a tooltip on every page."""

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
    """Return what each abbreviation stands for."""
    table = TABLE.search(read_outline(NOTATION))
    rows = ROW.finditer(table["rows"]) if table else ()
    return {row["short"]: row["long"] for row in rows}


def render_definitions() -> str:
    """Return the abbreviations as Markdown's extension `abbr` reads them."""
    return "".join(f"\n*[{short}]: {long}" for short, long in read_abbreviations().items()) + "\n"
