"""The package has a folder for each subject, and imports between folders go one way."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import posenc
from check.fences import INCLUDE
from check.page_source import read_page
from check.paths import PACKAGE as FOLDER
from check.paths import ROOT, path_from_root
from tests import nav

# Each subject imports from itself and from those before it. "posenc" is `posenc/__init__.py`.
ORDER = [
    "core",
    "tables",
    "layers",
    "rotary",
    "biases",
    "scaling",
    "batches",
    "costs",
    "counting",
    "geometry",
    "trained",
    "analysis",
    "laws",
    "judging",
    "golden",
    "proofs",
    "plots",
    "numba",
    "torch",
    "posenc",
    "exercises",
    "experiments",
    "command",
]

FILES = [path for part in ORDER for path in sorted((FOLDER / part).rglob("*.py"))]


def part_of(name: str) -> str:
    """Return the part that a dotted name belongs to: `posenc.core.angles` to core."""
    _, _, inside = name.partition(".")
    part = inside.partition(".")[0]
    return part if part in ORDER else "posenc"


def imported(code: str) -> Iterator[str]:
    """Yield the parts of the package that a file imports from, wherever in it."""
    for node in ast.walk(ast.parse(code)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, "an import says the whole way"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        yield from (part_of(name) for name in names if name.partition(".")[0] == "posenc")


def wrong(part: str, code: str) -> set[str]:
    """Return the parts that a file of this part must not import from, and does."""
    return set(imported(code)) - set(ORDER[: ORDER.index(part) + 1])


def shown(page: Path) -> set[tuple[str, str | None]]:
    """Return the files that a page includes, and which sections of them."""
    lines = re.sub(r"^ +", "", read_page(page), flags=re.MULTILINE)
    return {
        (include["path"], include["section"])
        for include in INCLUDE.finditer(lines)
        if lines[: include.start()].endswith("\n")
    }


def test_every_folder_has_its_place_in_the_order():
    there = {path.name for path in FOLDER.iterdir() if (path / "__init__.py").is_file()}

    assert there == set(ORDER) - {"posenc", "counting"}
    assert {path.name for path in FOLDER.glob("*.py")} == {
        "__init__.py",
        "__main__.py",
        "counting.py",
    }


def test_imports_follow_the_order_of_folders():
    found = {
        path_from_root(path): wrong(path.relative_to(FOLDER).parts[0], path.read_text("utf-8"))
        for path in FILES
    }

    assert {name: parts for name, parts in found.items() if parts} == {}


def test_what_is_marked_in_a_file_is_shown_by_a_page():
    marked = {
        (path_from_root(path), section)
        for path in FILES
        for section in re.findall(r"# --8<-- \[start:([\w-]+)\]", path.read_text("utf-8"))
    }

    on_pages = {line for page in nav.FILES.values() for line in shown(page)}
    assert marked - on_pages == set()


def test_no_public_name_hides_a_module_or_a_folder():
    """`posenc.x` must mean one thing to Python and to the reference page."""
    assert not {*ORDER} & {*posenc.__all__}


def test_import_loads_only_numpy_and_no_judging():
    """Judges, and NumPy's random numbers, take as long to load as all the rest."""
    slow = {"matplotlib", "mpmath", "numpy.random", "posenc.judging", "posenc.trained"}
    code = f"import sys, posenc; print({slow} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)

    assert run.stdout == "set()\n", run.stderr


def test_every_name_in_all_can_be_imported():
    namespace: dict[str, object] = {}
    exec("from posenc import *", namespace)

    assert set(posenc.__all__) <= namespace.keys() & set(dir(posenc))
    with pytest.raises(AttributeError, match=r"^module 'posenc' has no attribute 'nothing'$"):
        _ = posenc.nothing
