"""Positions of several sequences that are packed in one row.

Letters in this module
    L  tokens in the row (seq_len)      n  sequences
"""

from itertools import pairwise

import torch
from torch import Tensor

from posenc.torch import inputs
from posenc.torch.cache import can_read


def packed_positions(cu_seqlens: Tensor, seq_len: int) -> Tensor:
    """Return the positions of tokens in a packed row: each sequence starts at 0.

    Args:
        cu_seqlens: Integers of shape (n + 1,), as flash-attention and
            `posenc.batches.cu_seqlens` have them: sequence j has the tokens from entry j up
            to entry j + 1, excluded. The first entry is 0, none is below the one before it,
            and the last is at most L.
        seq_len: L, tokens in the row: the length of the axis of positions, at least 0.

    Returns:
        Shape (L,), int64, on the device of `cu_seqlens`. Tokens behind the last sequence,
        which are padding, count from 0, too. Nothing waits for a GPU.

    Raises:
        TypeError: `cu_seqlens` is not a tensor of integers, or `seq_len` not an integer.
        ValueError: `cu_seqlens` has other than one axis, or is empty; or `seq_len` is
            negative. On a CPU, outside of compiled graphs, also where an entry of
            `cu_seqlens` breaks the rules above; elsewhere that would wait for all earlier
            work, and positions are then wrong.

    Source:
        FlashAttention, `flash_attn_varlen_func`, whose argument has this name. Deviation:
        none.

    Examples:
        >>> import torch
        >>> from posenc.torch import packed_positions
        >>> packed_positions(torch.tensor([0, 3, 3, 5]), 6)
        tensor([0, 1, 2, 0, 1, 0])
    """
    _check("cu_seqlens", cu_seqlens)
    seq_len = inputs.length("seq_len", seq_len, 0)
    if can_read(cu_seqlens, cu_seqlens, 1):
        _check_values(cu_seqlens.tolist(), seq_len)
    starts = cu_seqlens.long()
    places = torch.arange(seq_len, device=starts.device)
    sequence = torch.searchsorted(starts, places, right=True) - 1
    return places - starts[sequence]


def _check(name: str, value: object) -> None:
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be a tensor, got {type(value).__name__}")
    if value.is_floating_point() or value.is_complex() or value.dtype == torch.bool:
        raise TypeError(f"{name} must hold integers, got dtype {value.dtype}")
    if value.ndim != 1 or not len(value):
        raise ValueError(f"{name} must have shape (n + 1,), got shape {(*value.shape,)}")


def _check_values(starts: list[int], seq_len: int) -> None:
    if starts[0] != 0:
        raise ValueError(f"cu_seqlens must begin with 0, got {starts[0]}")
    for i, (start, end) in enumerate(pairwise(starts)):
        if end < start:
            raise ValueError(f"cu_seqlens must not fall, got {start} and {end} at {i} and {i + 1}")
    if starts[-1] > seq_len:
        raise ValueError(f"cu_seqlens must end at seq_len={seq_len} or before, got {starts[-1]}")
