"""Permutations of positions as matrices.

Letters in this module
    L  positions    P  permutation matrix
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks


def permutation_matrix(order: ArrayLike) -> NDArray[np.float64]:
    """Return the matrix P that puts the rows of X into a given order: P @ X = X[order].

    Args:
        order: Shape (L,), integers: each of 0..L-1 once. Row r of the result is row
            order[r] of X.

    Returns:
        Shape (L, L), float64, one 1 in each row and each column, else 0. P.T undoes it.

    Raises:
        TypeError: `order` does not hold integers.
        ValueError: `order` does not have 1 axis, or lacks one of 0..L-1.

    Source:
        Textbook definition; no paper. Deviation: none. Some texts call P.T the matrix
        of `order`.

    Examples:
        >>> from posenc.analysis import permutation_matrix
        >>> permutation_matrix([2, 0, 1])
        array([[0., 0., 1.],
               [1., 0., 0.],
               [0., 1., 0.]])
    """
    rows = checks.integers("order", order)
    if rows.ndim != 1:
        raise ValueError(f"order must have 1 axis, got shape {rows.shape}")
    absent = np.setdiff1d(np.arange(len(rows)), rows)
    if len(absent):
        raise ValueError(f"order must hold each of 0..{len(rows) - 1} once, got no {absent[0]}")
    # --8<-- [start:permutation]
    matrix = np.zeros((len(rows), len(rows)))
    matrix[np.arange(len(rows)), rows] = 1
    # --8<-- [end:permutation]
    return matrix
