"""The strength of each card, as it is told to readers, is what is measured."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.places import DOCS
from engine.texts import read
from pages import strength
from tests.checking import package, parser

CHAPTERS = sorted((DOCS / "chapters").glob("*.md"))
TODAY = CHAPTERS[datetime.now(UTC).toordinal() % 10 :: 10]
AGAIN = "uv run python docs/_hooks/measure.py"


def test_what_is_told_of_a_card_is_of_the_card_as_it_is():
    known = strength.stored()
    keys = {
        name: key for page in CHAPTERS for name, key in strength.keys(read(page), package()).items()
    }

    assert set(known) == set(keys), AGAIN
    stale = [name for name, key in keys.items() if known[name].key != key]
    assert stale == [], f"measure these again: {AGAIN}"


def test_no_card_is_blind_and_their_sum_does_not_fall():
    """To be raised with each card that is made stronger."""
    records = strength.stored()

    assert [name for name, one in records.items() if one.faults and not one.noticed] == []
    noticed, faults = (
        sum(getattr(one, what) for one in records.values()) for what in ("noticed", "faults")
    )
    assert noticed >= 0.9 * faults


@pytest.mark.thorough  # a tenth of the chapters, another one every day
@pytest.mark.parametrize("page", TODAY, ids=lambda page: page.stem)
def test_a_chapter_is_as_strong_as_it_says(page: Path):
    known = strength.stored()
    for name, record in strength.measured(parser().parse(page), package()):
        assert (record.noticed, record.faults) == (known[name].noticed, known[name].faults), name
