"""The page on golden vectors: its commands, and its port, which Node runs against the files."""

import os
import re
import shlex
import shutil
import subprocess

import pytest
from typer.testing import CliRunner

from check.page_source import read_page
from check.paths import ROOT
from posenc import golden
from posenc.command import app

PAGE = read_page(ROOT / "docs/reference/goldens.md")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    folder = tmp_path_factory.mktemp("vectors") / "golden"
    golden.write(folder)
    return folder


def ported(script: str, vectors) -> subprocess.CompletedProcess[str]:
    """Run a port by Node, which CI has; elsewhere it may be missing."""
    node = shutil.which("node")
    if node is None and not os.environ.get("CI"):
        pytest.skip("Node is not installed")
    path = vectors.parent / "port.mjs"
    path.write_text(script, "utf-8")
    assert node
    return subprocess.run(
        [node, str(path), str(vectors)], capture_output=True, text=True, check=False
    )


def test_the_page_shows_what_its_commands_print(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands, _ = blocks("console")

    for step in re.split(r"^\$ posenc ", commands, flags=re.MULTILINE)[1:]:
        line, _, shown = step.partition("\n")
        assert CliRunner().invoke(app, shlex.split(line)).stdout == shown


def test_the_port_prints_what_the_page_shows(vectors):
    (script,) = blocks("javascript")
    _, shown = blocks("console")

    done = ported(script, vectors)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == shown.partition("\n")[2]
