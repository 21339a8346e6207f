"""Find which rearrangement or common factor makes one table of another."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from posenc.core.layouts import LAYOUTS, convert_layout
from posenc.judging import precision

Values = NDArray[np.float64]


def find_rearrangement(given: Values, wanted: Values, dtype: str, other: str) -> str | None:
    """Return which rearrangement makes one array of another, in words, or None."""
    unit = 3 * (precision.UNITS[dtype] + precision.UNITS[other])
    for words, ours, theirs in _list_rearrangements(given, wanted):
        limit = 2 * unit * abs(theirs) + precision.TINY[dtype]
        if ours.size and ours.shape == theirs.shape and bool((abs(ours - theirs) <= limit).all()):
            return words
    return None


def _list_rearrangements(given: Values, wanted: Values) -> Iterator[tuple[str, Values, Values]]:
    """Yield rearrangements of a table, in words, with the two sides that then agree."""
    d = given.shape[1]
    yield describe_transposed(wanted, "it is transposed"), given, wanted.T
    yield "rows are one position ahead", given[:-1], wanted[1:]
    yield "rows are one position behind", given[1:], wanted[:-1]
    yield "rows in reverse order", given, wanted[::-1]
    yield "all entries have the opposite sign", given, -wanted
    if d % 2 == 0 and d > 2:
        yield "the two halves of the channels are exchanged", given, np.roll(wanted, d // 2, axis=1)
        neighbours = np.arange(d).reshape(-1, 2)[:, ::-1].ravel()
        yield "neighbouring channels are exchanged", given, wanted[:, neighbours]
        for source, target in (LAYOUTS, LAYOUTS[::-1]):
            other = convert_layout(wanted, source=source, target=target)
            yield f"{target} layout instead of {source}", given, other
    size = float((wanted * wanted).sum())
    factor = float((given * wanted).sum()) / size if size else 0.0
    if factor:
        yield f"all entries times {factor:.6g}", given, factor * wanted


def describe_transposed(wanted: Values, words: str) -> str:
    """Return what transposing the last two axes means: for a bias by offsets, their sign."""
    by_offset = wanted.ndim > 1 and wanted.shape[-2] == wanted.shape[-1] > 2
    if by_offset and np.array_equal(wanted[..., 1:, 1:], wanted[..., :-1, :-1]):
        return "offsets of the other sign (query minus key)"
    return words
