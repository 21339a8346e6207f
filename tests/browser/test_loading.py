"""What a page loads, from where, and what the console says of it."""

import pytest

from tests import nav


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", nav.ADDRESSES)
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
