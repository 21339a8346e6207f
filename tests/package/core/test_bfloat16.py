"""bfloat16: what has it as an argument rounds once, in it and out of it."""

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import posenc
from posenc.core.outputs import rounded
from tests.bits import assert_same_bits

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
X = np.random.default_rng(0).normal(size=(2, 3, 5, 8))
P = np.arange(5) + 1_000_000


def nearest(value: float) -> float:
    """Return the nearest number of 8 bits, ties to even, by exact fractions."""
    if value == 0 or not math.isfinite(value):
        return value
    step = max(math.frexp(value)[1] - 8, -133)
    near = round(Fraction(value) / Fraction(2) ** step) * Fraction(2) ** step
    return float(near) if abs(near) < 2**128 else math.copysign(math.inf, value)


def by_hand(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.array([nearest(float(one)) for one in values.ravel()]).reshape(values.shape)


@given(st.floats(allow_nan=False))
@example(1 + 2**-8 + 2**-40)  # float32 has the middle itself
@example(1 + 2**-8 - 2**-40)
@example(1 + 3 * 2**-8 - 2**-40)
@example(-(2**-126) * (1 - 2**-9))  # between the smallest normal number and the one below
@example(2.0**-134)  # half of the smallest
@example(2.0**-134 * (1 + 2**-40))
@example(2.0**128 * (1 - 2**-9))  # the middle between the largest number and the next
@example(2.0**128 * (1 - 2**-9 - 2**-40))
@example(1e300)
@example(5e-324)
def test_a_number_is_rounded_once(value):
    found = rounded(np.array([value]), BFLOAT16)

    assert found.dtype == BFLOAT16
    expected = nearest(value)
    assert float(found[0]) == expected
    assert math.copysign(1, float(found[0])) == math.copysign(1, value)


WAVES = {
    "table": lambda **how: posenc.sinusoidal_positional_encoding(40, 8, start=999_999, **how),
    "table by halves": lambda **how: posenc.sinusoidal_positional_encoding(
        40, 8, layout="half", **how
    ),
    "any positions": lambda **how: posenc.sinusoidal_at(P, 8, **how),
    "cosines": lambda **how: posenc.rotary_cos_sin(P, 8, attention_factor=1.2, **how)[0],
    "sines": lambda **how: posenc.rotary_cos_sin(P, 8, attention_factor=1.2, **how)[1],
    "given frequencies": lambda **how: posenc.fourier_encoding(P, [0.1, 2.5], **how),
    "grid": lambda **how: posenc.axial_encoding(posenc.grid_points((3, 4)), 8, **how),
    "cosines of a grid": lambda **how: posenc.axial_cos_sin(posenc.grid_points((3, 4)), 8, **how)[
        0
    ],
    "periods": lambda **how: posenc.periodic_encoding(P, [7, 24.5], **how),
}


@pytest.mark.parametrize("waves", WAVES.values(), ids=WAVES)
def test_tables_are_the_wide_ones_rounded_once(waves):
    found = waves(dtype=BFLOAT16)

    assert found.dtype == BFLOAT16
    assert np.array_equal(found.astype(np.float64), by_hand(waves(dtype=np.float64)))


def test_a_table_fills_an_array_of_bfloat16():
    out = np.zeros((4, 8), BFLOAT16)

    assert posenc.sinusoidal_positional_encoding(4, 8, dtype=BFLOAT16, out=out) is out
    assert np.array_equal(out[:, 1].astype(float), by_hand(np.cos(np.arange(4.0))))


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_queries_are_turned_in_float64_and_rounded_once(layout):
    x = X.astype(BFLOAT16)
    before = x.copy()

    found = posenc.apply_rotary(x, P, layout=layout, rotary_dim=6)

    wide = posenc.apply_rotary(x.astype(np.float64), P, layout=layout, rotary_dim=6)
    assert found.dtype == BFLOAT16
    assert np.array_equal(found.astype(np.float64), by_hand(wide))
    assert_same_bits(x, before)
    cos_sin = posenc.rotary_cos_sin(P, 6)
    assert_same_bits(found, posenc.rotate_pairs(x, *cos_sin, layout=layout))
    assert posenc.rotate_pairs(x, *cos_sin, layout=layout, out=x) is x
    assert_same_bits(found, x)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_rotated_pairs_beside_the_middle_of_two_numbers_are_rounded_once(layout):
    x, near_middle = np.eye(2).astype(BFLOAT16), [[1 + 2**-8 + 2**-40]] * 2

    rotated = posenc.rotate_pairs(x, near_middle, np.negative(near_middle), layout=layout)

    assert rotated.tolist() == [[1 + 2**-7, -1 - 2**-7], [1 + 2**-7, 1 + 2**-7]]


def test_rotated_pairs_beyond_bfloat16_are_infinite():
    x = np.full((1, 2), 3e38).astype(BFLOAT16)

    assert posenc.rotate_pairs(x, [[1]], [[1]]).tolist() == [[0, math.inf]]


def test_tables_in_bfloat16_are_taken_as_they_are():
    cos, sin = posenc.rotary_cos_sin(P, 8, dtype=BFLOAT16)
    wide = [table.astype(np.float64) for table in (cos, sin)]

    assert np.array_equal(posenc.rotate_pairs(X, cos, sin), posenc.rotate_pairs(X, *wide))


@pytest.mark.parametrize(
    "call",
    [
        lambda: posenc.LearnedPositionalEncoding(4, 4, dtype=BFLOAT16),
        lambda: posenc.SinusoidalPositionalEncoding(4, 4, dtype=BFLOAT16),
        lambda: posenc.rotate_pairs(X, *posenc.rotary_cos_sin(P, 8), compute_dtype=BFLOAT16),
    ],
)
def test_bfloat16_is_refused_where_numbers_are_summed(call):
    with pytest.raises(ValueError, match="dtype must be float16, float32 or float64"):
        call()
