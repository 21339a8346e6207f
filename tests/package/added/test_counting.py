"""counting against plain Python integers, `format`, fractions and mpmath."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc.added.counting import binary_encoding, bit_frequencies, clock_hands, square_waves

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


@pytest.mark.parametrize("n", [1, 2, 5, 50])
def test_bit_frequencies_are_turns_of_a_power_of_two(n: int) -> None:
    omegas = bit_frequencies(n)
    assert omegas.dtype == np.float64
    # π is one float here; dividing it by a power of two rounds nothing.
    assert omegas.tolist() == [math.pi / 2**j for j in range(n)]


def test_bit_frequencies_are_what_a_fourier_transform_finds() -> None:
    counted = np.array([digits(p % 64, 6) for p in range(128)])
    spectrum = abs(np.fft.rfft(counted - 0.5, axis=0))
    cycles = spectrum.argmax(axis=0)  # in 128 positions
    assert (bit_frequencies(6) * 128 / (2 * math.pi)).tolist() == cycles.tolist()


@given(n=st.integers(1, 50), start=st.integers(-(2**50) + 9, 2**50 - 9))
def test_square_waves_are_the_bits(n: int, start: int) -> None:
    expected = [[(-1) ** (p // 2**j % 2) for j in range(n)] for p in range(start, start + 9)]
    table = square_waves(9, n, start=start)
    assert table.dtype == np.float64
    assert table.tolist() == expected


@pytest.mark.parametrize("j", [0, 1, 7, 30, 49])
def test_square_waves_change_sign_at_multiples_of_a_power_of_two(j: int) -> None:
    for multiple in (-2, -1, 0, 1, 2, 2 ** (50 - j) - 1):
        change = multiple * 2**j
        if abs(change - 1) + 2 <= 2**50:
            before, after = square_waves(2, j + 1, start=change - 1)[:, j]
            assert (before, after) == ((-1) ** (multiple + 1), (-1) ** multiple)


def test_square_waves_repeat_where_binary_encoding_refuses() -> None:
    rows = square_waves(48, 4, start=-16).tolist()
    assert rows[:16] == rows[16:32] == rows[32:]
    assert len({tuple(row) for row in rows}) == 16


@given(t=st.floats(-(2.0**53), 2.0**53) | st.integers(-90_000, 90_000).map(float))
def test_clock_hands_are_within_the_error_that_is_promised(t: float) -> None:
    with mpmath.workdps(50):
        angles = [2 * mpmath.pi * mpmath.mpf(t) / period for period in PERIODS]
        exact = [float(f(angle)) for angle in angles for f in (mpmath.sin, mpmath.cos)]
    hands = clock_hands(t)
    assert_allclose(hands, exact, rtol=0, atol=2e-15)
    assert abs(hands).max() <= 1


@pytest.mark.parametrize(
    ("time", "shown"),
    [
        (Fraction(0), (0, 0, 0)),
        (Fraction(90), (Fraction(1, 2), Fraction(1, 40), Fraction(1, 480))),
        (Fraction(3 * 3600), (0, 0, Fraction(1, 4))),
        (Fraction(-15), (Fraction(3, 4), Fraction(239, 240), Fraction(2879, 2880))),
    ],
)
def test_clock_hands_point_where_a_clock_does(time: Fraction, shown: tuple[Any, ...]) -> None:
    assert tuple(time / period % 1 for period in PERIODS) == shown
    sines, cosines = clock_hands(float(time)).reshape(3, 2).T
    turns = np.arctan2(sines, cosines) / (2 * math.pi)  # clockwise from the top
    for found, expected in zip(turns, shown, strict=True):
        assert math.remainder(found - float(expected), 1) == pytest.approx(0, abs=1e-15)


def test_clock_hands_repeat_after_twelve_hours_and_not_before() -> None:
    day = clock_hands(np.arange(-43_200, 43_200))
    assert day[:43_200].tolist() == day[43_200:].tolist()

    def distinct(hands: Any) -> int:
        return len({tuple(row) for row in hands.round(9).tolist()})

    assert distinct(day) == 43_200
    assert distinct(day[:, 4:]) == 43_200, "the hour hand alone tells them all"
    assert distinct(day[:, :4]) == 3_600
    assert distinct(day[:, :2]) == 60


@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_clock_hands_keep_the_shape_and_the_input(shape: tuple[int, ...]) -> None:
    seconds = np.full(shape, 15, dtype=np.int8)
    seconds.flags.writeable = False  # a write raises
    hands = clock_hands(seconds)
    assert hands.shape == (*shape, 6)
    assert hands.dtype == np.float64
    assert_allclose(hands[..., 0], 1)


@pytest.mark.parametrize("kind", [int, np.int8, np.uint8, np.array])
def test_integers_of_any_kind_are_taken(kind: Callable[[int], Any]) -> None:
    assert binary_encoding(kind(2), kind(3), start=kind(1)).tolist() == [[1, 0, 0], [0, 1, 0]]
    assert square_waves(kind(1), kind(2), start=kind(3)).tolist() == [[-1, -1]]
    assert len(bit_frequencies(kind(3))) == 3
