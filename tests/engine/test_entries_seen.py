"""A card that leaves out a part of what it compares notices fewer wrong entries than before."""

from pathlib import Path

import pytest

from engine import strength
from tests.engine.verifications import judged

TABLE = "sinusoidal_positional_encoding"
PAGE = """# T

```pycon
>>> import math
>>> import posenc
>>> from posenc.proofs import gap, whole
>>> def plain(L):
...     turns = [(math.sin(p * w), math.cos(p * w)) for p in range(L) for w in (1, 0.01)]
...     return [[*turns[p], *turns[p + 1]] for p in range(0, 2 * L, 2)]
>>> def rows(L):
...     return posenc.sinusoidal_positional_encoding(L, 4)
```

```pycon
"""
SAID = """>>> gap(
...     lambda L: rows(L)[{part}], lambda L: plain(L)[{part}], L=whole(9, least=2),
... ) < 1e-13
True
"""


def seen(folder: Path, said: str) -> dict[str, int]:
    """Return how many relations notice a wrong entry of a table, in a process that may fork."""
    tried = {one.place: one for one in strength.moved([TABLE])}
    return judged(folder, PAGE, [said], lambda own, names: strength.seen(own, names, tried))


@pytest.mark.parametrize(
    ("part", "places"),
    [
        (":", {"any": 1, "first": 1, "last": 1}),
        (":-1", {"any": 1, "first": 1}),
        ("1:", {"any": 1, "last": 1}),
        (":1", {"any": 1, "first": 1}),
    ],
    ids=["all", "without the last", "without the first", "the first alone"],
)
def test_a_wrong_entry_is_noticed_where_it_is_compared(tmp_path, alone, part, places):
    assert alone(seen, tmp_path, SAID.format(part=part)) == places
