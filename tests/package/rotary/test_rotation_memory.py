"""rotary: what is turned where it lies takes no copy of it."""

import tracemalloc
from typing import Any

import numpy as np
import pytest

from posenc.rotary.rotation import rotary_cos_sin, rotate_pairs

# What a block of rows needs while it is turned. The smallest array below has eight times that.
BUFFERS = 2**21


def peak_of_turning(x: np.ndarray, **options: Any) -> int:
    """Return how many bytes are allocated at most while `x` is turned in its place."""
    tables = rotary_cos_sin(np.arange(4096), options["rotary_dim"])
    warm = x.copy()
    rotate_pairs(warm, *tables, out=warm, **options)  # whatever is made once, is made
    tracemalloc.start()
    try:
        rotate_pairs(x, *tables, out=x, **options)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("rotary_dim", [128, 32])
def test_rotation_in_place_allocates_little(layout: str, rotary_dim: int) -> None:
    x = np.ones((1, 8, 4096, 128), np.float32)
    assert x.nbytes >= 8 * BUFFERS

    assert 0 < peak_of_turning(x, layout=layout, rotary_dim=rotary_dim) < BUFFERS


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_keys_that_groups_of_queries_share_are_turned_within_the_product(layout: str) -> None:
    """Two heads of keys lie between eight of queries and two of values, at each position."""
    product = np.ones((4, 4096, 8 + 2 + 2, 128), np.float32)
    keys = product[:, :, 8:10].swapaxes(1, 2)
    assert keys.nbytes >= 8 * BUFFERS

    assert 0 < peak_of_turning(keys, layout=layout, rotary_dim=32) < BUFFERS
    assert (product[:, 1:, 8:10, :32] != 1).any()
    assert (np.delete(product, (8, 9), axis=2) == 1).all()
