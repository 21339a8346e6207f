"""angles against 50 digits and balls around the exact value, where the bound is tight, too."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from posenc.core import angles
from posenc.core.angles import (
    STEPS,
    Frequencies,
    _steps,
    exactly,
    in_turns,
    product_error,
    sin_cos,
)
from tests.bits import assert_same_bits

Floats = NDArray[np.float64]

# Derived in docs/chapters/aliasing.md: half a unit in the last place below 1, 2**-54, and
# what comes before that last rounding, at most 2e-18.
BOUND = 2.0**-54 + 2e-18


def of(omegas: list[Any]) -> Frequencies:
    """Split exact frequencies as the package does, but by mpmath."""
    with mpmath.workdps(80):
        parts = []
        for omega in omegas:
            left, row = omega / (2 * mpmath.pi), []
            for _ in range(3):
                row.append(float(left))
                left -= row[-1]
            parts.append(row)
        return Frequencies(np.array([float(omega) for omega in omegas]), np.array(parts))


def largest_error(positions: list[float], omegas: list[Any], sin: Floats, cos: Floats) -> float:
    """Compare every entry with sin and cos of the exact product, in 50 digits and more."""
    largest = 0.0
    with mpmath.workdps(80):
        for row, p in enumerate(positions):
            for i, omega in enumerate(omegas):
                exact_cos, exact_sin = mpmath.cos_sin(mpmath.mpf(p) * omega)
                error = abs(float(sin[row, i]) - exact_sin), abs(float(cos[row, i]) - exact_cos)
                largest = max(largest, *map(float, error))
    return largest


def frequencies(count: int, base: float) -> list[Any]:
    """A falling sequence in 80 digits, none of them a float64 but the first."""
    with mpmath.workdps(80):
        return [mpmath.power(base, -mpmath.mpf(i) / count) for i in range(count)]


def random_positions(limit: float, count: int) -> list[float]:
    """Draw positions of either sign, whole and fractional, of all sizes up to a limit."""
    rng = np.random.default_rng(1706)
    sizes = np.exp(rng.uniform(0, np.log(limit), count)) * rng.choice([-1, 1], count)
    sizes[::2] = np.rint(sizes[::2])
    return [-limit, limit, *sizes.tolist()]


@pytest.mark.parametrize("base", [1.5, 10_000.0, 500_000.0])
@pytest.mark.parametrize("limit", [1e3, 1e6, 2.0**33, 2.0**38, 1e12, 2.0**53])
def test_sines_and_cosines_are_exact_to_the_last_bit(limit: float, base: float) -> None:
    positions, omegas = random_positions(limit, 60), frequencies(32, base)

    sin, cos = sin_cos(np.array(positions), of(omegas))

    assert largest_error(positions, omegas, sin, cos) <= BOUND
    assert max(abs(sin).max(), abs(cos).max()) <= 1


def nearest_multiples(ratio: Any, limit: int) -> list[int]:
    """Whole p up to a limit at which p·ratio comes closer to a whole number than at any before.

    These are the denominators of the convergents of its continued fraction.
    """
    before, q = 0, 1
    found = []
    with mpmath.workdps(80):
        left = ratio - mpmath.floor(ratio)
        while q <= limit:
            found.append(q)
            left = 1 / left
            digit = int(mpmath.floor(left))
            left -= digit
            before, q = q, digit * q + before
    return found


@pytest.mark.parametrize("base", [1.5, 10_000.0, 500_000.0])
@pytest.mark.parametrize("parts", [4, 2 * STEPS], ids=["quarter turns", "half steps"])
def test_positions_that_come_nearest_to_where_something_changes(parts: int, base: float) -> None:
    """There a sine is nearly 0 or 1, or the nearest step is nearly another one."""
    for omega in frequencies(24, base):
        with mpmath.workdps(80):
            worst = nearest_multiples(parts * omega / (2 * mpmath.pi), 2**53)
            if parts == 4:  # they are as near as they are said to be
                for p in worst:
                    assert abs(mpmath.sin(2 * p * omega)) < 2 * mpmath.pi / p
        positions = [float(sign * p) for p in worst for sign in (1, -1)]

        sin, cos = sin_cos(np.array(positions), of([omega]))

        assert largest_error(positions, [omega], sin, cos) <= BOUND
        assert max(abs(sin).max(), abs(cos).max()) <= 1


def ball(p: float, numerator: int, steps: int, base: float) -> tuple[Any, Any]:
    """Intervals in which sin(p·ω) and cos(p·ω) lie, ω = base**(-numerator/steps)."""
    iv: Any = mpmath.iv
    iv.dps = 60
    omega = iv.exp(-iv.log(iv.mpf(base)) * numerator / steps)
    angle = omega * iv.mpf(p)
    return iv.sin(angle), iv.cos(angle)


def test_no_error_is_beyond_the_bound_and_some_reach_it_in_ball_arithmetic() -> None:
    """Rigorous on both sides: every operation of the judge rounds outwards."""
    base, steps = 10_000.0, 32
    p = np.concatenate([np.arange(2.0**53 - 60, 2.0**53), np.arange(10**6, 10**6 + 60)])
    sin, cos = sin_cos(p, of(frequencies(steps, base)))
    least = 0.0
    for i in range(1, steps, 3):
        for row, position in enumerate(p.tolist()):
            for entry, exact in zip((sin, cos), ball(position, i, steps, base), strict=True):
                off = abs(mpmath.iv.mpf(float(entry[row, i])) - exact)
                assert off.b <= BOUND
                least = max(least, float(off.a))

    assert least > 0.99 * 2.0**-54  # of what no rounding can avoid


@pytest.mark.parametrize("omega", [2.0**40, 2.0**40 - 3, 1e10 / 3, 1.0, 1e-10, 1e-40, 1e-300])
def test_frequencies_of_any_size_are_taken_as_exact(omega: float) -> None:
    positions = random_positions(2.0**53, 60)

    sin, cos = sin_cos(np.array(positions), exactly(np.array([omega])))

    assert largest_error(positions, [mpmath.mpf(omega)], sin, cos) <= BOUND


def test_sines_of_the_slowest_frequencies_are_not_lost() -> None:
    """Their digits lie far behind the point: to be within 6e-17 says nothing of them."""
    omegas = [1e-28, 1e-31, 1e-40, 1e-50, 1e-300]

    sin, _ = sin_cos(np.array([3.0, 2.0**53]), exactly(np.array(omegas)))

    for row, p in enumerate([3, 2**53]):
        for i, omega in enumerate(omegas):
            exact = Fraction(omega) * p  # of which the sine differs in its 25th digit, or later
            assert abs(Fraction(float(sin[row, i])) - exact) <= exact / 10**15


@pytest.mark.parametrize("limit", [1e6, 2.0**53])
def test_remainder_beside_a_step_is_about_half(limit: float) -> None:
    """The series are as exact as they are only there."""
    positions, omegas = np.array(random_positions(limit, 300)), frequencies(16, 1.5)

    whole, rest = _steps(positions[:, np.newaxis], of(omegas).turns.T)

    assert abs(rest).max() <= 0.5 + 2.0**-8
    with mpmath.workdps(60):
        for row, p in enumerate(positions.tolist()):
            for i, omega in enumerate(omegas):
                off = (
                    p * omega * STEPS / (2 * mpmath.pi) - float(whole[row, i]) - float(rest[row, i])
                )
                turns = off / STEPS
                assert abs(turns - mpmath.nint(turns)) * STEPS <= 4e-16  # steps


def test_frequencies_beyond_2_to_the_40_have_a_wider_bound() -> None:
    positions, omegas = random_positions(2.0**53, 300), [2.0**53, 2.0**53 - 1, 2.0**52 + 1]

    sin, cos = sin_cos(np.array(positions), exactly(np.array(omegas)))

    assert largest_error(positions, omegas, sin, cos) <= 3e-16


@pytest.mark.parametrize("base", [1.5, 10_000.0, 1e308])
def test_three_parts_of_a_frequency_are_a_hundred_and_fifty_nine_bits(base: float) -> None:
    omegas = frequencies(20, base)
    with mpmath.workdps(80):
        decimals = [Decimal(mpmath.nstr(omega, 70)) for omega in omegas]
        for parts, omega in zip(in_turns(decimals).tolist(), omegas, strict=True):
            exact = omega / (2 * mpmath.pi)
            # Three roundings; or 200 places; or, for the slowest, one rounding alone.
            allowed = exact * mpmath.mpf(2) ** -159 + mpmath.mpf(2) ** -200
            if omega < float(angles.SLOWEST):
                allowed = exact * mpmath.mpf(2) ** -52
            assert abs(mpmath.fsum(parts) - exact) <= allowed


def test_the_circle_holds_each_step_in_a_hundred_bits() -> None:
    sines, cosines = angles.circle()

    assert sines.shape == cosines.shape == (2, STEPS)
    with mpmath.workdps(60):
        for k in range(STEPS):
            exact_cos, exact_sin = mpmath.cos_sin(2 * mpmath.pi * k / STEPS)
            for table, exact in ((sines, exact_sin), (cosines, exact_cos)):
                assert abs(mpmath.fsum(table[:, k].tolist()) - exact) <= 2.0**-107
                assert table[0, k] == float(exact) or abs(exact) < 1e-50


def test_near_and_far_positions_are_computed_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways are within 6e-17, so few entries differ, and those by 2**-53 at most."""
    positions, known = np.array(random_positions(2.0**32, 2000)), of(frequencies(16, 10_000.0))
    near = np.stack(sin_cos(positions, known))
    monkeypatch.setattr(angles, "NEAR", 0.0)
    far = np.stack(sin_cos(positions, known))

    assert (near != far).mean() < 0.02
    assert abs(near - far).max() <= 2.0**-53


