"""`mkdocs serve`: the pages at the start and after an edit.

The tests poll the server. The timeout is so long that no slow machine reaches it.
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

TIMEOUT = 1800  # seconds

# The pages of the site: those that the tests look at, and the home page.
PAGES = (
    "index.md",
    *(f"chapters/{name}.md" for name in ("adding", "order", "sinusoidal", "relative")),
    "labs/build.py",
    "reference/equations.md",
    *(f"reference/api/{name}.md" for name in ("index", "rotary", "biases")),
)

# A text on the page about sinusoids, and replacements.
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
    """A copy of the project that `mkdocs serve` shows; a page waits for the file `go`."""

    address: str
    project: Path
    go: Path


@pytest.fixture(scope="module")
def served(project: Path, site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a copy of the project, with the cache of the tests.

    The check of one page waits until a test creates a file.
    """
    folder = tmp_path_factory.mktemp("served")
    cache, go = folder / "cache", folder / "go"
    shutil.copytree(os.environ["POSENC_CACHE"], cache)
    page = project / "docs/chapters/order.md"
    page.write_text(page.read_text("utf-8") + WAITING.format(go=str(go)), "utf-8")
    address = f"127.0.0.1:{find_free_port()}"
    serve = ["mkdocs", "serve", "--livereload", "-f", small.write_settings(project, *PAGES)]
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


def find_free_port() -> int:
    """Return a free port below the range that systems assign automatically.

    A port from that range could be assigned to another process before the server starts.
    """
    for port in range(20_000 + os.getpid() % 10_000, 32_768):
        with suppress(OSError), socket.socket() as candidate:
            candidate.bind(("127.0.0.1", port))
            return port
    raise OSError("no port between 20000 and 32768 is free")


def fetch(address: str) -> str:
    """Return the text at an address, or nothing if the server doesn't answer."""
    try:
        with urllib.request.urlopen(address) as page:
            return str(page.read().decode(errors="replace"))  # `objects.inv` is not text
    except OSError:
        return ""


def wait_until(condition: Callable[[], bool]) -> bool:
    """Return whether a condition becomes true before the timeout."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return False


def holds(html: str) -> bool:
    """Return whether a page is checked and shows no failures."""
    return "checked on every build" in html and "Failures on this page" not in html


def wait_for_text(address: str, text: str) -> bool:
    """Return whether a page shows a text before the timeout."""
    return wait_until(lambda: text in fetch(address))


def test_a_page_says_that_it_is_not_checked_yet(served):
    address = f"{served.address}chapters/order/"
    assert wait_for_text(address, "not checked yet")
    first = fetch(address)
    assert "checked on every build" not in first
    assert "scripts/checks.js" in first
    assert 'data-page="docs/chapters/order.md"' in first
    assert "checked on every build" in fetch(f"{served.address}chapters/relative/")
    progress = json.loads(fetch(f"{served.address}checks.json"))
    assert progress == {"total": 1, "done": {}}

    served.go.touch()
    assert wait_for_text(address, "checked on every build")
    last = fetch(address)
    assert "not checked yet" not in last
    assert "scripts/checks.js" not in last


# Files of the site: the edited page, a page that links its uses of a name, and unchanged files.
EDITED = ("chapters/sinusoidal/", "search/entries.json")
LINKING = ("reference/api/rotary/",)
UNCHANGED = (
    "chapters/relative/",
    "reference/equations/",
    "reference/api/",
    "reference/api/biases/",
    "assets/previews/eq-toeplitz.html",
    "objects.inv",
    "assets/_mkdocstrings.css",
)


def test_cached_pages_are_the_same_as_in_the_first_build(served):
    """This includes contents, search entries, and the names that plugins know."""
    served.go.touch()
    page = served.project / "docs/chapters/sinusoidal.md"
    text = page.read_text("utf-8")
    address = f"{served.address}chapters/sinusoidal/"

    def fetch_all() -> dict[str, str]:
        # Without the reloading script, which contains the time of the build.
        return {
            name: re.sub(r"livereload\(.*?\)", "", fetch(served.address + name))
            for name in (*EDITED, *LINKING, *UNCHANGED)
        }

    assert wait_for_text(address, NUMBER)
    first = fetch_all()
    page.write_text(text.replace(NUMBER, OTHERS[0]), "utf-8")
    assert wait_for_text(address, "its wavelength that")
    edited = fetch_all()
    page.write_text(text, "utf-8")
    assert wait_for_text(address, NUMBER)
    last = fetch_all()

    changed = {name for name in first if edited[name] != first[name]}
    assert changed == {*EDITED, *LINKING}
    assert 'href="../../../chapters/sinusoidal/#' in edited["reference/api/rotary/"]
    assert [name for name in first if last[name] != first[name]] == []


def test_serve_shows_what_fails_and_recovers(served):
    served.go.touch()
    page = served.project / "docs/chapters/sinusoidal.md"
    module = served.project / "posenc/layers/embedding.py"
    text, code = page.read_text("utf-8"), module.read_text("utf-8")
    address = f"{served.address}chapters/sinusoidal/"
    assert wait_for_text(address, NUMBER)

    page.write_text(text.replace(NUMBER, OTHERS[1]), "utf-8")
    assert wait_for_text(address, "Failures on this page: 1")
    html = fetch(address)
    assert "sinusoidal.md:" in html
    assert "LaTeX in" in html

    page.write_text(text.replace(NUMBER, OTHERS[2]), "utf-8")
    assert wait_for_text(address, "its wavelength a number")
    assert "Failures on this page" not in fetch(address)

    # After an edit of the package that keeps the file size, every page is checked again. This one
    # is the first, so that the test doesn't wait for the others.
    other = f"{served.address}chapters/adding/"
    assert "checked on every build" in fetch(other)
    module.write_text(code.replace("self.scale * rows", "self.scale + rows"), "utf-8")
    assert wait_for_text(other, "Failures on this page")
    assert "Failures on this page" not in fetch(address)
    module.write_text(code, "utf-8")
    assert wait_until(lambda: holds(fetch(other)))
    page.write_text(text, "utf-8")

    lab = served.project / "docs/labs/build.py"
    address, text = f"{served.address}labs/build/", lab.read_text("utf-8")
    lab.write_text(text.replace('verify("a hand begins', 'verify("each hand begins'), "utf-8")
    assert wait_for_text(address, "true: each hand begins at the top")
    lab.write_text(text.replace("return math.sin(omega * p), ", "return 0, "), "utf-8")
    assert wait_for_text(address, "not yet true: each step turns it")
    assert "build.py:" in fetch(address)
    lab.write_text(text, "utf-8")
