"""The engine in Pyodide, the Python of browsers: it says of a page what it says here."""

import json
import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

import pytest

from check.page_source import read_page
from check.paths import DOCS, PACKAGE, ROOT
from tests.check.sessions import check_folder

HERE = Path(__file__).parent
# The last Pyodide for which npm has a NumPy; `ws` is what Pyodide asks for in Node.
FROM_NPM = ["pyodide@0.27.7", "@emscripten-forge/numpy@2.0.1-py312h4e66579-0", "ws@8.23.0"]
PURE = ("markdown", "mpmath", "sybil")
PAGES = ("relative.md",)  # the tests in a browser run the others
pytestmark = pytest.mark.thorough
BROKEN = ("relative.md", "\n[12.8, 15.56]\n", "\n[12.8, 15.57]\n")

NOT_COPIED = shutil.ignore_patterns("__pycache__")


def absent(what: str) -> NoReturn:
    """Skip, or fail where CI is set, since nothing here can run."""
    message = f"{what}: the engine was not tried in Pyodide"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder with Pyodide and NumPy, as npm has them."""
    npm = shutil.which("npm")
    if not (npm and shutil.which("node")):
        absent("NO NODE OR NPM")
    folder = tmp_path_factory.mktemp("npm")
    words = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"]
    installed = subprocess.run(
        [npm, "install", "--prefer-offline", *words, *FROM_NPM],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    if installed.returncode:
        absent(f"NPM COULD NOT INSTALL: {installed.stderr[-1000:]}")
    return folder / "node_modules"


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the engine, the package, what both import, and pages to check."""
    book = tmp_path_factory.mktemp("book")
    shutil.copytree(PACKAGE, book / "posenc", ignore=NOT_COPIED)
    engine = (DOCS / "_hooks/check").relative_to(ROOT)
    shutil.copytree(ROOT / engine, book / engine, ignore=NOT_COPIED)
    for name in PURE:
        found = find_spec(name)
        assert found
        assert found.origin
        folder = Path(found.origin).parent
        shutil.copytree(folder, book / "packages" / name, ignore=NOT_COPIED)
    shutil.copy(HERE / "sessions.py", book)
    for kind in ("whole", "broken"):
        (book / "pages" / kind).mkdir(parents=True)
    for name in PAGES:
        (book / "pages/whole" / name).write_text(read_page(DOCS / "chapters" / name), "utf-8")
    name, right, wrong = BROKEN
    text = read_page(DOCS / "chapters" / name)
    assert text.count(right) == 1, f"{name} no longer has {right!r} once"
    (book / "pages/broken" / name).write_text(text.replace(right, wrong), "utf-8")
    return book


@pytest.fixture(scope="module")
def there(modules: Path, book: Path) -> dict[str, Any]:
    """Return what came of the pages in Pyodide."""
    done = subprocess.run(
        ["node", str(HERE / "pyodide.mjs"), str(modules), str(book)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-5000:]
    reports: dict[str, Any] = json.loads(done.stdout)
    assert reports.pop("python") == "emscripten"
    return reports


def test_pages_hold_in_pyodide_as_they_do_here(there, book):
    here = check_folder(book / "pages/whole")

    assert there["whole"] == here
    assert here.keys() == set(PAGES)
    assert all(report["examples"] and not report["failures"] for report in here.values())


def test_a_wrong_answer_is_told_in_pyodide_as_it_is_here(there, book):
    name, right, wrong = BROKEN
    here = check_folder(book / "pages/broken")
    text = (book / "pages/broken" / name).read_text("utf-8")
    (failure,) = here[name]["failures"]

    assert there["broken"] == here
    assert wrong.strip() in failure["message"]
    assert right.strip() in failure["message"]
    assert text.split("\n")[failure["line"]] == wrong.strip()