def test_an_entry_has_the_same_bits_alone_as_among_many() -> None:
    positions, known = np.array(random_positions(1e9, 3000)), of(frequencies(40, 10_000.0))
    whole = np.stack(sin_cos(positions, known))  # cut into many blocks
    for row in (0, 1, 7, 203, 204, 205, 2999):
        alone = np.stack(sin_cos(positions[row], known))
        assert_same_bits(alone, whole[:, row])


@given(p=st.floats(0, 2.0**53), omega=st.floats(0, 1))
def test_sine_is_odd_and_cosine_even_in_every_bit(p: float, omega: float) -> None:
    known = exactly(np.array([omega]))
    sin, cos = sin_cos(np.array([p, -p]), known)

    assert sin[0] == -sin[1]
    assert cos[0] == cos[1]


@pytest.mark.parametrize("shape", [(), (0,), (5,), (2, 3), (2, 0, 3)])
@pytest.mark.parametrize("count", [0, 3, angles.BLOCK + 1])
def test_frequencies_become_the_last_axis(count: int, shape: tuple[int, ...]) -> None:
    sin, cos = sin_cos(np.ones(shape), exactly(np.full(count, 0.1)))

    assert sin.shape == cos.shape == (*shape, count)
    assert (abs(sin - math.sin(0.1)) < 1e-16).all()


@given(
    a=st.floats(-(2.0**53), 2.0**53).filter(lambda a: a == 0 or abs(a) > 1e-100),
    b=st.floats(1e-100, 1.0),
)
@settings(max_examples=300)
def test_product_and_its_error_are_the_exact_product(a: float, b: float) -> None:
    # Below 1e-100, the last bits of the error would fall under the smallest float64.
    product = a * b

    error = float(product_error(np.array(a), np.array(b), np.array(product)))

    assert Fraction(product) + Fraction(error) == Fraction(a) * Fraction(b)
