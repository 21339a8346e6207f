"""A real Chromium, a real Firefox, and the site served to them as readers get it.

It is served under a sub-path, as many hosts do: what a page asks for at the root is not there.
"""

import contextlib
import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from export import pdf
from tests.browser.explorers import explorers, without_text
from tests.browser.idle import PATIENCE
from tests.browser.visits import Reader
from tests.conftest import UNDER
from website import hosting

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
    """Mark what stands in this folder.

    A browser shares the machine with other tests, and a moment that no reader meets may fail one
    of a hundred visits: each is made once more, and the report ends with which, and why. What is
    wrong with a page fails twice.
    """
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.site)
            item.add_marker(pytest.mark.flaky(reruns=1))
            # Playwright's own event loop is closed by the garbage collector, with a warning.
            ignored = "ignore::pytest.PytestUnraisableExceptionWarning"
            item.add_marker(pytest.mark.filterwarnings(ignored))


class Silent(http.server.SimpleHTTPRequestHandler):
    """A static server that does not log, and lets readers keep what they got, as hosts do.

    Every test sees the site under the policy that is published with it: whatever that forbids
    stands in the console, where no page may say anything, or does not work. Only text may be run,
    since Playwright waits for what a test tells it by that; `test_policy.py` has no such gap.
    """

    policy = ""

    def end_headers(self) -> None:
        """Say how long, and what a page may load and run."""
        self.send_header("Cache-Control", "max-age=3600")
        self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def handle(self) -> None:
        """Answer readers, who may leave before the answer has come."""
        with contextlib.suppress(ConnectionError):
            super().handle()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """Serve the site as any static host would."""
    policy = (site / hosting.POLICY).read_text("utf-8").strip()
    with served(site, policy.replace("script-src", "script-src 'unsafe-eval'")) as found:
        yield found


@pytest.fixture(scope="session")
def brief(address: str, site: Path, worker_id: str) -> str:
    """Return the address of the pages that have explorers, with these and the headings alone.

    A chapter takes a browser seconds, which who looks at one explorer need not wait for. What is
    not such a page is that of the site.
    """
    folder = site.parent / f"brief-{worker_id}"
    shutil.copytree(site, folder, copy_function=os.symlink)
    for path in explorers():
        page = folder / path / "index.html"
        text = page.read_text("utf-8")
        page.unlink()
        page.write_text(without_text(text), "utf-8")
    return urljoin(address, f"../{folder.name}/")


@contextlib.contextmanager
def served(site: Path, policy: str) -> Iterator[str]:
    """Serve the site under a policy, and yield its address."""
    guarded = type("Guarded", (Silent,), {"policy": policy})
    handler = functools.partial(guarded, directory=str(site.parents[UNDER.count("/")]))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{UNDER}/"
        server.shutdown()


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Start what drives the browsers."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE * 1000)
        yield playwright


def installed(variable: str, *names: str) -> str:
    """Return where a browser is; without one, skip, and where CI is set, fail."""
    path = pdf.installed(variable, *names)
    if path is None:
        message = f"NO {variable}: tests in it did not run; install {names[0]} or set {variable}"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return path


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Start Chromium."""
    path = installed("CHROMIUM", *pdf.CHROMIUM)
    chromium = playwright.chromium.launch(executable_path=path, args=QUIET)
    yield chromium
    chromium.close()


@pytest.fixture(scope="session")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    """Start Firefox as its maker builds it: the channel says that it is not Playwright's own."""
    path = installed("FIREFOX", "firefox-esr", "firefox")
    firefox = playwright.firefox.launch(executable_path=path, channel="moz-firefox")
    yield firefox
    firefox.close()


def opened(browser: Browser) -> BrowserContext:
    """Return a window's worth of settings: wide, and it may read what was copied."""
    context = browser.new_context(
        viewport={"width": 1280, "height": 900},
        permissions=["clipboard-read", "clipboard-write"],
    )
    context.set_default_timeout(PATIENCE * 1000)
    return context


@pytest.fixture(scope="session")
def site_tab(browser: Browser, address: str) -> Iterator[Page]:
    """Open a tab on no page of the site, for modules; what one test loads, the next one has."""
    context = opened(browser)
    tab = context.new_page()
    tab.goto(address + "assets/favicon.svg")
    yield tab
    context.close()


@pytest.fixture
def page(site_tab: Page) -> Iterator[Page]:
    """Open a tab of a reader who has been here before, and has chosen nothing."""
    tab = site_tab.context.new_page()
    yield tab
    tab.close()
    site_tab.evaluate("localStorage.clear()")


@pytest.fixture
def newcomer(browser: Browser) -> Iterator[Page]:
    """Open a tab of a reader who has not been here, so that nothing is kept from another visit.

    It is the only one in its window, whose clock a test may move.
    """
    context = opened(browser)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def still_window(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """Open a window in which no script runs."""
    context = browser.new_context(java_script_enabled=False)
    context.set_default_timeout(PATIENCE * 1000)
    context.new_page().goto(address + "assets/favicon.svg")  # what is loaded stays as long
    yield context
    context.close()


@pytest.fixture
def still(still_window: BrowserContext) -> Iterator[Page]:
    """Open a tab in which no script runs."""
    tab = still_window.new_page()
    yield tab
    tab.close()


@pytest.fixture
def touched(browser: Browser) -> Iterator[Page]:
    """Open a phone, for fingers."""
    context = browser.new_context(
        viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True
    )
    context.set_default_timeout(PATIENCE * 1000)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def reader(browser: Browser, address: str, site: Path) -> Iterator[Reader]:
    """Return a reader of the whole site, to whom all pages are shown in one tab."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    yield Reader(context.new_page(), address, site)
    context.close()


@pytest.fixture
def visitor(page: Page, address: str, site: Path) -> Reader:
    """Return a reader with a tab of her own, who may do as she likes with it."""
    return Reader(page, address, site)
