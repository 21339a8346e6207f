"""Large arrays, part by part, so that what lies between input and output stays in the cache."""

import math
from collections.abc import Iterator
from typing import Any

from numpy.typing import NDArray

# Numbers at a time.
BLOCK = 2**16

# An index that selects a part of an array.
Place = tuple[Any, ...]


def blocks(x: NDArray[Any]) -> Iterator[tuple[Place, list[Place]]]:
    """Yield some positions of x (..., L, channels) at a time, and the parts that these have."""
    if x.size <= BLOCK or x.ndim == 1:  # a decoded token, say
        yield (), [()]
        return
    length, channels = x.shape[-2:]
    # With all heads of a position, where they lie side by side; else head by head.
    together = x.ndim > 2 and abs(x.strides[-3]) < abs(x.strides[-2])
    step = max(1, BLOCK // (channels * (x.shape[-3] if together else 1)))
    parts = list(places(x.shape[:-2], BLOCK // (channels * min(step, length))))
    for first in range(0, length, step):
        yield (..., slice(first, first + step), slice(None)), parts


def places(shape: tuple[int, ...], most: int) -> Iterator[Place]:
    """Yield where parts of an array lie, of at most `most` entries or of one, in turn.

    Each is as much of the array as can be had side by side.
    """
    if math.prod(shape) <= max(1, most):
        yield ()
        return
    inner = math.prod(shape[1:])
    if inner <= most:
        step = most // inner
        for first in range(0, shape[0], step):
            yield (slice(first, first + step),)
    else:
        for index in range(shape[0]):
            for place in places(shape[1:], most):
                yield (index, *place)
