"""Check the code of pages with docs/_hooks/check alone, in CPython and in Pyodide."""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sybil import Document, Region, Sybil

from check import code_blocks, page_check


def parse_code(document: Document) -> Iterator[Region]:
    """Yield the code of a page except figures, since Pyodide comes without Matplotlib."""
    return (
        region
        for region in code_blocks.parse(document)
        if region.evaluator is not code_blocks.check_figure
    )


def check_folder(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the number of examples and the failures of each page in a folder."""
    parser = Sybil(parsers=[parse_code], patterns=["*.md"], path=str(folder), encoding="utf-8")
    reports = {page.name: page_check.check_page(parser.parse(page)) for page in folder.glob("*.md")}
    return {
        name: {"examples": report.examples, "failures": [asdict(f) for f in report.failures]}
        for name, report in reports.items()
    }
