"""Compare entries with expected ones, block by block, each within its own limit."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc.judging.comparison import Comparison

Values = NDArray[np.float64]

# Tables are compared in blocks of about this many entries.
BLOCK_SIZE = 2**18


@dataclass(frozen=True)
class Block:
    """Entries to compare: given ones, expected ones, limits, and where the rows come from."""

    given: Values
    wanted: Values
    limit: Values
    rows: NDArray[np.int64]  # the index of each row of the block on the first axis of the array


def compare_blocks(blocks: Iterable[Block], dtype: str) -> Comparison:
    """Return the comparison of all entries, without an explanation.

    The largest difference is that of all entries if these agree, and otherwise that of the entries
    beyond their limits.
    """
    first: tuple[tuple[int, ...], float, float] | None = None
    largest, where, limit, compared = -1.0, None, 0.0, 0
    for block in blocks:
        compared += block.given.size
        difference = _subtract(block.given, block.wanted)
        beyond = difference > block.limit
        if first is None and beyond.any():
            index = tuple(int(number) for number in np.argwhere(beyond)[0])
            first = _locate(block, index), float(block.given[index]), float(block.wanted[index])
            largest = -1.0
        eligible = difference if first is None else np.where(beyond, difference, -1.0)
        if not eligible.size:
            continue
        worst = tuple(int(i) for i in np.unravel_index(int(eligible.argmax()), eligible.shape))
        if float(eligible[worst]) > largest:
            largest, limit = float(eligible[worst]), float(block.limit[worst])
            where = _locate(block, worst)
    if first is None:
        return Comparison(True, None, None, None, max(largest, 0.0), where, limit, dtype, compared)
    return Comparison(False, *first, largest, where, limit, dtype, compared)


def _subtract(given: Values, wanted: Values) -> Values:
    """Return absolute differences: 0 for equal infinities, inf where a difference is NaN."""
    with np.errstate(invalid="ignore"):
        difference = np.where(given == wanted, 0.0, abs(given - wanted))
    return np.where(np.isnan(difference), np.inf, difference)


def _locate(block: Block, index: tuple[int, ...]) -> tuple[int, ...]:
    """Return the index in the whole array of an entry of a block."""
    return (int(block.rows[index[0]]), *index[1:])
