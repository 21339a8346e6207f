"""parts: each number of an array lies in exactly one, and none is larger than it may be."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.core.parts import BLOCK, blocks, places


@pytest.mark.parametrize(
    "shape",
    [(0,), (3, 0, 8), (2 * BLOCK,), (3, 2 * BLOCK), (BLOCK, 3), (3, 5, 700, 64),
     (700, 5, 1, 64), (2, 3, 5, 7, 130, 8)],
)  # fmt: skip
@pytest.mark.parametrize("inside", [-2, -3])
def test_blocks_cover_each_number_once(inside: int, shape: tuple[int, ...]) -> None:
    x = np.zeros(shape, np.int8)
    if inside == -3 and x.ndim > 2:
        x = np.ascontiguousarray(x.swapaxes(-2, -3)).swapaxes(-2, -3)
    sizes = []
    for rows, parts in blocks(x):
        for place in parts:
            x[rows][place] += 1
            sizes.append(x[rows][place].size)

    assert (x == 1).all()
    assert max(sizes) <= max(BLOCK, *shape[-1:]) or x.ndim == 1
    # Cut neither finer than half of what may be, nor finer than the heads of one position.
    assert len(sizes) <= max(1, 2 * x.size / BLOCK + np.prod(shape[:-2]) + 1)


def test_heads_that_lie_within_a_position_stay_together() -> None:
    x = np.zeros((1, 3000, 4, 16))  # (B, L, H, head_dim)
    outer: Any = list(blocks(x))
    inner: Any = list(blocks(x.swapaxes(1, 2)))

    assert [len(parts) for _, parts in outer] == [3]  # 1024 of 3000 with 4 positions each
    assert [len(parts) for _, parts in inner] == [1, 1, 1]


@given(
    shape=st.lists(st.integers(0, 5), max_size=4).map(tuple),
    most=st.integers(0, 40),
)
def test_places_cover_each_entry_once(shape: tuple[int, ...], most: int) -> None:
    count = np.zeros(shape, int)
    sizes = []
    for place in places(shape, most):
        count[place] += 1
        sizes.append(count[place].size)

    assert (count == 1).all()
    assert max(sizes, default=0) <= max(most, 1)


def test_places_are_rows_as_long_as_can_be() -> None:
    assert list(places((2, 7), 3)) == [
        (row, slice(first, first + 3)) for row in range(2) for first in (0, 3, 6)
    ]
    assert list(places((5, 3), 6)) == [(slice(first, first + 2),) for first in (0, 2, 4)]
    assert list(places((5, 3), 15)) == [()]
