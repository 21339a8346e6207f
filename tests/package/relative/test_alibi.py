"""alibi: slopes and biases, judged by exact roots, plain loops and plain softmax."""

import inspect
import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import alibi_bias, alibi_bias_at, alibi_slopes, attention, attention_weights
from posenc.limits.masks import causal_mask, key_padding_mask, packed_mask
from posenc.relative import alibi


def exponents(n_heads: int) -> list[Fraction]:
    """Recurse as the rule is told: a power of two at once, others from the halves."""
    if n_heads & (n_heads - 1) == 0:
        return [Fraction(-8 * place, n_heads) for place in range(1, n_heads + 1)]
    below = 1
    while 2 * below < n_heads:
        below *= 2
    return exponents(below) + exponents(2 * below)[::2][: n_heads - below]


def as_in_mpt(n_heads: int, bias_max: float) -> list[float]:
    """The list of `gen_slopes` in llm-foundry: that of the next power of two, odd places first."""
    above = 2 ** math.ceil(math.log2(n_heads))
    slopes = [1 / 2 ** (place * bias_max / above) for place in range(1, above + 1)]
    return slopes if above == n_heads else (slopes[1::2] + slopes[::2])[:n_heads]


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


def plain_softmax(logits: Any) -> Any:
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def test_slopes_known_by_hand() -> None:
    assert alibi_slopes(1).tolist() == [2**-8]
    assert alibi_slopes(2).tolist() == [2**-4, 2**-8]
    assert alibi_slopes(3).tolist() == [2**-4, 2**-8, 2**-2]
    assert alibi_slopes(8).tolist() == [1 / 2**place for place in range(1, 9)]
    twelve = alibi_slopes(12)
    assert twelve[:8].tolist() == alibi_slopes(8).tolist()
    # The squares are 2**-1, 2**-3, 2**-5, 2**-7; a square doubles the rounding of a root.
    assert_allclose(twelve[8:] ** 2, [0.5, 0.125, 0.03125, 0.0078125], rtol=1e-15)


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


@given(st.integers(1, 300), st.sampled_from([1, 4, 8, 10, 16]))
def test_slopes_stand_in_the_order_of_mpt(n_heads: int, bias_max: int) -> None:
    # Products and powers of plain Python, within a few units in the last place.
    assert_allclose(
        alibi_slopes(n_heads, bias_max=bias_max), as_in_mpt(n_heads, bias_max), rtol=1e-14
    )


def test_an_exponent_of_8_changes_no_bit() -> None:
    for n_heads in range(1, 200):
        n = 2 ** math.floor(math.log2(n_heads))
        of_n = [2.0 ** (-8 * (h + 1) / n) for h in range(n)]
        of_2n = [2.0 ** (-4 * (h + 1) / n) for h in range(2 * n)]
        expected = of_n + of_2n[::2][: n_heads - n]
        assert alibi_slopes(n_heads).tolist() == expected
        assert alibi_slopes(n_heads, bias_max=8).tolist() == expected
    assert inspect.signature(alibi_slopes).parameters["bias_max"].default == 8
    assert inspect.signature(alibi_bias).parameters["bias_max"].default == 8
    assert inspect.signature(alibi_bias_at).parameters["bias_max"].default == 8


def test_the_bias_falls_with_the_slopes_of_its_exponent() -> None:
    found = alibi_bias(4, 1, 3, bias_max=16)
    assert found[:, 0].tolist() == [
        [-2 * 16.0**-place, -(16.0**-place), 0] for place in (1, 2, 3, 4)
    ]
    assert alibi_bias_at([2], [0, 1, 2], 4, bias_max=16).tolist() == found.tolist()


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


def test_bias_is_causal_unless_told_otherwise() -> None:
    assert inspect.signature(alibi_bias).parameters["form"].default == "causal"
    causal = alibi_bias(3, 4)
    for row in range(4):
        assert (causal[:, row, row + 1 :] == -np.inf).all()
        assert np.isfinite(causal[:, row, : row + 1]).all()
    assert_array_equal(alibi_bias(3, 4, None), alibi_bias(3, 4, 4))


