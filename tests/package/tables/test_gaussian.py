"""kernels against mpmath and sums over centres in plain Python."""

import math
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc.analysis.gaussian import gaussian_kernel, gaussian_ripple
from posenc.biases.gaussian import gaussian_bias
from posenc.tables.gaussian import gaussian_encoding

near = st.floats(-1e4, 1e4)
lengths = st.floats(0.05, 50)


def bump(p: float, mu: float, sigma: float) -> Any:
    """The formula with forty digits, the given numbers taken as exact."""
    with mpmath.workdps(40):
        return mpmath.exp(-((mpmath.mpf(p) - mu) ** 2) / (2 * mpmath.mpf(sigma) ** 2))


@given(st.lists(near, min_size=1, max_size=4), st.lists(near, min_size=1, max_size=3), lengths)
@settings(max_examples=60)
def test_each_channel_is_a_gaussian_at_its_centre(
    p: list[float], mu: list[float], sigma: float
) -> None:
    code = gaussian_encoding(p, mu, sigma)

    # The exponent z²/2 has a relative error of 4 roundings: z²/2 · exp(-z²/2) < 0.37.
    exact = [[float(bump(x, c, sigma)) for c in mu] for x in p]
    assert_allclose(code, exact, rtol=0, atol=4e-16)
    assert ((code >= 0) & (code <= 1)).all()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_smaller_floats_are_rounded_once(dtype: str) -> None:
    code = gaussian_encoding(np.arange(50), np.arange(0, 50, 3), 3.7, dtype=dtype)
    assert code.dtype == dtype
    double = gaussian_encoding(np.arange(50), np.arange(0, 50, 3), 3.7)
    assert code.tolist() == double.astype(dtype).tolist()


def test_far_away_a_code_is_zero_and_nothing_warns() -> None:
    with np.errstate(all="raise"):
        assert gaussian_encoding([2**53, -(2**53)], [0.0], 1e-300).tolist() == [[0.0], [0.0]]
        assert gaussian_encoding([0], [40.0], 1.0).tolist() == [[0.0]]
        assert gaussian_encoding([0], [20.0], 1.0, dtype="float16").tolist() == [[0.0]]
        assert gaussian_encoding([7], [7.0], 5e-324).tolist() == [[1.0]]


def grid_sum(p: float, q: float, sigma: float, spacing: float, first: float) -> float:
    """The dot product over a grid without end: all centres within 13 bandwidths."""
    middle = round(((p + q) / 2 - first) / spacing)
    reach = math.ceil(13 * sigma / spacing) + 1
    centres = (first + c * spacing for c in range(middle - reach, middle + reach + 1))
    return math.fsum(
        math.exp(-((p - mu) ** 2) / (2 * sigma**2)) * math.exp(-((q - mu) ** 2) / (2 * sigma**2))
        for mu in centres
    )


@given(st.floats(-20, 20), st.floats(-3, 3), st.floats(0.5, 8), st.floats(0.3, 4), st.floats(-1, 1))
@settings(max_examples=80)
def test_the_kernel_is_the_grid_sum_up_to_the_ripple(
    p: float, steps: float, sigma: float, ratio: float, first: float
) -> None:
    q, spacing = p + steps * sigma, ratio * sigma
    kernel = float(gaussian_kernel(q - p, sigma, spacing))
    ripple = gaussian_ripple(sigma, spacing)

    relative = grid_sum(p, q, sigma, spacing, first) / kernel - 1

    # A sum of up to 90 products, whose exponents of up to 100 are rounded, times 4 for
    # the differences of positions.
    assert -ripple - 1e-12 <= relative <= ripple + 1e-12


@given(st.floats(-30, 30), lengths, lengths)
@settings(max_examples=60)
def test_the_kernel_in_closed_form(k: float, sigma: float, spacing: float) -> None:
    with mpmath.workdps(40):
        s = mpmath.mpf(sigma)
        exact = mpmath.sqrt(mpmath.pi) * s / spacing * mpmath.exp(-(mpmath.mpf(k) ** 2) / 4 / s**2)
    # Four roundings of the factor, and the exponent's, which grow with its size.
    bound = 1e-15 * (1 + (k / sigma) ** 2)
    ours = float(gaussian_kernel(k, sigma, spacing))
    assert abs(ours - exact) <= bound * exact + mpmath.mpf(5e-324)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e6))
def test_the_bias_is_a_parabola(k: float, std: float) -> None:
    with mpmath.workdps(40):
        exact = -(mpmath.mpf(k) ** 2) / (2 * mpmath.mpf(std) ** 2)
    assert abs(float(gaussian_bias(k, std)) - exact) <= 1e-15 * abs(exact) + mpmath.mpf(5e-324)
