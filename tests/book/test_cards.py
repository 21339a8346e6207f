"""The strength of each card, as it is told to readers, is what is measured."""

from pathlib import Path

import pytest

from engine import relations
from engine.places import DOCS
from engine.texts import read
from measure import measured
from pages import strength
from tests.checking import package

CHAPTERS = sorted((DOCS / "chapters").glob("*.md"))
AGAIN = "uv run python docs/_hooks/measure.py"


def test_what_is_told_of_a_card_is_of_the_card_as_it_is():
    known = strength.stored()
    keys = {
        name: key for page in CHAPTERS for name, key in strength.keys(read(page), package()).items()
    }

    assert set(known) == set(keys), AGAIN
    stale = [name for name, key in keys.items() if known[name].key != key]
    assert stale == [], f"measure these again: {AGAIN}"


def test_what_is_kept_of_a_card_knows_all_that_it_compares():
    known = strength.stored()
    held = [pair for page in CHAPTERS for pair in relations.of_cards(read(page)).items()]

    assert [name for name, number in held if known[name].relations < number] == [], AGAIN


def test_the_sum_of_what_cards_notice_does_not_fall():
    """To be raised with each card that is made stronger; the build judges each of them."""
    records = strength.stored().values()

    assert sum(one.noticed for one in records) >= 0.93 * sum(one.faults for one in records)
    assert sum(one.by_page for one in records) >= 0.97 * sum(one.matter for one in records)


@pytest.mark.thorough
@pytest.mark.turns(10)
@pytest.mark.parametrize("page", CHAPTERS, ids=lambda page: page.stem)
def test_a_chapter_is_as_strong_as_it_says(page: Path, alone):
    known = strength.stored()
    for name, record in alone(measured, page).items():
        assert (record.noticed, record.faults) == (known[name].noticed, known[name].faults), name
        assert record.hollow == known[name].hollow, name
        assert record.fell == known[name].fell, name
