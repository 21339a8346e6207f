"""periods: what is refused, by name, rule and value."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from posenc.positions.periods import period_power, periodic_encoding

P: Any = [0.0, 1.0]

REFUSED: list[tuple[Callable[[], object], type[Exception], str]] = [
    (
        lambda: periodic_encoding(["noon"], [24]),
        TypeError,
        "positions must hold real numbers, got dtype <U4",
    ),
    (lambda: periodic_encoding([True], [24]), TypeError, "positions must hold real numbers"),
    (lambda: periodic_encoding([np.nan], [24]), ValueError, "positions must be finite, got nan"),
    (
        lambda: periodic_encoding([2**53 + 1], [24]),
        ValueError,
        "positions must lie within ±2**53, got 9007199254740993",
    ),
    (lambda: periodic_encoding(P, []), ValueError, "periods must not be empty"),
    (lambda: periodic_encoding(P, 24), ValueError, "periods must have 1 axis, got shape ()"),
    (lambda: periodic_encoding(P, [[24]]), ValueError, "periods must have 1 axis"),
    (lambda: periodic_encoding(P, [24, 0]), ValueError, "2**-53 to 2**53, got 0.0"),
    (lambda: periodic_encoding(P, [-24]), ValueError, "2**-53 to 2**53, got -24.0"),
    (lambda: periodic_encoding(P, [2.0**54]), ValueError, "2**-53 to 2**53, got 1.8"),
    (lambda: periodic_encoding(P, [2.0**-54]), ValueError, "2**-53 to 2**53, got 5.55"),
    (lambda: periodic_encoding(P, [np.inf]), ValueError, "periods must be finite, got inf"),
    (lambda: periodic_encoding(P, ["day"]), TypeError, "periods must hold real numbers"),
    (lambda: periodic_encoding(P, [24], layout="sin"), ValueError, "layout must be 'interleaved'"),
    (lambda: periodic_encoding(P, [24], dtype=int), ValueError, "dtype must be bfloat16, float16"),
    (
        lambda: periodic_encoding(np.ma.masked_array([1.0], [True]), [24]),
        TypeError,
        "positions must not be a masked array",
    ),
    (lambda: period_power([1], [0, 1], [3]), ValueError, "values must have 2 numbers along"),
    (lambda: period_power(1, [0], [3]), ValueError, "values must have 1 axis, got shape ()"),
    (lambda: period_power([[1]], [[0]], [3]), ValueError, "positions must have 1 axis"),
    (lambda: period_power([np.inf, 1], P, [3]), ValueError, "values must be finite, got inf"),
    (lambda: period_power(["G", "A"], P, [3]), TypeError, "values must hold real numbers"),
    (lambda: period_power([1, 1], P, [0]), ValueError, "periods must lie within"),
]


@pytest.mark.parametrize(("call", "kind", "complaint"), REFUSED)
def test_refuses(call: Callable[[], object], kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind) as refusal:
        call()
    assert complaint in str(refusal.value)


def test_positions_may_have_as_many_axes_as_elsewhere():
    positions = np.full((1,) * 50, 3.0)

    assert_array_equal(
        periodic_encoding(positions, [7, 24]).ravel(),
        periodic_encoding([3.0], [7, 24])[0],
    )
    assert periodic_encoding(np.zeros((2, 0)), [7]).shape == (2, 0, 2)
