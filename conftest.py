"""Collect every example that a reader can see, and give tests a copy of the project to break."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from examples import ROOT, docstrings, pages

pytest_collect_file = (pages + docstrings).pytest()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several workers, begin with what takes minutes, or one of them ends up with it."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.get_closest_marker("site") is None)


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


@pytest.fixture
def edited(project: Path) -> Iterator[Callable[[str, str, str], int]]:
    """Yield a function that edits one place of one file; the file is mended afterwards."""
    mend: list[tuple[Path, str]] = []

    def edit(name: str, old: str, new: str) -> int:
        file = project / name
        text = file.read_text("utf-8")
        assert old in text, f"{name} no longer has {old!r}"
        mend.append((file, text))
        file.write_text(text.replace(old, new, 1), "utf-8")
        return text[: text.index(old)].count("\n") + 1

    yield edit
    for file, text in mend:
        file.write_text(text, "utf-8")


@pytest.fixture
def judged(
    project: Path, run: Callable[..., subprocess.CompletedProcess[str]]
) -> Callable[[str], tuple[int, str]]:
    """Return a function that tests one file of the copy: how pytest ended, and what it said."""

    def tested(target: str) -> tuple[int, str]:
        done = run(project, "pytest", "-q", "-x", "-p", "no:cacheprovider", target)
        return done.returncode, done.stdout + done.stderr

    return tested


@pytest.fixture
def green(judged: Callable[[str], tuple[int, str]]) -> Callable[[str], None]:
    """Return a function that sees a file pass in the copy; without that, red means nothing."""

    def unbroken(target: str) -> None:
        status, output = judged(target)
        assert status == 0, output

    return unbroken


@pytest.fixture
def red(
    edited: Callable[[str, str, str], int], judged: Callable[[str], tuple[int, str]]
) -> Callable[[str, str, str, str], None]:
    """Return a function that breaks one place and sees a file of the copy fail for it."""

    def broken(file: str, old: str, new: str, target: str) -> None:
        edited(file, old, new)
        status, output = judged(target)
        assert status == 1, output

    return broken
