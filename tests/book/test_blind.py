"""Which answers of the book are blind is what is measured."""

from pathlib import Path

import pytest

from engine.places import named
from engine.texts import read
from measure import blinds
from pages import blind
from pages.records import changed
from tests.checking import package

PAGES = blind.pages()
AGAIN = "measure these again: uv run python docs/_hooks/measure.py"
FEW = 3  # pages that have changed are measured here


def told(page: Path, record: blind.Record) -> list[str]:
    """Return what is wrong with the answers of a page, each with its line."""
    text = read(page)
    found = blind.wrong(text, named(page), record)
    placed = ((text.count("\n", 0, place) + 1, said) for place, said in found)
    return [f"{named(page)}:{line}: {said}" for line, said in placed]


def test_what_is_told_of_a_page_is_of_the_page_as_it_is(alone):
    stale = changed(PAGES, blind.stored(), blind.key, package())
    found = [said for page in stale[:FEW] for said in told(page, alone(blinds, page))]

    assert found == []
    assert [named(page) for page in stale] == [], AGAIN
    assert set(blind.stored()) == {named(page) for page in PAGES}, AGAIN


def test_few_answers_may_be_blind():
    """The rule would be wrong if many had to be left out."""
    judged = sum(record.judged for record in blind.stored().values())

    assert len(blind.allowed()) < 0.03 * judged
    assert all(len(one.why) > 20 for one in blind.allowed())


@pytest.mark.thorough
@pytest.mark.turns(38)
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_no_other_blind_answers_than_it_says(page: Path, alone):
    assert told(page, alone(blinds, page)) == []
