"""Attention terms: the four parts of a score if positions are added to tokens.

Letters in this module
    L  positions (rows of X and pe)    X  token vectors, a row each    W_Q  weights of queries
    d  channels of a row               pe  codes, a row each           W_K  weights of keys
    d_k  channels of a query and of a key
"""

from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks


class ScoreTerms(TypedDict):
    """What `score_terms` returns."""

    content_content: NDArray[np.float64]
    content_position: NDArray[np.float64]
    position_content: NDArray[np.float64]
    position_position: NDArray[np.float64]


@checks.finite_result("X", "pe", "W_Q", "W_K")
def score_terms(X: ArrayLike, pe: ArrayLike, W_Q: ArrayLike, W_K: ArrayLike) -> ScoreTerms:
    """Return the four parts of the attention scores of tokens with positions added.

    Args:
        X: Token vectors, shape (L, d), real, finite; any L, d at least 1.
        pe: Encodings of positions, added to X, shape (L, d), real, finite.
        W_Q: Weights of the queries, shape (d, d_k), real, finite; d_k at least 1.
        W_K: Weights of the keys, shape (d, d_k), real, finite.

    Returns:
        A dict of four arrays, each of shape (L, L), float64, a row for each query and
        a column for each key. Their sum is (X + pe) @ W_Q @ ((X + pe) @ W_K).T up to
        rounding, not divided by sqrt(d_k). Each key of the dict names the query's part first:
        `content_content`, X with X; `content_position`, X as query with pe as key;
        `position_content`, pe with X; `position_position`, pe with pe.

    Raises:
        TypeError: An argument does not hold real numbers.
        ValueError: An argument does not have 2 axes or is not finite, `pe` has another
            shape than `X`, `W_K` another than `W_Q`, the weights do not have d rows,
            or d or d_k is 0.
            Or the result overflows float64.

    Source:
        Dai et al. 2019, arXiv:1901.02860, section 3.3, which numbers the terms (a) to
        (d) in this order; Ke et al. 2020, arXiv:2006.15595, section 3.1. Deviation:
        one head, rows instead of columns, no division by sqrt(d_k).

    Examples:
        >>> from posenc.analysis import score_terms
        >>> terms = score_terms([[1, 0], [0, 1]], [[0, 1], [1, 1]], [[1], [2]], [[1], [10]])
        >>> terms["content_content"]
        array([[ 1., 10.],
               [ 2., 20.]])
        >>> terms["content_position"]
        array([[10., 11.],
               [20., 22.]])
        >>> sum(terms.values())
        array([[ 33.,  63.],
               [ 55., 105.]])
    """
    tokens, codes = checks.table("X", X, least=(0, 1)), checks.table("pe", pe, least=(0, 1))
    w_q, w_k = checks.table("W_Q", W_Q, least=(0, 1)), checks.table("W_K", W_K, least=(0, 1))
    if codes.shape != tokens.shape:
        raise ValueError(f"pe must have the shape of X, {tokens.shape}, got shape {codes.shape}")
    if w_k.shape != w_q.shape:
        raise ValueError(f"W_K must have the shape of W_Q, {w_q.shape}, got shape {w_k.shape}")
    if len(w_q) != tokens.shape[1]:
        raise ValueError(
            f"W_Q and W_K must have a row for each of the d={tokens.shape[1]} channels of X, "
            f"got shape {w_q.shape}"
        )
    # --8<-- [start:terms]
    query_x, query_p = tokens @ w_q, codes @ w_q  # (L, d_k): the two shares of a query
    key_x, key_p = tokens @ w_k, codes @ w_k  # (L, d_k): and of a key
    return {
        "content_content": query_x @ key_x.T,  # (L, L)
        "content_position": query_x @ key_p.T,
        "position_content": query_p @ key_x.T,
        "position_position": query_p @ key_p.T,
    }
    # --8<-- [end:terms]
