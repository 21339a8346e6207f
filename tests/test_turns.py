"""What has turns is tried within so many days, and nothing else is left out."""

from types import SimpleNamespace

import pytest

from tests import turns


def case(name: str, days: int = 0) -> SimpleNamespace:
    """Return a case of a test, which has one day of so many, if any."""
    mark = pytest.mark.turns(days).mark if days else None
    return SimpleNamespace(nodeid=f"tests/x.py::{name}", get_closest_marker=lambda _: mark)


CASES = [
    *(case(f"seldom[{n}]", 7) for n in range(9)),
    *(case(f"often[{n}]", 2) for n in range(2)),
    case("always"),
]


@pytest.fixture
def left(monkeypatch):
    """Return a function that gives what a day, and what is named, leave of the cases."""

    def names(day, *args, keyword=""):
        monkeypatch.setattr(turns, "TODAY", str(day))
        items, told = [*CASES], []
        hook = SimpleNamespace(pytest_deselected=lambda items: told.extend(items))
        option = SimpleNamespace(keyword=keyword)
        config = SimpleNamespace(args=args, option=option, hook=hook)
        turns.pytest_collection_modifyitems(config, items)
        assert len(items) + len(told) == len(CASES)
        return [item.nodeid.partition("::")[2] for item in items]

    return names


def test_each_case_has_its_day(left):
    week = [left(day) for day in range(739_000, 739_007)]

    assert sorted(name for day in week for name in day if "seldom" in name) == [
        f"seldom[{n}]" for n in range(9)
    ]
    assert {*week[0], *week[1]} >= {"often[0]", "often[1]", "always"}
    assert {len(day) for day in week} == {3, 4}


def test_who_names_a_case_gets_it(left):
    for day in range(7):
        assert len(left(day, "tests/x.py::seldom[3]")) == len(CASES)
        assert len(left(day, "tests/x.py", keyword="seldom")) == len(CASES)
        assert len(left(day, "tests/x.py")) < len(CASES)
    assert len(left(turns.EVERY)) == len(CASES)
