"""What each page gives to the package is what is measured, and no less than it has been."""

from pathlib import Path

import pytest

from engine.places import named
from measure import gives
from pages import blind, given
from pages.records import changed
from tests.checking import package

PAGES = given.pages()
AGAIN = "measure these again: uv run python docs/_hooks/measure.py"
FEW = 3  # pages that have changed are measured here


def test_what_is_kept_of_a_page_is_of_the_page_as_it_is(alone):
    stale = changed(PAGES, given.stored(), blind.key, package())
    found = [said for page in stale[:FEW] for said in given.wrong(alone(gives, page))]

    assert found == []
    assert [named(page) for page in stale] == [], AGAIN
    assert set(given.stored()) == {named(page) for page in PAGES}, AGAIN


@pytest.mark.thorough
@pytest.mark.turns(20)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_gives_as_much_as_it_says(page: Path, alone):
    assert list(given.wrong(alone(gives, page))) == []
