"""Tests of what rests on a library that need not be installed; `.ci/run` installs it."""

from importlib.util import find_spec
from pathlib import Path


def left_out(library: str, path: Path) -> bool | None:
    """Return True where a file would import a library that is missing, else None.

    One test says so in its place: that of the import.
    """
    if find_spec(library) is not None or not path.name.startswith("test_"):
        return None
    return path.name != f"test_{library}_import.py"
