"""blocks: each entry of an array is in exactly one, and none is larger than it may be."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from posenc.core.blocks import BLOCK, split_into_blocks


@given(
    shape=st.lists(st.integers(0, 5), max_size=4).map(tuple),
    most=st.integers(0, 40),
)
def test_blocks_cover_each_entry_once(shape: tuple[int, ...], most: int) -> None:
    count = np.zeros(shape, int)
    sizes = []
    for block in split_into_blocks(shape, most):
        count[block] += 1
        sizes.append(count[block].size)

    assert (count == 1).all()
    assert max(sizes, default=0) <= max(most, *shape[-1:], 1)


def test_blocks_are_as_long_as_they_may_be() -> None:
    assert list(split_into_blocks((3, 2, 7), 14)) == [(slice(row, row + 1),) for row in range(3)]
    assert list(split_into_blocks((2, 5, 3), 6)) == [
        (row, slice(first, first + 2)) for row in range(2) for first in (0, 2, 4)
    ]
    assert list(split_into_blocks((5, 3), 15)) == [()]
    assert list(split_into_blocks((3, BLOCK))) == [(slice(row, row + 1),) for row in range(3)]


def test_rows_are_whole() -> None:
    """A row holds both channels of each pair."""
    assert list(split_into_blocks((2, 7), 3)) == [(0,), (1,)]
    assert list(split_into_blocks((7,), 3)) == [()]
