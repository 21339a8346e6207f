"""alibi: slopes and biases, judged by exact roots, plain loops and plain softmax."""

import inspect
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import alibi_bias, alibi_bias_at, alibi_slopes
from posenc.biases import alibi
from tests.bits import assert_same_bits


def exponents(n_heads: int) -> list[Fraction]:
    """Recurse as the rule is told: a power of two at once, others from the halves."""
    if n_heads & (n_heads - 1) == 0:
        return [Fraction(-8 * place, n_heads) for place in range(1, n_heads + 1)]
    below = 1
    while 2 * below < n_heads:
        below *= 2
    return exponents(below) + exponents(2 * below)[::2][: n_heads - below]


def penalty(slope: float, p: float, q: float, symmetric: bool) -> float:
    """One entry, from exact fractions."""
    if not symmetric and q > p:
        return -math.inf
    return float(-Fraction(slope) * abs(Fraction(p) - Fraction(q)))


def loops(n_heads: int, q_len: int, k_len: int, symmetric: bool) -> list[list[list[float]]]:
    """Count places, query by query and key by key."""
    first = k_len - q_len
    return [
        [
            [
                -(2.0**slope) * abs(first + row - key)
                if symmetric or key <= first + row
                else -math.inf
                for key in range(k_len)
            ]
            for row in range(q_len)
        ]
        for slope in map(float, exponents(n_heads))
    ]


@given(st.integers(1, 300))
def test_slopes_of_any_number_of_heads_are_the_exact_roots(n_heads: int) -> None:
    with mpmath.workdps(40):
        two = mpmath.mpf(2)
        roots = [two ** (mpmath.mpf(e.numerator) / e.denominator) for e in exponents(n_heads)]
        exact = [float(root) for root in roots]
    found = alibi_slopes(n_heads)
    assert found.shape == (n_heads,)
    assert found.dtype == np.float64
    # The power of the C library is within one unit in the last place.
    assert_allclose(found, exact, rtol=2.3e-16, atol=0)
    whole = [e.denominator == 1 for e in exponents(n_heads)]
    assert_array_equal(found[whole], np.array(exact)[whole])
    assert len(set(found.tolist())) == n_heads
    assert found.min() == 2**-8
    assert found.max() < 1


@given(st.integers(1, 300), st.sampled_from([0.25, 1, 2.5, 3, 7, 8, 10, 16, 100, 1022, 0.1, 999.9]))
def test_slopes_down_to_another_exponent_are_the_exact_roots(n: int, bias_max: float) -> None:
    with mpmath.workdps(400):
        share = Fraction(bias_max) / 8
        powers = [e * share for e in exponents(n)]
        exact = [
            float(mpmath.mpf(2) ** (mpmath.mpf(power.numerator) / power.denominator))
            for power in powers
        ]
    found = alibi_slopes(n, bias_max=bias_max)
    rounded = 0.0 if float(8 * bias_max).is_integer() else 0.7 * bias_max * 2.0**-53
    assert_allclose(found, exact, rtol=2.3e-16 + rounded, atol=0)
    whole = [power.denominator == 1 for power in powers]
    assert_array_equal(found[whole], np.array(exact)[whole])
    assert found.min() == 2.0**-bias_max
    assert found.max() < 1
    if bias_max >= 1:
        assert len(set(found.tolist())) == n


@given(st.integers(1, 20), st.integers(0, 7), st.integers(0, 7), st.sampled_from(alibi.FORMS))
def test_bias_is_the_penalty_counted_place_by_place(
    n_heads: int, q_len: int, more: int, form: str
) -> None:
    found = alibi_bias(n_heads, q_len, q_len + more, form=form)
    assert found.shape == (n_heads, q_len, q_len + more)
    assert found.dtype == np.float64
    expected = loops(n_heads, q_len, q_len + more, form == "symmetric")
    # One unit of the slope, one rounding of the product; -inf equals -inf.
    assert_allclose(found, np.reshape(expected, found.shape), rtol=4e-16, atol=0)
    assert not np.signbit(found[found == 0]).any()  # a plain 0, not -0


