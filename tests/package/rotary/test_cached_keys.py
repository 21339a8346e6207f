"""Keys that are rotated again are those that would have been rotated only once."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import posenc

UNITS = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
SLOW = posenc.inv_freq(16) / np.array([1, 1.1, 1.5, 2, 5, 20, 32, 64])


def rotated(keys: Any, positions: Any, layout: Any, inv_freq: Any, factor: float) -> Any:
    return posenc.apply_rotary(
        keys, positions, layout=layout, inv_freq=inv_freq, attention_factor=factor
    )


def lengths(x: Any, layout: str) -> Any:
    """Return for each of the first 16 channels the length of its pair."""
    first, second = (x[..., 0:16:2], x[..., 1:16:2]) if layout == "interleaved" else (
        x[..., :8], x[..., 8:16]
    )  # fmt: skip
    of_pairs = np.hypot(first, second)
    if layout == "interleaved":
        return np.repeat(of_pairs, 2, axis=-1)
    return np.concatenate([of_pairs, of_pairs], axis=-1)


@pytest.mark.parametrize("dtype", UNITS)
@given(
    st.sampled_from(["interleaved", "half"]),
    st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=4),
    st.integers(-(10**6), 10**6),
    st.sampled_from([None, SLOW]),
    st.integers(0, 2**32),
)
def test_keys_are_off_by_two_roundings(
    dtype: str, layout: Any, positions: list[int], shift: int, new_inv_freq: Any, seed: int
) -> None:
    keys = np.random.default_rng(seed).uniform(1, 2, size=(2, len(positions), 18))
    old = np.array(positions)
    narrow = getattr(ml_dtypes, dtype, dtype)
    cache = rotated(keys, old, layout, posenc.inv_freq(16), 1.25).astype(narrow)

    found = posenc.rerotate_keys(
        cache, old, old + shift, layout=layout, inv_freq=posenc.inv_freq(16),
        new_inv_freq=new_inv_freq, attention_factor=1.25, new_attention_factor=0.75,
    )  # fmt: skip

    new = posenc.inv_freq(16) if new_inv_freq is None else new_inv_freq
    exact = rotated(keys, old + shift, layout, new, 0.75)
    off = abs(found.astype(np.float64) - exact)[..., :16]
    allowed = (16 if dtype == "float64" else 2 + 2**-20) * UNITS[dtype]
    assert found.dtype == cache.dtype
    assert (found[..., 16:] == cache[..., 16:]).all()
    assert (off <= allowed * lengths(exact, layout)).all()


def test_rotary_dim_axes_and_batches_are_those_of_a_rotation() -> None:
    keys = np.random.default_rng(0).normal(size=(2, 5, 3, 8))
    old = np.array([[0, 1, 2, 3, 4], [7, 8, 9, 10, 11]])
    settings: Any = {"seq_axis": -3, "rotary_dim": 6, "base": 500.0}
    cache = posenc.apply_rotary(keys, old, **settings)

    found = posenc.rerotate_keys(cache, old, old - 3, **settings)

    np.testing.assert_allclose(
        found, posenc.apply_rotary(keys, old - 3, **settings), rtol=0, atol=1e-14
    )


def test_each_further_shift_adds_one_rounding() -> None:
    keys = np.random.default_rng(0).uniform(1, 2, size=(100, 16)).astype(np.float32)
    cache, positions = posenc.apply_rotary(keys, np.arange(100)), np.arange(100)
    for _ in range(20):
        cache = posenc.rerotate_keys(cache, positions, positions - 7)
        positions = positions - 7

    exact = posenc.apply_rotary(keys.astype(np.float64), positions)
    off = abs(cache - exact) / lengths(exact, "interleaved")
    assert off.max() <= 21 * 2.0**-24
