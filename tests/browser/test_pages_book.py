"""Every page of the book and its labs, opened once: it is light, still, silent and for all."""

import pytest

from tests import nav
from tests.browser.visits import Reader, judged

BOOK = [path for path in nav.ADDRESSES if path.startswith(("chapters/", "labs/"))]


@pytest.mark.thorough
@pytest.mark.turns(7)
@pytest.mark.parametrize("path", BOOK)
def test_a_page_of_the_book(reader: Reader, path: str) -> None:
    found = list(judged(reader, path))

    assert not found, "\n".join(found)