def test_bias_at_far_positions_is_the_slope_times_the_distance() -> None:
    last = alibi_bias(4, 1, 1_000_001)
    assert last[:, 0, 0].tolist() == [-1_000_000 * 4.0**-place for place in (1, 2, 3, 4)]
    assert last[:, 0, -2].tolist() == [-(4.0**-place) for place in (1, 2, 3, 4)]


def test_bias_fits_attention_as_it_is() -> None:
    Q, K, V = np.random.default_rng(0).normal(size=(3, 6, 5, 4))
    scores = np.einsum("hpc,hqc->hpq", Q, K) / 2
    for form in alibi.FORMS:
        penalty = np.array(loops(6, 5, 5, form == "symmetric"))
        expected = plain_softmax(scores + penalty) @ V
        # Sums of a few numbers near 1, rounded in another order.
        assert_allclose(attention(Q, K, V, bias=alibi_bias(6, 5, form=form)), expected, atol=1e-14)


def test_a_constant_for_a_row_is_not_seen_under_the_mask_and_is_without() -> None:
    Q, K = np.random.default_rng(1).normal(size=(2, 4, 6, 3))
    key_only = np.array([2.0 ** float(e) for e in exponents(4)])[:, None, None] * np.arange(6)
    key_only = np.broadcast_to(key_only, (4, 6, 6)).copy()
    usual = attention_weights(Q, K, bias=alibi_bias(4, 6))
    masked = attention_weights(Q, K, bias=key_only, mask=causal_mask(6))
    # The logits differ by at most 5/4; each is rounded near 1.
    assert_allclose(masked, usual, rtol=0, atol=1e-15)
    symmetric = attention_weights(Q, K, bias=alibi_bias(4, 6, form="symmetric"))
    assert abs(attention_weights(Q, K, bias=key_only) - symmetric).max() > 0.1


