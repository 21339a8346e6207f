"""The page *Using this site*: each key in its table does what it says."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import open_tab
from tests.browser.waiting import wait_until_loaded

SEARCH, PREVIOUS, NEXT = ("/", "f", "s"), (",", "p"), (".", "n")
# Present mode, explorers and editors have tests of their own.
ELSEWHERE = ("Shift+p", "Escape", "Ctrl+Enter", "Escape", "Tab", "Tab")

PAGE = "chapters/rotary/"


@pytest.mark.parametrize("name", ["browser", "firefox"])
def test_each_key_in_the_table_does_what_it_says(request, name, address):
    with open_tab(request.getfixturevalue(name)) as page:
        page.goto(address + "reference/help/")
        listed = page.locator("#keys ~ div tr td code").all_inner_texts()
        assert listed == [*SEARCH, *PREVIOUS, *NEXT, *ELSEWHERE]

        for key in SEARCH:
            open_page(page, address)
            page.keyboard.press(key)
            expect(page.locator("[data-md-component=search-query]")).to_be_focused()
        for keys, chapter in ((PREVIOUS, "skipping"), (NEXT, "offsets")):
            for key in keys:
                open_page(page, address)
                page.keyboard.press(key)
                page.wait_for_url(f"{address}chapters/{chapter}/")


def open_page(page, address):
    """Open a chapter, and wait until it listens to keys."""
    page.goto(address + PAGE)
    wait_until_loaded(page)


def test_the_foot_of_a_page_leads_to_its_version_and_to_the_changes(page, address):
    open_page(page, address)
    foot = page.locator(".md-copyright")
    foot.get_by_role("link", name="Using this site").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Using this site")
    foot.get_by_role("link", name="posenc 0.").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Changelog")
    expect(page.get_by_role("heading", level=2).first).to_contain_text("Unreleased")
