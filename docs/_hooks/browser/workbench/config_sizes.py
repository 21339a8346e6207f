"""Read sizes that configs of different models have under different keys."""

from collections.abc import Mapping
from typing import Any

from posenc.core import checks

LENGTHS = ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length")
WIDTHS = ("hidden_size", "d_model", "n_embd", "n_embed", "dim", "emb_dim")
HEADS = (
    "num_attention_heads",
    "num_heads",
    "n_head",
    "n_heads",
    "attention_heads",
    "encoder_attention_heads",
)


class MissingSizeError(ValueError):
    """A config has none of the keys of a size."""


def find_size(config: Mapping[str, Any], keys: tuple[str, ...], default: int | None = None) -> int:
    """Return the first of these keys that a config has, or ask for it."""
    for key in keys:
        if config.get(key) is not None:
            return checks.integer(key, config[key], least=1)
    if default is None:
        raise MissingSizeError(f"{keys[0]} is missing: add it")
    return default
