"""angles against 50 digits, and the exactness of the product behind it."""

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from posenc.core import angles
from posenc.core.angles import _product_error, sin_cos

Floats = NDArray[np.float64]

# Largest errors in 80 million random entries: 1.12e-16 up to 1e6, 2.86e-16 up to 2**53.
# Both bounds are above those, and below the error of a sum that forgets a part.
NEAR, FAR = 1.2e-16, 3e-16


def two_floats(omegas: list[Any]) -> tuple[Floats, Floats]:
    """Split exact frequencies into the nearest float64 and the float64 that it lacks."""
    with mpmath.workdps(50):
        nearest = [float(omega) for omega in omegas]
        rest = [float(omega - near) for omega, near in zip(omegas, nearest, strict=True)]
    return np.array(nearest), np.array(rest)


def largest_error(
    positions: list[float], omegas: list[Any], sin: NDArray[Any], cos: NDArray[Any]
) -> float:
    """Compare every entry with sin and cos of the exact product, in 50 digits."""
    largest = 0.0
    with mpmath.workdps(50):
        for row, p in enumerate(positions):
            for i, omega in enumerate(omegas):
                exact_cos, exact_sin = mpmath.cos_sin(p * omega)
                error = abs(float(sin[row, i]) - exact_sin), abs(float(cos[row, i]) - exact_cos)
                largest = max(largest, *map(float, error))
    return largest


def frequencies(count: int, base: float) -> list[Any]:
    """A falling sequence in 50 digits, none of them a float64 but the first."""
    with mpmath.workdps(50):
        return [mpmath.power(base, -mpmath.mpf(i) / count) for i in range(count)]


def random_positions(limit: float, count: int) -> list[float]:
    """Draw positions of either sign, whole and fractional, of all sizes up to a limit."""
    rng = np.random.default_rng(1706)
    sizes = np.exp(rng.uniform(0, np.log(limit), count)) * rng.choice([-1, 1], count)
    sizes[::2] = np.rint(sizes[::2])
    return [-limit, limit, *sizes.tolist()]


@pytest.mark.parametrize("base", [1.5, 10_000.0, 500_000.0])
@pytest.mark.parametrize(("limit", "bound"), [(1e3, NEAR), (1e6, NEAR), (1e12, FAR), (2**53, FAR)])
def test_sines_and_cosines_are_exact_to_the_last_bits(
    limit: float, bound: float, base: float
) -> None:
    positions, omegas = random_positions(limit, 60), frequencies(32, base)

    sin, cos = sin_cos(np.array(positions), two_floats(omegas))

    assert largest_error(positions, omegas, sin, cos) <= bound


def test_a_plain_product_is_as_bad_as_the_docstring_says() -> None:
    omegas = frequencies(32, 10_000.0)
    nearest, _ = two_floats(omegas)
    for limit, least, most in [(1e6, 1e-11, 1e-9), (2.0**53, 0.1, 2.0)]:
        positions = [limit - step for step in range(40)]
        angle = np.array(positions)[:, np.newaxis] * nearest

        error = largest_error(positions, omegas, np.sin(angle), np.cos(angle))

        assert least <= error <= most


def test_the_rest_of_a_frequency_counts() -> None:
    # 2**52 times a rest of 1e-17 is an angle of 0.05: without it, the sine is wrong.
    omegas = frequencies(8, 10_000.0)
    nearest, rest = two_floats(omegas)
    p = [2.0**52 + 1]

    with_rest = largest_error(p, omegas, *sin_cos(np.array(p), (nearest, rest)))
    without = largest_error(p, omegas, *sin_cos(np.array(p), (nearest, 0 * rest)))

    assert with_rest <= FAR
    assert without > 0.01


def test_the_sine_of_a_small_part_is_that_part_in_every_bit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pair = two_floats(frequencies(32, 10_000.0))
    # Each run of positions has parts of one size, so that the limit lies between two runs.
    runs = [random_positions(2.0**bits, 200)[2:] for bits in range(10, 54)]
    short = [np.stack(sin_cos(np.array(run), pair)).tobytes() for run in runs]
    monkeypatch.setattr(angles, "SMALL", 0.0)
    full = [np.stack(sin_cos(np.array(run), pair)).tobytes() for run in runs]
    assert short == full


def test_position_zero_is_exact() -> None:
    sin, cos = sin_cos(np.zeros(1), (np.array([1.0, 0.01]), np.array([0.0, 1e-19])))

    assert sin.tolist() == [[0.0, 0.0]]
    assert cos.tolist() == [[1.0, 1.0]]


@pytest.mark.parametrize("shape", [(), (0,), (5,), (2, 3), (2, 0, 3)])
def test_frequencies_become_the_last_axis(shape: tuple[int, ...]) -> None:
    pair = np.array([1.0, 0.1, 0.01]), np.zeros(3)

    sin, cos = sin_cos(np.ones(shape), pair)

    assert sin.shape == cos.shape == (*shape, 3)


def test_arguments_stay_as_they_are() -> None:
    p, nearest, rest = np.array([3.0, -1e9]), np.array([1.0, 0.1]), np.array([0.0, -5.5e-18])
    for argument in (p, nearest, rest):
        argument.flags.writeable = False

    sin_cos(p, (nearest, rest))  # writing into any of them would be a ValueError

    assert p.tolist() == [3.0, -1e9]


@given(
    a=st.floats(-(2.0**53), 2.0**53).filter(lambda a: a == 0 or abs(a) > 1e-100),
    b=st.floats(1e-100, 1.0),
)
@settings(max_examples=300)
def test_product_and_its_error_are_the_exact_product(a: float, b: float) -> None:
    # Below 1e-100, the last bits of the error would fall under the smallest float64.
    product = a * b

    error = float(_product_error(np.array(a), np.array(b), np.array(product)))

    assert Fraction(product) + Fraction(error) == Fraction(a) * Fraction(b)
