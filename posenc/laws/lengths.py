"""Laws of several tables: how rows change with the length of the table.

Letters in this module
    L  positions in a table (seq_len)    p  a position    d  channels
"""

import numpy as np

from posenc.core import checks
from posenc.laws.finding import (
    HALF,
    Encode,
    Finding,
    arguments,
    ask,
    ask_all,
    largest,
    ratio,
    scaled,
)


def bounded(encode: Encode, seq_len: int = 512, *, limit: float = 2.0) -> Finding:
    """Test whether entries stay as small as in a short sequence.

    Args:
        encode: The function to judge, as in `unique`.
        seq_len: L, at least 16.
        limit: Above 0. At 2, the default, entries are found that grow like the third
            root of the position, or faster.

    Returns:
        A `Finding`. `measured` is the size of the largest entry in the tables of L // 8,
        L // 4, L // 2 and L positions, over that in the first of them; inf if only
        the first holds nothing but zeros. `where` is the position of
        the largest entry. The law holds where `measured` is below `limit`. A wave that
        is still rising after L // 8 positions looks like growth; a larger L helps.

    Raises:
        TypeError: As in `unique`.
        ValueError: As in `unique`, or the number of channels depends on the length.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import laws
        >>> print(laws.bounded(lambda seq_len: [[p] for p in range(seq_len)]))
        bounded: no, 8.11 at 511 (limit 2)
    """
    seq_len, limit = arguments(encode, seq_len, limit)
    tables = ask_all(encode, [seq_len // 8, seq_len // 4, seq_len // 2, seq_len])
    sizes = [largest(table) for table in tables]
    measured = ratio(max(sizes), sizes[0])
    highest = tables[int(np.argmax(sizes))]
    where = (int(abs(highest).max(axis=1).argmax()),)
    return Finding("bounded", measured < limit, measured, limit, where)


def same_at_every_length(encode: Encode, seq_len: int = 512, *, limit: float = HALF) -> Finding:
    """Test whether a position has the same encoding in sequences of any length.

    Args:
        encode: The function to judge, as in `unique`.
        seq_len: L, at least 16.
        limit: Above 0. The default, 2**-10, allows for rounding both tables to
            float16.

    Returns:
        A `Finding`. `measured` is the largest distance between row p of the table of L
        positions and row p of that of L // 8, L // 4, L // 2 or L - 1, over the length of
        the longest row of all; 0 where all are zeros. `where` is (p,). The law holds
        where `measured` is at most `limit`.

    Raises:
        TypeError: As in `unique`.
        ValueError: As in `unique`, or the number of channels depends on the length.

    Source:
        Definition of this book.

    Examples:
        >>> import numpy as np
        >>> from posenc import laws
        >>> def fraction(seq_len):
        ...     return np.arange(seq_len)[:, None] / seq_len
        >>> print(laws.same_at_every_length(fraction))
        same_at_every_length: no, 0.863 at 63 (limit 0.000977)
    """
    seq_len, limit = arguments(encode, seq_len, limit)
    lengths = [seq_len // 8, seq_len // 4, seq_len // 2, seq_len - 1, seq_len]
    *tables, whole = scaled(*ask_all(encode, lengths))
    longest = max(np.linalg.norm(table, axis=1).max() for table in (*tables, whole))
    apart, where = -1.0, (0,)
    for table in tables:
        distances = np.linalg.norm(table - whole[: len(table)], axis=1)
        if distances.max() > apart:
            apart, where = float(distances.max()), (int(distances.argmax()),)
    measured = ratio(apart, float(longest))
    return Finding("same_at_every_length", measured <= limit, measured, limit, where)


def extends(encode: Encode, seq_len: int = 512) -> Finding:
    """Test whether the function returns rows for twice as many positions.

    Args:
        encode: The function to judge, as in `unique`.
        seq_len: L, at least 16. The function must give L rows.

    Returns:
        A `Finding`. `measured` is the number of rows that it returns for 2L positions; 0 if
        it raises an exception, or does not return a finite table as wide as that of L
        positions. `limit` is 2L, and the law holds if `measured` equals it. `where` is
        the first missing position, or 2L - 1 if none or all are missing.

    Raises:
        TypeError: As in `unique`, for L positions.
        ValueError: As in `unique`, for L positions.

    Source:
        Definition of this book. That there are rows does not mean that a model
        trained without them can use them.

    Examples:
        >>> import numpy as np
        >>> from posenc import laws
        >>> table = np.random.default_rng(0).normal(size=(600, 8))
        >>> print(laws.extends(lambda seq_len: table[:seq_len]))
        extends: no, 600 at 600 (limit 1024)
    """
    seq_len, _ = arguments(encode, seq_len, 1)
    table = ask(encode, seq_len)
    asked, given = 2 * seq_len, 0
    try:
        more = checks.table("rows", encode(asked))
        given = len(more) if more.shape[1] == table.shape[1] else 0
    except Exception:  # whichever it is, there are no rows
        given = 0
    first = given if 0 < given < asked else asked - 1
    return Finding("extends", given == asked, given, asked, (first,))
