"""The site, built once for all; and a copy of the project to break, for the tests to see it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from engine.places import ROOT

UNDER = "some/book"  # where the site lies on its host
DATE = "1767225600"  # for SOURCE_DATE_EPOCH: the site map says when it was built

Judge = Callable[[str], tuple[int, str]]

WORDS = ["-q", "-x", "-p", "no:cacheprovider"]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, run) -> Path:
    """Return the site, built strictly; of several workers the first builds, and the others wait."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # the run's, not the worker's
    folder = folder / "host"
    folder.mkdir(exist_ok=True)
    with FileLock(folder / "lock"):
        if not (folder / "built").exists():
            words = ["mkdocs", "build", "--strict", "-d", str(folder / UNDER)]
            built = run(ROOT, *words, SOURCE_DATE_EPOCH=DATE, PYTHONHASHSEED="1")
            assert built.returncode == 0, built.stdout + built.stderr
            assert "WARNING" not in built.stderr
            (folder / "built").touch()
    return folder / UNDER


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path, str], int]]:
    """Yield a function that tests one file in a folder, in a fork, and returns pytest's code.

    What it said is in the file `said` of the folder above.
    """
    server = subprocess.Popen(
        [sys.executable, "-P", Path(__file__).with_name("warm.py")],
        cwd=tmp_path_factory.mktemp("warm"),  # where there is nothing to import
        env={
            **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            "PYTEST_ADDOPTS": "",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # what pages need, conftest.py has
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin
    assert server.stdout
    jobs, answers = server.stdin, server.stdout

    def tested(folder: Path, target: str) -> int:
        said = folder.with_name("said")
        job = {"folder": str(folder), "words": [*WORDS, target], "output": str(said)}
        print(json.dumps(job), file=jobs, flush=True)
        return int(answers.readline())

    yield tested
    jobs.close()
    server.wait()
    answers.close()


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
def judged(project: Path, request: pytest.FixtureRequest) -> Judge:
    """Return a function that tests one file of the copy: how pytest ended, and what it said."""
    if not hasattr(os, "fork"):  # Windows: each starts anew
        run = request.getfixturevalue("run")

        def slowly(target: str) -> tuple[int, str]:
            done = run(project, "pytest", *WORDS, target)
            return done.returncode, done.stdout + done.stderr

        return slowly
    warm = request.getfixturevalue("warm")

    def quickly(target: str) -> tuple[int, str]:
        return warm(project, target), project.with_name("said").read_text("utf-8")

    return quickly


@pytest.fixture
def green(judged: Judge) -> Callable[[str], None]:
    """Return a function that sees a file pass in the copy; without that, red means nothing."""

    def unbroken(target: str) -> None:
        status, output = judged(target)
        assert status == 0, output

    return unbroken


@pytest.fixture
def red(
    edited: Callable[[str, str, str], int], judged: Judge
) -> Callable[[str, str, str, str], None]:
    """Return a function that breaks one place and sees a file of the copy fail for it."""

    def broken(file: str, old: str, new: str, target: str) -> None:
        edited(file, old, new)
        status, output = judged(target)
        assert status == 1, output

    return broken
