"""layouts: channels and weights are moved where plain Python says, and nowhere else."""

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from posenc.core.layouts import convert_layout, convert_weights
from posenc.rotary.rotation import apply_rotary

Array = NDArray[Any]
TO_HALF: dict[str, Any] = {"source": "interleaved", "target": "half"}
TO_INTERLEAVED: dict[str, Any] = {"source": "half", "target": "interleaved"}


def halves(values: list[Any], r: int) -> list[Any]:
    """First members of all pairs, second members, the rest."""
    return values[0:r:2] + values[1:r:2] + values[r:]


@pytest.mark.parametrize("head_dim", [2, 4, 6, 32])
def test_pairs_are_taken_apart_and_put_together(head_dim: int) -> None:
    channels = list(range(head_dim))
    moved = convert_layout(channels, **TO_HALF)
    assert moved.tolist() == halves(channels, head_dim)
    assert convert_layout(moved, **TO_INTERLEAVED).tolist() == channels


def test_channels_that_are_not_turned_stay() -> None:
    channels = list(range(11))
    for r in (2, 4, 6, 10):
        assert convert_layout(channels, rotary_dim=r, **TO_HALF).tolist() == halves(channels, r)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_the_same_layout_gives_a_copy(layout: str) -> None:
    x = np.arange(8.0)
    same = convert_layout(x, source=layout, target=layout)
    assert same.tolist() == x.tolist()
    assert not np.shares_memory(same, x)
    weights = convert_weights(x, 2, head_dim=4, source=layout, target=layout)
    assert weights.tolist() == x.tolist()
    assert not np.shares_memory(weights, x)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int8", "uint16", ">f4"])
def test_numbers_are_moved_and_not_changed(dtype: str) -> None:
    x = np.arange(2 * 3 * 8).reshape(2, 3, 8).astype(dtype)
    moved = convert_layout(x, **TO_HALF)
    assert moved.dtype == x.dtype
    assert moved.shape == x.shape
    assert [row.tolist() for row in moved.reshape(6, 8)] == [
        halves(row.tolist(), 8) for row in x.reshape(6, 8)
    ]
    nan = convert_layout([np.nan, 1.0, np.inf, 2.0], **TO_HALF)
    assert np.array_equal(nan, [np.nan, np.inf, 1, 2], equal_nan=True)


@pytest.mark.parametrize(("r", "head_dim"), [(8, 8), (4, 8), (6, 9)])
def test_turning_and_moving_commute(r: int, head_dim: int) -> None:
    # The identity that makes the conversion right: interleaved(x)[order] = half(x[order]).
    x = np.random.default_rng(0).normal(size=(2, 5, head_dim))
    moved_after = convert_layout(
        apply_rotary(x, range(5), rotary_dim=r, layout="interleaved"), rotary_dim=r, **TO_HALF
    )
    moved_before = apply_rotary(
        convert_layout(x, rotary_dim=r, **TO_HALF), range(5), rotary_dim=r, layout="half"
    )
    # The same products in the same order: not one bit differs.
    assert moved_after.tolist() == moved_before.tolist()


def scores(x: Array, W_Q: Array, W_K: Array, heads: int, groups: int, **options: Any) -> Array:
    """Scores of all heads, where head h reads the keys of group h // (heads // groups)."""
    positions = np.arange(len(x))
    queries = (x @ W_Q.T).reshape(len(x), heads, -1).transpose(1, 0, 2)
    keys = (x @ W_K.T).reshape(len(x), groups, -1).transpose(1, 0, 2)
    keys = np.repeat(apply_rotary(keys, positions, **options), heads // groups, axis=0)
    turned = apply_rotary(queries, positions, **options)
    return np.array([q @ k.T for q, k in zip(turned, keys, strict=True)])


@pytest.mark.parametrize(("heads", "groups"), [(1, 1), (4, 4), (4, 2), (6, 1)])
@pytest.mark.parametrize("r", [None, 4])
def test_converted_weights_give_the_same_scores(heads: int, groups: int, r: int | None) -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(6, 10))
    W_Q, W_K = rng.normal(size=(heads * 8, 10)), rng.normal(size=(groups * 8, 10))
    expected = scores(x, W_Q, W_K, heads, groups, layout="interleaved", rotary_dim=r)

    new_q = convert_weights(W_Q, heads, head_dim=8, rotary_dim=r, **TO_HALF)
    new_k = convert_weights(W_K, groups, head_dim=8, rotary_dim=r, **TO_HALF)
    result = scores(x, new_q, new_k, heads, groups, layout="half", rotary_dim=r)
    # Sums of 8 products of about 10, in another order.
    assert_allclose(result, expected, rtol=0, atol=1e-12)
    # Converted, but turned in the old layout; or not converted, but turned in the new one.
    for layout, q, k in [("interleaved", new_q, new_k), ("half", W_Q, W_K)]:
        mixed = scores(x, q, k, heads, groups, layout=layout, rotary_dim=r)
        assert abs(mixed - expected).max() > 1
    back = convert_weights(new_q, heads, head_dim=8, rotary_dim=r, **TO_INTERLEAVED)
    assert back.tolist() == W_Q.tolist()


def test_rows_stay_within_their_head_and_biases_move_with_them() -> None:
    for n_heads, head_dim, r in itertools.product((1, 2, 3), (4, 6), (2, 4)):
        rows = list(range(n_heads * head_dim))
        heads = [rows[h * head_dim : (h + 1) * head_dim] for h in range(n_heads)]
        expected = [row for head in heads for row in halves(head, r)]
        options: dict[str, Any] = {"head_dim": head_dim, "rotary_dim": r, **TO_HALF}
        bias = convert_weights(rows, n_heads, **options)
        weights = convert_weights([[row, -row] for row in rows], n_heads, **options)
        assert bias.tolist() == expected
        assert weights.tolist() == [[row, -row] for row in expected]


def test_weights_without_inputs_keep_their_shape() -> None:
    assert convert_weights(np.zeros((8, 0)), 2, head_dim=4, **TO_HALF).shape == (8, 0)
