"""Hybrid encoding: sinusoids for every position, and learned channels that end with their table.

Letters in this module
    p  a position      d_s  sinusoidal channels      T  the learned table
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.layouts import Layout
from posenc.core.underflow import ignore_underflow
from posenc.tables.sinusoidal import sinusoidal_at


@ignore_underflow
def hybrid_encoding(
    positions: ArrayLike,
    d_sinusoidal: int,
    table: ArrayLike,
    *,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    inv_freq: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return sinusoidal and learned channels side by side, the latter zero beyond their table.

    Args:
        positions: Integers p of any shape, each within ±2**53. A position below 0 is
            beyond the table, too.
        d_sinusoidal: Channels of the sinusoids. Even, at least 2.
        table: Learned codes T, shape (L_max, d_learned), real, finite, one row for each
            of the positions 0..L_max-1. It is copied.
        base: b of the sinusoids, dimensionless, finite, above 1.
        layout: `"interleaved"` or `"half"`, of the sinusoidal channels only.
        inv_freq: Frequencies ω instead of those from the base: shape (d_sinusoidal/2,), radians
            per position, each from 0 to 2**53, as in `rotary_cos_sin`.

    Returns:
        Shape positions.shape + (d_sinusoidal + d_learned,), float64, dimensionless: first
        the channels of `sinusoidal_at`, then row p of the table, or zeros where it has no
        row p.

    Raises:
        TypeError: `positions` does not hold integers, `table` does not hold real
            numbers, or another argument has the wrong type.
        ValueError: A position lies beyond ±2**53, `d_sinusoidal` is odd or below 2,
            `table` does not have 2 axes or is not finite, `base` is not above 1,
            `layout` is unknown, or `inv_freq` is refused as in `rotary_cos_sin`.

    Source:
        Own statement of a proposal that is common in teaching texts. Deviation: none.

    Examples:
        >>> from posenc import hybrid_encoding
        >>> hybrid_encoding([0, 1, 2], 2, [[7.0], [8.0]]).round(4)
        array([[ 0.    ,  1.    ,  7.    ],
               [ 0.8415,  0.5403,  8.    ],
               [ 0.9093, -0.4161,  0.    ]])
    """
    whole = checks.integers("positions", positions)
    d_sinusoidal = checks.even("d_sinusoidal", d_sinusoidal)
    sinusoidal = sinusoidal_at(whole, d_sinusoidal, base=base, layout=layout, inv_freq=inv_freq)
    rows = checks.table("table", table)
    p = whole.astype(np.int64)  # all within ±2**53, or the line above has refused them
    # --8<-- [start:learned]
    has_row = (p >= 0) & (p < len(rows))
    learned = np.zeros((*p.shape, rows.shape[1]))
    learned[has_row] = rows[p[has_row]]
    # --8<-- [end:learned]
    return np.concatenate([sinusoidal, learned], axis=-1)
