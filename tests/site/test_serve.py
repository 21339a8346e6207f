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
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.site import small

pytestmark = [pytest.mark.site, pytest.mark.thorough]

GIVEN_UP = 1800  # seconds

# The home page, and what is looked at below.
PAGES = (
    "index.md",
    *(f"chapters/{name}.md" for name in ("order", "sinusoidal", "relative", "sciences")),
    "labs/build.py",
    "reference/equations.md",
    *(f"reference/api/{name}.md" for name in ("index", "rotary", "biases")),
)

# Words of the page on sinusoids, and what the tests put in their place.
NUMBER = "the famous number"
OTHERS = ("that [`posenc.ntk_base`][]", "that number $\\nonsense$", "a number")
WAITING = """
```pycon
>>> import pathlib, time
>>> go = pathlib.Path({go!r})
>>> while not go.exists():
...     time.sleep(0.05)
```
"""


@dataclass
class Served:
    """A copy of the project while `mkdocs serve` shows it, and what its page on order waits for."""

    address: str
    project: Path
    go: Path


@pytest.fixture(scope="module")
def served(project: Path, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a copy, beginning with what the tests have kept so far.

    A page has a session more, which waits for the test to let it go on.
    """
    folder = tmp_path_factory.mktemp("served")
    cache, go = folder / "cache", folder / "go"
    shutil.copytree(os.environ["POSENC_CACHE"], cache)
    page = project / "docs/chapters/order.md"
    page.write_text(page.read_text("utf-8") + WAITING.format(go=str(go)), "utf-8")
    address = f"127.0.0.1:{free_port()}"
    serve = ["mkdocs", "serve", "--livereload", "-f", small.settings(project, *PAGES)]
    server = subprocess.Popen(
        [sys.executable, "-B", "-m", *serve, "-a", address],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(project), "POSENC_CACHE": str(cache)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield Served(f"http://{address}/", project, go)
    finally:
        server.terminate()
        server.wait()


def free_port() -> int:
    """Return a port that nobody has, and that no system hands to who asks for any port.

    One of those could be somebody else's before the server begins.
    """
    for port in range(20_000 + os.getpid() % 10_000, 32_768):
        with suppress(OSError), socket.socket() as tried:
            tried.bind(("127.0.0.1", port))
            return port
    raise OSError("no port is free between 20 000 and 32 768")


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


def test_what_is_not_checked_yet_says_so(served):
    there = f"{served.address}chapters/order/"
    assert shows(there, "not checked yet")
    first = got(there)
    assert "checked on every build" not in first
    assert "scripts/checks.js" in first
    assert 'data-page="docs/chapters/order.md"' in first
    assert "checked on every build" in got(f"{served.address}chapters/relative/")
    counted = json.loads(got(f"{served.address}checks.json"))
    assert counted == {"total": 1, "done": {}}

    served.go.touch()
    assert shows(there, "checked on every build")
    last = got(there)
    assert "not checked yet" not in last
    assert "scripts/checks.js" not in last


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


def test_serve_makes_of_kept_pages_what_a_first_build_makes(served):
    """Article, contents, search entries, and what converting a page told the plugins of names."""
    served.go.touch()
    page = served.project / "docs/chapters/sinusoidal.md"
    text = page.read_text("utf-8")
    there = f"{served.address}chapters/sinusoidal/"

    def made() -> dict[str, str]:
        # Without the script that reloads, which has the time of the build.
        names = (*EDITED, *TELLING, *KEPT)
        return {
            name: re.sub(r"livereload\(.*?\)", "", got(served.address + name)) for name in names
        }

    assert shows(there, NUMBER)
    first = made()
    page.write_text(text.replace(NUMBER, OTHERS[0]), "utf-8")
    assert shows(there, "its wavelength that")
    edited = made()
    page.write_text(text, "utf-8")
    assert shows(there, NUMBER)
    last = made()

    changed = {name for name in first if edited[name] != first[name]}
    assert changed == {*EDITED, *TELLING}
    assert 'href="../../../chapters/sinusoidal/#' in edited["reference/api/rotary/"]
    assert [name for name in first if last[name] != first[name]] == []


def test_serve_shows_what_fails_and_recovers(served):
    served.go.touch()
    page = served.project / "docs/chapters/sinusoidal.md"
    module = served.project / "posenc/positions/dna_strands.py"
    text, code = page.read_text("utf-8"), module.read_text("utf-8")
    there = f"{served.address}chapters/sinusoidal/"
    assert shows(there, NUMBER)

    page.write_text(text.replace(NUMBER, OTHERS[1]), "utf-8")
    assert shows(there, "Failures on this page: 1")
    shown = got(there)
    assert "sinusoidal.md:" in shown
    assert "LaTeX in" in shown

    page.write_text(text.replace(NUMBER, OTHERS[2]), "utf-8")
    assert shows(there, "its wavelength a number")
    assert "Failures on this page" not in got(there)

    # An edit of the package, of the same size, runs the page that rests on it.
    other = f"{served.address}chapters/sciences/"
    assert "checked on every build" in got(other)
    module.write_text(code.replace("[letter] for", "['A'   ] for"), "utf-8")
    assert shows(other, "Failures on this page")
    assert "Failures on this page" not in got(there)
    module.write_text(code, "utf-8")
    assert until(lambda: "checked on" in got(other) and "not hold" not in got(other))
    page.write_text(text, "utf-8")

    lab = served.project / "docs/labs/build.py"
    there, text = f"{served.address}labs/build/", lab.read_text("utf-8")
    lab.write_text(text.replace('print("true:", claim)', 'print("held:", claim)'), "utf-8")
    assert shows(there, "held: a hand begins at the top")
    lab.write_text(text.replace("return math.sin(omega * p), ", "return 0, "), "utf-8")
    assert shows(there, "not yet true: each step turns it")
    assert "build.py:" in got(there)
    lab.write_text(text, "utf-8")
