"""An address that leads nowhere: hosts answer with 404.html, at whatever depth."""

import functools
import http.server
import threading
from collections.abc import Iterator

import pytest

from tests.browser.conftest import Silent
from tests.conftest import UNDER


@pytest.fixture
def host(site) -> Iterator[str]:
    """Serve the site under a sub-path, and its page of what is not found as hosts do."""

    class Host(Silent):
        def send_error(self, code: int, *_: object) -> None:
            body = (site / "404.html").read_bytes()
            self.send_response(code)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

    handler = functools.partial(Host, directory=str(site.parents[UNDER.count("/")]))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{UNDER}/"
        server.shutdown()


@pytest.mark.parametrize("path", ["nope", "chapters/nope/", "some/thing/deep/er/nope.html"])
def test_the_page_of_what_is_not_found_leads_to_the_book(page, host, path):
    page.goto(host + path)
    page.get_by_role("link", name="first page").click()

    page.locator(".md-content").wait_for()  # as long as it takes to get there
    assert page.url == host


def test_without_javascript_it_says_what_to_do(still, host):
    still.goto(host + "chapters/nope/")

    assert still.get_by_text("shorten the address").is_visible()
