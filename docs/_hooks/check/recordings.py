"""Answers of labs that need more than the site is built with, stored next to the labs.

The front matter of such a lab has `needs: torch`. Where PyTorch is installed, as in a part of CI,
the lab runs, and its answers must be those in the file. Elsewhere they are read from the file.
`export/record_lab.py` writes it.
"""

import json
from importlib.util import find_spec
from pathlib import Path

from check.page_source import get_front_matter, read_page

OUTDATED = "its answer in {} is not that of this code; record it again: see export/record_lab.py"


def can_run(path: Path) -> bool:
    """Return whether the package that a lab needs, if it needs one, is installed."""
    needs = get_front_matter(read_page(path)).get("needs")
    return needs is None or find_spec(needs) is not None


def get_file(path: Path) -> Path:
    """Return the file with the recorded answers of a lab."""
    return path.with_suffix(".json")


def read_text(path: Path) -> str:
    """Return the text of that file, or an empty string if the lab has none."""
    file = get_file(path)
    return file.read_text("utf-8") if file.exists() else ""


def find_answer(path: Path, source: str) -> tuple[str, str] | None:
    """Return what a cell printed when it was recorded and its value, if the file has the cell."""
    cells = json.loads(read_text(path) or "[]")
    return next(((c["printed"], c["value"]) for c in cells if c["source"] == source), None)
