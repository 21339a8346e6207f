"""How many bytes of scripts a page loads before the reader has done anything."""

import gzip
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.browser.waiting import wait_until_loaded

FOLDER = "assets/scripts/"
LIMIT = 10_000  # bytes, gzipped as hosts do it, in addition to the theme's own script

# Explorers load when the reader comes near them, which may be at once.
REQUESTED = (f"{FOLDER}explorers/",)
ALWAYS = {f"{FOLDER}explorers/mount.js", f"{FOLDER}explorers/parts/elements.js"}


@pytest.mark.parametrize("path", ["", "chapters/rotary/", "labs/bugs/", "reference/equations/"])
def test_a_page_loads_little_script_by_itself(page, address, site, path):
    loaded = set()
    page.on("request", lambda request: loaded.add(urlsplit(request.url).path))
    page.goto(address + path)
    wait_until_loaded(page)
    page.wait_for_load_state("networkidle")

    root = urlsplit(address).path
    names = {name.removeprefix(root) for name in loaded if name.startswith(root + FOLDER)}
    unasked = {name for name in names if name in ALWAYS or not name.startswith(REQUESTED)}
    sizes = {name: len(gzip.compress(Path(site, name).read_bytes())) for name in unasked}
    assert f"{FOLDER}book.js" in sizes
    assert sum(sizes.values()) < LIMIT, sizes
