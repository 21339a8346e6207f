"""Tests of optional dependencies, for machines with and without them."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def ignore_without_library(library: str, path: Path) -> bool | None:
    """Return True if pytest should ignore a test file because a library is missing, else None.

    The test of the import itself always runs.
    """
    if find_spec(library) is not None or not path.name.startswith("test_"):
        return None
    return path.name != f"test_{library}_import.py"


def get_import_error(library: str) -> str:
    """Return the error when a part of the package is imported without its library."""
    code = f"import sys; sys.modules[{library!r}] = None; import posenc.{library}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr


def is_loaded_with_package(library: str) -> bool:
    """Return whether `import posenc` imports a library, or the part that needs it."""
    names = {library, f"posenc.{library}"}
    code = f"import posenc, sys; sys.exit(bool({names} & set(sys.modules)))"
    return subprocess.run([sys.executable, "-c", code], check=False).returncode != 0
