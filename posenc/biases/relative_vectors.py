"""Offset vectors: a learned vector for each offset, added to keys and to values.

Letters in this module
    Q, K, V   queries, keys and values        n_1   clipping distance
    L_q, L_k  queries and keys                k     offset q - p, key minus query
    d_k, d_v  channels of a key, of a value   p, q  positions of a query and of a key
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.biases.alibi import offsets
from posenc.core import checks
from posenc.core.underflow import ignore_underflow


@ignore_underflow
def relative_scores(Q: ArrayLike, K: ArrayLike, table: ArrayLike) -> NDArray[np.float64]:
    """Return the score of each query and key, with the vector of their offset added to the key.

    Args:
        Q: Queries, shape (..., L_q, d_k), real, finite; d_k at least 1.
        K: Keys, shape (..., L_k, d_k), real, finite; leading axes as in `Q`, and L_k at
            least L_q: the queries are the last L_q of the L_k positions.
        table: Vectors of the offsets, shape (2 n_1 + 1, d_k), real, finite, n_1 at least 0:
            row k + n_1 for offset k = q - p, and the first and last row for all beyond.

    Returns:
        Shape (..., L_q, L_k), float64, logits: x·(y + a)/sqrt(d_k), with a the row of the
        offset. Don't divide it again.

    Raises:
        TypeError: An argument does not hold real numbers.
        ValueError: Shapes do not fit, the number of rows is even, a number is not finite, or
            so large that a score overflows.

    Source:
        Shaw et al. 2018, arXiv:1803.02155v2, sections 3.1 and 3.2, equation 4. Deviation:
        none in the result; each query is multiplied by each row of the table only once.

    Examples:
        >>> from posenc import relative_scores
        >>> relative_scores([[1.0], [2.0]], [[0.0], [0.0]], [[-1.0], [0.0], [1.0]])
        array([[ 0.,  1.],
               [-2.,  0.]])
    """
    queries, keys = queries_and_keys(Q, K)
    vectors = odd_rows("table", table, keys.shape[-1])
    with np.errstate(over="ignore", invalid="ignore"):  # refused by name below
        # --8<-- [start:scores]
        n1 = len(vectors) // 2
        k = offsets(queries.shape[-2], keys.shape[-2])
        query = np.arange(len(k))[:, np.newaxis]
        places = (queries @ vectors.T)[..., query, np.clip(k, -n1, n1) + n1]
        scores = (queries @ keys.mT + places) / math.sqrt(keys.shape[-1])
        # --8<-- [end:scores]
    return checks.matrices("the scores from Q, K and table", scores)


@ignore_underflow
def relative_values(weights: ArrayLike, V: ArrayLike, table: ArrayLike) -> NDArray[np.float64]:
    """Return the mean of the values of each query, with the vector of its offset on each.

    Args:
        weights: Attention weights, shape (..., L_q, L_k), real, finite; L_k at least L_q:
            the queries are the last L_q of the L_k positions.
        V: Values, shape (..., L_k, d_v), real, finite; leading axes as in `weights`.
        table: Vectors of the offsets, shape (2 n_1 + 1, d_v), as in `relative_scores`.

    Returns:
        Shape (..., L_q, d_v), float64: the sum over the keys of weight times value plus
        vector.

    Raises:
        TypeError: An argument does not hold real numbers.
        ValueError: Shapes do not fit, the number of rows is even, a number is not finite, or
            so large that a sum overflows.

    Source:
        Shaw et al. 2018, arXiv:1803.02155v2, sections 3.1 and 3.2, equation 3. Deviation:
        none in the result; weights are summed for each row of the table first.

    Examples:
        >>> from posenc import relative_values
        >>> relative_values([[0.25, 0.75]], [[8.0], [4.0]], [[1.0], [0.0], [1.0]])
        array([[5.25]])
    """
    shares, values = checks.matrices("weights", weights), checks.matrices("V", V)
    if shares.shape[:-2] != values.shape[:-2] or shares.shape[-1] != values.shape[-2]:
        raise ValueError(
            "weights and V must have the same number of keys and the same leading axes, "
            f"got shapes {shares.shape} and {values.shape}"
        )
    last_queries(*shares.shape[-2:])
    vectors = odd_rows("table", table, values.shape[-1])
    with np.errstate(over="ignore", invalid="ignore"):  # refused by name below
        # --8<-- [start:values]
        n1 = len(vectors) // 2
        row = np.clip(offsets(*shares.shape[-2:]), -n1, n1) + n1
        by_row = [np.where(row == n, shares, 0).sum(axis=-1) for n in range(2 * n1 + 1)]
        means = shares @ values + np.stack(by_row, axis=-1) @ vectors
        # --8<-- [end:values]
    return checks.matrices("the means from weights, V and table", means)


def queries_and_keys(Q: Any, K: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return queries and keys as float64; the queries are the last of the keys' positions."""
    queries, keys = checks.matrices("Q", Q), checks.matrices("K", K)
    shape_q, shape_k = queries.shape, keys.shape
    if shape_q[:-2] != shape_k[:-2] or shape_q[-1] != shape_k[-1]:
        raise ValueError(
            f"Q and K must have the same d_k and leading axes, got shapes {shape_q} and {shape_k}"
        )
    checks.integer("d_k", shape_q[-1], least=1)
    last_queries(shape_q[-2], shape_k[-2])
    return queries, keys


def last_queries(q_len: int, k_len: int) -> None:
    """Refuse more queries than keys."""
    if k_len < q_len:
        raise ValueError(f"there must be as many keys as queries, got L_q={q_len} and L_k={k_len}")


def odd_rows(name: str, value: Any, width: int) -> NDArray[np.float64]:
    """Return a table with a row for each offset from -n_1 to n_1, of so many channels."""
    rows = checks.table(name, value)
    if len(rows) % 2 == 0 or rows.shape[1] != width:
        raise ValueError(
            f"{name} must have an odd number of rows and {width} channels, got shape {rows.shape}"
        )
    return rows
