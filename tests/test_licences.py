"""All that is installed may be used as it is: its licence is on the list in `pyproject.toml`.

The list, and pip-licenses that reads it, judge what is installed here, with the newest versions.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from check.paths import ROOT

pytestmark = pytest.mark.thorough  # the oldest versions spell their licences in other ways

TOOL = Path(sys.executable).with_name("pip-licenses")


def judged(beside: Path) -> subprocess.CompletedProcess[str]:
    """Return what is said of all that is installed, and of what lies in a folder."""
    settings = {**os.environ, "PYTHONPATH": str(beside)}
    return subprocess.run([TOOL], cwd=ROOT, env=settings, capture_output=True, text=True)


def put(folder: Path, licence: str) -> None:
    """Put a package into a folder that nothing but its metadata is there of."""
    home = folder / "stranger-1.0.dist-info"
    home.mkdir()
    said = f"Metadata-Version: 2.4\nName: stranger\nVersion: 1.0\n{licence}"
    (home / "METADATA").write_text(said, "utf-8")


def test_every_licence_is_one_that_is_listed(tmp_path):
    run = judged(tmp_path)

    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) > 100


@pytest.mark.parametrize(
    "licence",
    ["License-Expression: MIT AND GPL-3.0-only\n", "License: all rights reserved\n", ""],
    ids=["stricter in part", "closed", "unknown"],
)
def test_another_licence_is_refused(tmp_path, licence):
    put(tmp_path, licence)
    run = judged(tmp_path)

    assert run.returncode == 1
    assert "stranger:1.0" in run.stderr


def test_a_listed_licence_is_not_refused(tmp_path):
    put(tmp_path, "License-Expression: BSD-3-Clause\n")

    assert judged(tmp_path).returncode == 0
