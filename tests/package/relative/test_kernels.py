"""kernels against mpmath and sums over centres in plain Python."""

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc.relative.kernels import (
    gaussian_bias,
    gaussian_encoding,
    gaussian_kernel,
    gaussian_ripple,
)

near = st.floats(-1e4, 1e4)
lengths = st.floats(0.05, 50)


def bump(p: float, mu: float, sigma: float) -> Any:
    """The formula with forty digits, the given numbers taken as exact."""
    with mpmath.workdps(40):
        return mpmath.exp(-((mpmath.mpf(p) - mu) ** 2) / (2 * mpmath.mpf(sigma) ** 2))


@given(st.lists(near, min_size=1, max_size=4), st.lists(near, min_size=1, max_size=3), lengths)
@settings(max_examples=60)
def test_each_channel_is_its_bump(p: list[float], mu: list[float], sigma: float) -> None:
    code = gaussian_encoding(p, mu, sigma)

    # The exponent z²/2 has a relative error of 4 roundings: z²/2 · exp(-z²/2) < 0.37.
    exact = [[float(bump(x, c, sigma)) for c in mu] for x in p]
    assert_allclose(code, exact, rtol=0, atol=4e-16)
    assert ((code >= 0) & (code <= 1)).all()


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,), (2, 0, 1)])
def test_positions_keep_their_shape_and_channels_come_last(shape: tuple[int, ...]) -> None:
    p = np.arange(math.prod(shape)).reshape(shape)
    code = gaussian_encoding(p, [5.0, -1.0], 2.0)
    assert code.shape == (*shape, 2)
    for place in np.ndindex(*shape):  # channel 0 is the first centre named, not the smallest
        x = int(p[place])
        expected = [math.exp(-((x - 5) ** 2) / 8), math.exp(-((x + 1) ** 2) / 8)]
        assert_allclose(code[place], expected, rtol=0, atol=4e-16)


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


def test_what_goes_in_stays_as_it_is() -> None:
    p, mu = np.array([1, 2], dtype=np.int16), np.array([0.5, 9.0])
    for array in (p, mu):
        array.flags.writeable = False
    code = gaussian_encoding(p, mu, 1.0)
    assert p.tolist() == [1, 2]
    assert mu.tolist() == [0.5, 9.0]
    assert not np.shares_memory(code, p)
    code[:] = 7.0
    assert math.isclose(gaussian_encoding(p, mu, 1.0)[0, 0], math.exp(-0.125), rel_tol=4e-16)


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


@pytest.mark.parametrize("ratio", [0.5, 1, 1.7, 1.8, 2.5, 6])
def test_the_ripple_is_met_at_a_centre(ratio: float) -> None:
    spacing = 3 * ratio
    relative = grid_sum(2.0, 2.0, 3, spacing, 2.0) / float(gaussian_kernel(0, 3, spacing)) - 1
    assert math.isclose(relative, gaussian_ripple(3, spacing), rel_tol=1e-13, abs_tol=1e-14)


@pytest.mark.parametrize("ratio", [0.125, 0.3, 1, 1.5, 1.7724, 1.7725, 2, 5, 40, 1e6, 1e150])
def test_the_ripple_is_a_theta_function(ratio: float) -> None:
    with mpmath.workdps(700):  # near 0.125 the sum is 1e-274 above 1
        x = mpmath.pi / mpmath.mpf(ratio)
        near_one = mpmath.nsum(lambda n: 2 * mpmath.exp(-((x * n) ** 2)), [1, 60])
        wide = mpmath.mpf(ratio) / mpmath.sqrt(mpmath.pi)
        expected = near_one if ratio < 10 else wide - 1  # the next term is exp(-1600)
    # An exponent of up to 632 has a rounding of 632 · 3 · 1.1e-16, the worst at 0.125.
    assert abs(gaussian_ripple(1, ratio) / expected - 1) < (3e-13 if ratio < 1 else 1e-14)
    assert math.isclose(gaussian_ripple(7, 7 * ratio), gaussian_ripple(1, ratio), rel_tol=1e-11)


def test_the_ripple_has_its_limits() -> None:
    assert gaussian_ripple(1e300, 1e-300) == 0
    assert gaussian_ripple(1e-300, 1e300) == math.inf
    before = 0.0
    for spacing in np.linspace(0.2, 5, 200):
        assert gaussian_ripple(1, spacing) > before
        before = gaussian_ripple(1, spacing)


@pytest.mark.parametrize(
    "function", [lambda k: gaussian_kernel(k, 2, 3), lambda k: gaussian_bias(k, 2)]
)
def test_offsets_keep_their_shape(function: Callable[[Any], Any]) -> None:
    for shape in [(), (4,), (2, 3), (0, 2)]:
        k = np.arange(math.prod(shape), dtype=np.int8).reshape(shape)
        assert function(k).shape == shape
        assert function(k).dtype == np.float64
        assert function(-k).tolist() == function(k).tolist()


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


def test_the_bias_of_whole_numbers() -> None:
    assert gaussian_bias([[-4, 0], [2, 6]], 2).tolist() == [[-2, 0], [-0.5, -4.5]]
    with np.errstate(all="raise"):
        assert gaussian_bias([0, 2**53], 1e-200).tolist() == [0, -math.inf]
        assert gaussian_kernel([2**53], 1e-200, 1).tolist() == [0]
