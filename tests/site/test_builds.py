"""Builds of the site are reproducible."""

import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import DATE

pytestmark = [pytest.mark.site, pytest.mark.thorough]

SLOW = ("code", "figures", "runtime")  # parts of the cache to reuse; all else is built again


def test_two_builds_have_the_same_bytes(site, project, run, tmp_path):
    """The second build has another hash seed and another folder, so that ordering bugs show.

    It renders every page again, but doesn't run the code of pages again.
    """
    for kind in SLOW:
        shutil.copytree(Path(os.environ["POSENC_CACHE"]) / kind, tmp_path / "cache" / kind)
    words = ["mkdocs", "build", "--strict"]
    second = {"PYTHONHASHSEED": "2", "POSENC_CACHE": str(tmp_path / "cache")}
    built = run(project, *words, SOURCE_DATE_EPOCH=DATE, **second)
    assert built.returncode == 0, built.stderr

    files = sorted(path.relative_to(site) for path in site.rglob("*") if path.is_file())
    other = project / "site"
    assert files == sorted(path.relative_to(other) for path in other.rglob("*") if path.is_file())
    different = [
        str(path) for path in files if (site / path).read_bytes() != (other / path).read_bytes()
    ]
    assert different == []
