"""Configs of published models, with the keys that matter for positions, as they were published.

`AGREES` are read as transformers reads them. `REFUSED` are not, each with what its message says.
"""

from typing import Any

Config = dict[str, Any]
FULL, SLIDING = "full_attention", "sliding_attention"
BOTH = (FULL, SLIDING)
LLAMA_31 = {
    "factor": 8.0,
    "high_freq_factor": 4.0,
    "low_freq_factor": 1.0,
    "original_max_position_embeddings": 8192,
    "rope_type": "llama3",
}


def model(
    model_type: str, width: int, heads: int, length: int | None = None, **keys: Any
) -> Config:
    sizes = {"hidden_size": width, "num_attention_heads": heads, "vocab_size": 32000}
    if length is not None:
        sizes["max_position_embeddings"] = length
    return {"architectures": ["SomeForCausalLM"], "model_type": model_type, **sizes, **keys}


def yarn(factor: float, original: int, **keys: Any) -> Config:
    return {"factor": factor, "original_max_position_embeddings": original, "type": "yarn", **keys}


def long_rope(pairs: int, **keys: Any) -> Config:
    short, long = [1 + i / 64 for i in range(pairs)], [1 + i / 2 for i in range(pairs)]
    return {"short_factor": short, "long_factor": long, "type": "longrope", **keys}


def nested(model_type: str, text: Config, part: str = "text_config") -> Config:
    return {"model_type": model_type, "vision_config": {"hidden_size": 1152}, part: text}


MROPE = {"type": "mrope", "mrope_section": [16, 24, 24]}
MROPE_3 = {"mrope_interleaved": True, "mrope_section": [24, 20, 20], "rope_type": "default"}
DEEPSEEK = yarn(40, 4096, beta_fast=32, beta_slow=1, mscale=1.0, mscale_all_dim=1.0)
LITE = yarn(40, 4096, beta_fast=32, beta_slow=1, mscale=0.707, mscale_all_dim=0.707)
GPT_OSS = yarn(32.0, 4096, beta_fast=32.0, beta_slow=1.0, truncate=False)
SCOUT = LLAMA_31 | {"factor": 16.0, "high_freq_factor": 1.0}
OLMO_3 = {
    "attention_factor": 1.2079441541679836,
    "beta_fast": 32.0,
    "beta_slow": 1.0,
    "factor": 8.0,
    "original_max_position_embeddings": 8192,
    "rope_type": "yarn",
}
MINISTRAL = yarn(16.0, 16384, beta_fast=32.0, beta_slow=1.0, mscale=1.0, mscale_all_dim=1.0)
MINISTRAL |= {"llama_4_scaling_beta": 0.1, "rope_theta": 1e9, "rope_type": "yarn"}
LINEAR_8 = {"factor": 8.0, "rope_type": "linear"}
GEMMA_4 = {
    "full_attention": {
        "partial_rotary_factor": 0.25,
        "rope_theta": 1e6,
        "rope_type": "proportional",
    },
    "sliding_attention": {"rope_theta": 1e4, "rope_type": "default"},
}

