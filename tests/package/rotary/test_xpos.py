"""xpos: factors judged by powers with many digits, scores by plain sums, and refusals."""

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc import xpos_scale
from tests.goldens import load_cases


def exact(p: float, i: int, dim: int, scale_base: float, gamma: float) -> Any:
    """((2i/d + γ)/(1 + γ))**(p/B), with as many digits as are asked for around it."""
    share = (Fraction(2 * i, dim) + Fraction(gamma)) / (1 + Fraction(gamma))
    power = Fraction(p) / Fraction(scale_base)
    return (mpmath.mpf(share.numerator) / share.denominator) ** (
        mpmath.mpf(power.numerator) / power.denominator
    )


def relative_error(found: float, expected: Any) -> float:
    return float(abs(mpmath.mpf(found) / expected - 1))


@given(
    st.integers(-289_519, 289_519) | st.floats(-289_519, 289_519),
    st.integers(1, 64),
    st.data(),
)
def test_factors_are_exact_to_the_last_digits(p: float, pairs: int, data: st.DataObject) -> None:
    i = data.draw(st.integers(0, pairs - 1))
    with mpmath.workdps(60):
        expected = exact(p, i, 2 * pairs, 512.0, 0.4)
        assert relative_error(xpos_scale(p, 2 * pairs)[i], expected) < 5e-16


@given(
    st.floats(-1, 1),
    st.integers(1, 16),
    st.floats(-53, 53),
    st.floats(-300, 300) | st.floats(-2, 2),
    st.data(),
)
def test_other_bases_and_gammas_as_well(
    share: float, pairs: int, bits: float, digits: float, data: st.DataObject
) -> None:
    scale_base, gamma = 2.0**bits, 10.0**digits
    i = data.draw(st.integers(0, pairs - 1))
    with mpmath.workdps(400):
        g = mpmath.mpf(gamma)
        steepest = abs(mpmath.log(g / (1 + g), 2)) / mpmath.mpf(scale_base)
        p = share * float(min(mpmath.mpf(2) ** 53, 1021.9 / steepest))
        expected = exact(p, i, 2 * pairs, scale_base, gamma)
        found = xpos_scale(p, 2 * pairs, scale_base=scale_base, gamma=gamma)[i]
        assert relative_error(found, expected) < 5e-16


def test_factors_of_x_transformers() -> None:
    case = next(case for case in load_cases("rope_apply") if case.name == "xt_xpos")
    length, dim = case.arguments["seq"], case.arguments["dim"]
    found = xpos_scale(np.arange(length) - length // 2, dim)
    deviation = case.deviation("scale")
    assert deviation is not None
    twice = np.repeat(found, 2, axis=-1)  # each number twice, side by side
    assert_allclose(
        twice, case["scale"].reshape(length, dim), rtol=0, atol=1.005 * deviation + 1e-15
    )


def test_nothing_leaves_the_range_of_float64() -> None:
    ends = xpos_scale([-289_519, 289_519], 4)
    assert ends[0, 0] < 2.0**1022
    assert ends[1, 0] > 2.0**-1022
    assert np.isfinite(1 / ends).all()
    for p in (-289_520, 289_520):
        with pytest.raises(ValueError, match=r"^positions must lie within ±289519 for this"):
            xpos_scale([0, p], 4)
    with np.errstate(all="raise"):
        assert xpos_scale(2**53, 4, scale_base=2.0**53)[0] == xpos_scale(512, 4)[0]
        assert xpos_scale(2**53, 4, gamma=1e300).tolist() == [1, 1]
        assert xpos_scale([0], 2, scale_base=2.0**-53, gamma=5e-324).tolist() == [[1]]


def test_what_does_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("posenc.core.memory.machine_memory", lambda: 2**10)
    assert xpos_scale(np.zeros(64), 4).shape == (64, 2)
    with pytest.raises(ValueError, match=r"^the factors must fit .* got the shape \(65, 2\)$"):
        xpos_scale(np.zeros(65), 4)
