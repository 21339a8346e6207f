"""DeBERTa's disentangled scores: content to content, content to position, position to content.

Letters in this module
    Q, K      queries and keys of contents    n_1   clipping distance
    L_q, L_k  how many of them                k     offset q - p, key minus query
    d_k       channels of a key               p, q  positions of a query and of a key
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.biases.alibi import offsets
from posenc.biases.relative_vectors import queries_and_keys
from posenc.core import checks
from posenc.core.underflow import ignore_underflow


@ignore_underflow
def deberta_scores(
    Q: ArrayLike, K: ArrayLike, relative_Q: ArrayLike, relative_K: ArrayLike
) -> NDArray[np.float64]:
    """Return DeBERTa's scores: content to content, content to position, position to content.

    Args:
        Q: Queries of the contents, shape (..., L_q, d_k), real, finite; d_k at least 1.
        K: Keys of the contents, shape (..., L_k, d_k), real, finite; leading axes as in
            `Q`, and L_k at least L_q: the queries are the last L_q of the L_k positions.
        relative_Q: Queries of the offsets, shape (2 n_1, d_k), real, finite, n_1 at least 1. Row
            n is for queries n - n_1 after the key; the first and last row also for all beyond.
        relative_K: Keys of the offsets, same shape.

    Returns:
        Shape (..., L_q, L_k), float64, logits: the sum of three products over sqrt(3 d_k).
        The query is multiplied by row n_1 - k of `relative_K`, and the key by row n_1 + k of
        `relative_Q`, with k = q - p.

    Raises:
        TypeError: An argument does not hold real numbers.
        ValueError: Shapes do not fit, a number of rows is odd or 0, a number is not finite,
            or so large that a score overflows.

    Source:
        He et al. 2020, arXiv:2006.03654v6, section 3.1. Deviation: none. transformers
        5.24.0 multiplies the key by row n_1 - k of `relative_Q`, too: see
        `posenc.torch.DebertaBias`.

    Examples:
        >>> from posenc import deberta_scores
        >>> deberta_scores([[0.0], [3.0]], [[0.0], [0.0]], [[0.0]] * 2, [[1.0], [2.0]]).round(3)
        array([[0.   , 0.   ],
               [3.464, 3.464]])
    """
    queries, keys = queries_and_keys(Q, K)
    d_k = keys.shape[-1]
    of_queries, of_keys = (
        checks.table(name, value, least=(2, 1))
        for name, value in (("relative_Q", relative_Q), ("relative_K", relative_K))
    )
    if of_queries.shape != of_keys.shape or len(of_keys) % 2 or of_keys.shape[1] != d_k:
        raise ValueError(
            "relative_Q and relative_K must have the same even number of rows, and "
            f"{d_k} channels as Q and K, got shapes {of_queries.shape} and {of_keys.shape}"
        )
    with np.errstate(over="ignore", invalid="ignore"):  # refused by name below
        # --8<-- [start:scores]
        n1 = len(of_keys) // 2
        k = offsets(queries.shape[-2], keys.shape[-2])
        query, key = np.indices(k.shape)
        to_place = (queries @ of_keys.T)[..., query, np.clip(n1 - k, 0, 2 * n1 - 1)]
        from_place = (keys @ of_queries.T)[..., key, np.clip(n1 + k, 0, 2 * n1 - 1)]
        total = queries @ keys.mT + to_place + from_place
        scores = total / math.sqrt(3 * d_k)
        # --8<-- [end:scores]
    return checks.matrices("the scores from Q, K, relative_Q and relative_K", scores)
