"""ALiBi: a score falls in proportion to the distance, at its own rate in each head.

Letters in this module
    H    heads                           p, q  positions of a query and of a key
    h    a head, 0..H-1                  k     offset q - p, key minus query
    m_h  slope of head h, logits per position
    L_q  queries                         L_k   keys
    B    sequences in a batch
"""

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.memory import check_memory
from posenc.core.underflow import ignore_underflow

Form = Literal["causal", "symmetric"]
FORMS: tuple[Form, ...] = get_args(Form)

# 2**-1022 is the smallest float64 that has all of its 53 bits.
LARGEST_BIAS_MAX = 1022


def alibi_slopes(n_heads: int, *, bias_max: float = 8.0) -> NDArray[np.float64]:
    """Return the slope of each head: how fast its scores fall with the distance.

    Args:
        n_heads: Heads H, at least 1; any number, not only powers of two.
        bias_max: Exponent of the flattest slope, which is `2**-bias_max`: dimensionless,
            above 0, at most 1022. 8 in the paper; `alibi_bias_max` in configurations of MPT.

    Returns:
        Shape (H,), float64, logits per position, in [`2**-bias_max`, 1], the smallest one
        `2**-bias_max`; below 1 and all different if `bias_max` is at least 1.
        For H a power of two, entry h is `2**(-bias_max(h+1)/H)`, falling. For other H, the
        list starts with the slopes of n heads, n the largest power of two below H, and
        goes on with the first H - n of every second slope of 2n heads, so it jumps up
        after entry n - 1. Within one unit in the last place if `bias_max` is a whole
        number, else within a relative error of `bias_max * 2**-53`.

    Raises:
        TypeError: `n_heads` is not an integer, or `bias_max` not a real number.
        ValueError: `n_heads` is below 1, or `bias_max` is not above 0, above 1022 or not
            finite.

    Source:
        Press et al. 2021, arXiv:2108.12409v2, section 3, for H = 8 and 16; for others,
        the authors' code (`get_slopes`), which BLOOM, MPT and others follow; `bias_max`
        is that of MPT (`gen_slopes` of llm-foundry), whose list has the same order.
        Deviation from the paper: its sentence on "n heads" has 2**(-8(h+1)/H) for every
        H, which is another list where H is not a power of two. Deviation from the code: each
        power is computed directly, not by a running product. MPT computes in float32.

    Examples:
        >>> from posenc import alibi_slopes
        >>> alibi_slopes(4).tolist()
        [0.25, 0.0625, 0.015625, 0.00390625]
        >>> alibi_slopes(6).tolist()
        [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125]
        >>> alibi_slopes(4, bias_max=16).tolist()
        [0.0625, 0.00390625, 0.000244140625, 1.52587890625e-05]
    """
    n_heads = checks.integer("n_heads", n_heads, least=1)
    bias_max = checks.above_zero("bias_max", bias_max)
    if bias_max > LARGEST_BIAS_MAX:
        raise ValueError(f"bias_max must be at most {LARGEST_BIAS_MAX}, got {bias_max=}")
    check_memory("the slopes", n_heads)
    # --8<-- [start:slopes]
    n = 1 << (n_heads.bit_length() - 1)  # the largest power of two up to H
    # In the paper, bias_max is 8.
    of_n = [2.0 ** (-bias_max * (h + 1) / n) for h in range(n)]
    of_2n = [2.0 ** (-bias_max / 2 * (h + 1) / n) for h in range(2 * n)]
    return np.array(of_n + of_2n[::2][: n_heads - n])
    # --8<-- [end:slopes]


def alibi_bias(
    n_heads: int,
    q_len: int,
    k_len: int | None = None,
    *,
    form: Form = "causal",
    bias_max: float = 8.0,
) -> NDArray[np.float64]:
    """Return the bias that ALiBi adds to the scores of each head.

    Args:
        n_heads: Heads H, at least 1.
        q_len: Queries L_q, at least 0.
        k_len: Keys L_k, at least `q_len`; None for as many as queries.
        form: `"causal"` hides later keys, as the paper does; `"symmetric"` shows them,
            and treats a key k positions ahead as one k positions behind.
        bias_max: Exponent of the flattest slope, as in `alibi_slopes`.

    Returns:
        Shape (H, L_q, L_k), float64, logits: entry [h, r, q] is -m_h * |p - q|, with
        p = r + L_k - L_q the position of query r: the queries are the last L_q of the
        L_k positions, as in `causal_mask`. 0 on the diagonal p = q. Above it, where
        q > p, -inf in the causal form, so that no mask is needed. Entries are the slope
        of `alibi_slopes` times a whole number, rounded once.

    Raises:
        TypeError: `n_heads` or a length is not an integer, `form` is not a string, or
            `bias_max` not a real number.
        ValueError: `n_heads` is below 1, `q_len` negative, `k_len` below `q_len`, `form`
            is unknown, or `bias_max` is refused as in `alibi_slopes`.

    Source:
        Press et al. 2021, arXiv:2108.12409v2, section 3, for the causal form. The
        symmetric one is a later suggestion of their first author (issue 5 of the
        authors' repository). Deviation: the authors' code has m_h * q instead of
        -m_h * (p - q); a row differs by the constant m_h * p, which doesn't change
        the softmax under a causal mask.

    Examples:
        >>> from posenc import alibi_bias, attention
        >>> alibi_bias(8, 3)[0]
        array([[ 0. , -inf, -inf],
               [-0.5,  0. , -inf],
               [-1. , -0.5,  0. ]])
        >>> x = [[[1.0], [1.0], [1.0]]] * 8
        >>> attention(x, x, x, bias=alibi_bias(8, 3, form="symmetric")).shape
        (8, 3, 1)
    """
    slopes = alibi_slopes(n_heads, bias_max=bias_max)
    n_heads = len(slopes)
    q_len = checks.integer("q_len", q_len, least=0)
    k_len = checks.key_length(k_len, q_len)
    form = checks.choice("form", form, FORMS)
    check_memory("the bias", n_heads, q_len, k_len)
    # --8<-- [start:bias]
    k = offsets(q_len, k_len)
    bias = slopes[:, np.newaxis, np.newaxis] * -abs(k)  # (H, L_q, L_k)
    return np.where(k > 0, -np.inf, bias) if form == "causal" else bias
    # --8<-- [end:bias]


