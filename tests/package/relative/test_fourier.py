"""fourier against mpmath, number by number."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc.relative.fourier import fourier_encoding


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=3),
    st.lists(st.floats(-10, 10), min_size=1, max_size=3),
)
@settings(max_examples=60)
def test_sine_and_cosine_of_the_exact_product(p: list[float], omega: list[float]) -> None:
    code = fourier_encoding(p, omega)
    with mpmath.workdps(60):
        angles = [[mpmath.mpf(x) * w for w in omega] for x in p]
        exact = [[float(f(a)) for a in row for f in (mpmath.sin, mpmath.cos)] for row in angles]
    # What posenc.core.angles promises for any position and frequency.
    assert_allclose(code, exact, rtol=0, atol=3e-16)


def test_pairs_stand_side_by_side_in_the_order_of_the_frequencies() -> None:
    code = fourier_encoding([[0.0, 1.0]], [2.0, 0.0, -0.5])
    assert code.shape == (1, 2, 6)
    assert code[0, 0].tolist() == [0, 1, 0, 1, 0, 1]
    expected = [math.sin(2), math.cos(2), 0, 1, -math.sin(0.5), math.cos(0.5)]
    assert_allclose(code[0, 1], expected, rtol=0, atol=3e-16)


def test_dot_products_are_sums_of_cosines_of_the_offset() -> None:
    omega = np.random.default_rng(0).normal(size=9)
    code = fourier_encoding([3.5, 1e5, 1e5 + 2], omega)
    # 18 products of numbers up to 1, and angles of the judge of up to 4e5 for the far pair.
    assert math.isclose(code[0] @ code[0], 9, rel_tol=1e-14)
    near = math.fsum(math.cos(2 * w) for w in omega)
    assert math.isclose(code[1] @ code[2], near, rel_tol=0, abs_tol=1e-14)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_smaller_floats_are_rounded_once(dtype: str) -> None:
    code = fourier_encoding(range(40), [0.3, 1.7], dtype=dtype)
    assert code.dtype == dtype
    assert code.tolist() == fourier_encoding(range(40), [0.3, 1.7]).astype(dtype).tolist()
    assert abs(code).max() <= 1


def test_arguments_stay_as_they_are() -> None:
    p, omega = np.arange(3.0), np.array([0.5])
    p.flags.writeable = omega.flags.writeable = False
    fourier_encoding(p, omega)[:] = 7
    assert p.tolist() == [0, 1, 2]
    assert omega.tolist() == [0.5]
