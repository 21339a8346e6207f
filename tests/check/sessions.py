"""Check the code of pages with the engine alone, in the Python of the tests and in Pyodide."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sybil import Document, Region, Sybil

from check import code_blocks, page_check


def code(document: Document) -> Iterator[Region]:
    """Yield what each fence claims, but for figures: Pyodide comes without Matplotlib."""
    return (
        found
        for found in code_blocks.parse(document)
        if found.evaluator is not code_blocks.check_figure
    )


def checked(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what came of each page in a folder: how many examples, and what failed."""
    parser = Sybil(parsers=[code], patterns=["*.md"], path=str(folder), encoding="utf-8")
    reports = {page.name: page_check.check_page(parser.parse(page)) for page in folder.glob("*.md")}
    return {
        name: {"examples": report.examples, "failures": [asdict(f) for f in report.failures]}
        for name, report in reports.items()
    }
