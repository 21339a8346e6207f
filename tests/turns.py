"""Of what takes long and is tried beside something else, a part each day: cases have turns.

`@pytest.mark.turns(7)` gives each of the cases of a test one day in seven, so that a week of
runs has tried all of them. Such a test looks a second time, in another way, at what the tests
of every run have looked at: a chapter in a kernel of Jupyter, say, that the engine has run.

Who names a case, or asks for names with `-k`, gets it on any day; `POSENC_DAY=every` asks for
all. Days are counted in UTC from the first of 1970, and one run has one day to its end.
"""

import os
import time
from collections import Counter

import pytest

EVERY = "every"
# Workers of the run, and what tests start, have this one's; `.ci/run` counts days alike.
TODAY = os.environ.setdefault("POSENC_DAY", str(int(time.time() // 86400)))


@pytest.hookimpl(tryfirst=True)  # before cases are left out for other reasons: places stay
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the cases whose turn it is not."""
    named = any("[" in word for word in config.args) or config.option.keyword
    if TODAY == EVERY or named:
        return
    found = [*zip(items, turns(items), strict=True)]
    config.hook.pytest_deselected(items=[item for item, turn in found if not turn])
    items[:] = [item for item, turn in found if turn]


def turns(items: list[pytest.Item]) -> list[bool]:
    """Return of each item whether it is its turn today."""
    places = Counter[str]()
    found = []
    for item in items:
        mark = item.get_closest_marker("turns")
        if mark is None:  # whatever is wrong below, the tests of it are not left out
            found.append(True)
            continue
        (days,) = mark.args
        test = item.nodeid.partition("[")[0]
        found.append(places[test] % days == int(TODAY) % days)
        places[test] += 1
    return found
