"""The test file that the page offers, in a project of a reader's own."""

import re
import subprocess
import sys

import pytest

from check.page_source import read_page
from check.paths import ROOT

PAGE = read_page(ROOT / "docs/reference/judge.md")
(RECIPE,) = re.findall(
    r'^```.*title="test_positions.py"}\n(.*?)^```', PAGE, re.MULTILINE | re.DOTALL
)

MODEL = """
import posenc

def rope(x, positions):
    return posenc.apply_rotary(x, positions, layout="half", base=500000.0)

def encode(seq_len):
    return posenc.sinusoidal_positional_encoding(seq_len, 64)
"""


def run(folder, model: str) -> subprocess.CompletedProcess[str]:
    """Run the tests of a project, with nothing of this one but the package."""
    (folder / "model.py").write_text(model, "utf-8")
    (folder / "test_positions.py").write_text(RECIPE, "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", "."]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)


def test_a_right_model_passes(tmp_path):
    done = run(tmp_path, MODEL)

    assert done.returncode == 0, done.stdout
    assert "9 passed" in done.stdout


@pytest.mark.parametrize(
    ("was", "now", "test", "said"),
    [
        (
            "500000.0",
            "10000.0",
            "test_the_rotation_is_that_of_llama3",
            "base 10000 instead of 500000",
        ),
        (
            "(seq_len, 64)",
            "(seq_len, 64) * seq_len",
            "test_the_table_keeps[same_at_every_length]",
            "same_at_every_length: no",
        ),
    ],
)
def test_a_mistake_fails_with_its_name(tmp_path, was, now, test, said):
    done = run(tmp_path, MODEL.replace(was, now))

    assert done.returncode == 1, done.stdout
    assert said in done.stdout
    failed = re.findall(r"^FAILED \S*::(\S+)", done.stdout, re.MULTILINE)
    assert test in failed
