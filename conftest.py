"""Collect every example that a reader can see, and give tests a copy of the project to break."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.examples import ROOT, docstrings, pages
from engine.scripts import is_lab

# Labs and experiments run in many processes; one compiles a step for all of them.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(ROOT / ".cache/jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.3")

pytest_collect_file = (pages + docstrings).pytest()


class Lab(pytest.Module):
    """A lab that is named on the command line: its cells are examples, and it has no tests."""

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        """Import nothing."""
        return []


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> Lab | None:
    """Keep pytest from importing a lab, which would run it twice."""
    return Lab.from_parent(parent, path=module_path) if is_lab(module_path) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several workers, begin with what takes minutes, or one of them ends up with it.

    One builds the site for all; meanwhile the others do what needs none.
    """
    if not hasattr(config, "workerinput"):
        return
    first = next((item.path for item in items if "site" in item.fixturenames), None)  # type: ignore[attr-defined]

    def order(item: pytest.Item) -> tuple[bool, bool, bool]:
        slow = item.get_closest_marker("site") is not None
        return not slow, item.path != first, "breakages" not in item.path.name

    items.sort(key=order)


NOT_COPIED = shutil.ignore_patterns(".*_cache", ".cache", ".git", ".venv", "__pycache__", "site")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the root of a copy of the project, without anything kept from earlier runs."""
    copy = tmp_path_factory.mktemp("copy") / "posenc"
    shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
    return copy


@pytest.fixture(scope="session")
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs `python -m …` in a folder and returns what came of it.

    Nothing compiled is written: an edit of the same second and size would go unseen.
    """

    def python(folder: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-B", "-m", *words],
            cwd=folder,
            env={
                **os.environ,
                "PYTHONPATH": str(folder),
                "NO_MKDOCS_2_WARNING": "1",
                "PYTEST_ADDOPTS": "",
                **env,
            },
            capture_output=True,
            text=True,
        )

    return python