@ignore_underflow
def alibi_bias_at(
    q_positions: ArrayLike,
    k_positions: ArrayLike,
    n_heads: int,
    *,
    form: Form = "causal",
    bias_max: float = 8.0,
) -> NDArray[np.float64]:
    """Return the bias that ALiBi adds to scores, for queries and keys at any positions.

    Args:
        q_positions: Positions p of the queries, real numbers within ±2**53, in any order:
            shape (L_q,), or (B, L_q) if each sequence of a batch has its own.
        k_positions: Positions q of the keys, in the same form: shape (L_k,), or (B, L_k).
        n_heads: Heads H, at least 1.
        form: `"causal"` hides keys of larger position; `"symmetric"` shows them, as in
            `alibi_bias`.
        bias_max: Exponent of the flattest slope, as in `alibi_slopes`.

    Returns:
        Shape (H, L_q, L_k), or (B, H, L_q, L_k), float64, logits: -m_h * |p - q|, at most
        0, and 0 where p = q; in the causal form -inf where q > p. The offset
        q - p and the product are each rounded once. With `range(L_k - L_q, L_k)` and `range(L_k)`
        for positions, it is `alibi_bias(n_heads, L_q, L_k)` bit for bit. Padding and
        other sequences of a packed row need a mask.

    Raises:
        TypeError: A position is not a real number, `n_heads` not an integer, `form` not a
            string, or `bias_max` not a real number.
        ValueError: A position is not finite or beyond ±2**53, `q_positions` has neither
            one axis nor two, `k_positions` does not fit it, `n_heads` is below 1, `form` is
            unknown, or `bias_max` is refused as in `alibi_slopes`.

    Source:
        Press et al. 2021, arXiv:2108.12409v2, section 3. Deviations: those of
        `alibi_bias`; positions may be any real numbers. Libraries that count positions
        in a mask (BLOOM) have m_h * q, with only the positions of the keys.

    Examples:
        >>> from posenc import alibi_bias_at
        >>> alibi_bias_at([2], [0, 1, 5, 2], 8)[0]  # keys of a cache, in any order
        array([[-1. , -0.5, -inf,  0. ]])
        >>> alibi_bias_at([[1], [6]], [[0, 1, 1], [4, 5, 6]], 8)[:, 0]  # two texts
        array([[[-0.5,  0. ,  0. ]],
        <BLANKLINE>
               [[-1. , -0.5,  0. ]]])
    """
    p = checks.positions("q_positions", q_positions)
    q = checks.positions("k_positions", k_positions)
    if p.ndim not in (1, 2):
        raise ValueError(f"q_positions must have shape (L_q,) or (B, L_q), got shape {p.shape}")
    if q.ndim != p.ndim or q.shape[:-1] != p.shape[:-1]:
        fitting = "(L_k,)" if p.ndim == 1 else f"({p.shape[0]}, L_k)"
        raise ValueError(
            f"k_positions must have shape {fitting}, as q_positions has {p.shape}, got shape"
            f" {q.shape}"
        )
    slopes = alibi_slopes(n_heads, bias_max=bias_max)
    form = checks.choice("form", form, FORMS)
    check_memory("the bias", *p.shape[:-1], len(slopes), p.shape[-1], q.shape[-1])
    k = q[..., np.newaxis, np.newaxis, :] - p[..., np.newaxis, :, np.newaxis]
    bias = 0 - slopes[:, np.newaxis, np.newaxis] * abs(k)  # (..., H, L_q, L_k), without -0
    return np.where(k > 0, -np.inf, bias) if form == "causal" else bias


def offsets(q_len: int, k_len: int) -> NDArray[np.int64]:
    """Return k = q - p, key minus query, for the last q_len of k_len positions as queries."""
    # --8<-- [start:offsets]
    p = np.arange(k_len - q_len, k_len, dtype=np.int64)
    q = np.arange(k_len, dtype=np.int64)
    return q - p[:, np.newaxis]  # (L_q, L_k)
    # --8<-- [end:offsets]
