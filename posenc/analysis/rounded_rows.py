"""Rounded rows: which positions can't be told apart once cosines and sines are rounded.

Letters in this module
    p  position      i  index of a pair, 0..n-1
    n  pairs         ω  angular frequency, radians per position
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.angles import Floats, Frequencies, exactly, sin_cos
from posenc.core.frequencies import check_range
from posenc.core.memory import check_memory
from posenc.core.rounding import round_to
from posenc.core.underflow import ignore_underflow

Narrow = Literal["bfloat16", "float16", "float32"]
NARROW: tuple[Narrow, ...] = get_args(Narrow)

BLOCK = 2**12  # positions at a time, since most pairs have their answer in the first block

# A faster pair never has equal neighbours. Of sine and cosine, take the one nearer to 0: its
# slope is at least 1/√2 of the radius, and numbers of 8 bits are 2**-7 of themselves apart or
# closer, so a step of more than 2**-7 radians, with a margin for the curve, changes it.
FASTEST = 2.0**-6


@ignore_underflow
def first_equal_neighbours(
    inv_freq: ArrayLike,
    seq_len: int,
    dtype: Narrow = "bfloat16",
    *,
    attention_factor: float = 1.0,
) -> NDArray[np.int64]:
    """Return the first position of each pair that rounding makes equal to the one before.

    Args:
        inv_freq: ω, shape (n,), radians per position, each from 0 to 2**53, n at least 1.
        seq_len: Positions searched, 0 to seq_len - 1; at least 0, at most 2**53.
        dtype: What cosines and sines are rounded to, once: `"bfloat16"`, `"float16"` or
            `"float32"`. Their angles are exact.
        attention_factor: What cosines and sines are multiplied by before, above 0.

    Returns:
        Shape (n,), int64: the smallest p from 1 on whose rounded cosine and sine are those
        of p - 1, or -1 if there is none. Time grows with seq_len times the pairs that have
        none, apart from pairs above 2**-6, which never do.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `inv_freq` isn't a list of such numbers, `seq_len` or `attention_factor`
            is out of its range, or `dtype` is unknown.

    Source:
        Own search. Deviation: none.

    Examples:
        >>> from posenc import inv_freq
        >>> from posenc.analysis import first_equal_neighbours
        >>> first_equal_neighbours(inv_freq(16), 2048)
        array([ -1,  -1,  -1,  -1,  -1, 172, 255, 200])
    """
    frequencies, seq_len = _check(inv_freq, seq_len)
    dtype = checks.choice("dtype", dtype, NARROW)
    factor = checks.above_zero("attention_factor", attention_factor)
    found = np.full(len(frequencies.radians), -1)
    (open_pairs,) = np.nonzero(frequencies.radians <= FASTEST)
    for start in range(0, seq_len - 1, BLOCK):
        if not len(open_pairs):
            break
        p = np.arange(start, min(start + BLOCK, seq_len - 1) + 1)
        rows = _round_rows(p, _take(frequencies, open_pairs), dtype, factor)
        equal = (rows[1:] == rows[:-1]).all(axis=-1)
        here = equal.any(axis=0)
        found[open_pairs[here]] = start + 1 + equal[:, here].argmax(axis=0)
        open_pairs = open_pairs[~here]
    return found


@ignore_underflow
def first_equal_rows(
    inv_freq: ArrayLike,
    seq_len: int,
    dtype: Narrow = "bfloat16",
    *,
    attention_factor: float = 1.0,
) -> tuple[int, int] | None:
    """Return the first two positions that rounding makes equal in all pairs.

    Args:
        inv_freq: ω, shape (n,), radians per position, each from 0 to 2**53, n at least 1.
        seq_len: Positions searched, 0 to seq_len - 1; at least 0, at most 2**53.
        dtype: What cosines and sines are rounded to, as in `first_equal_neighbours`.
        attention_factor: What cosines and sines are multiplied by before, above 0.

    Returns:
        (p, q): q is the first position whose rounded cosines and sines were there before,
        at p; None if all rows differ. Memory: about 100 bytes for each position.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: As `first_equal_neighbours`, or the positions need more memory than
            there is.

    Source:
        Own search. Deviation: none.

    Examples:
        >>> from posenc import inv_freq
        >>> from posenc.analysis import first_equal_rows
        >>> first_equal_rows([0.01], 2048)
        (53, 681)
        >>> print(first_equal_rows(inv_freq(64), 8192))
        None
    """
    frequencies, seq_len = _check(inv_freq, seq_len)
    dtype = checks.choice("dtype", dtype, NARROW)
    factor = checks.above_zero("attention_factor", attention_factor)
    check_memory("the search", seq_len, itemsize=100)
    p = np.arange(seq_len)
    groups = np.zeros(seq_len, dtype=np.int64)  # positions that all pairs so far confuse
    for i in range(len(frequencies.radians)):
        rows = _round_rows(p, _take(frequencies, [i]), dtype, factor)[:, 0]
        _, codes = np.unique(rows @ [1, 1j], return_inverse=True)
        _, groups, sizes = np.unique(
            groups * len(p) + codes, return_inverse=True, return_counts=True
        )
        shared = sizes[groups] > 1
        p, groups = p[shared], groups[shared]
    if not len(p):
        return None
    _, first, groups = np.unique(groups, return_index=True, return_inverse=True)
    again = np.flatnonzero(first[groups] != np.arange(len(p)))[0]
    return int(p[first[groups[again]]]), int(p[again])


def _check(inv_freq: ArrayLike, seq_len: int) -> tuple[Frequencies, int]:
    omega = checks.finite("inv_freq", inv_freq, ndim=1)
    if not len(omega):
        raise ValueError("inv_freq must have at least one frequency, got shape (0,)")
    check_range("inv_freq", omega)
    seq_len = checks.integer("seq_len", seq_len, least=0)
    if seq_len > checks.LARGEST_POSITION:
        said = checks.describe_value(seq_len)
        raise ValueError(f"seq_len must be at most 2**53, got seq_len={said}")
    return exactly(omega), seq_len


def _take(frequencies: Frequencies, pairs: ArrayLike) -> Frequencies:
    return Frequencies(*(part[np.asarray(pairs)] for part in frequencies))


def _round_rows(
    p: NDArray[np.int64], frequencies: Frequencies, dtype: Narrow, factor: float
) -> Floats:
    """Return rounded cosines and sines of shape (positions, pairs, 2)."""
    sin, cos = sin_cos(p.astype(float), frequencies)
    with np.errstate(over="ignore"):  # a large factor
        return round_to(factor * np.stack([cos, sin], axis=-1), dtype)
