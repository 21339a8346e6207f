"""Skewing: move products from the column of their offset to the column of their key.

Letters in this module
    L_q, L_k  queries and keys    p, q  positions of a query and of a key
    k  offset q - p               r     a query's row, p less L_k - L_q
    n  columns, L_q + L_k - 1
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks


def skew_scores(products: ArrayLike) -> NDArray[np.float64]:
    """Return products by key, given products by offset.

    Args:
        products: Shape (..., L_q, n), real, finite, of any unit; L_q at least 1. Column j
            is for the offset j - (L_k - 1), with L_k = n - L_q + 1 keys, at least L_q: the
            queries are the last L_q of the L_k positions.

    Returns:
        Shape (..., L_q, L_k), float64: entry [r, q] is `products[r, q - r + L_q - 1]`. No
        number is changed.

    Raises:
        TypeError: `products` does not hold real numbers.
        ValueError: `products` has fewer than 2 axes, no row, fewer than 2 L_q - 1 columns,
            or is not finite.

    Source:
        Huang et al. 2018, arXiv:1809.04281v3, section 3.4; for keys on both sides and for
        more keys than queries as in Dai et al. 2019, arXiv:1901.02860v3, appendix B.
        Deviation: the former has only causal attention, and L columns.

    Examples:
        >>> from posenc import skew_scores
        >>> skew_scores([[-2, -1, 0, 1, 2]] * 3)
        array([[ 0.,  1.,  2.],
               [-1.,  0.,  1.],
               [-2., -1.,  0.]])
    """
    rows = checks.matrices("products", products)
    *leading, q_len, n = rows.shape
    if q_len < 1 or n < 2 * q_len - 1:
        raise ValueError(
            "products must have L_q rows, at least one, and at least 2 * L_q - 1 columns, "
            f"got shape {rows.shape}"
        )
    # --8<-- [start:skew]
    column = np.zeros((*leading, q_len, 1))
    flat = np.concatenate([column, rows], axis=-1).reshape(*leading, q_len * (n + 1))
    return flat[..., q_len:].reshape(*leading, q_len, n)[..., : n - q_len + 1]
    # --8<-- [end:skew]
