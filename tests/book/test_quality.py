"""Lint, format, types, and what is wrong with workflows, are part of the tests."""

import subprocess
import sysconfig
from pathlib import Path

import pytest

from engine.places import ROOT

SCRIPTS = Path(sysconfig.get_path("scripts"))
COMMANDS = [
    "ruff check .",
    "ruff format --check .",
    "mypy",
    "zizmor --offline --quiet .github",
    "check-jsonschema --builtin-schema vendor.github-workflows "
    + " ".join(sorted(str(file) for file in ROOT.glob(".github/workflows/*.yml"))),
]


@pytest.mark.parametrize("command", COMMANDS, ids=[command.split()[0] for command in COMMANDS])
def test_finds_nothing(command):
    program, *words = command.split()
    run = subprocess.run([SCRIPTS / program, *words], cwd=ROOT, capture_output=True, text=True)

    assert run.returncode == 0, run.stdout + run.stderr
