"""The built site in a real Chromium: what it asks for, what it shows, what it copies."""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests import nav

pytestmark = [
    pytest.mark.site,
    # Playwright's own event loop is closed by the garbage collector, with a warning.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

PAGES = ["" if page == "index.md" else page.removesuffix(".md") + "/" for page in nav.PAGES]
# Without them Chromium itself asks its maker's hosts for this and that.
QUIET = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


class Silent(http.server.SimpleHTTPRequestHandler):
    """A static server that does not log."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(project: Path, run) -> Iterator[str]:
    """Build the site and serve it as any static host would."""
    built = run(project, "mkdocs", "build", "--strict")
    assert built.returncode == 0, built.stderr
    handler = functools.partial(Silent, directory=str(project / "site"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_no_other_host(page, heard, address, path, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(address + path, wait_until="networkidle")
    for _ in range(40):  # down to the end, so that what is lazy loads
        page.mouse.wheel(0, 2000)
    page.keyboard.press("f")  # the search, with its worker and its index
    page.keyboard.type("wavelength")
    page.wait_for_selector(".md-search-result__item")
    page.wait_for_load_state("networkidle")

    assert [url for url in heard["requests"] if not url.startswith((address, "data:"))] == []
    assert len(heard["requests"]) > 5, "the page loaded nothing"
    assert heard["errors"] == []


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", [390, 1280])
def test_a_page_does_not_scroll_sideways(page, address, path, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(address + path)

    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_theme_switches_and_the_figures_with_it(page, address):
    page.emulate_media(color_scheme="light")
    page.goto(address + "chapters/sinusoidal/")
    seen = []
    for _ in range(2):
        seen.append(
            page.evaluate(
                """[...document.querySelectorAll('#fig-heatmap img')]
                   .filter(image => image.checkVisibility()).map(image => image.src)"""
            )
        )
        page.locator("[data-md-component=palette] label:visible").click()
    light, dark = seen

    assert [source.rpartition("/")[2] for source in light] == ["fig-heatmap-light.svg#only-light"]
    assert [source.rpartition("/")[2] for source in dark] == ["fig-heatmap-dark.svg#only-dark"]


def test_figures_have_their_size_before_they_load(page, address):
    page.goto(address + "chapters/relative/")

    sizes = page.evaluate(
        """[...document.querySelectorAll('figure img')].map(
             image => [image.getAttribute('width'), image.getAttribute('height'), image.alt])"""
    )

    assert len(sizes) >= 8
    assert all(
        int(width) > 300 and int(height) > 150 and len(alt) > 40 for width, height, alt in sizes
    )


def test_formulas_are_drawn_with_the_font_of_the_site(page, address):
    page.goto(address + "chapters/relative/", wait_until="networkidle")

    assert page.evaluate("document.fonts.check('16px \"STIX Two Math\"')")
    assert "STIX Two Math" in page.evaluate(
        "getComputedStyle(document.querySelector('math')).fontFamily"
    )
    # A root is as high as what stands under it: the font's table for mathematics is used.
    assert page.evaluate(
        """[...document.querySelectorAll('msqrt')].every(root =>
             root.getBoundingClientRect().height >=
             root.firstElementChild.getBoundingClientRect().height)"""
    )


@pytest.mark.parametrize("path", ["chapters/sinusoidal/", "chapters/relative/"])
def test_what_is_copied_runs(page, address, path):
    """The sessions of a page, copied one by one, are a program without prompts and output."""
    page.goto(address + path)
    sessions = page.locator(".language-pycon.highlight")
    assert sessions.count() > 20

    program = []
    for number in range(sessions.count()):
        session = sessions.nth(number)
        folded = session.locator("xpath=ancestor::details[not(@open)]")
        if folded.count():
            folded.locator("summary").click()
        shown = session.locator("code").text_content()
        session.locator("button[data-clipboard-target]").click()
        page.wait_for_function("navigator.clipboard.readText().then(text => text.length > 0)")
        copied = page.evaluate("navigator.clipboard.readText()")
        page.evaluate("navigator.clipboard.writeText('')")
        prompts = [line[4:] for line in shown.splitlines() if line.startswith((">>> ", "... "))]
        assert [line for line in copied.splitlines() if line.strip()] == [
            line for line in prompts if line.strip()
        ]
        if "Traceback" not in shown:
            program.append(copied)

    exec(compile("\n".join(program), path, "exec"), {})


def test_everything_is_there_without_javascript(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "chapters/relative/")

    assert page.locator("math").count() > 100
    assert page.locator("#eq-shift").is_visible()
    assert page.locator("#fig-ripples img").first.is_visible()
    context.close()


def test_an_equation_can_be_linked_to(page, address):
    page.goto(address + "reference/equations/")
    page.get_by_role("link", name="stated and verified").nth(12).click()

    name = page.url.rpartition("#")[2]
    assert name.startswith("eq-")
    box = page.locator(f"#{name}").bounding_box()
    assert box
    assert 40 <= box["y"] <= 400, "below the header, and on the screen"
