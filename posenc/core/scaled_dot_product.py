"""Attention: the smallest scaled dot product attention that the chapters need.

Letters in this module
    Q, K, V  queries, keys and values      d_k  channels of a query and of a key
    L_q      queries                       d_v  channels of a value
    L_k      keys, each with its value
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks


def softmax(x: ArrayLike, axis: int = -1) -> NDArray[np.float64]:
    """Return weights that sum to 1 along an axis and grow as the exponential of x.

    Args:
        x: Logits, real, of any shape with at least one axis. -inf means no weight;
            +inf and NaN are refused.
        axis: The axis along which the weights sum to 1.

    Returns:
        Shape of x, float64, dimensionless, in [0, 1]. Where all logits along the axis
        are -inf, all weights are 0, not NaN: a query that may look nowhere receives
        nothing. No logit is too large or too small to be handled.

    Raises:
        TypeError: `x` does not hold real numbers or `axis` is not an integer.
        ValueError: `x` holds NaN or +inf, or has no such axis.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.2.1, equation 1, which uses
        softmax without printing it. Deviation: the largest logit is subtracted before
        the exponential, which changes no weight and avoids overflow; and the zeros
        above, where the bare formula divides 0 by 0.

    Examples:
        >>> import math
        >>> from posenc import softmax
        >>> softmax([[0.0, math.log(3)], [1000.0, -math.inf], [-math.inf, -math.inf]])
        array([[0.25, 0.75],
               [1.  , 0.  ],
               [0.  , 0.  ]])
    """
    logits = checks.logits("x", x)
    axis = checks.integer("axis", axis)
    if not -logits.ndim <= axis < logits.ndim:
        raise ValueError(f"axis must be one of the {logits.ndim} axes of x, got axis={axis}")

    # --8<-- [start:softmax]
    lowest = np.finfo(np.float64).min  # not -inf, as -inf - -inf would be NaN
    largest = logits.max(axis=axis, keepdims=True, initial=lowest)
    # --8<-- [start:shares]
    # A difference may overflow to -inf, which is as good: its exponential is 0.
    with np.errstate(over="ignore", under="ignore"):
        weights = np.exp(logits - largest)
        total = weights.sum(axis=axis, keepdims=True)  # at least 1, or 0 for -inf alone
        return np.asarray(weights / np.maximum(total, 1))
    # --8<-- [end:shares]
    # --8<-- [end:softmax]


def attention_weights(
    Q: ArrayLike, K: ArrayLike, *, mask: ArrayLike | None = None, bias: ArrayLike | None = None
) -> NDArray[np.float64]:
    """Return how much each query takes from each key.

    Args:
        Q: Queries, shape (..., L_q, d_k), real, finite; d_k at least 1.
        K: Keys, shape (..., L_k, d_k), real, finite; leading axes as in `Q`.
        mask: Booleans, True where a query may attend to a key; shape (L_q, L_k) for
            all leading axes, or (..., L_q, L_k). Libraries differ in the sense:
            PyTorch's `scaled_dot_product_attention` has True = attend as here,
            its `MultiheadAttention` has True = do not attend.
        bias: Added to the logits after scaling; real or -inf, same shapes as `mask`.

    Returns:
        Shape (..., L_q, L_k), float64, dimensionless: the softmax over the keys of
        Q @ K.T / sqrt(d_k) + bias. A row sums to 1, or is all zeros where its query
        may attend to nothing.

    Raises:
        TypeError: `Q`, `K` or `bias` does not hold real numbers, or `mask` does not
            hold booleans.
        ValueError: The shapes do not fit (nothing is broadcast but a `mask` or `bias`
            of shape (L_q, L_k)), d_k is 0, `Q` or `K` is not finite or so large that
            a logit overflows, or `bias` holds NaN or +inf.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.2.1, equation 1, and 3.2.3
        for masks. Deviation: the bias, which later encodings add (Press et al. 2022,
        arXiv:2108.12409v2); the zeros for a query without keys.

    Examples:
        >>> from posenc import attention_weights
        >>> Q, K = [[1.0, 1.0]], [[0.0, 0.0], [0.0, 0.0], [8.0, 8.0]]
        >>> attention_weights(Q, K).round(4)
        array([[0., 0., 1.]])
        >>> attention_weights(Q, K, mask=[[True, True, False]])
        array([[0.5, 0.5, 0. ]])
    """
    queries, keys = checks.matrices("Q", Q), checks.matrices("K", K)
    shape_q, shape_k = queries.shape, keys.shape
    if shape_q[:-2] != shape_k[:-2] or shape_q[-1] != shape_k[-1]:
        raise ValueError(
            f"Q and K must agree in d_k and all leading axes, got shapes {shape_q} and {shape_k}"
        )
    d_k = checks.integer("d_k", shape_q[-1], least=1)
    shape = (*shape_q[:-1], shape_k[-2])
    allowed = None if mask is None else checks.booleans("mask", mask)
    added = None if bias is None else checks.logits("bias", bias)
    for name, array in (("mask", allowed), ("bias", added)):
        if array is not None and array.shape not in (shape, shape[-2:]):
            either = " or ".join(str(s) for s in dict.fromkeys((shape[-2:], shape)))
            raise ValueError(f"{name} must have shape {either}, got shape {array.shape}")

    quiet = np.errstate(over="ignore", under="ignore", invalid="ignore")
    with quiet:  # refused by name below
        # --8<-- [start:logits]
        logits = queries @ keys.mT / math.sqrt(d_k)  # (..., L_q, L_k)
        # --8<-- [end:logits]
    logits = checks.matrices("Q @ K.T / sqrt(d_k)", logits)
    if added is not None:
        with np.errstate(over="ignore"):
            logits = logits + added
        checks.logits("Q @ K.T / sqrt(d_k) + bias", logits)
    if allowed is not None:
        logits = np.where(allowed, logits, -np.inf)
    return softmax(logits)


def attention(
    Q: ArrayLike,
    K: ArrayLike,
    V: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return for each query the mean of the values, weighted by how well the keys fit.

    Args:
        Q: Queries, shape (..., L_q, d_k), real, finite; d_k at least 1.
        K: Keys, shape (..., L_k, d_k), real, finite; leading axes as in `Q`.
        V: Values, shape (..., L_k, d_v), real, finite; leading axes and L_k as in `K`.
        mask: Booleans, True where a query may attend, as in `attention_weights`.
        bias: Added to the logits after scaling, as in `attention_weights`.

    Returns:
        Shape (..., L_q, d_v), float64, in the unit of `V`:
        `attention_weights(Q, K, mask=mask, bias=bias) @ V`. The row of a query that
        may attend to nothing is all zeros.

    Raises:
        TypeError: As `attention_weights`; or `V` does not hold real numbers.
        ValueError: As `attention_weights`; or `V` is not finite or does not fit `K`.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.2.1, equation 1. Deviation:
        as `attention_weights`. One head, no projections.

    Examples:
        >>> from posenc import attention, causal_mask
        >>> X = [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
        >>> attention(X, X, [[3.0], [6.0], [9.0]], mask=causal_mask(3))
        array([[3. ],
               [4.5],
               [6. ]])
    """
    keys, values = checks.matrices("K", K), checks.matrices("V", V)
    if keys.shape[:-1] != values.shape[:-1]:
        raise ValueError(
            "K and V must agree in L_k and all leading axes, "
            f"got shapes {keys.shape} and {values.shape}"
        )
    # --8<-- [start:attention]
    weights = attention_weights(Q, keys, mask=mask, bias=bias)  # (..., L_q, L_k)
    with np.errstate(over="ignore", under="ignore"):  # weights add up to 1, or nearly
        return weights @ values  # (..., L_q, d_v)
    # --8<-- [end:attention]


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
        >>> from posenc import permutation_matrix
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
