"""scaled_dot_product against loops in plain Python and exact special values."""

import itertools
import math
import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc.core.attention import attention, attention_weights, softmax

INF = math.inf
lengths = st.integers(1, 5)
seeds = st.integers(0, 10_000)

# Weights are quotients of sums of a few exponentials, at most 1: some roundings of 1e-16.
# Logits stay below 50, so that their own roundings (50 * eps = 1e-14) enter as well.
CLOSE = 1e-13


def weigh(row: list[float]) -> list[float]:
    """Turn one row of logits into weights; a row of -inf weighs nothing."""
    top = max(row, default=-INF)
    if top == -INF:
        return [0.0 for _ in row]
    powers = [math.exp(x - top) for x in row]
    return [x / math.fsum(powers) for x in powers]


def attend(Q: Any, K: Any, mask: Any = None, bias: Any = None) -> list[list[float]]:
    """Weigh one head, one query and one key at a time."""
    weights = []
    for r, query in enumerate(Q):
        logits = []
        for s, key in enumerate(K):
            dot = math.fsum(float(a) * float(b) for a, b in zip(query, key, strict=True))
            logit = dot / math.sqrt(len(query)) + (0.0 if bias is None else float(bias[r][s]))
            logits.append(logit if mask is None or mask[r][s] else -INF)
        weights.append(weigh(logits))
    return weights


def mix(weights: list[list[float]], V: Any) -> list[list[float]]:
    """Add up the values, each times its weight."""
    channels = range(len(V[0]))
    return [
        [math.fsum(w * float(value[c]) for w, value in zip(row, V, strict=True)) for c in channels]
        for row in weights
    ]


@given(
    rows=st.lists(
        st.lists(st.floats(-50, 50) | st.just(-INF), min_size=3, max_size=3), min_size=1, max_size=4
    )
)
def test_softmax_agrees_with_the_loop(rows: list[list[float]]) -> None:
    expected = [weigh(row) for row in rows]
    assert_allclose(softmax(rows), expected, rtol=0, atol=CLOSE)
    assert_allclose(softmax(np.array(rows).T, axis=0), np.array(expected).T, rtol=0, atol=CLOSE)


def test_softmax_along_any_axis() -> None:
    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    for axis, back in [(0, 0), (1, 1), (2, 2), (-1, 2), (-3, 0)]:
        rows = np.moveaxis(x, back, -1).reshape(-1, x.shape[back])
        found = np.moveaxis(softmax(x, axis), back, -1).reshape(rows.shape)
        assert_allclose(found, [weigh(row) for row in rows.tolist()], rtol=0, atol=CLOSE)


def test_softmax_of_extremes_is_exact() -> None:
    assert softmax([[-1.7e308, 1.7e308], [-INF, -1.7e308]]).tolist() == [[0, 1], [0, 1]]
    assert softmax([[-INF, -INF], [5.0, 5.0]]).tolist() == [[0, 0], [0.5, 0.5]]
    assert softmax(np.empty((2, 0))).shape == (2, 0)
    assert softmax(np.empty((0, 2))).shape == (0, 2)


@given(
    seed=seeds,
    l_q=lengths,
    l_k=lengths,
    d_k=lengths,
    d_v=lengths,
    masked=st.booleans(),
    biased=st.booleans(),
)
def test_attention_agrees_with_the_loop(
    seed: int, l_q: int, l_k: int, d_k: int, d_v: int, masked: bool, biased: bool
) -> None:
    rng = np.random.default_rng(seed)
    Q, K, V = (rng.normal(size=shape) for shape in ((l_q, d_k), (l_k, d_k), (l_k, d_v)))
    mask = rng.random((l_q, l_k)) < 0.6 if masked else None
    bias = 3 * rng.normal(size=(l_q, l_k)) if biased else None
    weights = attend(Q, K, mask, bias)
    assert_allclose(attention_weights(Q, K, mask=mask, bias=bias), weights, rtol=0, atol=CLOSE)
    assert_allclose(attention(Q, K, V, mask=mask, bias=bias), mix(weights, V), rtol=0, atol=CLOSE)


# (B, H, L_q, L_k) with 1 for any of its axes.
BROADCAST = [
    tuple(n if own else 1 for n, own in zip((2, 3, 4, 5), axes, strict=True))
    for axes in itertools.product([False, True], repeat=4)
]


