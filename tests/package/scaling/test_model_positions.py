"""model_positions: kinds of layers, which of them rotate, and the scales of their scores."""

import math
from typing import Any

import pytest
from numpy.testing import assert_array_equal

from posenc import model_positions, rope_parameters

SIZES: dict[str, Any] = {"hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 8}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4096}
ABSENT = {"model_type": "smollm3", "position_embedding_type": "nope"}
SLIDING, FULL = "sliding_attention", "full_attention"


def model(model_type: str, **keys: Any) -> dict[str, Any]:
    return {"model_type": model_type, **SIZES, **keys}


def test_gemma3_has_two_bases_and_one_window() -> None:
    text = model("gemma3_text", sliding_window=512) | {
        "rope_scaling": {"rope_type": "linear", "factor": 8.0}
    }
    found = model_positions({"model_type": "gemma3", "text_config": text})
    assert [layer.kind for layer in found.layers] == [SLIDING] * 5 + [FULL] + [SLIDING] * 2
    assert [layer.base for layer in found.layers[4:7]] == [1e4, 1e6, 1e4]
    assert [layer.window for layer in found.layers[4:7]] == [512, None, 512]
    assert [layer.rope_type for layer in found.layers[4:7]] == ["default", "linear", "default"]
    assert {layer.rotary_dim for layer in found.layers} == {256}
    full = rope_parameters(text, layer_type=FULL)
    assert_array_equal(found.layers[5].parameters.inv_freq, full.inv_freq)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("config", "rotating"),
    [
        (model("llama"), [0, 1, 2, 3, 4, 5, 6, 7]),
        (model("smollm3"), [0, 1, 2, 4, 5, 6]),
        (model("smollm3", no_rope_layers=[1] * 7 + [0]), [0, 1, 2, 3, 4, 5, 6]),
        (model("smollm3", no_rope_layer_interval=2), [0, 2, 4, 6]),
        (model("llama4_text", head_dim=16), [0, 1, 2, 4, 5, 6]),
        (model("cohere2"), [0, 1, 2, 4, 5, 6]),
        (model("cohere2", sliding_window_pattern=2), [0, 2, 4, 6]),
        (model("exaone4", sliding_window=None), [0, 1, 2, 3, 4, 5, 6, 7]),
        (model("qwen3_next", head_dim=16, rope_theta=1e7), [3, 7]),
        (model("lfm2", layer_types=["conv", FULL] * 4), [1, 3, 5, 7]),
        (model("beam", head_dim=16), [0, 1, 2, 3, 4, 6]),
        (model("jamba"), []),
        (model("granitemoehybrid", position_embedding_type="nope", layer_types=["mamba"] * 8), []),
    ],
    ids=lambda value: value["model_type"] if isinstance(value, dict) else "",
)
def test_layers_without_positions(config: dict[str, Any], rotating: list[int]) -> None:
    layers = model_positions(config).layers
    assert [layer.index for layer in layers if layer.rotates] == rotating
    assert all((layer.parameters is None) != layer.rotates for layer in layers)


def test_layers_may_have_bases_of_their_own() -> None:
    bases = [1e4, 1e4, 0, 5e5, 1e4, 1e4, 0, 5e5]
    config = model("granite_swa", rope_theta=1e6, layer_rope_theta=bases)
    layers = model_positions(config).layers
    assert [layer.base or 0 for layer in layers] == bases
    assert [layer.rotates for layer in layers] == [base > 0 for base in bases]

    with pytest.raises(ValueError, match="several bases: read all layers with model_positions"):
        rope_parameters(config)
    config["layer_rope_theta"] = [1e4, 0] * 4
    expected = rope_parameters(model("granite_swa", rope_theta=1e4))
    assert_array_equal(rope_parameters(config).inv_freq, expected.inv_freq)


@pytest.mark.parametrize("rope", [{"rope_type": "linear", "factor": 2.0}, {}])
def test_a_class_may_drop_its_default_base_beside_a_rule(rope: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="rope_theta is missing, and the default of MuseSpark"):
        rope_parameters(model("muse_spark_text", rope_parameters=rope))


def test_a_rule_may_be_for_some_layers() -> None:
    rope = {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e4}
    config = model("molmo2_text", head_dim=16, rope_parameters=rope, rope_scaling_layers=[0, 7])
    types = [layer.rope_type for layer in model_positions(config).layers]
    assert types == ["linear", *["default"] * 6, "linear"]

    with pytest.raises(ValueError, match="rope_scaling_layers is for some layers only"):
        rope_parameters(config)
    everywhere = {**config, "rope_scaling_layers": [*range(8)]}
    assert rope_parameters(everywhere).inv_freq[0] == 1 / 8


