"""The size of a table's entries, and the length of its rows.

Letters in this module
    L  positions (rows of pe)    p  a position    d  channels (d_model)
"""

from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks


class EncodingStatistics(TypedDict):
    """What `encoding_statistics` returns."""

    position_norms: NDArray[np.float64]
    mean_per_dim: NDArray[np.float64]
    var_per_dim: NDArray[np.float64]
    min_val: float
    max_val: float


@checks.finite_result("pe")
def encoding_statistics(pe: ArrayLike) -> EncodingStatistics:
    """Return the length of every row, mean and variance of every channel, and the range.

    Args:
        pe: Shape (L, d), real, finite; L and d at least 1. Learned tables too.

    Returns:
        A dict with five keys: `position_norms`, shape (L,), the Euclidean length of
        each row; `mean_per_dim` and `var_per_dim`, shape (d,), over the rows;
        `min_val` and `max_val`, floats, over all entries. The variance is that of
        the whole population: squares are divided by L (ddof=0), not by L - 1.
        All float64. For sinusoids every length is sqrt(d/2).

    Raises:
        TypeError: `pe` does not hold real numbers.
        ValueError: `pe` does not have 2 axes, is not finite, or is empty.
            Or the result overflows float64.

    Source:
        Textbook definitions; no paper. Deviation: none.

    Examples:
        >>> from posenc import encoding_statistics, sinusoidal_positional_encoding
        >>> statistics = encoding_statistics(sinusoidal_positional_encoding(3, 4))
        >>> statistics["position_norms"].round(4)
        array([1.4142, 1.4142, 1.4142])
        >>> statistics["var_per_dim"].round(3)
        array([0.171, 0.348, 0.   , 0.   ])
        >>> round(statistics["min_val"], 4), statistics["max_val"]
        (-0.4161, 1.0)
    """
    table = checks.table("pe", pe, least=(1, 1))
    # --8<-- [start:statistics]
    return {
        "position_norms": np.linalg.norm(table, axis=1),  # (L,)
        "mean_per_dim": table.mean(axis=0),  # (d,)
        "var_per_dim": table.var(axis=0),  # (d,)
        "min_val": float(table.min()),
        "max_val": float(table.max()),
    }
    # --8<-- [end:statistics]
