"""scaling: the forms of a config that mean the same."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from posenc import rope_parameters

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


def same(one: Mapping[str, Any], other: Mapping[str, Any], seq_len: int | None = None) -> None:
    found, expected = rope_parameters(one, seq_len), rope_parameters(other, seq_len)
    assert_array_equal(found.inv_freq, expected.inv_freq)
    assert found.attention_factor == expected.attention_factor


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # where the keys stand
        ({**SIZES, "rope_scaling": LINEAR}, FLAT),
        ({**SIZES, "rope_parameters": LINEAR}, FLAT),
        ({**SIZES, "rope_parameters": LINEAR, "rope_scaling": dict(LINEAR)}, FLAT),
        ({**SIZES, **LINEAR}, FLAT),
        ({**SIZES, "vocab_size": 9, "model_type": "llama", "rope_scaling": LINEAR}, FLAT),
        ({**SIZES, "rope_scaling": MappingProxyType(LINEAR)}, FLAT),
        ({**SIZES, "rope_scaling": {**LINEAR, "rope_theta": 500.0}}, {**FLAT, "rope_theta": 500}),
        ({**SIZES, "rope_theta": 500, "rope_scaling": LINEAR}, {**FLAT, "rope_theta": 500.0}),
        ({**SIZES, "rope_scaling": None}, DEFAULT),
        ({**SIZES, "rope_scaling": {}}, DEFAULT),
        ({**SIZES, "rope_scaling": None, "rope_parameters": LINEAR}, FLAT),
        ({**SIZES, "rope_interleave": True, "no_rope_layers": [1]}, DEFAULT),
        ({"head_dim": 16, "rope_theta": None, "rope_type": None}, DEFAULT),
        # what they are called
        ({"head_dim": 16, "type": "linear", "factor": 2}, FLAT),
        ({**FLAT, "type": "linear"}, FLAT),
        ({**LONG, "rope_type": "su"}, LONG),
        ({**LONG, "type": "su"}, LONG),
        ({"type": "mrope", "rope_type": "default", "head_dim": 16}, DEFAULT),
        ({"type": "mrope", "mrope_section": [2, 3, 3], "head_dim": 16}, DEFAULT),
        ({**YARN, "mrope_section": (2, 3, 3), "mrope_interleaved": True}, YARN),
        ({**SIZES, "rotary_pct": 0.5, "rotary_emb_base": 500}, {"head_dim": 8, "rope_theta": 500}),
        ({**SIZES, "rope_local_base_freq": 500.0}, {"head_dim": 16, "rope_theta": 500}),
        ({"n_embd": 64, "n_head": 4, "rotary_dim": 8}, {"head_dim": 8}),
        # how wide the turned part is
        ({**SIZES, "head_dim": 32}, {"head_dim": 32}),
        ({**SIZES, "head_dim": None}, DEFAULT),
        ({**SIZES, "qk_rope_head_dim": 8, "head_dim": 24}, {"head_dim": 8}),
        ({"qk_rope_head_dim": 16, "head_dim": 32, "partial_rotary_factor": 0.5}, DEFAULT),
        ({"qk_rope_head_dim": 32, "head_dim": 32, "partial_rotary_factor": 0.5}, DEFAULT),
        ({**SIZES, "hidden_size": 32, "kv_channels": 16}, DEFAULT),
        ({**SIZES, "kv_channels": 32, "attention_head_dim": 16}, DEFAULT),
        ({"rotary_dim": 16}, DEFAULT),
        ({"head_dim": 64, "rotary_dim": 16}, DEFAULT),
        ({"head_dim": 64, "rotary_dim": 16, "partial_rotary_factor": 0.25}, DEFAULT),
        ({"rotary_dim": 16, "partial_rotary_factor": 0.25}, DEFAULT),
        ({"head_dim": 50, "partial_rotary_factor": 0.338}, DEFAULT),  # 16.9 is cut to 16
        # numbers of any kind
        ({"rope_type": "linear", "head_dim": np.int32(16), "factor": np.float32(2)}, FLAT),
        ({**LONG, "long_factor": np.array([1, 2, 4, 8])}, LONG),
        ({**LONG, "long_factor": (1.0, 2.0, 4.0, 8.0)}, LONG),
        ({**YARN, "original_max_position_embeddings": 4096.0}, YARN),
        # what is absent, and what stands for it
        ({**YARN, "factor": None, "max_position_embeddings": 16384}, YARN),
        ({**YARN, "factor": 4.0, "max_position_embeddings": 99999}, YARN),
        ({**YARN, "beta_fast": None, "beta_slow": None, "truncate": None}, YARN),
        ({**YARN, "beta_fast": 32, "beta_slow": 1.0, "truncate": True}, YARN),
        (
            {**LLAMA3, "original_max_position_embeddings": None, "max_position_embeddings": 8192},
            LLAMA3,
        ),
        ({**LONG, "factor": 2}, LONG),
        ({**DEFAULT, "factor": None}, DEFAULT),
        ({**FLAT, "max_position_embeddings": 4096}, FLAT),
        ({**DYNAMIC, "original_max_position_embeddings": 4096}, DYNAMIC),
        ({"head_dim": 16, "rope_theta": 10000.0}, DEFAULT),
    ],
    ids=str,
)
def test_means_the_same(one: Mapping[str, Any], other: Mapping[str, Any]) -> None:
    same(one, other)
    same(one, other, 5000)
