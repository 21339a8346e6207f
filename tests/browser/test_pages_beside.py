"""Every page beside the book, opened once: it is light, still, silent and for all."""

import pytest

from tests import nav
from tests.browser.test_pages_book import BOOK
from tests.browser.visits import Reader, judged

BESIDE = [path for path in nav.ADDRESSES if path not in BOOK]


@pytest.mark.thorough
@pytest.mark.turns(7)
@pytest.mark.parametrize("path", BESIDE, ids=[path or "home" for path in BESIDE])
def test_a_page_beside_the_book(reader: Reader, path: str) -> None:
    found = list(judged(reader, path))

    assert not found, "\n".join(found)


def test_every_page_of_the_site_is_visited(site):
    there = {str(path.parent.relative_to(site)) for path in site.rglob("index.html")}

    assert there == {address.rstrip("/") or "." for address in nav.ADDRESSES}
