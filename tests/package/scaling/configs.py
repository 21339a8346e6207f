"""Configs of rotary embedding, as small as their types allow."""

from typing import Any

SIZES: dict[str, Any] = {"hidden_size": 64, "num_attention_heads": 4}
LINEAR: dict[str, Any] = {"rope_type": "linear", "factor": 2.0}
FLAT: dict[str, Any] = {"head_dim": 16, **LINEAR}
YARN: dict[str, Any] = {
    "rope_type": "yarn",
    "head_dim": 16,
    "factor": 4.0,
    "original_max_position_embeddings": 4096,
}
LLAMA3: dict[str, Any] = {
    "rope_type": "llama3",
    "rope_theta": 5e5,
    "head_dim": 16,
    "factor": 8,
    "low_freq_factor": 1,
    "high_freq_factor": 4,
    "original_max_position_embeddings": 8192,
}
LONG: dict[str, Any] = {
    "rope_type": "longrope",
    "head_dim": 8,
    "short_factor": [1, 1, 1, 1],
    "long_factor": [1, 2, 4, 8],
    "original_max_position_embeddings": 4096,
    "max_position_embeddings": 8192,
}
DYNAMIC: dict[str, Any] = {
    "rope_type": "dynamic",
    "head_dim": 16,
    "factor": 2,
    "max_position_embeddings": 4096,
}
DEFAULT: dict[str, Any] = {"head_dim": 16}
