"""What nothing leads to is still found, though seldom looked for."""

import gc
import weakref

import pytest

from engine.collector import OBJECTS, look_seldom


class Thing:
    """Something that leads to itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def as_it_was():
    """Put back how often Python looks."""
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


def made(count: int) -> None:
    """Make so many objects that Python counts, at one time."""
    assert len([[] for _ in range(count)]) == count


def test_what_nothing_leads_to_is_found_after_some_thousand_objects_and_not_before():
    look_seldom()
    gc.collect()
    seen = weakref.ref(Thing())
    made(OBJECTS // 2)
    assert seen() is not None

    made(2 * OBJECTS)
    assert seen() is None
