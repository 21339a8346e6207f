"""periods against 50 digits, and counting in whole numbers."""

import math
from typing import Any

import mpmath
import numpy as np
import pytest

from posenc.analysis.periods import period_power
from posenc.tables.periodic import periodic_encoding

# The promise: three roundings of an angle below 0.79, 2.2e-16 together, and a sine of at most
# 0.71 that is right to 4 units in the last place, 4.5e-16, which is what NumPy aims at on all
# processors.
BOUND = 1e-15

# Of all sizes, whole and fractional; a day, a codon, a degree of a turn, a year in seconds.
PERIODS = [3.0, 86_400.0, 10.5, 0.1, 365.2425 * 86_400, 2.0**-53, 2.0**53, math.pi]


def exact(p: float, period: float) -> tuple[Any, Any]:
    """Sine and cosine of 2πp/T, in as many digits as the turn needs."""
    with mpmath.workdps(80):
        angle = 2 * mpmath.pi * mpmath.mpf(p) / mpmath.mpf(period)
        return mpmath.sin(angle), mpmath.cos(angle)


def positions(count: int) -> list[float]:
    """Positions of either sign and of all sizes, and the largest."""
    rng = np.random.default_rng(1907)
    sizes = np.exp(rng.uniform(-5, math.log(2.0**53), count)) * rng.choice([-1, 1], count)
    sizes[::2] = np.rint(sizes[::2])
    return [0.0, 2.0**53, -(2.0**53), *sizes.tolist()]


@pytest.mark.parametrize("period", PERIODS)
def test_waves_are_exact_to_the_last_bits(period: float) -> None:
    places = [*positions(200), *(period * k / 8 for k in range(-9, 10))]
    places = [p for p in places if abs(p) <= 2.0**53]
    for p, (sine, cosine) in zip(places, periodic_encoding(places, [period]), strict=True):
        right = exact(p, period)
        assert abs(float(sine) - right[0]) <= BOUND, p
        assert abs(float(cosine) - right[1]) <= BOUND, p


def test_each_period_has_its_pair_in_both_layouts() -> None:
    places, periods = np.array([[1.0, -7.5], [100.0, 0.25]]), [4, 10.0, 3.5]
    paired = periodic_encoding(places, periods)
    halves = periodic_encoding(places, periods, layout="half")
    assert paired.shape == halves.shape == (2, 2, 6)
    for at in np.ndindex(2, 2):
        for j, period in enumerate(periods):
            sine, cosine = exact(float(places[at]), period)
            assert abs(paired[at][2 * j] - float(sine)) <= BOUND
            assert abs(paired[at][2 * j + 1] - float(cosine)) <= BOUND
            assert halves[at][j] == paired[at][2 * j]
            assert halves[at][3 + j] == paired[at][2 * j + 1]


def test_a_smaller_dtype_is_rounded_once() -> None:
    places = np.arange(-50, 50) * 1e6 + 0.3
    wide = periodic_encoding(places, [7, 0.9])
    for dtype in (np.float32, np.float16):
        narrow = periodic_encoding(places, [7, 0.9], dtype=dtype)
        assert narrow.dtype == dtype
        assert narrow.tolist() == wide.astype(dtype).tolist()


def test_integers_that_float32_cannot_hold_stay_exact() -> None:
    p = 2**53 - 1  # 2**53 - 1 = 3 * 3002399751580330 + 1
    sine, _ = periodic_encoding(np.array([p]), np.array([3]))[0]
    assert p % 3 == 1
    assert abs(sine - math.sqrt(3) / 2) <= BOUND


def test_power_at_uneven_positions_is_the_squared_length_of_a_sum() -> None:
    rng = np.random.default_rng(3)
    places, values = np.sort(rng.uniform(-50, 50, 30)), rng.normal(size=(2, 4, 30))
    periods = [7.25, 3, 40]
    power = period_power(values, places, periods)
    assert power.shape == (2, 4, 3)
    for at in np.ndindex(2, 4):
        for j, period in enumerate(periods):
            total = sum(
                v * complex(math.cos(2 * math.pi * p / period), math.sin(2 * math.pi * p / period))
                for v, p in zip(values[at], places, strict=True)
            )
            # Angles to 210 in the plain formula: 1e-13 each, 30 terms, sums up to 20.
            assert abs(power[(*at, j)] - abs(total) ** 2) < 1e-10