@pytest.mark.parametrize("shape", BROADCAST)
def test_an_axis_of_length_1_is_broadcast(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(2)
    Q, K, V = (rng.normal(size=(2, 3, *axes)) for axes in ((4, 6), (5, 6), (5, 7)))
    mask, bias = rng.random(shape) < 0.6, 3 * rng.normal(size=shape)
    found = attention_weights(Q, K, mask=mask, bias=bias)
    mixed = attention(Q, K, V, mask=mask, bias=bias)
    assert (found.shape, mixed.shape) == ((2, 3, 4, 5), (2, 3, 4, 7))
    for b, h in np.ndindex(2, 3):
        places = [[_at((b, h, r, s), shape) for s in range(5)] for r in range(4)]
        own = [[[array[place] for place in row] for row in places] for array in (mask, bias)]
        expected = attend(Q[b, h], K[b, h], *own)
        assert_allclose(found[b, h], expected, rtol=0, atol=CLOSE)
        assert_allclose(mixed[b, h], mix(expected, V[b, h]), rtol=0, atol=CLOSE)


def _at(place: tuple[int, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return where an array that has the length 1 along some axes is read."""
    return tuple(0 if n == 1 else i for i, n in zip(place, shape, strict=True))


def test_broadcasting_without_leading_axes_and_without_keys() -> None:
    zeros, rows = np.zeros((3, 1)), [[True], [False], [True]]
    # Equal logits share equally: 1/2 and 1/4 are exact.
    assert (
        attention_weights(zeros, zeros, mask=[[True, False, True]]).tolist() == [[0.5, 0, 0.5]] * 3
    )
    assert attention_weights(zeros, zeros[:2], mask=rows).tolist() == [
        [0.5, 0.5],
        [0, 0],
        [0.5, 0.5],
    ]
    assert attention_weights(zeros, zeros[:2], bias=[[-INF]]).tolist() == [[0, 0]] * 3
    assert attention_weights(zeros, zeros[:0], mask=rows, bias=[[1.0]]).shape == (3, 0)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "uint64", ">i4"])
def test_a_mask_of_zeros_and_ones_is_one_of_booleans(dtype: str) -> None:
    rng = np.random.default_rng(3)
    Q, K, V = (rng.normal(size=(2, 3, *axes)) for axes in ((4, 6), (5, 6), (5, 7)))
    ones = [[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]  # as tokenizers give it
    mask = np.array(ones, dtype=dtype)[:, None, None, :]
    mask.flags.writeable = False
    found = attention(Q, K, V, mask=mask)
    for b, h in np.ndindex(2, 3):
        real = ones[b].count(1)
        expected = mix(attend(Q[b, h], K[b, h, :real]), V[b, h, :real])
        assert_allclose(found[b, h], expected, rtol=0, atol=CLOSE)


@given(
    seed=seeds,
    texts=st.lists(st.integers(0, 2), max_size=2),
    groups=st.integers(1, 3),
    members=st.integers(0, 3),
    l_q=lengths,
    l_k=lengths,
    d_k=lengths,
    shared=st.booleans(),
)
def test_grouped_queries_agree_with_the_loop(
    seed: int,
    texts: list[int],
    groups: int,
    members: int,
    l_q: int,
    l_k: int,
    d_k: int,
    shared: bool,
) -> None:
    rng = np.random.default_rng(seed)
    heads = groups * members
    Q = rng.normal(size=(*texts, heads, l_q, d_k))
    K, V = (rng.normal(size=(*texts, groups, l_k, d)) for d in (d_k, 3))
    axes = (1 if shared else heads, l_q, l_k)
    mask, bias = rng.random((*texts, *axes)) < 0.6, rng.normal(size=(*texts, *axes))
    options: Any = {"mask": mask, "bias": bias, "enable_gqa": True}
    weights, mixed = attention_weights(Q, K, **options), attention(Q, K, V, **options)
    assert (weights.shape, mixed.shape) == ((*texts, heads, l_q, l_k), (*texts, heads, l_q, 3))
    for place in np.ndindex(*texts, heads):
        *text, h = place
        source = (*text, h // members)  # neighbours share
        own = (*text, 0 if shared else h)
        expected = attend(Q[place], K[source], mask[own], bias[own])
        assert_allclose(weights[place], expected, rtol=0, atol=CLOSE)
        assert_allclose(mixed[place], mix(expected, V[source]), rtol=0, atol=CLOSE)


@pytest.mark.parametrize("l_q", [1, 7])
def test_grouped_queries_have_the_bits_of_repeated_keys(l_q: int) -> None:
    rng = np.random.default_rng(4)
    Q, (K, V) = rng.normal(size=(2, 6, l_q, 16)), rng.normal(size=(2, 2, 3, 9, 16))
    repeated = [np.repeat(X, 2, axis=-3) for X in (K, V)]
    assert (attention(Q, K, V, enable_gqa=True) == attention(Q, *repeated)).all()
    weights = attention_weights(Q, K, enable_gqa=True)
    assert (weights == attention_weights(Q, repeated[0])).all()
    # As many heads as queries have are groups of one.
    own = attention(Q, *repeated, enable_gqa=True)
    assert (own == attention(Q, *repeated)).all()


def test_grouped_queries_copy_no_keys() -> None:
    Q, (K, V) = np.ones((64, 1, 8)), np.ones((2, 1, 4096, 8))
    attention(Q, K, V, enable_gqa=True)  # what is kept for the next call does not count
    tracemalloc.start()
    attention(Q, K, V, enable_gqa=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # Repeated, K and V take 16 MiB each; an array of the weights takes 2.
    assert peak < 16 * 2**20
