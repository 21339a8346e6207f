"""Fixtures for all tests: the built site, a copy of the project, processes."""

import multiprocessing
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

from check.paths import ROOT

UNDER = "some/book"  # path of the site on its host
DATE = "1767225600"  # SOURCE_DATE_EPOCH: the site map contains the date of the build

# Examples are the same in each run, and no test fails because its machine is slow.
settings.register_profile(
    "posenc", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("posenc")


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, run) -> Path:
    """Return the folder of the site, built once; other workers wait for the first."""
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
            assert (
                "WARNING -" not in built.stderr
            )  # from MkDocs; Jupyter's kernels print other warnings
            (folder / "built").touch()
    return folder / UNDER


@pytest.fixture(scope="session")
def alone() -> Iterator[Callable[..., Any]]:
    """Yield a function that calls another in a new process, which may fork.

    The process of the tests may not, because other tests start JAX's threads in it.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
        yield lambda call, *args, **names: pool.submit(call, *args, **names).result()


NOT_COPIED = shutil.ignore_patterns(".*_cache", ".cache", ".git", ".venv", "__pycache__", "site")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the root of a copy of the project without caches."""
    copy = tmp_path_factory.mktemp("copy") / "posenc"
    shutil.copytree(ROOT, copy, ignore=NOT_COPIED)
    return copy


@pytest.fixture(scope="session")
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs `python -m …` in a folder and returns the finished process.

    It writes no bytecode, which Python would use after an edit in the same second that keeps the
    size of a file.
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
