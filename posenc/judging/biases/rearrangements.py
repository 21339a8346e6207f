"""Find which rearrangement or common factor makes one bias of another."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from posenc.judging import precision
from posenc.judging.tables.rearrangements import describe_transposed

Values = NDArray[np.float64]

# In larger biases, entries that share a value are not compared.
SHARED = 2**20


def find_rearrangement(given: Values, wanted: Values, dtype: str, other: str) -> str | None:
    """Return which rearrangement makes one bias (H, L_q, L_k) of another, in words, or None."""
    if not np.array_equal(np.isfinite(given), np.isfinite(wanted)):
        return None
    given, wanted = (np.where(np.isfinite(of), of, 0.0) for of in (given, wanted))
    unit = 3 * (precision.UNITS[dtype] + precision.UNITS[other])
    for words, theirs in _list_rearrangements(given, wanted):
        limit = 2 * unit * abs(theirs) + precision.TINY[dtype]
        if bool((abs(given - theirs) <= limit).all()):
            return words
    return _explain_shared_entries(given, wanted)


def _list_rearrangements(given: Values, wanted: Values) -> Iterator[tuple[str, Values]]:
    """Yield rearrangements of a bias, in words, with their results."""
    if wanted.shape[1] == wanted.shape[2]:
        words = "it is transposed: queries and keys are exchanged"
        yield describe_transposed(wanted, words), wanted.swapaxes(1, 2)
    yield "all entries have the opposite sign", -wanted
    yield "heads in reverse order", wanted[::-1]
    size = float((wanted * wanted).sum())
    factor = float((given * wanted).sum()) / size if size else 0.0
    if factor:
        yield f"all entries times {factor:.6g}", factor * wanted


def _explain_shared_entries(given: Values, wanted: Values) -> str | None:
    """Return whether other entries share a value than in the reference, in words, or None."""
    if given.size > SHARED:
        return None
    ours, theirs = (
        np.unique(of.reshape(len(of), -1), axis=1, return_inverse=True)[1].ravel()
        for of in (given, wanted)
    )
    n_ours, n_theirs = int(ours.max()) + 1, int(theirs.max()) + 1
    pairs = np.unique(np.stack([ours, theirs]), axis=1).shape[1]
    if 4 * max(n_ours, n_theirs) > ours.size:
        return None  # hardly any entry shares its value with another
    if pairs == n_ours == n_theirs:
        return "entries that are equal in the reference are equal, with other values"
    if pairs == n_theirs > n_ours > 1:
        return "entries are equal that differ in the reference"
    if pairs == n_ours > n_theirs > 1:
        return "entries differ that are equal in the reference"
    return None
