"""counting against plain Python integers, `format`, fractions and mpmath."""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc.counting import binary_encoding, bit_frequencies, clock_hands, square_waves

PERIODS = (60, 3600, 43200)  # seconds


def digits(p: int, n: int) -> list[int]:
    """Write p with n binary digits, and read them from right to left."""
    return [int(digit) for digit in reversed(format(p, f"0{n}b"))]


@given(n=st.integers(1, 50), data=st.data())
def test_binary_encoding_writes_numbers_as_python_does(n: int, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, 2**n))
    length = data.draw(st.integers(0, min(20, 2**n - start)))
    table = binary_encoding(length, n, start=start)
    assert table.shape == (length, n)
    assert table.dtype == np.float64
    assert table.tolist() == [digits(p, n) for p in range(start, start + length)]
    written = binary_encoding(length, n, start=start, msb_first=True)
    assert written.tolist() == [row[::-1] for row in table.tolist()]


def test_binary_encoding_reaches_the_last_position_that_fits() -> None:
    assert binary_encoding(16, 4)[-1].tolist() == [1, 1, 1, 1]
    assert binary_encoding(1, 50, start=2**50 - 1).tolist() == [[1] * 50]
    assert binary_encoding(0, 4, start=16).shape == (0, 4)
    assert binary_encoding(2, 1).tolist() == [[0], [1]]


@given(n=st.integers(1, 50), start=st.integers(-(2**50) + 9, 2**50 - 9))
def test_square_waves_are_the_bits(n: int, start: int) -> None:
    expected = [[(-1) ** (p // 2**j % 2) for j in range(n)] for p in range(start, start + 9)]
    table = square_waves(9, n, start=start)
    assert table.dtype == np.float64
    assert table.tolist() == expected


@given(t=st.floats(-(2.0**53), 2.0**53) | st.integers(-90_000, 90_000).map(float))
def test_clock_hands_are_within_the_error_that_is_promised(t: float) -> None:
    with mpmath.workdps(50):
        angles = [2 * mpmath.pi * mpmath.mpf(t) / period for period in PERIODS]
        exact = [float(f(angle)) for angle in angles for f in (mpmath.sin, mpmath.cos)]
    hands = clock_hands(t)
    assert_allclose(hands, exact, rtol=0, atol=2e-15)
    assert abs(hands).max() <= 1


@pytest.mark.parametrize("kind", [int, np.int8, np.uint8, np.array])
def test_integers_of_any_kind_are_taken(kind: Callable[[int], Any]) -> None:
    assert binary_encoding(kind(2), kind(3), start=kind(1)).tolist() == [[1, 0, 0], [0, 1, 0]]
    assert square_waves(kind(1), kind(2), start=kind(3)).tolist() == [[-1, -1]]
    assert len(bit_frequencies(kind(3))) == 3
