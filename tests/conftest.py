"""The site, built once for all."""

import os
from pathlib import Path

import pytest
from filelock import FileLock

from engine.places import ROOT

UNDER = "some/book"  # where the site lies on its host
DATE = "1767225600"  # for SOURCE_DATE_EPOCH: the site map says when it was built


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