AGREES: dict[str, tuple[Config, tuple[str | None, ...]]] = {
    name: (config, (None,))
    for name, config in {
        "Llama-2-7b": model("llama", 4096, 32, 4096, rope_scaling=None),
        "Llama-2-70b": model("llama", 8192, 64, 4096, num_key_value_heads=8, rope_scaling=None),
        "CodeLlama-7b": model("llama", 4096, 32, 16384, rope_scaling=None, rope_theta=1000000),
        "Meta-Llama-3-8B": model("llama", 4096, 32, 8192, rope_scaling=None, rope_theta=500000.0),
        "Llama-3.1-8B": model("llama", 4096, 32, 131072, rope_theta=5e5, rope_scaling=LLAMA_31),
        "Llama-3.2-1B": model("llama", 2048, 32, 131072, head_dim=64, rope_theta=5e5)
        | {"rope_scaling": LLAMA_31 | {"factor": 32.0}},
        "Llama-3.2-11B-Vision": nested(
            "mllama", model("mllama_text_model", 4096, 32, 131072, rope_theta=5e5)
            | {"rope_scaling": LLAMA_31}
        ),
        "Llama-4-Scout": nested(
            "llama4", model("llama4_text", 5120, 40, 10485760, head_dim=128, rope_theta=5e5)
            | {"rope_scaling": SCOUT, "no_rope_layers": []}
        ),
        "Llama-4-Maverick": nested(
            "llama4", model("llama4_text", 5120, 40, 1048576, head_dim=128, rope_theta=5e5)
            | {"rope_scaling": None}
        ),
        "Mistral-7B-v0.1": model("mistral", 4096, 32, 32768, rope_theta=1e4, sliding_window=4096),
        "Mistral-7B-v0.3": model("mistral", 4096, 32, 32768, rope_theta=1e6, sliding_window=None),
        "Mistral-Nemo-2407": model("mistral", 5120, 32, 1024000, head_dim=128, rope_theta=1e6),
        "Mistral-Small-3.1": nested(
            "mistral3", model("mistral", 5120, 32, 131072, head_dim=128, rope_theta=1e9)
        ),
        "Mixtral-8x7B": model("mixtral", 4096, 32, 32768, rope_theta=1e6),
        "Ministral-3-14B": nested(
            "mistral3", model("ministral3", 5120, 32, 262144, head_dim=128)
            | {"rope_parameters": MINISTRAL}
        ),
        "Yarn-Llama-2-7b-64k": model("llama", 4096, 32, 65536)
        | {"rope_scaling": yarn(16.0, 4096, finetuned=True)},
        "Qwen1.5-7B": model("qwen2", 4096, 32, 32768, rope_theta=1e6, use_sliding_window=False),
        "Qwen2.5-7B-Instruct": model("qwen2", 3584, 28, 32768, rope_theta=1000000.0),
        "Qwen2.5-7B with YaRN": model("qwen2", 3584, 28, 32768, rope_theta=1000000.0)
        | {"rope_scaling": yarn(4.0, 32768)},
        "Qwen3-8B": model("qwen3", 4096, 32, 40960, head_dim=128, rope_theta=1000000),
        "Qwen3-30B-A3B": model("qwen3_moe", 2048, 32, 40960, head_dim=128, rope_theta=1000000.0),
        "Qwen3-Next-80B-A3B": model("qwen3_next", 2048, 16, 262144, head_dim=256)
        | {"partial_rotary_factor": 0.25, "rope_scaling": None, "rope_theta": 10000000},
        "Qwen2-VL-7B": model("qwen2_vl", 3584, 28, 32768, rope_theta=1e6, rope_scaling=MROPE),
        "Qwen2.5-VL-7B": model("qwen2_5_vl", 3584, 28, 128000, rope_theta=1e6, rope_scaling=MROPE),
        "Qwen3-VL-8B": nested(
            "qwen3_vl", model("qwen3_vl_text", 4096, 32, 262144, head_dim=128, rope_theta=5000000)
            | {"rope_scaling": MROPE_3}
        ),
        "Qwen3-Omni-30B": {
            "model_type": "qwen3_omni_moe",
            "thinker_config": nested(
                "qwen3_omni_moe_thinker",
                model("qwen3_omni_moe_text", 2048, 32, 65536, head_dim=128, rope_theta=1000000)
                | {"rope_scaling": MROPE_3 | {"interleaved": True, "type": "default"}}
            ),
        },
        "DeepSeek-V2-Lite": model("deepseek_v2", 2048, 16, 163840, qk_rope_head_dim=64)
        | {"qk_nope_head_dim": 128, "rope_scaling": LITE, "rope_theta": 10000},
        "DeepSeek-V3": model("deepseek_v3", 7168, 128, 163840, qk_rope_head_dim=64)
        | {"qk_nope_head_dim": 128, "rope_scaling": DEEPSEEK, "rope_theta": 10000},
        "Moonlight-16B": model("deepseek_v3", 2048, 16, 8192, qk_rope_head_dim=64)
        | {"qk_nope_head_dim": 128, "rope_theta": 50000.0},
        "deepseek-coder-6.7b": model("llama", 4096, 32, 16384, rope_theta=100000)
        | {"rope_scaling": {"factor": 4.0, "type": "linear"}},
        "gemma-2b": model("gemma", 2048, 8, 8192, head_dim=256, rope_theta=10000.0),
        "gemma-2-9b": model("gemma2", 3584, 16, 8192, head_dim=256, rope_theta=10000.0),
        "phi-1_5": model("phi", 2048, 32, 2048, partial_rotary_factor=0.5, rope_scaling=None),
        "phi-2": model("phi", 2560, 32, 2048, partial_rotary_factor=0.4, rope_theta=10000.0),
        "Phi-3-mini-4k": model("phi3", 3072, 32, 4096, original_max_position_embeddings=4096)
        | {"rope_scaling": None, "rope_theta": 10000.0},
        "Phi-3-mini-128k": model("phi3", 3072, 32, 131072, rope_theta=10000.0)
        | {"original_max_position_embeddings": 4096, "rope_scaling": long_rope(48)},
        "Phi-4-mini": model("phi3", 3072, 24, 131072, partial_rotary_factor=0.75)
        | {"original_max_position_embeddings": 4096, "rope_scaling": long_rope(48)},
        "phi-4": model("phi3", 5120, 40, 16384, rope_scaling=None, rope_theta=250000),
        "falcon-7b": model("falcon", 4544, 71, alibi=False, multi_query=True),
        "falcon-40b, RefinedWeb": {
            "model_type": "RefinedWeb", "hidden_size": 8192, "n_head": 128, "n_layer": 60,
            "alibi": False,
        },
        "Falcon3-7B": model("llama", 3072, 12, 32768, head_dim=256, rope_theta=1000042),
        "Falcon-H1-7B": model("falcon_h1", 3072, 12, 262144, head_dim=128, rope_theta=1e11),
        "gpt-neox-20b": model("gpt_neox", 6144, 64, 2048, rotary_emb_base=10000, rotary_pct=0.25),
        "pythia-6.9b": model("gpt_neox", 4096, 32, 2048, rotary_emb_base=10000, rotary_pct=0.25),
        "RedPajama-INCITE-3B": model("gpt_neox", 2560, 32, 2048, rotary_pct=1.0),
        "gpt-j-6b": {"model_type": "gptj", "n_embd": 4096, "n_head": 16, "rotary_dim": 64},
        "stablelm-3b-4e1t": model("stablelm", 2560, 32, 4096, partial_rotary_factor=0.25),
        "c4ai-command-r-v01": model("cohere", 8192, 64, 8192, rope_theta=8000000.0),
        "c4ai-command-r7b": model("cohere2", 4096, 32, 8192, head_dim=128, rope_theta=50000)
        | {"position_embedding_type": "rope_gptj", "rotary_pct": 1.0, "rope_scaling": None},
        "OLMo-7B-hf": model("olmo", 4096, 32, 2048, rope_scaling=None, rope_theta=10000.0),
        "OLMo-2-1124-7B": model("olmo2", 4096, 32, 4096, rope_scaling=None, rope_theta=500000),
        "OLMoE-1B-7B": model("olmoe", 2048, 16, 4096, rope_scaling=None, rope_theta=10000.0),
        "Yi-34B-200K": model("llama", 7168, 56, 200000, rope_theta=10000000.0),
        "glm-4-9b-chat-hf": model("glm", 4096, 32, 131072, head_dim=128, rope_theta=10000.0)
        | {"partial_rotary_factor": 0.5},
        "GLM-4-9B-0414": model("glm4", 4096, 32, 32768, head_dim=128, rope_theta=10000.0)
        | {"partial_rotary_factor": 0.5},
        "GLM-4.5": model("glm4_moe", 5120, 96, 131072, head_dim=128, rope_theta=1000000)
        | {"partial_rotary_factor": 0.5},
        "GLM-4.5V": nested(
            "glm4v_moe", model("glm4v_moe_text", 4096, 96, 65536, head_dim=128, rope_theta=1e4)
            | {"partial_rotary_factor": 0.5}
            | {"rope_scaling": {"rope_type": "default", "mrope_section": [8, 12, 12]}}
        ),
        "ERNIE-4.5-0.3B": model("ernie4_5", 1024, 16, 131072, head_dim=128, rope_theta=500000.0),
        "ERNIE-4.5-21B-A3B": model("ernie4_5_moe", 2560, 20, 131072, rope_theta=500000.0),
        "MiniMax-M2": model("minimax_m2", 3072, 48, 196608, head_dim=128, rope_theta=5000000)
        | {"rotary_dim": 64},
        "gpt-oss-20b": model("gpt_oss", 2880, 64, 131072, head_dim=64, rope_theta=150000)
        | {"rope_scaling": GPT_OSS | {"rope_type": "yarn"}},
        "SmolLM2-135M": model("llama", 576, 9, 8192, rope_interleaved=False, rope_theta=100000),
        "SmolLM3-3B": model("smollm3", 2048, 16, 65536, rope_scaling=None, rope_theta=5000000.0),
        "granite-3.1-8b": model("granite", 4096, 32, 131072, rope_theta=10000000.0),
        "granite-4.0-micro": model("granitemoehybrid", 2560, 40, 131072, rope_theta=10000000)
        | {"position_embedding_type": "rope"},
        "Minitron-8B": model("nemotron", 4096, 48, 4096, head_dim=128)
        | {"partial_rotary_factor": 0.5, "rope_theta": 10000.0},
        "persimmon-8b": model("persimmon", 4096, 64, 16384, partial_rotary_factor=0.5)
        | {"rope_theta": 25000.0},
        "dbrx-base, one key added": {
            "model_type": "dbrx", "d_model": 6144, "n_heads": 48, "max_seq_len": 32768,
            "attn_config": {"kv_n_heads": 8, "rope_theta": 500000}, "rope_theta": 500000,
        },
        "starcoder2-15b": model("starcoder2", 6144, 48, 16384, rope_theta=100000),
        "EXAONE-4.0-32B": model("exaone4", 5120, 40, 131072, head_dim=128, rope_theta=1000000)
        | {"rope_scaling": LLAMA_31 | {"factor": 16.0}},
        "LFM2-1.2B": model("lfm2", 2048, 32, 128000, rope_theta=1000000.0),
        "Seed-OSS-36B": model("seed_oss", 5120, 80, 524288, head_dim=128, rope_theta=10000000.0),
        "MiniCPM3-4B": model("minicpm3", 2560, 40, 32768, qk_rope_head_dim=32)
        | {"qk_nope_head_dim": 64},
        "Arcee-AFM-4.5B": model("arcee", 2560, 20, 65536, head_dim=128, rope_theta=10000.0)
        | {"rope_scaling": yarn(20.0, 4096, beta_fast=32.0, beta_slow=1.0, mscale=1.0)},
        "Apertus-8B": model("apertus", 4096, 32, 65536, rope_theta=12000000)
        | {"rope_scaling": LLAMA_31},
        "nanochat-d32": model("nanochat", 2048, 16, 2048, rope_theta=10000.0),
        "JetMoE-8B": {"model_type": "jetmoe", "kv_channels": 128, "rope_theta": 10000.0},
        "Solar-Open-100B": model("solar_open", 4096, 64, 131072, rope_theta=1000000),
        "CodeGen-2B": {"model_type": "codegen", "n_embd": 2560, "n_head": 32, "rotary_dim": 64},
    }.items()
}  # fmt: skip
AGREES |= {
    "gemma-3-1b": (
        model("gemma3_text", 1152, 4, 32768, head_dim=256, rope_theta=1000000)
        | {"rope_local_base_freq": 10000, "rope_scaling": None, "sliding_window": 512},
        BOTH,
    ),
    "gemma-3-4b": (
        nested("gemma3", {
            "hidden_size": 2560, "model_type": "gemma3_text", "num_hidden_layers": 34,
            "rope_scaling": LINEAR_8, "sliding_window": 1024,
        }),
        BOTH,
    ),
    "gemma-3-12b": (
        nested("gemma3", {
            "hidden_size": 3840, "model_type": "gemma3_text", "num_attention_heads": 16,
            "num_hidden_layers": 48, "rope_scaling": LINEAR_8, "sliding_window": 1024,
        }),
        BOTH,
    ),
    "gemma-3-27b": (
        nested("gemma3", {
            "head_dim": 128, "hidden_size": 5376, "model_type": "gemma3_text",
            "num_attention_heads": 32, "query_pre_attn_scalar": 168, "rope_scaling": LINEAR_8,
        }),
        BOTH,
    ),
    "gemma-3n-E2B": (
        nested("gemma3n", model("gemma3n_text", 2048, 8, 32768, head_dim=256, rope_theta=1e6)
               | {"rope_local_base_freq": 10000.0}),
        BOTH,
    ),
    "gemma-4": (
        nested("gemma4", model("gemma4_text", 2560, 8, 131072, head_dim=256, global_head_dim=512)
               | {"rope_parameters": GEMMA_4}),
        BOTH,
    ),
    "Olmo-3-7B": (
        model("olmo3", 4096, 32, 65536, rope_theta=500000, rope_scaling=OLMO_3)
        | {"layer_types": [SLIDING, SLIDING, SLIDING, FULL] * 8, "num_hidden_layers": 32},
        BOTH,
    ),
    "ModernBERT-base": (
        model("modernbert", 768, 12, 8192, global_rope_theta=160000.0, local_rope_theta=10000.0)
        | {"position_embedding_type": "absolute"},
        BOTH,
    ),
}  # fmt: skip

