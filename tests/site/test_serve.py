"""`mkdocs serve`: what an author sees at first, and after an edit.

Nothing here waits for a clock: a server that does not come to show what it should is given up
only after a time that no machine needs.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.site

GIVEN_UP = 1800  # seconds


@contextmanager
def serving(project: Path, folder: Path) -> Iterator[str]:
    """Serve a copy with `mkdocs serve`, beginning with what the tests have kept so far."""
    cache = folder / "cache"
    shutil.copytree(os.environ["POSENC_CACHE"], cache, dirs_exist_ok=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    server = subprocess.Popen(
        [sys.executable, "-B", "-m", "mkdocs", "serve", "--livereload", "-a", address],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project), "POSENC_CACHE": str(cache)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"http://{address}/"
    finally:
        server.terminate()
        server.wait()


def got(address: str) -> str:
    """Return what an address shows, or nothing while there is no answer."""
    try:
        with urllib.request.urlopen(address) as page:
            return str(page.read().decode(errors="replace"))  # `objects.inv` is no text
    except OSError:
        return ""


def until(shown: Callable[[], bool]) -> bool:
    """Return whether something comes to be so."""
    end = time.monotonic() + GIVEN_UP
    while time.monotonic() < end:
        if shown():
            return True
        time.sleep(0.1)
    return False


def shows(address: str, text: str) -> bool:
    """Return whether a page comes to show a text."""
    return until(lambda: text in got(address))


def test_serve_shows_what_fails_and_recovers(project, site, tmp_path):
    page = project / "docs/chapters/sinusoidal.md"
    module = project / "posenc/positions/dna_strands.py"
    text, code = page.read_text("utf-8"), module.read_text("utf-8")
    with serving(project, tmp_path) as served:
        there = f"{served}chapters/sinusoidal/"
        assert shows(there, "the famous number")

        page.write_text(text.replace("the famous number", "that number $\\nonsense$"), "utf-8")
        assert shows(there, "This page does not hold: 1 of its examples failed")
        shown = got(there)
        assert "sinusoidal.md:" in shown
        assert "LaTeX in" in shown

        page.write_text(text.replace("the famous number", "a number"), "utf-8")
        assert shows(there, "its wavelength a number")
        assert "does not hold" not in got(there)

        # An edit of the package, of the same size, runs the page that rests on it.
        other = f"{served}chapters/sciences/"
        assert "checked on every build" in got(other)
        module.write_text(code.replace("[letter] for", "['A'   ] for"), "utf-8")
        assert shows(other, "This page does not hold")
        assert "does not hold" not in got(there)
        module.write_text(code, "utf-8")
        assert until(lambda: "checked on" in got(other) and "not hold" not in got(other))
        page.write_text(text, "utf-8")

        lab = project / "docs/labs/build.py"
        there, text = f"{served}labs/build/", lab.read_text("utf-8")
        lab.write_text(text.replace('print("true:", claim)', 'print("held:", claim)'), "utf-8")
        assert shows(there, "held: a hand begins at the top")
        lab.write_text(text.replace("return math.sin(omega * p), ", "return 0, "), "utf-8")
        assert shows(there, "build.py:")
        assert "not yet true: each step turns it" in got(there)
        lab.write_text(text, "utf-8")


def test_what_is_not_checked_yet_says_so(project, site, tmp_path):
    """A session that waits for the test to let it go on; until then its page is not checked."""
    page, go = project / "docs/chapters/order.md", tmp_path / "go"
    text = page.read_text("utf-8")
    waits = (
        f"\n```pycon\n>>> import pathlib, time\n>>> go = pathlib.Path({str(go)!r})\n"
        ">>> while not go.exists():\n...     time.sleep(0.05)\n```\n"
    )
    page.write_text(text + waits, "utf-8")
    with serving(project, tmp_path) as served:
        there = f"{served}chapters/order/"
        assert shows(there, "not checked yet")
        first = got(there)
        assert "checked on every build" not in first
        assert "scripts/checks.js" in first
        assert 'data-page="docs/chapters/order.md"' in first
        assert "checked on every build" in got(f"{served}chapters/relative/")
        counted = json.loads(got(f"{served}checks.json"))
        assert counted == {"total": 1, "done": {}}

        go.touch()
        assert shows(there, "checked on every build")
        last = got(there)
        assert "not checked yet" not in last
        assert "scripts/checks.js" not in last
    page.write_text(text, "utf-8")


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


def test_serve_makes_of_kept_pages_what_a_first_build_makes(project, site, tmp_path):
    """Article, contents, search entries, and what converting a page told the plugins of names."""
    page = project / "docs/chapters/sinusoidal.md"
    text = page.read_text("utf-8")

    with serving(project, tmp_path) as served:
        there = f"{served}chapters/sinusoidal/"

        def made() -> dict[str, str]:
            # Without the script that reloads, which has the time of the build.
            names = (*EDITED, *TELLING, *KEPT)
            return {name: re.sub(r"livereload\(.*?\)", "", got(served + name)) for name in names}

        assert shows(there, "the famous number")
        first = made()
        page.write_text(text.replace("the famous number", "that [`posenc.ntk_base`][]"), "utf-8")
        assert shows(there, "its wavelength that")
        edited = made()
        page.write_text(text, "utf-8")
        assert shows(there, "the famous number")
        last = made()

    changed = {name for name in first if edited[name] != first[name]}
    assert changed == {*EDITED, *TELLING}
    assert 'href="../../../chapters/sinusoidal/#' in edited["reference/api/rotary/"]
    assert [name for name in first if last[name] != first[name]] == []
