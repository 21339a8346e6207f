"""frequencies against the formula in 70 digits, and its special values."""

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc.core.frequencies import exact_inv_freq, inv_freq, wavelengths

BASES = [math.nextafter(1.0, 2.0), 1.0000000001, 1.5, 2.0, 10_000.0, 500_000.0, 1e308]
EXPONENTS = ["paper", "tensor2tensor"]


def exact(dim: int, base: float, exponent: str = "paper") -> list[Any]:
    """The frequencies one by one in 70 digits, each a power of its own."""
    pairs = dim // 2
    steps = pairs if exponent == "paper" else max(pairs - 1, 1)
    with mpmath.workdps(70):
        return [mpmath.power(base, -mpmath.mpf(i) / steps) for i in range(pairs)]


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("dim", [2, 4, 6, 64, 96, 130, 1000])
def test_every_frequency_is_the_float_nearest_to_the_exact_one(
    dim: int, base: float, exponent: str
) -> None:
    frequencies = inv_freq(dim, base, exponent=exponent)

    assert frequencies.tolist() == [float(omega) for omega in exact(dim, base, exponent)]
    assert frequencies.dtype == np.float64


@given(
    pairs=st.integers(1, 40),
    base=st.floats(1, 1e300, exclude_min=True),
    exponent=st.sampled_from(EXPONENTS),
)
@settings(max_examples=100)
def test_any_dim_and_base_are_rounded_correctly(pairs: int, base: float, exponent: str) -> None:
    frequencies = inv_freq(2 * pairs, base, exponent=exponent).tolist()

    assert frequencies == [float(omega) for omega in exact(2 * pairs, base, exponent)]
    assert frequencies == sorted(frequencies, reverse=True)


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("base", BASES)
def test_turns_are_the_frequencies_in_forty_five_digits(base: float, exponent: str) -> None:
    radians, turns = exact_inv_freq(130, base, exponent)

    assert turns.shape == (65, 3)
    with mpmath.workdps(70):
        for near, parts, omega in zip(
            radians.tolist(), turns.tolist(), exact(130, base, exponent), strict=True
        ):
            assert near == float(omega)
            # Cut after 200 places of a turn; below 2**-100, a float64 alone.
            allowed = omega * (1e-45 if omega > 2.0**-100 else 2.0**-52) + 7 * 2.0**-200
            assert abs(mpmath.fsum(parts) * 2 * mpmath.pi - omega) <= allowed + 1e-322


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_no_frequency_is_too_slow_whatever_numpy_is_set_to(exponent: str) -> None:
    with np.errstate(all="raise"):
        assert inv_freq(8, 1e308, exponent=exponent)[-1] > 0


@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("base", [1.5, 10_000.0, 1e300])
@pytest.mark.parametrize("dim", [2, 4, 130])
def test_a_wavelength_is_a_full_turn(dim: int, base: float, exponent: str) -> None:
    lengths = wavelengths(dim, base, exponent=exponent)

    with mpmath.workdps(50):
        expected = [2 * mpmath.pi / omega for omega in exact(dim, base, exponent)]
        errors = [
            abs(length / right - 1)
            for length, right in zip(lengths.tolist(), expected, strict=True)
        ]
    # Three roundings (2π, ω and their quotient), each by at most 1.1e-16 of the value.
    assert max(errors) <= 3.4e-16
    assert lengths[0] == 2 * math.pi
