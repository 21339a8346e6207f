"""A real Chromium, and the site served to it as readers get it.

It is served under a sub-path, as many hosts do: what a page asks for at the root is not there.
"""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests.conftest import UNDER

# Without them Chromium itself asks its maker's hosts for this and that.
QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.hookimpl(tryfirst=True)  # before the root's conftest.py sorts by this mark
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what stands in this folder."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.site)
            # Playwright's own event loop is closed by the garbage collector, with a warning.
            ignored = "ignore::pytest.PytestUnraisableExceptionWarning"
            item.add_marker(pytest.mark.filterwarnings(ignored))


class Silent(http.server.SimpleHTTPRequestHandler):
    """A static server that does not log."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Serve the site as any static host would."""
    handler = functools.partial(Silent, directory=str(site.parents[UNDER.count("/")]))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{UNDER}/"
        server.shutdown()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium; without one, skip, and where CI is set, fail."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        message = "NO CHROMIUM: the browser tests did not run; install it or set CHROMIUM"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open a window that may read what was copied."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900},
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(10_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def heard(page: Page) -> dict[str, list[str]]:
    """Listen to every request and to every complaint of the console."""
    heard: dict[str, list[str]] = {"requests": [], "errors": []}
    page.on("request", lambda request: heard["requests"].append(request.url))
    page.on("pageerror", lambda error: heard["errors"].append(str(error)))

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            heard["errors"].append(message.text)

    page.on("console", listen)
    return heard
