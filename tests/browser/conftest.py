"""A Chromium, a Firefox, and the site as a host serves it, under a path of its own."""

import contextlib
import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.browser.waiting import PATIENCE
from tests.conftest import UNDER


@pytest.hookimpl(tryfirst=True)  # before the root's conftest.py sorts by this mark
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of this folder as needing the site."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.site)
            # Playwright's event loop is closed by the garbage collector, with a warning.
            ignored = "ignore::pytest.PytestUnraisableExceptionWarning"
            item.add_marker(pytest.mark.filterwarnings(ignored))


class Host(http.server.SimpleHTTPRequestHandler):
    """A static host: it sends the content security policy, and 404.html for what is missing."""

    policy: str

    def end_headers(self) -> None:
        """Send the policy, and let browsers cache files."""
        self.send_header("Cache-Control", "max-age=3600")
        self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def handle(self) -> None:
        """Answer browsers, which may leave before the answer has come."""
        with contextlib.suppress(ConnectionError):
            super().handle()

    def send_error(self, code: int, *_: object) -> None:
        """Send the page for addresses that lead nowhere."""
        body = Path(self.directory, UNDER, "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextlib.contextmanager
def serve_site(site: Path, policy: str) -> Iterator[str]:
    """Serve the site under a policy, and yield its address."""
    guarded = type("GuardedHost", (Host,), {"policy": policy})
    handler = functools.partial(guarded, directory=str(site.parents[UNDER.count("/")]))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{UNDER}/"
        server.shutdown()


@pytest.fixture(scope="session")
def policy(site: Path) -> str:
    """Return the content security policy that is published with the site."""
    return (site / "content-security-policy.txt").read_text("utf-8").strip()


@pytest.fixture(scope="session")
def address(site: Path, policy: str) -> Iterator[str]:
    """Serve the site under its policy, less what Playwright needs to wait for conditions."""
    with serve_site(site, policy.replace("script-src", "script-src 'unsafe-eval'")) as address:
        yield address


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Start what drives the browsers."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE * 1000)
        yield playwright


def find_browser(variable: str, *names: str) -> str:
    """Return the path of a browser; without one, skip the test, and fail it in CI."""
    path = os.environ.get(variable) or next(filter(None, map(shutil.which, names)), None)
    if path is None:
        message = f"no browser found; install {names[0]} or set {variable} to its path"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return path


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Start Chromium; the headless shell draws no windows and is the fastest."""
    names = ("chromium-headless-shell", "chromium", "google-chrome")
    path = find_browser("CHROMIUM", *names)
    chromium = playwright.chromium.launch(executable_path=path)
    yield chromium
    chromium.close()


@pytest.fixture(scope="session")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    """Start Firefox as its maker builds it: the channel says that it isn't Playwright's own."""
    path = find_browser("FIREFOX", "firefox-esr", "firefox")
    firefox = playwright.firefox.launch(executable_path=path, channel="moz-firefox")
    yield firefox
    firefox.close()


@contextlib.contextmanager
def open_tab(browser: Browser, **options: object) -> Iterator[Page]:
    """Open a tab in a window of its own, which keeps nothing from other tabs."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    context.set_default_timeout(PATIENCE * 1000)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def site_tab(browser: Browser, address: str) -> Iterator[Page]:
    """Open a tab that stays for the session, on no page of the site, to call its modules."""
    clipboard = ["clipboard-read", "clipboard-write"]
    with open_tab(browser, permissions=clipboard) as tab:
        tab.goto(address + "assets/favicon.svg")
        yield tab


@pytest.fixture
def page(site_tab: Page) -> Iterator[Page]:
    """Open a tab beside it, which finds scripts and fonts in the cache, and no settings."""
    tab = site_tab.context.new_page()
    yield tab
    tab.close()
    site_tab.evaluate("localStorage.clear()")


@pytest.fixture
def new_tab(browser: Browser) -> Iterator[Page]:
    """Open a tab in a new window, whose clock a test may move."""
    with open_tab(browser) as tab:
        yield tab


@pytest.fixture
def scriptless(browser: Browser) -> Iterator[Page]:
    """Open a tab in which no script runs."""
    with open_tab(browser, java_script_enabled=False) as tab:
        yield tab
