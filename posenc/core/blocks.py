"""Blocks of large arrays, so that what is computed from one of them stays in the cache."""

import math
from collections.abc import Iterator
from typing import Any

# Numbers in a block.
BLOCK = 2**16

# An index that selects a part of an array.
Index = tuple[Any, ...]


def split_into_blocks(shape: tuple[int, ...], most: int = BLOCK) -> Iterator[Index]:
    """Yield indices of blocks that cover an array of this shape, each entry once.

    A block has at most this many entries, or one row of the last axis if a row has more.
    """
    if math.prod(shape) <= most or len(shape) < 2:
        yield ()
        return
    inner = math.prod(shape[1:])
    if inner <= most:
        step = most // inner
        for first in range(0, shape[0], step):
            yield (slice(first, first + step),)
    else:
        for index in range(shape[0]):
            for rest in split_into_blocks(shape[1:], most):
                yield (index, *rest)
