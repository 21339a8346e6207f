"""scaling on configs as published models have them, unrelated keys and all.

The expected numbers are those of the functions of transformers 5.23.0, run in float32 on these
configs. What is not compared with the goldens is here: keys that are passed over, and old forms.
"""

from typing import Any

import pytest
from numpy.testing import assert_allclose

from posenc import rope_parameters

UNRELATED: dict[str, Any] = {
    "architectures": ["SomeForCausalLM"],
    "attention_bias": False,
    "bos_token_id": 1,
    "dual_chunk_attention_config": {"chunk_size": 262144},
    "hidden_act": "silu",
    "model_type": "llama",
    "no_rope_layers": [1, 1, 1, 0],
    "num_key_value_heads": 8,
    "qk_nope_head_dim": 128,
    "rope_interleave": True,
    "rotary_emb_interleaved": False,
    "rotary_emb_scale_base": None,
    "rotary_emb_fraction": 1.0,
    "sliding_window": None,
    "torch_dtype": "bfloat16",
    "use_rope_scaling": False,
    "vision_config": {"depth": 32, "hidden_size": 1280},
    "vocab_size": 32000,
}


def model(width: int, heads: int, length: int, **keys: Any) -> dict[str, Any]:
    sizes = {"hidden_size": width, "num_attention_heads": heads}
    return {**UNRELATED, **sizes, "max_position_embeddings": length, **keys}


def yarn(factor: float, original: int, **keys: Any) -> dict[str, Any]:
    given = {"type": "yarn", "factor": factor, "original_max_position_embeddings": original}
    return {**given, **keys}


SCOUT = {
    "factor": 16.0,
    "high_freq_factor": 1.0,
    "low_freq_factor": 1.0,
    "original_max_position_embeddings": 8192,
    "rope_type": "llama3",
}
M1 = {"mscale": 1.0, "mscale_all_dim": 1.0}
BETAS = {"beta_fast": 1.0, "beta_slow": 1.0}
OMNI = {"interleaved": True, "mrope_interleaved": True, "mrope_section": [24, 20, 20]}
DEFAULT = {"rope_type": "default", "type": "default"}

