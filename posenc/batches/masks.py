"""Masks: which tokens are real, and which keys a query may attend to.

True always means "counts": a real token, a key that may be attended to.

Letters in this module
    L    tokens in a row of the batch    B    rows in the batch
    L_q  queries                         H    heads
    L_k  keys                            u    True at a real token, False at padding
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.memory import check_memory

SIDES = ("right", "left")


def causal_mask(q_len: int, k_len: int | None = None) -> NDArray[np.bool_]:
    """Return the causal mask, which hides keys of later positions from each query.

    Args:
        q_len: Queries L_q, at least 0.
        k_len: Keys L_k, at least `q_len`; None for as many as queries.

    Returns:
        Shape (L_q, L_k), bool, True where a query may attend, as `attention` takes
        it. The queries are the last L_q of the L_k positions: query r is at
        position r + L_k - L_q and sees keys up to there.

    Raises:
        TypeError: A length is not an integer.
        ValueError: `q_len` is negative, or `k_len` is below `q_len`.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.2.3, for L_q = L_k.
        Deviation: more keys than queries, as with a cache of earlier keys. PyTorch's
        `scaled_dot_product_attention(..., is_causal=True)` aligns the first query
        with the first key instead.

    Examples:
        >>> from posenc.batches import causal_mask
        >>> causal_mask(2, 4).astype(int)
        array([[1, 1, 1, 0],
               [1, 1, 1, 1]])
    """
    q_len = checks.integer("q_len", q_len, least=0)
    k_len = checks.key_length(k_len, q_len)
    check_memory("the mask", q_len, k_len, itemsize=1)
    if not q_len:
        return np.zeros((0, k_len), dtype=np.bool_)
    # --8<-- [start:causal]
    return np.tri(q_len, k_len, k_len - q_len, dtype=np.bool_)
    # --8<-- [end:causal]


def real_tokens(
    lengths: ArrayLike, seq_len: int | None = None, *, side: str = "right"
) -> NDArray[np.bool_]:
    """Return where a padded batch has real tokens.

    Args:
        lengths: Shape (B,), integers of at least 0: real tokens of each sequence.
        seq_len: L, tokens in a row with padding, at least the longest length; None for
            the longest length.
        side: `"right"` or `"left"`: the side of the padding.

    Returns:
        Shape (B, L), bool, True at a real token.

    Raises:
        TypeError: `lengths` does not hold integers, `seq_len` is not an integer, or
            `side` is not a string.
        ValueError: `lengths` does not have 1 axis, holds a negative number or one above
            `seq_len`, or `side` is unknown.

    Source:
        Own definition. Deviation: PyTorch's `key_padding_mask` is the negation.

    Examples:
        >>> from posenc.batches import real_tokens
        >>> real_tokens([2, 3], 4, side="left").astype(int)
        array([[0, 0, 1, 1],
               [0, 1, 1, 1]])
    """
    counts = _lengths(lengths)
    longest = max(counts, default=0)
    seq_len = longest if seq_len is None else checks.integer("seq_len", seq_len, least=longest)
    right = checks.choice("side", side, SIDES) == "right"
    check_memory("the result", len(counts), seq_len)
    places = np.arange(seq_len)  # counted from the end that has no padding
    real = places < np.array(counts, dtype=np.int64)[:, np.newaxis]
    return real if right else real[:, ::-1].copy()


def key_padding_mask(
    real: ArrayLike,
    *,
    q_len: int | None = None,
    causal: bool = False,
    n_heads: int | None = None,
) -> NDArray[np.bool_]:
    """Return the mask that hides padded keys from every query, as `attention` takes it.

    Args:
        real: Shape (L_k,) or (B, L_k), booleans, or integers 0 and 1, True at a real token.
        q_len: Queries L_q, at least 0; None for as many as keys.
        causal: Whether later keys are hidden, too. Then L_q is at most L_k, and the
            queries are the last L_q tokens, as in `causal_mask`.
        n_heads: Heads H, at least 1, for an axis of heads before the last two; None for
            no such axis.

    Returns:
        Shape (L_q, L_k), (B, L_q, L_k), or with `n_heads` (H, L_q, L_k) or
        (B, H, L_q, L_k), bool, True where a query may attend. Keys at padding
        are hidden from queries at padding, too. A row may be all False; `attention`
        gives zeros for it.

    Raises:
        TypeError: `real` does not hold booleans, `q_len` or `n_heads` is not an
            integer, or `causal` is not a bool.
        ValueError: `real` does not have 1 or 2 axes, `q_len` is negative or, with
            `causal`, above L_k, or `n_heads` is below 1.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.2.3, for masks before the
        softmax; the paper does not speak of padding. Deviation: all axes are written
        out, where libraries broadcast a mask of shape (B, 1, 1, L_k).

    Examples:
        >>> from posenc.batches import key_padding_mask
        >>> key_padding_mask([False, True, True], causal=True).astype(int)
        array([[0, 0, 0],
               [0, 1, 0],
               [0, 1, 1]])
    """
    keys = checks.booleans("real", real, or_integers=True)
    if keys.ndim not in (1, 2):
        raise ValueError(f"real must have 1 or 2 axes, got shape {keys.shape}")
    causal = checks.boolean("causal", causal)
    k_len = keys.shape[-1]
    q_len = k_len if q_len is None else checks.integer("q_len", q_len, least=0)
    if causal and q_len > k_len:
        said = checks.describe_value(q_len)
        raise ValueError(f"q_len must be at most L_k={k_len} if causal, got q_len={said}")
    if n_heads is not None:
        n_heads = checks.integer("n_heads", n_heads, least=1)
    check_memory("the mask", *keys.shape[:-1], n_heads or 1, q_len, k_len, itemsize=1)
    # --8<-- [start:key]
    everything = np.ones((q_len, k_len), dtype=np.bool_)
    mask = keys[..., np.newaxis, :] & everything  # the same row of keys for every query
    if causal:
        mask &= causal_mask(q_len, k_len)
    # --8<-- [end:key]
    if n_heads is None:
        return mask
    return np.repeat(mask[..., np.newaxis, :, :], n_heads, axis=-3)


def packed_mask(lengths: ArrayLike, *, causal: bool = False) -> NDArray[np.bool_]:
    """Return the mask for several sequences packed in one row: each sees only itself.

    Args:
        lengths: Shape (n,), integers of at least 0: tokens of each sequence, in order.
        causal: Whether later keys are hidden, too.

    Returns:
        Shape (L, L), bool, L the sum of `lengths`: True where query and key belong to
        one sequence, blocks along the diagonal.

    Raises:
        TypeError: `lengths` does not hold integers, or `causal` is not a bool.
        ValueError: `lengths` does not have 1 axis or holds a negative number.

    Source:
        Krell et al. 2021, arXiv:2107.02027v2, where BERT's attention mask is adjusted.
        Deviation: the causal form.

    Examples:
        >>> from posenc.batches import packed_mask
        >>> packed_mask([1, 2], causal=True).astype(int)
        array([[1, 0, 0],
               [0, 1, 0],
               [0, 1, 1]])
    """
    counts = _lengths(lengths)
    causal = checks.boolean("causal", causal)
    check_memory("the mask", sum(counts), sum(counts), itemsize=1)
    # --8<-- [start:packed]
    owner = np.repeat(np.arange(len(counts)), counts)  # of each place
    mask: NDArray[np.bool_] = owner[:, np.newaxis] == owner
    return mask & causal_mask(len(owner)) if causal else mask
    # --8<-- [end:packed]


def cu_seqlens(lengths: ArrayLike) -> NDArray[np.int32]:
    """Return the start of each sequence of a packed row, and the end of the last one.

    Args:
        lengths: Shape (n,), integers of at least 0: tokens of each sequence, in order.

    Returns:
        Shape (n + 1,), int32, as kernels for packed rows take it: sequence j has the tokens
        from entry j up to entry j + 1, excluded. The first entry is 0, the last
        the number of tokens.

    Raises:
        TypeError: `lengths` does not hold integers.
        ValueError: `lengths` does not have 1 axis, holds a negative number, or has a sum
            above 2**31 - 1, which is not an int32.

    Source:
        FlashAttention, `flash_attn_varlen_func`, whose argument has this name. Deviation:
        none.

    Examples:
        >>> from posenc.batches import cu_seqlens
        >>> cu_seqlens([5, 3, 1]).tolist()
        [0, 5, 8, 9]
    """
    counts = _lengths(lengths)
    if sum(counts) > np.iinfo(np.int32).max:
        raise ValueError(f"lengths must have a sum below 2**31, got {sum(counts)}")
    # --8<-- [start:bounds]
    return np.cumsum([0, *counts], dtype=np.int32)
    # --8<-- [end:bounds]


def packed_positions(lengths: ArrayLike) -> NDArray[np.int64]:
    """Return the positions of tokens in a packed row: each sequence starts at 0.

    Args:
        lengths: Shape (n,), integers of at least 0: tokens of each sequence, in order.

    Returns:
        Shape (L,), int64, L the sum of `lengths`.

    Raises:
        TypeError: `lengths` does not hold integers.
        ValueError: `lengths` does not have 1 axis or holds a negative number.

    Source:
        Krell et al. 2021, arXiv:2107.02027v2, where BERT's positions are adjusted.
        Deviation: none.

    Examples:
        >>> from posenc.batches import packed_positions
        >>> packed_positions([5, 3, 1]).tolist()
        [0, 1, 2, 3, 4, 0, 1, 2, 0]
    """
    counts = _lengths(lengths)
    check_memory("the positions", sum(counts))
    # --8<-- [start:restart]
    begins = np.cumsum([0, *counts], dtype=np.int64)[:-1]
    return np.arange(sum(counts), dtype=np.int64) - np.repeat(begins, counts)
    # --8<-- [end:restart]


def position_ids(real: ArrayLike) -> NDArray[np.int64]:
    """Return the position of each token, counted from its first real one.

    Args:
        real: Shape (..., L), booleans, or integers 0 and 1, True at a real token; padding
            may be on the left, on the right or between.

    Returns:
        Shape (..., L), int64: at a real token the number of real tokens before it; at
        padding 0, a position that every table has.

    Raises:
        TypeError: `real` does not hold booleans.
        ValueError: `real` has no axis.

    Source:
        Own definition. Deviation: Hugging Face transformers count in the same way and
        write 1 at padding (`generation`, version 4), where the value is not used.

    Examples:
        >>> from posenc.batches import position_ids
        >>> position_ids([[False, False, True, True], [True, True, True, False]])
        array([[0, 0, 0, 1],
               [0, 1, 2, 0]])
    """
    tokens = checks.booleans("real", real, or_integers=True)
    if tokens.ndim == 0:
        raise ValueError("real must have at least 1 axis, got shape ()")
    # --8<-- [start:ids]
    before = np.cumsum(tokens, axis=-1, dtype=np.int64) - tokens
    return np.where(tokens, before, 0)
    # --8<-- [end:ids]


def _lengths(value: Any) -> list[int]:
    """Return lengths of sequences as Python integers."""
    array = checks.integers("lengths", value)
    if array.ndim != 1:
        raise ValueError(f"lengths must have 1 axis, got shape {array.shape}")
    counts: list[int] = array.tolist()
    if min(counts, default=0) < 0:
        raise ValueError(f"lengths must be at least 0, got {min(counts)}")
    return counts
