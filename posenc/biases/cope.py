"""Contextual positions (CoPE): gates count tokens, and a table is interpolated between rows.

Letters in this module
    Q         queries             L_q, L_k  queries and keys
    d_k       channels of a key   p, q      positions of a query and of a key
    n         the last row of a table
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.biases.alibi import offsets
from posenc.biases.relative_vectors import last_queries
from posenc.core import checks
from posenc.core.underflow import ignore_underflow


@ignore_underflow
def cope_positions(products: ArrayLike) -> NDArray[np.float64]:
    """Return the contextual position of each key: the gates summed from it up to the query.

    Args:
        products: Products of each query and key, shape (..., L_q, L_k), real, finite; L_k at
            least L_q: the queries are the last L_q of the L_k positions.

    Returns:
        Shape (..., L_q, L_k), float64, positions from 0 to L_k: the sum of the gates
        1/(1 + exp(-product)) of the keys from this one up to the query's own; 0 for later
        keys, which a mask must hide.

    Raises:
        TypeError: `products` does not hold real numbers.
        ValueError: `products` has fewer than 2 axes, more rows than columns, or is not
            finite.

    Source:
        Golovneva et al. 2024, arXiv:2405.18719v2, section 4. Deviation: none.

    Examples:
        >>> from posenc import cope_positions
        >>> cope_positions([[0.0, 0.0, 0.0]])  # gates of a half
        array([[1.5, 1. , 0.5]])
        >>> cope_positions([[99.0, -99.0, 99.0]])  # counted are the first and the last
        array([[2., 1., 1.]])
    """
    logits = checks.matrices("products", products)
    last_queries(*logits.shape[-2:])
    # --8<-- [start:positions]
    seen = offsets(*logits.shape[-2:]) <= 0
    gates = np.where(seen, np.exp(-np.logaddexp(0, -logits)), 0)
    return gates[..., ::-1].cumsum(axis=-1)[..., ::-1]  # from the query back to the key
    # --8<-- [end:positions]


@ignore_underflow
def cope_bias(Q: ArrayLike, table: ArrayLike, positions: ArrayLike) -> NDArray[np.float64]:
    """Return the product of each query with the vector of a fractional position.

    Args:
        Q: Queries, shape (..., L_q, d_k), real, finite; d_k at least 1.
        table: Vectors of the positions 0 to n, shape (n + 1, d_k), real, finite; n at
            least 0.
        positions: Shape (..., L_q, L_k), real, finite, at least 0; leading axes as in `Q`.
            Positions beyond n count as n.

    Returns:
        Shape (..., L_q, L_k), float64: x·e, with e the straight line between the two rows of
        the table around the position. Add it to x·y before any division.

    Raises:
        TypeError: An argument does not hold real numbers.
        ValueError: Shapes do not fit, a position is negative, a number is not finite, or so
            large that a product overflows.

    Source:
        Golovneva et al. 2024, arXiv:2405.18719v2, section 4, in the order of its efficient
        form: products with the table first, then interpolation. Deviation: none.

    Examples:
        >>> from posenc import cope_bias
        >>> cope_bias([[1.0]], [[0.0], [10.0], [40.0]], [[0.5, 1.25, 7.0]])
        array([[ 5. , 17.5, 40. ]])
    """
    queries, places = checks.matrices("Q", Q), checks.matrices("positions", positions)
    rows = checks.table("table", table, least=(1, 1))
    if places.shape[:-1] != queries.shape[:-1] or queries.shape[-1] != rows.shape[1]:
        raise ValueError(
            "Q must have the same L_q and leading axes as positions, and the same d_k as table, got"
            f" Q of shape {queries.shape}, positions of {places.shape}, table of {rows.shape}"
        )
    if (places < 0).any():
        raise ValueError(f"positions must be at least 0, got {places.min()}")
    with np.errstate(over="ignore", invalid="ignore"):  # refused by name below
        # --8<-- [start:bias]
        n = len(rows) - 1
        below = np.minimum(places, n).astype(np.int64)
        part = np.minimum(places, n) - below
        whole = queries @ rows.T  # (..., L_q, n + 1)
        lower = np.take_along_axis(whole, below, axis=-1)
        upper = np.take_along_axis(whole, np.minimum(below + 1, n), axis=-1)
        bias = (1 - part) * lower + part * upper
        # --8<-- [end:bias]
    return checks.matrices("the bias from Q and table", bias)