@given(
    st.integers(1, 20),
    st.integers(0, 7),
    st.integers(0, 7),
    st.sampled_from(alibi.FORMS),
    st.sampled_from([8.0, 3.5, 16.0]),
)
def test_the_last_positions_give_the_bias_of_lengths_bit_for_bit(
    n_heads: int, q_len: int, more: int, form: alibi.Form, bias_max: float
) -> None:
    k_len = q_len + more
    found = alibi_bias_at(range(more, k_len), range(k_len), n_heads, form=form, bias_max=bias_max)
    lengths = alibi_bias(n_heads, q_len, k_len, form=form, bias_max=bias_max)
    assert found.shape == lengths.shape
    assert found.dtype == lengths.dtype
    assert_same_bits(found, lengths)


ANY = st.lists(
    st.one_of(
        st.integers(-(2**53), 2**53),
        st.integers(-20, 20),
        st.floats(-50, 50, allow_subnormal=False),
    ),
    min_size=0,
    max_size=5,
)


@given(ANY, ANY, st.integers(1, 12), st.sampled_from(alibi.FORMS))
def test_any_positions_are_judged_by_fractions(
    p: list[float], q: list[float], n_heads: int, form: alibi.Form
) -> None:
    found = alibi_bias_at(p, q, n_heads, form=form)
    assert found.shape == (n_heads, len(p), len(q))
    slopes = alibi_slopes(n_heads).tolist()
    for h, row, key in np.ndindex(found.shape):
        expected = penalty(slopes[h], float(p[row]), float(q[key]), form == "symmetric")
        # The difference and the product are rounded once each; -inf equals -inf.
        assert math.isclose(found[h, row, key], expected, rel_tol=3e-16, abs_tol=1e-300)
    assert not np.signbit(found[found == 0]).any()


@given(st.integers(0, 3), st.integers(0, 4), st.integers(0, 4), st.sampled_from(alibi.FORMS))
def test_each_text_of_a_batch_has_its_own_positions(
    batch: int, q_len: int, k_len: int, form: alibi.Form
) -> None:
    rng = np.random.default_rng([batch, q_len, k_len])
    p = rng.integers(0, 9, (batch, q_len))
    q = rng.uniform(0, 9, (batch, k_len))
    found = alibi_bias_at(p, q, 6, form=form)
    assert found.shape == (batch, 6, q_len, k_len)
    assert found.dtype == np.float64
    slopes = alibi_slopes(6).tolist()
    for b, h, row, key in np.ndindex(found.shape):
        expected = penalty(slopes[h], float(p[b, row]), float(q[b, key]), form == "symmetric")
        assert math.isclose(found[b, h, row, key], expected, rel_tol=3e-16)


def test_the_causal_form_of_positions_is_the_default_and_hides_what_is_larger() -> None:
    assert inspect.signature(alibi_bias_at).parameters["form"].default == "causal"
    just_above = float(np.nextafter(1.0, 2.0))
    # Order in memory is not the order of positions; an equal position is seen.
    found = alibi_bias_at([1.0, 0.0], [just_above, 1.0, 0.0, -1.0], 1)[0]
    assert found.tolist() == [
        [-math.inf, 0, -(2**-8), -(2**-7)],
        [-math.inf, -math.inf, 0, -(2**-8)],
    ]


def test_largest_and_smallest_positions() -> None:
    far = 2**53
    assert alibi_bias_at([far], [-far], 8)[:, 0, 0].tolist() == [
        -(2.0 ** (54 - place)) for place in range(1, 9)
    ]
    with np.errstate(all="raise"):  # too small for float64 is 0
        tiny = alibi_bias_at([5e-324, 1e-300], [0.0], 1, bias_max=1022)
    assert tiny.tolist() == [[[0.0], [0.0]]]
    assert not np.signbit(tiny).any()


def test_what_does_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("posenc.core.memory.machine_memory", lambda: 2**16)
    assert alibi_bias_at(np.zeros(16), np.zeros(16), 32).shape == (32, 16, 16)
    with pytest.raises(ValueError, match=r"^the bias must fit .* got the shape \(32, 16, 17\)$"):
        alibi_bias_at(np.zeros(16), np.zeros(17), 32)
