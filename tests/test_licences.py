"""Every installed package has a licence on the list for pip-licenses in `pyproject.toml`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from check.paths import ROOT

pytestmark = pytest.mark.thorough  # old versions spell their licences differently

TOOL = Path(sys.executable).with_name("pip-licenses")


def run_pip_licenses(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run pip-licenses on everything that is installed, and on the packages in a folder."""
    settings = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run([TOOL], cwd=ROOT, env=settings, capture_output=True, text=True)


def write_metadata(folder: Path, licence: str) -> None:
    """Write the metadata of a package with some licence into a folder."""
    info = folder / "stranger-1.0.dist-info"
    info.mkdir()
    text = f"Metadata-Version: 2.4\nName: stranger\nVersion: 1.0\n{licence}"
    (info / "METADATA").write_text(text, "utf-8")


def test_every_installed_licence_is_listed(tmp_path):
    run = run_pip_licenses(tmp_path)

    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) > 100


@pytest.mark.parametrize(
    "licence",
    ["License-Expression: MIT AND GPL-3.0-only\n", "License: all rights reserved\n", ""],
    ids=["stricter in part", "closed", "unknown"],
)
def test_unlisted_licence_is_refused(tmp_path, licence):
    write_metadata(tmp_path, licence)
    run = run_pip_licenses(tmp_path)

    assert run.returncode == 1
    assert "stranger:1.0" in run.stderr


def test_listed_licence_is_accepted(tmp_path):
    write_metadata(tmp_path, "License-Expression: BSD-3-Clause\n")

    assert run_pip_licenses(tmp_path).returncode == 0
