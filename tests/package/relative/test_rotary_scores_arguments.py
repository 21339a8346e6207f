"""rotary_scores: bad input is refused by name, before any work."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from posenc.relative.rotary_scores import query_for, score_by_offset, score_waves

REFUSED: list[tuple[Callable[[], object], type[Exception], str]] = [
    (
        lambda: score_waves([1.0, 2.0], [1.0, 2.0, 3.0, 4.0]),
        ValueError,
        "query and key must have the same shape, got shapes (2,) and (4,)",
    ),
    (
        lambda: score_waves([[1.0, 2.0]], [1.0, 2.0]),
        ValueError,
        "query and key must have the same shape, got shapes (1, 2) and (2,)",
    ),
    (
        lambda: score_waves([1.0] * 3, [1.0] * 3),
        ValueError,
        "query must have an even number of channels, at least 2, got shape (3,)",
    ),
    (
        lambda: score_waves([1.0, 2.0], []),
        ValueError,
        "key must have an even number of channels, at least 2, got shape (0,)",
    ),
    (
        lambda: score_waves(1.0, 1.0),
        ValueError,
        "query must have an even number of channels, at least 2, got shape ()",
    ),
    (lambda: score_waves([1, math.nan], [1, 1]), ValueError, "query must be finite, got nan"),
    (lambda: score_waves([1, 1], [math.inf, 1]), ValueError, "key must be finite, got inf"),
    (
        lambda: score_waves([True, False], [1, 1]),
        TypeError,
        "query must hold real numbers, got dtype bool",
    ),
    (
        lambda: score_waves([1, 1], np.ma.masked_array([1.0, 2.0])),
        TypeError,
        "key must not be a masked array: the mask would be lost",
    ),
    (
        lambda: score_waves([1e200, 0], [1e200, 0]),
        ValueError,
        "query and key must be small enough for finite amplitudes",
    ),
    (
        lambda: score_waves([1, 1], [1, 1], layout="neox"),
        ValueError,
        "layout must be 'interleaved' or 'half', got layout='neox'",
    ),
    (
        lambda: score_by_offset(np.zeros((1,) * 40), np.ones((1,) * 30), np.ones((1,) * 30)),
        ValueError,
        "amplitudes and offsets must have at most 56 axes together, besides that of the waves,"
        " got 69",
    ),
    (
        lambda: score_by_offset([1, math.nan], [1], [0]),
        ValueError,
        "offsets must be finite, got nan",
    ),
    (
        lambda: score_by_offset(2**53 + 1, [1], [0]),
        ValueError,
        "offsets must lie within ±2**53, got 9007199254740993",
    ),
    (
        lambda: score_by_offset(0, [1, 2], [0]),
        ValueError,
        "amplitudes and phases must have the same shape (..., n), got shapes (2,) and (1,)",
    ),
    (
        lambda: score_by_offset(0, 1, 0),
        ValueError,
        "amplitudes and phases must have the same shape (..., n), got shapes () and ()",
    ),
    (
        lambda: score_by_offset(0, [[]], [[]]),
        ValueError,
        "amplitudes and phases must have the same shape (..., n), got shapes (1, 0) and (1, 0)",
    ),
    (
        lambda: score_by_offset(0, [1, -0.5], [0, 0]),
        ValueError,
        "amplitudes must be at least 0, got -0.5",
    ),
    (
        lambda: score_by_offset(0, [1e308, 1e308], [0, 0]),
        ValueError,
        "amplitudes must have a finite sum",
    ),
    (lambda: score_by_offset(0, [1], [math.inf]), ValueError, "phases must be finite, got inf"),
    (
        lambda: score_by_offset(0, ["1"], [0]),
        TypeError,
        "amplitudes must hold real numbers, got dtype <U1",
    ),
    (lambda: score_by_offset(0, [1], [0], base=1), ValueError, "base must be above 1, got base=1"),
    (
        lambda: score_by_offset(0, [1], [0], base=0.5, inv_freq=[1]),
        ValueError,
        "base must be above 1, got base=0.5",
    ),
    (
        lambda: score_by_offset(0, [1], [0], inv_freq=[1, 0.1]),
        ValueError,
        "inv_freq must have shape (1,), one number for each of the pairs in 2 channels,"
        " got shape (2,)",
    ),
    (
        lambda: score_by_offset(0, [1], [0], inv_freq=[-1]),
        ValueError,
        "inv_freq must lie between 0 and 2**53, got -1.0",
    ),
    (
        lambda: score_by_offset(0, [1], [0], inv_freq=[2.0**54]),
        ValueError,
        "inv_freq must lie between 0 and 2**53, got 1.8014398509481984e+16",
    ),
    (
        lambda: query_for([1, 2, 3], 0),
        ValueError,
        "key must have an even number of channels, at least 2, got shape (3,)",
    ),
    (lambda: query_for([1, 1e301], 0), ValueError, "key must lie within ±1e300, got 1e+301"),
    (lambda: query_for([1, 1], math.nan), ValueError, "offset must be finite, got offset=nan"),
    (
        lambda: query_for([1, 1], "1"),
        TypeError,
        "offset must be a real number, got offset='1'",
    ),
    (
        lambda: query_for([1, 1], 0, layout="x"),
        ValueError,
        "layout must be 'interleaved' or 'half', got layout='x'",
    ),
    (
        lambda: query_for([1, 1], 0, inv_freq=[math.nan]),
        ValueError,
        "inv_freq must be finite, got nan",
    ),
]


@pytest.mark.parametrize(("call", "error", "complaint"), REFUSED, ids=[r[2] for r in REFUSED])
def test_refuses(call: Callable[[], object], error: type[Exception], complaint: str) -> None:
    with pytest.raises(error) as refusal:
        call()
    assert str(refusal.value) == complaint
