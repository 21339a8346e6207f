"""A second build of the site has the same bytes."""

import os
import shutil
from pathlib import Path

import pytest

from tests.conftest import DATE
from tests.turns import EVERY, TODAY

pytestmark = [pytest.mark.site, pytest.mark.thorough]

CHECKED = ("pages", "labs", "figures", "whole", "read")  # all else is made anew
PACKED = "runtime"  # Python for browsers, which is packed anew on one day of seven


def kept_for_a_second(cache: Path) -> None:
    """Fill a cache with what the tests have found to hold, but for a seventh of it.

    Of each kind another seventh runs again each day, or all, as in `tests/turns.py`. Files are
    named by digests, so that they fall into sevenths of about the same size.
    """
    first = Path(os.environ["POSENC_CACHE"])
    for kind in CHECKED if TODAY != EVERY else ():
        (cache / kind).mkdir(parents=True)
        for file in (first / kind).iterdir():
            if file.suffix != ".lock" and int(file.name, 16) % 7 != int(TODAY) % 7:
                shutil.copy(file, cache / kind)
    if TODAY != EVERY and int(TODAY) % 7:
        shutil.copytree(first / PACKED, cache / PACKED)


def test_two_builds_are_the_same_bytes(site, project, run, tmp_path):
    """In two processes with two hash seeds: one process would hide an ordering bug.

    In two folders, too. The second makes each page anew, and checks a part of the book again.
    """
    kept_for_a_second(tmp_path / "cache")
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
