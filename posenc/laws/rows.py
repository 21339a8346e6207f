"""Laws of one table: relations between its rows.

Letters in this module
    L  positions in a table (seq_len)    p, q  positions
    d  channels                          k     offset
    x_p  row p of a table
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from posenc.core import checks
from posenc.laws.finding import HALF, STEP, Encode, Finding, Table, arguments, ask, ratio, scaled


def unique(encode: Encode, seq_len: int = 512, *, limit: float = HALF) -> Finding:
    """Test whether any two positions have different encodings.

    Args:
        encode: The function to judge: takes a number of positions L, returns a table
            of shape (L, d), real, finite, one row for each position.
        seq_len: L, at least 16.
        limit: Above 0. The default is the relative spacing of half-precision numbers,
            2**-10: rows above it stay different when the table is rounded to float16,
            as long as its entries are within the normal range of that type.

    Returns:
        A `Finding`. `measured` is the smallest |x_p - x_q| / ((|x_p| + |x_q|) / 2) over
        all p < q, Euclidean lengths, and 0 for two rows of zeros; `where` is (p, q).
        The law holds where `measured` is above `limit`.

    Raises:
        TypeError: `encode` is not callable or returns no real numbers, or another
            argument has the wrong type.
        ValueError: An argument is out of its range, or what `encode` returns has
            another shape or is not finite.

    Source:
        Definition of this book.

    Examples:
        >>> import math
        >>> from posenc import laws
        >>> print(laws.unique(lambda seq_len: [[math.sin(p)] for p in range(seq_len)]))
        unique: no, 1.33e-07 at 11, 344 (limit 0.000977)
    """
    seq_len, limit = arguments(encode, seq_len, limit)
    (table,) = scaled(ask(encode, seq_len))
    lengths = np.linalg.norm(table, axis=1)
    measured, where = np.inf, (0, 0)
    for p, distances in _distances(table):
        means = (lengths[p] + lengths) / 2
        relative = distances / np.where(means > 0, means, 1)  # 0 for two rows of zeros
        relative[: p + 1] = np.inf  # those pairs have been compared
        q = int(relative.argmin())
        if relative[q] < measured:
            measured, where = float(relative[q]), (p, q)
    return Finding("unique", measured > limit, measured, limit, where)


def even_steps(encode: Encode, seq_len: int = 512, *, limit: float = STEP) -> Finding:
    """Test whether all steps to the next position have the same length.

    Args:
        encode: The function to judge, as in `unique`.
        seq_len: L, at least 16.
        limit: Above 0. The default, 1/32, leaves room for a table that was rounded to
            float16, if its steps are at least a sixteenth as long as its rows.

    Returns:
        A `Finding`. `measured` is the longest |x_{p+1} - x_p| less the shortest, over the
        longest; 0 where no row moves. `where` is the p of the shortest and that of the
        longest step. The law holds where `measured` is at most `limit`.

    Raises:
        TypeError: As in `unique`.
        ValueError: As in `unique`.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import laws
        >>> print(laws.even_steps(lambda seq_len: [[p * p] for p in range(seq_len)]))
        even_steps: no, 0.999 at 0, 510 (limit 0.0312)
    """
    seq_len, limit = arguments(encode, seq_len, limit)
    (table,) = scaled(ask(encode, seq_len))
    steps = np.linalg.norm(table[1:] - table[:-1], axis=1)  # (L - 1,)
    measured = ratio(float(np.ptp(steps)), float(steps.max()))
    where = (int(steps.argmin()), int(steps.argmax()))
    return Finding("even_steps", measured <= limit, measured, limit, where)


def smooth(encode: Encode, seq_len: int = 512, *, limit: float = 1.0) -> Finding:
    """Test whether the nearest encodings of a position are those of its neighbours.

    Args:
        encode: The function to judge, as in `unique`.
        seq_len: L, at least 16.
        limit: Above 0. At 1, the default, some other row is as near as a neighbour.

    Returns:
        A `Finding`. `measured` is the largest, over all p, of the distance from x_p to
        the farther of its neighbours x_{p-1} and x_{p+1}, over the distance to the
        nearest of all other rows x_q; inf where that row is x_p again. `where` is
        (p, q). The law holds where `measured` is below `limit`.

    Raises:
        TypeError: As in `unique`.
        ValueError: As in `unique`.

    Source:
        Definition of this book. It doesn't test the order of other rows: the
        distances of sinusoids rise and fall, and the law holds for their first 512 rows
        with d = 16 and more, not with d = 8.

    Examples:
        >>> from posenc import laws
        >>> print(laws.smooth(lambda seq_len: [[p % 20] for p in range(seq_len)]))
        smooth: no, inf at 0, 20 (limit 1)
    """
    seq_len, limit = arguments(encode, seq_len, limit)
    (table,) = scaled(ask(encode, seq_len))
    measured, where = 0.0, (0, 0)
    for p, distances in _distances(table):
        beside = distances[max(p - 1, 0) : p + 2].max()
        distances[max(p - 1, 0) : p + 2] = np.inf
        q = int(distances.argmin())
        compared = float(beside / distances[q]) if distances[q] else np.inf
        if compared > measured:
            measured, where = compared, (p, q)
    return Finding("smooth", measured < limit, measured, limit, where)


def dot_by_offset(encode: Encode, seq_len: int = 512, *, limit: float = 4 * HALF) -> Finding:
    """Test whether the dot product of two rows depends only on their offset.

    Args:
        encode: The function to judge, as in `unique`.
        seq_len: L, at least 16.
        limit: Above 0. The default, 2**-8, is twice the effect of rounding a table to
            float16.

    Returns:
        A `Finding`. `measured` is the largest x_p · x_{p+k} less the smallest with the
        same k, for the k where that is most, over the largest |x_p|²; 0 for a table of
        zeros. `where` is (p, p + k, q, q + k): the pair with the smallest product, then
        that with the largest. The law holds where `measured` is at most `limit`.

    Raises:
        TypeError: As in `unique`.
        ValueError: As in `unique`.

    Source:
        Definition of this book: the Gram matrix of the rows is a Toeplitz matrix.

    Examples:
        >>> from posenc import laws
        >>> print(laws.dot_by_offset(lambda seq_len: [[p] for p in range(seq_len)]))
        dot_by_offset: no, 1 at 0, 0, 511, 511 (limit 0.00391)
    """
    seq_len, limit = arguments(encode, seq_len, limit)
    (table,) = scaled(ask(encode, seq_len))
    spread, where = -1.0, (0, 0, 0, 0)
    for k in range(seq_len):
        products = np.einsum("pc,pc->p", table[: seq_len - k], table[k:])
        if np.ptp(products) > spread:
            p, q = int(products.argmin()), int(products.argmax())
            spread, where = float(np.ptp(products)), (p, p + k, q, q + k)
    measured = ratio(spread, float((table**2).sum(axis=1).max()))
    return Finding("dot_by_offset", measured <= limit, measured, limit, where)


def shift_linear(
    encode: Encode, seq_len: int = 512, *, offset: int = 1, limit: float = STEP
) -> Finding:
    """Test whether one linear map moves the encoding of every position by the same offset.

    Args:
        encode: The function to judge, as in `unique`.
        seq_len: L, at least 16.
        offset: k, from 1 to L // 2, in positions. A map for k = 1 gives all others, as
            its powers.
        limit: Above 0. The default, 1/32, leaves room for a table that was rounded to
            float16: that of sinusoids keeps it, from L = 32 on and with d up to 1024.

    Returns:
        A `Finding`. M is the least-squares solution of M x_p = x_{p+k}, the shortest if
        there are several, over all p below L - k but one in every sixteen, drawn with
        a fixed seed. M must move those, too, since more channels than rows
        fit any rows.
        `measured` is the largest |M x_p - x_{p+k}| over all p below L - k, divided by
        the largest |x_{p+k} - x_p|; 0 where no row moves. `where` is (p,). The law holds
        where `measured` is at most `limit`.

    Raises:
        TypeError: As in `unique`.
        ValueError: As in `unique`, or `offset` is out of its range.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5, names the property; the
        measure is a definition of this book. No constant is added to M x_p.

    Examples:
        >>> from posenc import laws
        >>> print(laws.shift_linear(lambda seq_len: [[p] for p in range(seq_len)]))
        shift_linear: no, 1 at 0 (limit 0.0312)
    """
    seq_len, limit = arguments(encode, seq_len, limit)
    offset = checks.integer("offset", offset, least=1)
    if offset > seq_len // 2:
        raise ValueError(f"offset must be at most seq_len // 2, got offset={offset}")
    (table,) = scaled(ask(encode, seq_len))
    here, there = table[:-offset], table[offset:]  # rows p and rows p + k
    rng, rows = np.random.default_rng(0), len(here)
    left_out = [rng.integers(p, min(p + 16, rows)) for p in range(0, rows, 16)]
    x, y = np.delete(here, left_out, axis=0), np.delete(there, left_out, axis=0)
    transposed = np.linalg.lstsq(x, y, rcond=None)[0]  # (d, d): that of M
    errors = np.linalg.norm(here @ transposed - there, axis=1)  # of all, fitted or not
    farthest = float(np.linalg.norm(there - here, axis=1).max())
    measured = ratio(float(errors.max()), farthest) if farthest else 0.0
    where = (int(errors.argmax()),)
    return Finding("shift_linear", measured <= limit, measured, limit, where)


def _distances(table: Table) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield each position with the distances from its row to all rows, (L,)."""
    for p, row in enumerate(table):
        difference = table - row
        yield p, np.sqrt(np.einsum("pc,pc->p", difference, difference))
