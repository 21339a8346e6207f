"""Batches of sequences: masks, positions of packed and padded tokens, pooling, losses."""

from posenc.batches.masks import (
    causal_mask,
    cu_seqlens,
    key_padding_mask,
    packed_mask,
    packed_positions,
    position_ids,
    real_tokens,
)
from posenc.batches.padding import masked_loss, masked_mean, zero_at_padding

__all__ = [
    "causal_mask",
    "cu_seqlens",
    "key_padding_mask",
    "masked_loss",
    "masked_mean",
    "packed_mask",
    "packed_positions",
    "position_ids",
    "real_tokens",
    "zero_at_padding",
]
