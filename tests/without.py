"""What rests on a library that need not be installed; `.ci/run` installs it."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def left_out(library: str, path: Path) -> bool | None:
    """Return True where a test file would import a library that is missing, else None.

    One test says so in its place: that of the import.
    """
    if find_spec(library) is not None or not path.name.startswith("test_"):
        return None
    return path.name != f"test_{library}_import.py"


def told_without(library: str) -> str:
    """Return what the part of the package says that rests on a library, where that is missing."""
    code = f"import sys; sys.modules[{library!r}] = None; import posenc.{library}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    return done.stderr


def loaded_with_the_package(library: str) -> bool:
    """Return whether `import posenc` loads a library, or the part that rests on it."""
    names = {library, f"posenc.{library}"}
    code = f"import posenc, sys; sys.exit(bool({names} & set(sys.modules)))"
    return subprocess.run([sys.executable, "-c", code], check=False).returncode != 0
