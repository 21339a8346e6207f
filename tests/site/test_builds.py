"""A second build of the site has the same bytes."""

import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import DATE

pytestmark = [pytest.mark.site, pytest.mark.thorough]

KEPT = ("code", "figures", "runtime")  # what ran or was packed; all else is made again


def test_two_builds_are_the_same_bytes(site, project, run, tmp_path):
    """In two processes with two hash seeds: one process would hide an ordering bug.

    In two folders, too. The second makes each page again without running its code again.
    """
    for kind in KEPT:
        shutil.copytree(Path(os.environ["POSENC_CACHE"]) / kind, tmp_path / "cache" / kind)
    words = ["mkdocs", "build", "--strict"]
    second = {"PYTHONHASHSEED": "2", "POSENC_CACHE": str(tmp_path / "cache")}
    built = run(project, *words, SOURCE_DATE_EPOCH=DATE, **second)
    assert built.returncode == 0, built.stderr

    files = sorted(path.relative_to(site) for path in site.rglob("*") if path.is_file())
    theirs = project / "site"
    assert files == sorted(p.relative_to(theirs) for p in theirs.rglob("*") if p.is_file())
    differing = [
        str(path) for path in files if (site / path).read_bytes() != (theirs / path).read_bytes()
    ]
    assert differing == []