@given(st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_the_symmetric_form_alone_is_reversed_with_its_input(length: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    Q, K, V = rng.normal(size=(3, 5, length, 4))
    bias = alibi_bias(5, length, form="symmetric")
    ahead = attention(Q, K, V, bias=bias)
    back = attention(Q[:, ::-1], K[:, ::-1], V[:, ::-1], bias=bias)
    # The same numbers in another order of summation.
    assert_allclose(back, ahead[:, ::-1], rtol=0, atol=1e-13)


def test_the_causal_form_is_not() -> None:
    Q, K, V = np.random.default_rng(2).normal(size=(3, 5, 6, 4))
    bias = alibi_bias(5, 6)
    ahead = attention(Q, K, V, bias=bias)
    back = attention(Q[:, ::-1], K[:, ::-1], V[:, ::-1], bias=bias)
    assert abs(back - ahead[:, ::-1]).max() > 0.1


@given(st.integers(1, 6), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_step_by_step_is_the_full_pass(n_heads: int, length: int, seed: int) -> None:
    Q, K, V = np.random.default_rng(seed).normal(size=(3, n_heads, length, 4))
    full = attention(Q, K, V, bias=alibi_bias(n_heads, length))
    for row in range(length):
        one = slice(row, row + 1)
        seen = slice(0, row + 1)
        bias = alibi_bias(n_heads, 1, row + 1)
        step = attention(Q[:, one], K[:, seen], V[:, seen], bias=bias)
        # Products of other shapes may add in another order.
        assert_allclose(step, full[:, one], rtol=0, atol=1e-14)
        assert_array_equal(bias, alibi_bias(n_heads, length)[:, one, seen])


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
    assert found.tobytes() == lengths.tobytes()


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


def test_the_ends_of_the_range() -> None:
    far = 2**53
    assert alibi_bias_at([far], [-far], 8)[:, 0, 0].tolist() == [
        -(2.0 ** (54 - place)) for place in range(1, 9)
    ]
    with np.errstate(all="raise"):  # too small for float64 is 0
        tiny = alibi_bias_at([5e-324, 1e-300], [0.0], 1, bias_max=1022)
    assert tiny.tolist() == [[[0.0], [0.0]]]
    assert not np.signbit(tiny).any()


def test_a_left_padded_text_is_as_it_is_alone() -> None:
    Q, K, V = np.random.default_rng(3).normal(size=(3, 2, 4, 5, 3))
    real = np.array([[False, False, True, True, True], [True] * 5])
    p = np.array([[0, 0, 0, 1, 2], [0, 1, 2, 3, 4]])
    mask = key_padding_mask(real)[:, np.newaxis]
    found = attention(Q, K, V, mask=mask, bias=alibi_bias_at(p, p, 4))
    alone = attention(Q[0, :, 2:], K[0, :, 2:], V[0, :, 2:], bias=np.array(loops(4, 3, 3, False)))
    # The same numbers, in sums that have zeros beside them.
    assert_allclose(found[0, :, 2:], alone, rtol=0, atol=1e-14)
    whole = attention(Q[1], K[1], V[1], bias=np.array(loops(4, 5, 5, False)))
    assert_allclose(found[1], whole, rtol=0, atol=1e-14)


def test_texts_of_a_packed_row_are_as_they_are_alone() -> None:
    Q, K, V = np.random.default_rng(4).normal(size=(3, 4, 5, 3))
    p = [0, 1, 2, 0, 1]
    found = attention(Q, K, V, mask=packed_mask([3, 2]), bias=alibi_bias_at(p, p, 4))
    for part in (slice(0, 3), slice(3, 5)):
        n = part.stop - part.start
        alone = attention(Q[:, part], K[:, part], V[:, part], bias=np.array(loops(4, n, n, False)))
        assert_allclose(found[:, part], alone, rtol=0, atol=1e-14)


def test_a_new_token_after_padding_counts_real_tokens() -> None:
    """Two prompts, padded on the right, and one more token for each in the last place."""
    Q, K, V = np.random.default_rng(5).normal(size=(3, 2, 4, 4, 3))
    real = np.array([[True, False, False, True], [True, True, True, True]])
    keys = np.array([[0, 0, 0, 1], [0, 1, 2, 3]])
    mask = key_padding_mask(real)[:, np.newaxis, -1:]
    found = attention(Q[:, :, -1:], K, V, mask=mask, bias=alibi_bias_at(keys[:, -1:], keys, 4))
    there = [0, 3]
    short = np.array(loops(4, 1, 2, False))
    alone = attention(Q[0, :, -1:], K[0][:, there], V[0][:, there], bias=short)
    assert_allclose(found[0], alone, rtol=0, atol=1e-14)
    by_places = attention(Q[:, :, -1:], K, V, mask=mask, bias=alibi_bias(4, 1, 4)[np.newaxis])
    assert abs(by_places[0] - alone).max() > 1e-3  # which counts the padding, too


def test_positions_are_left_as_they_were() -> None:
    p, q = np.arange(3), np.arange(5.0)[::-1]
    before = p.tobytes(), q.tobytes()
    alibi_bias_at(p, q, 4)
    assert (p.tobytes(), q.tobytes()) == before


def test_what_does_not_fit_into_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("posenc.core.checks.memory", lambda: 2**16)
    assert alibi_bias_at(np.zeros(16), np.zeros(16), 32).shape == (32, 16, 16)
    with pytest.raises(ValueError, match=r"^the bias must fit .* got the shape \(32, 16, 17\)$"):
        alibi_bias_at(np.zeros(16), np.zeros(17), 32)


def test_integers_of_numpy_are_integers() -> None:
    assert_array_equal(alibi_slopes(np.uint8(6)), alibi_slopes(6))
    assert alibi_bias(np.int16(2), np.int8(3), np.int64(5)).shape == (2, 3, 5)
