"""scaling: the forms of a config that mean the same."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from posenc import rope_parameters
from tests.package.scaling.configs import (
    DEFAULT,
    DYNAMIC,
    FLAT,
    LINEAR,
    LLAMA3,
    LONG,
    SIZES,
    YARN,
)


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
def test_equivalent_configs_give_equal_parameters(
    one: Mapping[str, Any], other: Mapping[str, Any]
) -> None:
    same(one, other)
    same(one, other, 5000)


GEMMA: dict[str, Any] = {  # as older files of Gemma 3 have it
    "model_type": "gemma3_text",
    "head_dim": 16,
    "rope_theta": 1e6,
    "rope_local_base_freq": 1e4,
    "rope_scaling": LINEAR,
}
UNKNOWN = {key: value for key, value in GEMMA.items() if key != "model_type"}
KINDS: dict[str, Any] = {
    "head_dim": 16,
    "rope_parameters": {
        "full_attention": {**LINEAR, "rope_theta": 1e6},
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
        "conv": None,
    },
}
WIDE = {"head_dim": 32}
PER_LAYER = {"layer_types": ["sliding_attention", "full_attention"] * 2}


@pytest.mark.parametrize(
    ("config", "full", "sliding"),
    [
        (KINDS, 16, 16),
        (GEMMA, 16, 16),
        (KINDS | {"rope_theta": 7.0, "partial_rotary_factor": 1.0}, 16, 16),
        (KINDS | {"global_head_dim": 32}, 32, 16),
        (KINDS | {"swa_head_dim": 32}, 16, 32),
        (
            KINDS | PER_LAYER | {"per_layer_config": {"01": {"head_dim": 32}, 3: {"head_dim": 32}}},
            32,
            16,
        ),
    ],
)
def test_one_kind_of_layer(config: Mapping[str, Any], full: int, sliding: int) -> None:
    found = rope_parameters(config, layer_type="full_attention")
    expected = rope_parameters({**LINEAR, "head_dim": full, "rope_theta": 1e6})
    assert_array_equal(found.inv_freq, expected.inv_freq)
    found = rope_parameters(config, layer_type="sliding_attention")
    assert_array_equal(found.inv_freq, rope_parameters({"head_dim": sliding}).inv_freq)
    with pytest.raises(ValueError, match="layer_type"):
        rope_parameters(config)


def test_bases_of_modernbert() -> None:
    config = {"head_dim": 16, "global_rope_theta": 160000.0, "local_rope_theta": 1e4}
    same_as = {"full_attention": 160000.0, "sliding_attention": 1e4}
    for layer_type, base in same_as.items():
        found = rope_parameters(config, layer_type=layer_type).inv_freq
        assert_array_equal(found, rope_parameters({"head_dim": 16, "rope_theta": base}).inv_freq)


UNEVEN: dict[str, Any] = {"per_layer_config": {"1": {"head_dim": 32}}}


@pytest.mark.parametrize(
    ("config", "layer_type", "complaint"),
    [
        (KINDS, "conv", "layers of conv have no rotary embedding: rope_parameters has None"),
        (KINDS, "hybrid", "rope_parameters has a mapping for each kind of layer: pass"),
        (FLAT, "full_attention", "config describes only one kind of layer, maybe not"),
        ({**SIZES, **FLAT, **UNEVEN}, None,
         "per_layer_config has different values of head_dim for layers: pass"),
        (KINDS | PER_LAYER | UNEVEN, "full_attention",
         "per_layer_config has different values of head_dim for full_attention"),
        (UNKNOWN | {"rope_theta": None, "rope_scaling": None}, "full_attention", "rope_theta is"),
        (UNKNOWN, "hybrid", "config has rope_local_base_freq: pass layer_type='full_attention' or"),
        (GEMMA, "hybrid", "rope_parameters has a mapping for each kind of layer: pass layer_type="),
        ({**KINDS, "rope_parameters": {**KINDS["rope_parameters"], "factor": 2}}, "full_attention",
         "factor must be in the mapping of one kind of layer in rope"),
    ],
)  # fmt: skip
def test_unclear_kinds_of_layers_are_refused(
    config: Mapping[str, Any], layer_type: str | None, complaint: str
) -> None:
    with pytest.raises(ValueError, match=f"^{complaint}"):
        rope_parameters(config, layer_type=layer_type)


class Config:
    """As a config object of transformers."""

    def to_dict(self) -> dict[str, Any]:
        """Return all keys."""
        return dict(FLAT)


def test_an_object_and_a_file_mean_the_same(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(FLAT), "utf-8")
    for config in (Config(), file, str(file)):
        assert_array_equal(rope_parameters(config).inv_freq, rope_parameters(FLAT).inv_freq)
    file.write_text("{", "utf-8")
    with pytest.raises(ValueError, match=r"^config must be the path of a JSON file: Expecting"):
        rope_parameters(file)
    file.write_text("[]", "utf-8")
    with pytest.raises(TypeError, match=r"^config must be a mapping, the path .*, got list"):
        rope_parameters(file)
    with pytest.raises(FileNotFoundError):
        rope_parameters(tmp_path / "none.json")
    with pytest.raises(TypeError, match=r"^layer_type must be a string, got layer_type=3"):
        rope_parameters(FLAT, layer_type=3)
