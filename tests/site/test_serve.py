"""`mkdocs serve`: what an author sees after an edit."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.places import ROOT

pytestmark = pytest.mark.site


@pytest.fixture
def served(project: Path, site: Path) -> Iterator[str]:
    """Serve the copy with `mkdocs serve` and return its address.

    It begins with what the build of the site has kept.
    """
    shutil.copytree(ROOT / ".cache", project / ".cache", dirs_exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    server = subprocess.Popen(
        [sys.executable, "-B", "-m", "mkdocs", "serve", "--livereload", "-a", address],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield f"http://{address}/chapters/sinusoidal/"
    server.terminate()
    server.wait()


def shows(address: str, text: str, seconds: float = 240) -> bool:
    """Return whether a page comes to show a text."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with urllib.request.urlopen(address, timeout=seconds) as page:
                if text in page.read().decode():
                    return True
        except OSError:
            pass
        time.sleep(0.2)
    return False


def test_serve_shows_what_fails_and_recovers(project, served):
    page = project / "docs/chapters/sinusoidal.md"
    module = project / "posenc/core/frequencies.py"
    text, code = page.read_text("utf-8"), module.read_text("utf-8")
    assert shows(served, "the famous number")

    page.write_text(text.replace("the famous number", "that number $\\nonsense$"), "utf-8")
    assert shows(served, "This page does not hold: 1 of its examples failed")
    assert shows(served, "sinusoidal.md:")
    assert shows(served, "LaTeX in")

    page.write_text(text.replace("the famous number", "a number"), "utf-8")
    assert shows(served, "its wavelength a number")
    assert not shows(served, "does not hold", seconds=0.5)

    # The server imported posenc long ago; an edit of the same size is seen all the same.
    module.write_text(code.replace("2 * math.pi / inv_freq", "3 * math.pi / inv_freq"), "utf-8")
    assert shows(served, "This page does not hold")
    module.write_text(code, "utf-8")
    assert shows(served, "its wavelength a number")
    page.write_text(text, "utf-8")

    lab = project / "docs/labs/build.py"
    text = lab.read_text("utf-8")
    lab.write_text(text.replace('print("true:", claim)', 'print("held:", claim)'), "utf-8")
    assert shows(f"{served}../../labs/build/", "held: a hand begins at the top")
    lab.write_text(text.replace("return math.sin(omega * p), ", "return 0, "), "utf-8")
    assert shows(f"{served}../../labs/build/", "build.py:")
    assert shows(f"{served}../../labs/build/", "not yet true: each step turns it")
    lab.write_text(text, "utf-8")


# Of the site: the edited page; one that names what it uses; and what was kept of others.
EDITED = ("chapters/sinusoidal/", "search/entries.json")
TELLING = ("reference/api/rotary/",)
KEPT = (
    "chapters/relative/",
    "reference/equations/",
    "reference/api/",
    "reference/api/biases/",
    "assets/previews/eq-toeplitz.html",
    "objects.inv",
    "assets/_mkdocstrings.css",
)


def test_serve_makes_of_kept_pages_what_a_first_build_makes(project, served):
    """Article, contents, search entries, and what converting a page told the plugins of names."""
    page = project / "docs/chapters/sinusoidal.md"
    text = page.read_text("utf-8")

    def made() -> dict[str, bytes]:
        # Without the script that reloads, which has the time of the build.
        found = {}
        for name in (*EDITED, *TELLING, *KEPT):
            with urllib.request.urlopen(f"{served}../../{name}") as answer:
                found[name] = re.sub(rb"livereload\(.*?\)", b"", answer.read())
        return found

    assert shows(served, "the famous number")
    first = made()
    page.write_text(text.replace("the famous number", "that [`posenc.ntk_base`][]"), "utf-8")
    assert shows(served, "its wavelength that")
    edited = made()
    page.write_text(text, "utf-8")
    assert shows(served, "the famous number")
    last = made()

    changed = {name for name in first if edited[name] != first[name]}
    assert changed == {*EDITED, *TELLING}
    assert b'href="../../../chapters/sinusoidal/#' in edited["reference/api/rotary/"]
    assert [name for name in first if last[name] != first[name]] == []
