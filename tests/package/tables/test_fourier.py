"""fourier against mpmath, number by number."""

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc.tables.fourier import fourier_encoding


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


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_smaller_floats_are_rounded_once(dtype: str) -> None:
    code = fourier_encoding(range(40), [0.3, 1.7], dtype=dtype)
    assert code.dtype == dtype
    assert code.tolist() == fourier_encoding(range(40), [0.3, 1.7]).astype(dtype).tolist()
    assert abs(code).max() <= 1
