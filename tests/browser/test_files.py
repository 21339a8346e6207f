"""The site opened from a folder: links lead to files, and a note says what needs a server."""

from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import open_tab

LINKS = """[...document.links].filter(({ protocol }) => protocol === "file:")
  .map(({ href }) => href)"""


@pytest.mark.parametrize("name", ["browser", "firefox"])
def test_page_opened_from_a_folder_leads_to_files_and_names_the_server(request, name, site):
    with open_tab(request.getfixturevalue(name)) as tab:
        tab.goto((site / "chapters/rotary/index.html").as_uri())
        note = tab.get_by_text("You opened this page as a file")
        expect(note).to_contain_text(f'python -m http.server -d "{site}"')
        target = note.get_by_role("link").get_attribute("href")
        links = {url2pathname(urlsplit(link).path) for link in tab.evaluate(LINKS)}

    assert target == "http://localhost:8000/chapters/rotary/"
    assert len(links) > 50
    assert {link for link in links if not Path(link).is_file()} == set()


def test_page_from_a_server_does_not_load_the_note(page, address):
    page.goto(address, wait_until="networkidle")

    assert page.locator("script[src*=files]").count() == 0