@pytest.mark.parametrize(
    ("keys", "error", "said"),
    [
        ({"layer_rope_theta": [1e4]}, ValueError, "must have 8 entries, one a layer, got 1"),
        ({"layer_rope_theta": 1e4}, TypeError, "must be a list of numbers, got float"),
        ({"layer_rope_theta": [0] * 8}, ValueError, "holds only zeros"),
        ({"rope_scaling_layers": 3}, TypeError, "must be a list of layers, got int"),
        (
            {"model_type": "muse_glimmer_text", "layer_rope_theta": [5e5] * 8},
            ValueError,
            "must hold 0 or rope_theta=10000.0 for model_type='muse_glimmer_text'",
        ),
    ],
)
def test_lists_that_do_not_fit_layers_are_refused(
    keys: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        rope_parameters(model("granite_swa", rope_theta=1e4) | keys)


@pytest.mark.parametrize(
    ("keys", "error", "said"),
    [
        (ABSENT | {"head_dim": [16]}, TypeError, "head_dim must be an integer"),
        (ABSENT | {"head_dim": None, "hidden_size": 3}, ValueError, "hidden_size must be at least"),
        ({"query_pre_attn_scalar": [1]}, TypeError, "query_pre_attn_scalar must be a real number"),
        ({"model_type": "granite", "attention_multiplier": 0}, ValueError, "must be above 0"),
        ({"model_type": "mistral", "sliding_window": "x"}, TypeError, "sliding_window must be"),
        ({"model_type": "qwen2", "use_sliding_window": 1}, TypeError, "must be a bool"),
        ({"model_type": "smollm3", "no_rope_layers": 3}, TypeError, "no_rope_layers must be"),
        ({"model_type": "llama4_text", "attn_scale": [1]}, TypeError, "attn_scale must be"),
    ],
)
def test_values_of_the_wrong_kind_are_refused(
    keys: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        model_positions(model("gemma2", head_dim=16, rope_theta=1e4) | keys)


@pytest.mark.parametrize(
    ("config", "windows"),
    [
        (model("mistral", sliding_window=9), [9] * 8),
        (model("qwen2", sliding_window=9, use_sliding_window=False), [None] * 8),
        (
            model("qwen2", sliding_window=9, use_sliding_window=True, max_window_layers=6),
            [None] * 6 + [9] * 2,
        ),
        (model("modernbert", sliding_window=9), [None, 9, 9, None, 9, 9, None, 9]),
        (model("llama4_text", attention_chunk_size=9), [9, 9, 9, None, 9, 9, 9, None]),
    ],
    ids=lambda value: value["model_type"] if isinstance(value, dict) else "",
)
def test_windows(config: dict[str, Any], windows: list[int | None]) -> None:
    assert [layer.window for layer in model_positions(config).layers] == windows


@pytest.mark.parametrize(
    ("config", "scale"),
    [
        (model("llama"), 16**-0.5),
        (model("gemma2", query_pre_attn_scalar=144), 1 / 12),
        (model("gemma3n_text"), 1.0),
        (model("granite", attention_multiplier=0.25), 0.25),
        (model("granite"), 1.0),
        (model("deepseek_v3", qk_nope_head_dim=128, qk_rope_head_dim=64), 192**-0.5),
        (
            model("deepseek_v3", qk_nope_head_dim=128)
            | {"rope_theta": 1e4, "rope_scaling": YARN | {"mscale": 1.0, "mscale_all_dim": 1.0}},
            192**-0.5 * (0.1 * math.log(4) + 1) ** 2,
        ),
    ],
)
def test_softmax_scales(config: dict[str, Any], scale: float) -> None:
    assert model_positions(config).layers[0].softmax_scale == pytest.approx(scale, rel=1e-15)


def test_scales_of_queries() -> None:
    llama = model_positions(model("llama4_text")).layers
    assert llama[0].query_scale is None
    assert llama[3].query_scale == "1 + 0.1 ln(1 + floor((p + 1) / 8192))"
    rope = YARN | {"rope_theta": 1e6, "llama_4_scaling_beta": 0.1}
    ministral = model_positions(model("ministral3", rope_parameters=rope)).layers
    assert ministral[0].query_scale == "1 + 0.1 ln(1 + floor(p / 4096))"


def test_what_transformers_does_not_have_is_not_guessed() -> None:
    keys = {"rope_theta": 1e4, "head_dim": 16, "partial_rotary_factor": 1.0}
    found = model_positions(model("internlm2", **keys))
    assert (found.source, found.layout, found.layers[0].softmax_scale) == (None, None, None)


def test_the_text_groups_equal_layers() -> None:
    assert str(model_positions(model("smollm3", rope_theta=5e6))).splitlines() == [
        "smollm3: 8 layers, rotary positions, half layout",
        "full_attention, 16 channels rotate, base 5e+06, score scale 0.25",
        "    layers 0-2, 4-6",
        "full_attention, no positions, score scale 0.25",
        "    layers 3, 7",
    ]
    assert str(model_positions(model("mpt"))).splitlines()[0] == "mpt: 8 layers, ALiBi positions"


@pytest.mark.parametrize(
    ("config", "complaint"),
    [
        ({"model_type": "llama"}, "num_hidden_layers is missing: pass it"),
        (model("llama", num_hidden_layers=10**9), "num_hidden_layers must be at most 65536, got"),
        (model("lfm2"), "layer_types is missing, and model_type='lfm2' has no pattern: pass it"),
        (model("llama", layer_types=[FULL]), "layer_types must have 8 entries, one a layer, got 1"),
        (model("smollm3", no_rope_layers=[1]), "no_rope_layers must have 8 entries, one a layer"),
    ],
)
def test_what_is_missing_is_named(config: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=f"^{complaint}"):
        model_positions(config)
