"""Lint, format and types are part of the tests."""

import subprocess
import sys

import pytest

from engine.places import ROOT


@pytest.mark.parametrize(
    "command",
    ["ruff check .", "ruff format --check .", "mypy"],
)
def test_finds_nothing(command):
    run = subprocess.run(
        [sys.executable, "-m", *command.split()], cwd=ROOT, capture_output=True, text=True
    )

    assert run.returncode == 0, run.stdout + run.stderr
