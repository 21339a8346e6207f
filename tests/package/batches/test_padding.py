"""padding against fractions and plain Python."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from posenc.batches.padding import masked_loss, masked_mean, zero_at_padding
from tests.bits import assert_same_bits

shapes = st.tuples(st.integers(0, 3), st.integers(1, 5), st.integers(0, 4))
seeds = st.integers(0, 10_000)


def drawn(seed: int, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Return numbers of very different sizes, and places of which some are real."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=shape) * 10.0 ** rng.integers(-8, 8, size=shape)
    return X, rng.random(shape[:-1]) < 0.6


@given(seed=seeds, shape=shapes)
def test_zero_at_padding_keeps_real_rows_bit_for_bit(seed: int, shape: tuple[int, ...]) -> None:
    X, real = drawn(seed, shape)
    for dtype in (np.float16, np.float32, np.float64):
        rows = (X / 1e8).astype(dtype)
        rows.flags.writeable = False  # a write raises
        found = zero_at_padding(rows, real)
        assert found.dtype == dtype
        assert found.shape == shape
        for place in np.ndindex(shape[:-1]):
            expected = rows[place] if real[place] else np.zeros(shape[-1], dtype)
            assert_same_bits(found[place], expected)  # +0.0, and no -0.0


def test_zero_at_padding_keeps_the_order_of_bytes() -> None:
    for dtype in (">f2", ">f4", "<f8", ">f8"):
        found = zero_at_padding(np.ones((2, 1), dtype), [True, False])
        assert found.dtype == np.dtype(dtype)
        assert found.tolist() == [[1], [0]]


def test_zero_at_padding_hands_out_no_view() -> None:
    X = np.ones((2, 3))
    zero_at_padding(X, [True, True])[0, 0] = 7
    assert X.tolist() == np.ones((2, 3)).tolist()


@given(seed=seeds, shape=shapes)
def test_masked_loss_is_the_mean_of_fractions(seed: int, shape: tuple[int, ...]) -> None:
    X, _ = drawn(seed, shape)
    real = np.random.default_rng(seed).random(shape) < 0.6
    if not real.any():
        return
    exact = [
        Fraction(x) for x, u in zip(X.ravel().tolist(), real.ravel().tolist(), strict=True) if u
    ]
    # fsum rounds once, the quotient once more: 2 * 2**-53 of the mean, or of the smallest sum.
    expected = sum(exact, Fraction(0)) / len(exact)
    assert abs(Fraction(masked_loss(X, real)) - expected) <= Fraction(3, 2**53) * abs(expected)


@given(seed=seeds, shape=shapes)
def test_masked_mean_is_the_mean_over_real_rows(seed: int, shape: tuple[int, ...]) -> None:
    X, real = drawn(seed, shape)
    real[:, seed % shape[1]] = True
    found = masked_mean(X, real)
    assert found.dtype == np.float64
    assert found.shape == (shape[0], shape[2])
    for b, c in np.ndindex(found.shape):
        column = [float(X[b, t, c]) for t in range(shape[1]) if real[b, t]]
        # At most 5 numbers: 4 sums and a quotient, each off by 2**-53 of what was summed.
        bound = 5 * 2**-53 * math.fsum(map(abs, column))
        assert abs(found[b, c] - math.fsum(column) / len(column)) <= bound


def test_masked_mean_of_one_sequence_and_of_many_axes() -> None:
    X = np.arange(24.0).reshape(2, 2, 3, 2)
    real = np.array([[[1, 0, 1], [0, 1, 0]], [[1, 1, 1], [0, 0, 1]]], dtype=bool)
    found = masked_mean(X.astype(np.int8), real)
    assert found.tolist() == [[[2, 3], [8, 9]], [[14, 15], [22, 23]]]
    assert masked_mean(X[0, 0], [True, False, False]).tolist() == [0, 1]
    halves = np.array([[60000], [60000]], dtype=np.float16)
    assert masked_mean(halves, [True, True]).tolist() == [60000]


X, LOSSES, REAL = np.ones((2, 3, 4)), np.ones((2, 3)), np.ones((2, 3), dtype=bool)