REFUSED: dict[str, tuple[Config, str]] = {
    "dbrx-base": (
        {"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "max_seq_len": 32768}
        | {"attn_config": {"kv_n_heads": 8, "rope_theta": 500000}},
        "attn_config.rope_theta is 500000, but DbrxConfig of transformers ignores it: write",
    ),
    "bloom-560m": (model("bloom", 1024, 16), "config has no key of a rotary embedding"),
    "mpt-7b": (
        {"model_type": "mpt", "d_model": 4096, "n_heads": 32, "attn_config": {"alibi": True}},
        "attn_config.alibi=True means that this model has no rotary embedding",
    ),
    "falcon-rw-1b": (model("falcon", 2048, 32, alibi=True), "alibi=True means that this model"),
    "Jamba-v0.1": (model("jamba", 4096, 32), "config has no key of a rotary embedding"),
    "granite-4.0-h-small": (
        model("granitemoehybrid", 4096, 32, position_embedding_type="nope"),
        "position_embedding_type='nope' means that this model has no rotary embedding",
    ),
    "glm-4-9b-chat, ChatGLM keys": (
        model("chatglm", 4096, 32, kv_channels=128, original_rope=True, rope_ratio=500),
        "'rope_ratio' is not a key that rope_parameters knows; write rope_theta=10000*rope_ratio",
    ),
    "chatglm2-6b": (
        model("chatglm", 4096, 32, kv_channels=128, original_rope=True),
        "rope_theta is missing, and no default is known for model_type='chatglm': pass",
    ),
    "chatglm, one key added": (
        model("chatglm", 4096, 32, kv_channels=128, original_rope=True, rope_theta=5e6),
        "head_dim is missing, and no default is known for model_type='chatglm': pass head_dim"
        " and partial_rotary_factor (0.5 for original_rope)",
    ),
    "internlm2-7b": (
        model("internlm2", 4096, 32, 32768, rope_theta=1000000),
        "head_dim is missing, and no default is known for model_type='internlm2'",
    ),
    "ERNIE-4.5-VL-28B": (
        model("ernie4_5_moe_vl", 2560, 20, 131072, rope_theta=500000, freq_allocation=20),
        "model_type='ernie4_5_moe_vl' orders its frequencies differently",
    ),
    "Hunyuan-A13B": (
        model("hunyuan_v1_moe", 4096, 32, 32768, rope_theta=1e4)
        | {"rope_scaling": {"alpha": 1000.0, "factor": 1.0, "type": "dynamic"}},
        "'alpha' is not a key that rope_parameters knows; write rope_theta=ntk_base(",
    ),
    "Phi-3.5-MoE": (
        model("phimoe", 4096, 32, 131072, rope_theta=10000.0)
        | {"rope_scaling": long_rope(64, long_mscale=1.24, short_mscale=1.24)},
        "'long_mscale' is not a key that rope_parameters knows; write attention_factor",
    ),
    "Qwen-7B": (
        model("qwen", 4096, 32, rotary_emb_base=10000, rotary_pct=1.0, use_dynamic_ntk=True),
        "'use_dynamic_ntk' is not a key that rope_parameters knows",
    ),
    "gte-multilingual": (
        model("new", 768, 12, rope_theta=20000, rope_scaling={"factor": 8.0, "type": "ntk"}),
        "rope_type='ntk' raises the base: write rope_theta=ntk_base(",
    ),
    "stablelm, original keys": (
        model("stablelm_epoch", 2560, 32, 4096, rope_pct=0.25, rope_theta=10000),
        "'rope_pct' is not a key that rope_parameters knows; write partial_rotary_factor",
    ),
    "Nemotron-4, rope_percent": (
        model("nemotron", 18432, 96, 4096, rope_percent=0.5),
        "'rope_percent' is not a key that rope_parameters knows; write partial_rotary_factor",
    ),
    "llama with a share": (
        model("llama", 4096, 32, partial_rotary_factor=0.5),
        "LlamaConfig of transformers ignores partial_rotary_factor",
    ),
    "gemma-3-12b without model_type": (
        {"hidden_size": 3840, "intermediate_size": 15360, "num_attention_heads": 16}
        | {"rope_scaling": LINEAR_8, "rope_theta": 1e6, "sliding_window": 1024},
        "head_dim is missing, and no default is known without model_type",
    ),
    "gemma-4 without the wide heads": (
        model("gemma4_text", 2560, 8, head_dim=256, rope_parameters=GEMMA_4),
        "rope_parameters has a mapping for each kind of layer: pass",
    ),
    "Pixtral, vision": (
        {"model_type": "pixtral", "hidden_size": 1024, "num_attention_heads": 16, "head_dim": 64}
        | {"rope_theta": 10000.0},
        "model_type='pixtral' rotates by two coordinates: use axial_cos_sin",
    ),
}