# d; pair d/4, which a ramp changes, if any does; the last pair; the attention factor
PUBLISHED: dict[str, tuple[dict[str, Any], int, float, float, float]] = {
    "Llama 4 Scout": (
        model(5120, 40, 10485760, rope_theta=5e5, rope_scaling=SCOUT),
        128,
        0.001414213445968926,
        1.5344629389346665e-07,
        1.0,
    ),
    "Ministral 3": (
        model(4096, 32, 262144)
        | {
            "rope_parameters": yarn(16.0, 16384, rope_theta=1e6, rope_type="yarn")
            | {"beta_fast": 32.0, "beta_slow": 1.0, "llama_4_scaling_beta": 0.1, **M1}
        },
        128,
        0.0003382352879270911,
        7.75586102008674e-08,
        1.0,
    ),
    "Yarn Llama 2": (
        model(4096, 32, 65536, rope_scaling=yarn(16.0, 4096, finetuned=True)),
        128,
        0.005673076957464218,
        7.217387974378653e-06,
        1.2772588722239782,
    ),
    "Yarn Llama 2, more keys": (
        model(4096, 32, 65536)
        | {"rope_scaling": yarn(16.0, 4096, attn_factor=1.0, extrapolation_factor=1)},
        128,
        0.005673076957464218,
        7.217387974378653e-06,
        1.2772588722239782,
    ),
    "Kimi K2": (
        model(7168, 64, 131072, rope_theta=5e4, qk_rope_head_dim=64, model_type="kimi_k2")
        | {"rope_scaling": yarn(32.0, 4096, **BETAS, **M1)},
        64,
        0.004472136031836271,
        8.764413905737456e-07,
        1.0,
    ),
    "Qwen3 Omni": (
        model(2048, 32, 65536, head_dim=128, rope_theta=1e6, rope_scaling=OMNI | DEFAULT),
        128,
        0.0010000000474974513,
        1.2409377632138785e-06,
        1.0,
    ),
    "Qwen2.5 VL, yarn": (
        model(2048, 16, 128000, rope_theta=1e6)
        | {"rope_scaling": yarn(4, 32768, mrope_section=[16, 24, 24])},
        128,
        0.0006029411451891065,
        3.102344408034696e-07,
        1.138629436111989,
    ),
    "Phi 2": (
        model(2560, 32, 2048, model_type="phi", partial_rotary_factor=0.4) | {"rope_scaling": None},
        32,
        0.009999999776482582,
        0.00017782794020604342,
        1.0,
    ),
    "Pythia 2.8B": (
        model(2560, 32, 2048, model_type="gpt_neox", rotary_pct=0.25, rotary_emb_base=10000),
        20,
        0.009999999776482582,
        0.0002511886996217072,
        1.0,
    ),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_configs_give_published_frequencies(name: str) -> None:
    config, dim, middle, last, factor = PUBLISHED[name]
    found = rope_parameters(config)
    assert found.inv_freq.shape == (dim // 2,)
    # theirs are float32: a handful of roundings of 6e-8
    assert_allclose(found.inv_freq[[dim // 4, -1]], [middle, last], rtol=5e-7)
    assert_allclose(found.attention_factor, factor, rtol=1e-15)


FLAT = yarn(16.0, 4096, head_dim=128)
REFUSED: list[tuple[dict[str, Any], str]] = [
    # Phi-3.5-MoE: the module multiplies by these, and not by the attention factor
    (FLAT | {"short_mscale": 1.24}, "'short_mscale' is not a key that rope_parameters knows; wr"),
    (FLAT | {"long_mscale": 1.24}, "'long_mscale' is not a key that rope_parameters knows; write"),
    # Hunyuan
    (FLAT | {"alpha": 1000.0}, "'alpha' is not a key that rope_parameters knows; write rope_th"),
    # other libraries look at these
    (FLAT | {"attn_factor": 0.8}, "attn_factor must be 1, as posenc ignores it, got attn_fac"),
    (FLAT | {"extrapolation_factor": 0.5}, "extrapolation_factor must be 1, as posenc ignores"),
    # ChatGLM, LongChat, old StableLM and Nemotron, InternLM, Step 3.5
    (
        model(64, 4, 9, rope_ratio=500),
        "'rope_ratio' is not a key that rope_parameters knows; write",
    ),
    (model(64, 4, 9, rope_condense_ratio=8), "'rope_condense_ratio' is not a key that rope_para"),
    (
        model(64, 4, 9, rope_pct=0.25),
        "'rope_pct' is not a key that rope_parameters knows; write pa",
    ),
    (model(64, 4, 9, rope_percent=0.5), "'rope_percent' is not a key that rope_parameters knows; "),
    (model(64, 4, 9, rotary_emb_fraction=0.5), "'rotary_emb_fraction' is not a key that rope_pa"),
    (
        model(64, 4, 9, rotary={"base": 9}),
        "'rotary' is not a key that rope_parameters knows; write",
    ),
    (model(64, 4, 9, partial_rotary_factors=[0.5, 1]), "'partial_rotary_factors' is not a key th"),
    (model(64, 4, 9, rope_head_dim=8), "'rope_head_dim' is not a key that rope_parameters knows; "),
    (model(64, 4, 9, rotary_scaling_factor=2), "'rotary_scaling_factor' is not a key that rope_p"),
]


@pytest.mark.parametrize(("config", "complaint"), REFUSED, ids=[r[1][:40] for r in REFUSED])
def test_refuses_what_would_change_the_answer(config: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=f"^{complaint}"):
        rope_parameters(config)


@pytest.mark.parametrize(
    "nothing",
    [{"attn_factor": None}, {"extrapolation_factor": 1.0}, {"finetuned": False}],
    ids=str,
)
def test_keys_without_meaning_are_ignored(nothing: dict[str, Any]) -> None:
    assert (
        rope_parameters(FLAT | nothing).attention_factor == rope_parameters(FLAT).attention_factor
    )
