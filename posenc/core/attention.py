"""Attention: the smallest scaled dot product attention that the chapters need.

Letters in this module
    Q, K, V  queries, keys and values      d_k  channels of a query and of a key
    L_q      queries                       d_v  channels of a value
    L_k      keys, each with its value     H    heads of queries
                                           G    heads of keys, fewer where grouped
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
        are -inf, all weights are 0, not NaN. Logits of any size are handled.

    Raises:
        TypeError: `x` does not hold real numbers or `axis` is not an integer.
        ValueError: `x` holds NaN or +inf, or has no such axis.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.2.1, equation 1, which uses
        softmax without printing it. Deviations: the largest logit is subtracted before
        the exponential, which changes no weight and avoids overflow; weights are 0
        where the formula would divide 0 by 0.

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
        said = checks.describe_value(axis)
        raise ValueError(f"axis must be an axis of x, which has {logits.ndim}, got axis={said}")

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
    Q: ArrayLike,
    K: ArrayLike,
    *,
    mask: ArrayLike | None = None,
    bias: ArrayLike | None = None,
    enable_gqa: bool = False,
) -> NDArray[np.float64]:
    """Return the attention weight of each key for each query.

    Args:
        Q: Queries, shape (..., L_q, d_k), real, finite; d_k at least 1.
        K: Keys, shape (..., L_k, d_k), real, finite; leading axes as in `Q`, but with
            `enable_gqa` for that of heads.
        mask: Booleans, or integers that are all 0 or 1: True or 1 where a query may
            attend to a key. Shape (L_q, L_k) for all leading axes, or as many axes as
            the result has, each of the same length or 1. So one row of keys for each
            sequence is (B, 1, 1, L_k); with B = L_q, (B, L_k) would pass for (L_q, L_k).
            Libraries differ in what True means: PyTorch's `scaled_dot_product_attention` has
            True = attend as here, its `MultiheadAttention` has True = do not attend.
        bias: Added to the logits after scaling; real or -inf, same shapes as `mask`.
        enable_gqa: Whether queries are grouped: `K` has G heads, at least 1, and `Q`
            has H, a multiple of G, both on axis -3. Head h of `Q` takes head
            h // (H // G) of `K`.

    Returns:
        Shape (..., L_q, L_k), float64, dimensionless: the softmax over the keys of
        Q @ K.T / sqrt(d_k) + bias. A row sums to 1, or is all zeros where its query
        may attend to nothing. Leading axes are those of `Q`. Grouped queries give
        the same bits as `np.repeat(K, H // G, axis=-3)`, without the copy.

    Raises:
        TypeError: `Q`, `K` or `bias` does not hold real numbers, `mask` holds neither
            booleans nor integers, or `enable_gqa` is not a bool.
        ValueError: The shapes do not fit (only `mask` and `bias` are broadcast, and only
            as above), d_k is 0, `Q` or `K` is not finite or so large
            that a logit overflows, `bias` holds NaN or +inf, `mask` an integer other
            than 0 and 1, or H is not a multiple of G.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.2.1, equation 1, and 3.2.3
        for masks; Ainslie et al. 2023, arXiv:2305.13245v3, section 2.2, for grouped
        queries, with PyTorch's order of heads and its name `enable_gqa`. Deviation:
        the bias, which later encodings add (Press et al. 2022, arXiv:2108.12409v2);
        the zeros for a query without keys.

    Examples:
        >>> from posenc import attention_weights
        >>> Q, K = [[1.0, 1.0]], [[0.0, 0.0], [0.0, 0.0], [8.0, 8.0]]
        >>> attention_weights(Q, K).round(4)
        array([[0., 0., 1.]])
        >>> attention_weights(Q, K, mask=[[True, True, False]])
        array([[0.5, 0.5, 0. ]])
        >>> attention_weights(Q, K, mask=[[1, 1, 0]])
        array([[0.5, 0.5, 0. ]])
    """
    enable_gqa = checks.boolean("enable_gqa", enable_gqa)
    queries, keys = checks.matrices("Q", Q), checks.matrices("K", K)
    _check_shapes(queries.shape, keys.shape, enable_gqa)
    d_k = checks.integer("d_k", queries.shape[-1], least=1)
    shape = (*queries.shape[:-1], keys.shape[-2])
    allowed = None if mask is None else checks.booleans("mask", mask, or_integers=True)
    added = None if bias is None else checks.logits("bias", bias)
    for name, array in (("mask", allowed), ("bias", added)):
        if array is not None:
            _check_broadcast(name, array.shape, shape)

    if enable_gqa:
        queries, keys = _grouped(queries, keys)
    quiet = np.errstate(over="ignore", under="ignore", invalid="ignore")
    with quiet:  # refused by name below
        # --8<-- [start:logits]
        logits = queries @ keys.mT / math.sqrt(d_k)  # (..., L_q, L_k)
        # --8<-- [end:logits]
    logits = checks.matrices("Q @ K.T / sqrt(d_k)", logits).reshape(shape)
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
    enable_gqa: bool = False,
) -> NDArray[np.float64]:
    """Return the mean of the values for each query, weighted by `attention_weights`.

    Args:
        Q: Queries, shape (..., L_q, d_k), real, finite; d_k at least 1.
        K: Keys, shape (..., L_k, d_k), real, finite; leading axes as in `Q`, but with
            `enable_gqa` for that of heads.
        V: Values, shape (..., L_k, d_v), real, finite; leading axes and L_k as in `K`.
        mask: True or 1 where a query may attend, as in `attention_weights`.
        bias: Added to the logits after scaling, as in `attention_weights`.
        enable_gqa: Whether H heads of `Q` share G heads of `K` and `V`, as in
            `attention_weights`.

    Returns:
        Shape (..., L_q, d_v), float64, in the unit of `V`:
        `attention_weights(Q, K, mask=mask, bias=bias) @ V`, with each head of `V`
        shared by a group of query heads if `enable_gqa`. The row of a query without
        keys is all zeros.

    Raises:
        TypeError: As `attention_weights`; or `V` does not hold real numbers.
        ValueError: As `attention_weights`; or `V` is not finite or does not fit `K`.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.2.1, equation 1. Deviation:
        as `attention_weights`. One head, no projections.

    Examples:
        >>> from posenc import attention
        >>> from posenc.batches import causal_mask
        >>> X = [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
        >>> attention(X, X, [[3.0], [6.0], [9.0]], mask=causal_mask(3))
        array([[3. ],
               [4.5],
               [6. ]])

        Four heads of queries share two heads of keys and values:

        >>> import numpy as np
        >>> Q, K, V = np.ones((4, 1, 2)), np.ones((2, 1, 2)), [[[3.0]], [[7.0]]]
        >>> attention(Q, K, V, enable_gqa=True).ravel()
        array([3., 3., 7., 7.])
    """
    enable_gqa = checks.boolean("enable_gqa", enable_gqa)
    keys, values = checks.matrices("K", K), checks.matrices("V", V)
    if keys.shape[:-1] != values.shape[:-1]:
        raise ValueError(
            "K and V must have the same L_k and leading axes, "
            f"got shapes {keys.shape} and {values.shape}"
        )
    if enable_gqa:
        weights = attention_weights(Q, keys, mask=mask, bias=bias, enable_gqa=True)
        return _mixed_by_groups(weights, values)
    # --8<-- [start:attention]
    weights = attention_weights(Q, keys, mask=mask, bias=bias)  # (..., L_q, L_k)
    with np.errstate(over="ignore", under="ignore"):  # weights add up to 1, or nearly
        return weights @ values  # (..., L_q, d_v)
    # --8<-- [end:attention]


def _check_shapes(shape_q: tuple[int, ...], shape_k: tuple[int, ...], enable_gqa: bool) -> None:
    """Refuse queries and keys that do not belong together."""
    got = f"got shapes {shape_q} and {shape_k}"
    grouped = (
        min(len(shape_q), len(shape_k)) > 2
        and (shape_q[:-3], shape_q[-1]) == (shape_k[:-3], shape_k[-1])
        and shape_k[-3] > 0
        and shape_q[-3] % shape_k[-3] == 0
    )
    if enable_gqa and not grouped:
        raise ValueError(
            "with enable_gqa=True, the number of heads of Q (axis -3) must be a multiple of that of"
            f" K, and d_k and the axes before the heads must be equal, {got}"
        )
    alike = shape_q[:-2] == shape_k[:-2] and shape_q[-1] == shape_k[-1]
    if not enable_gqa and not alike:
        hint = "; pass enable_gqa=True if several heads of Q share a head of K" if grouped else ""
        raise ValueError(f"Q and K must have the same d_k and leading axes, {got}{hint}")


def _check_broadcast(name: str, found: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Refuse a mask or a bias that is not broadcast to the logits in a way that is meant."""
    axes = len(shape)
    if found == shape[-2:] or (
        len(found) == axes and all(own in (1, n) for own, n in zip(found, shape, strict=True))
    ):
        return
    single = f"{shape[-2:]} or " if axes > 2 else ""
    message = f"{name} must have shape {single}{shape}, or axes of 1, got {found}"
    if axes > 2 and found == (shape[0], shape[-1]):
        places = ", ".join([":", *["None"] * (axes - 2), ":"])
        message += f"; pass a row of keys for each sequence as {name}[{places}]"
        message += " or as posenc.batches.key_padding_mask(...)" if name == "mask" else ""
    raise ValueError(message)


def _grouped(
    x: NDArray[np.float64], shared: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return views of shapes (..., G, H // G, L, d) and (..., G, 1, L, d): no copies."""
    groups = shared.shape[-3]
    members = x.shape[-3] // groups
    split = x.reshape(*x.shape[:-3], groups, members, *x.shape[-2:])
    return split, shared[..., np.newaxis, :, :]


def _mixed_by_groups(
    weights: NDArray[np.float64], values: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return weights @ values, each head of values for a group of heads of weights."""
    split, shared = _grouped(weights, values)
    with np.errstate(over="ignore", under="ignore"):
        mixed = split @ shared
    return mixed.reshape(*weights.shape[:-1], values.shape[-1])
