"""A function that is the other way round as a whole is noticed by whoever is not too symmetric."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import mirrored, strength
from engine.mirrored import WAYS, Mirrored
from tests.engine.verifications import judged

PAGE = """# T

```pycon
>>> import numpy as np
>>> import posenc
>>> from posenc.proofs import everywhere, real
>>> x, y = np.random.default_rng(0).normal(size=(2, 8))
>>> def score(x, p, y, q):
...     return posenc.apply_rotary(x, p) @ posenc.apply_rotary(y, q)
>>> def plain(x, y, k):
...     turned = (x[::2] + 1j * x[1::2]).conj() * (y[::2] + 1j * y[1::2])
...     return (turned * np.exp(1j * k * 10000 ** (-np.arange(4) / 4))).sum().real
```

```pycon
"""
SCORES = ">>> everywhere(lambda p, q: bool({claim}), p=real(99), q=real(99))\nTrue\n"
CLAIM = "abs(score({0}, p, {1}, q) - plain({0}, {1}, q - p)) < 1e-13"
SECOND = "its second argument negative"


def seen(folder: Path, *said: str) -> dict[str, int]:
    """Return how many relations notice a rotation turned round, in a process that may fork."""
    tried = {one.way: one for one in mirrored.mirrored(["apply_rotary"])}
    return judged(folder, PAGE, said, lambda own, names: strength.seen(own, names, tried))


def test_a_score_of_a_vector_with_itself_is_the_same_in_both_directions(tmp_path, alone):
    one, other = (SCORES.format(claim=CLAIM.format(*pair)) for pair in ("xy", "xx"))

    assert alone(seen, tmp_path, one)[SECOND] == 1
    assert SECOND not in alone(seen, tmp_path, other)
    assert alone(seen, tmp_path, one, other)[SECOND] == 1
    assert alone(seen, tmp_path, one, one)[SECOND] == 2


@pytest.mark.parametrize(
    ("way", "answer"),
    [
        ("its first argument negative", [[-1, 3], [-1, 3]]),
        ("its second argument negative", [[1, -3], [1, -3]]),
        ("its third argument negative", [[1, 3], [1, 3]]),
        ("its first two arguments exchanged", [[3, 1], [3, 1]]),
        ("its result transposed", [[1, 1], [3, 3]]),
        ("its first channel last", [[3, 1], [3, 1]]),
    ],
)
def test_a_function_is_turned_round(way, answer):
    def pairs(a, b, word="half"):
        assert word == "half"
        return np.array([[a, b]] * 2)

    namespace: dict[str, Any] = {"pairs": pairs}
    Mirrored("pairs", way).put(namespace)

    assert namespace["pairs"](1, 3).tolist() == answer
    assert namespace["pairs"](1, 3, "half").tolist() == answer
    assert namespace["pairs"].__name__ == "pairs"


def test_rows_and_lists_are_told_from_their_end():
    _, answered = WAYS["its first row last"]

    assert answered(np.array([[1, 2], [3, 4]])).tolist() == [[3, 4], [1, 2]]
    assert answered([1, 2]) == [2, 1]
    assert [answered(one) for one in (5, "half", np.float64(2))] == [5, "half", 2]


@pytest.mark.parametrize(
    ("value", "other"),
    [(3, -3), ([1, [2.5]], [-1, [-2.5]]), ((1, 2), (-1, -2)), ("half", "half"), (True, True)],
)
def test_numbers_alone_are_negative(value, other):
    given, _ = WAYS["its first argument negative"]

    assert given((value, value)) == (other, value)
