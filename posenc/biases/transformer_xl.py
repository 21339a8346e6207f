"""Four terms: contents with contents, contents with places, and two biases that are vectors.

Letters in this module
    Q, K      queries and keys      u, v  biases of contents and of places
    L_q, L_k  how many of them      d_k   channels of a key
    R         a vector for each offset
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.biases.relative_vectors import queries_and_keys
from posenc.biases.skewing import skew_scores
from posenc.core import checks
from posenc.core.underflow import ignore_underflow


@ignore_underflow
def transformer_xl_scores(
    Q: ArrayLike, K: ArrayLike, R: ArrayLike, u: ArrayLike, v: ArrayLike
) -> NDArray[np.float64]:
    """Return the scores of Transformer-XL, from contents, offsets, and two learned vectors.

    Args:
        Q: Queries, shape (..., L_q, d_k), real, finite; d_k and L_q at least 1.
        K: Keys of the contents, shape (..., L_k, d_k), real, finite; leading axes as in
            `Q`, and L_k at least L_q: the queries are the last L_q of the L_k positions.
        R: Keys of the offsets, shape (L_q + L_k - 1, d_k), real, finite: row j for the
            offset k = j - (L_k - 1), key minus query. In the paper, they are sinusoids
            of the distance -k times a matrix.
        u: Added to every query where contents are scored; shape (d_k,), real, finite.
        v: Added to every query where offsets are scored; shape (d_k,), real, finite.

    Returns:
        Shape (..., L_q, L_k), float64, logits: ((x + u)·y + (x + v)·r)/sqrt(d_k), with r
        the row of the offset.

    Raises:
        TypeError: An argument does not hold real numbers.
        ValueError: Shapes do not fit, a number is not finite, or so large that a score
            overflows.

    Source:
        Dai et al. 2019, arXiv:1901.02860v3, section 3.3. Deviation: the division by
        sqrt(d_k), which is in the authors' code but not in that formula; offsets are key
        minus query.

    Examples:
        >>> from posenc import transformer_xl_scores
        >>> transformer_xl_scores([[1.0]], [[5.0], [7.0]], [[0.5], [0.0]], [0.0], [1.0])
        array([[6., 7.]])
    """
    queries, keys = queries_and_keys(Q, K)
    q_len, (k_len, d_k) = queries.shape[-2], keys.shape[-2:]
    checks.integer("L_q", q_len, least=1)
    vectors = checks.table("R", R)
    if vectors.shape != (q_len + k_len - 1, d_k):
        raise ValueError(f"R must have shape {(q_len + k_len - 1, d_k)}, got shape {vectors.shape}")
    content, place = checks.finite("u", u, ndim=1), checks.finite("v", v, ndim=1)
    for name, vector in (("u", content), ("v", place)):
        if vector.shape != (d_k,):
            raise ValueError(f"{name} must have shape {(d_k,)}, got shape {vector.shape}")
    with np.errstate(over="ignore", invalid="ignore"):  # refused by name below
        # --8<-- [start:scores]
        contents = (queries + content) @ keys.mT
        places = (queries + place) @ vectors.T  # (..., L_q, L_q + L_k - 1)
        scores = (contents + skew_scores(places)) / math.sqrt(d_k)
        # --8<-- [end:scores]
    return checks.matrices("the scores from Q, K, R, u and v", scores)
