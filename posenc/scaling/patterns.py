"""Which kind each layer of a model is, and which of them rotate.

A config lists the kinds under `layer_types`. Where it doesn't, they follow the pattern of its class
in transformers 5.24. A test compares each pattern with the class.
"""

from collections.abc import Mapping
from typing import Any

from posenc.core import checks

FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"
LINEAR = "linear_attention"

# Every nth layer has full attention and the others have another kind: n, the key for n, the kind.
LAST_IS_FULL: dict[str, tuple[int, str | None, str]] = {
    "afmoe": (4, "global_attn_every_n_layers", SLIDING),
    "bailing_hybrid": (6, None, LINEAR),
    "beam": (6, None, SLIDING),
    "cohere2": (4, "sliding_window_pattern", SLIDING),
    "cohere2_moe": (4, "sliding_window_pattern", SLIDING),
    "diffusion_gemma_text": (6, None, SLIDING),
    "embedding_gemma2_text": (6, "sliding_window_pattern", SLIDING),
    "exaone4": (4, "sliding_window_pattern", SLIDING),
    "exaone_moe": (4, "sliding_window_pattern", SLIDING),
    "gemma2": (2, None, SLIDING),
    "gemma3_text": (6, "sliding_window_pattern", SLIDING),
    "gemma3n_text": (5, None, SLIDING),
    "gemma4_text": (6, None, SLIDING),
    "gemma4_unified_text": (6, None, SLIDING),
    "gpt_oss": (2, None, SLIDING),
    "kolibri1": (5, None, SLIDING),
    "llama4_text": (4, "no_rope_layer_interval", CHUNKED),
    "muse_glimmer_text": (4, None, SLIDING),
    "muse_spark_text": (4, None, SLIDING),
    "neomme": (6, None, SLIDING),
    "olmo3": (4, None, SLIDING),
    "olmo_hybrid": (4, None, LINEAR),
    "qwen3_5_moe_text": (4, "full_attention_interval", LINEAR),
    "qwen3_5_text": (4, "full_attention_interval", LINEAR),
    "qwen3_next": (4, "full_attention_interval", LINEAR),
    "t5_gemma_module": (2, None, SLIDING),
    "t5gemma2_text": (6, None, SLIDING),
    "ultrabert": (3, None, SLIDING),
    "vaultgemma": (2, None, SLIDING),
}
# The same, but the first layer of each group has full attention.
FIRST_IS_FULL: dict[str, tuple[int, str | None, str]] = {
    "cwm": (4, None, SLIDING),
    "granite_swa": (4, None, SLIDING),
    "granitemoe_swa": (4, None, SLIDING),
    "modernbert": (3, "global_attn_every_n_layers", SLIDING),
    "modernbert-decoder": (3, "global_attn_every_n_layers", SLIDING),
}
# No pattern that follows from one key: layer_types must be given.
IRREGULAR = {
    "bamba",
    "deepseek_v4",
    "dory",
    "dots3_note_text",
    "flint",
    "granitemoehybrid",
    "laguna",
    "lara_mini",
    "lfm2",
    "lfm3",
    "lfm3_vl_vision",
    "mellum",
    "mimo_v2_flash",
    "minimax",
    "muse_glimmer_vision",
    "muse_spark_vision",
    "qwen4_exp_text",
    "recurrent_gemma",
    "step3p5",
    "t5gemma2_decoder",
    "unlimited_ocr_text",
    "zamba2",
    "zaya",
}
# All layers choose keys by an index.
INDEXED = {
    "axk2",
    "deepseek_v32",
    "glm_moe_dsa",
    "hy_v4",
    "hy_v4_vl_text",
    "mistral_large4_text",
}
# Their window counts only with use_sliding_window=True.
SWITCHED = {
    "deepseek_ocr2_encoder",
    "qwen2",
    "qwen2_5_omni_talker",
    "qwen2_5_vl_text",
    "qwen2_moe",
    "qwen2_vl_text",
    "qwen3",
    "qwen3_moe",
    "smollm3",
}
# In these, layers with full attention have no positions where others have a sliding window.
NO_POSITIONS_ON_FULL = {"afmoe", "cohere2", "cohere2_moe", "exaone4", "exaone_moe", "kolibri1"}
# Every nth layer has no positions, unless no_rope_layers lists them (1: rotates).
NO_ROPE_INTERVALS = {"llama4_text": 4, "mistral_large4_text": 4, "smollm3": 4}
MOST_LAYERS = 2**16  # far above that of any model
LAYER_COUNTS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")


def list_kinds(config: Mapping[str, Any], model: str | None) -> list[str]:
    """Return the kind of each layer."""
    listed = config.get("layer_types")
    count = _count_layers(config, listed)
    if listed is not None:
        if not isinstance(listed, list | tuple) or not all(isinstance(k, str) for k in listed):
            raise TypeError(f"layer_types must be a list of strings, got {type(listed).__name__}")
        if len(listed) != count:
            raise ValueError(
                f"layer_types must have {count} entries, one a layer, got {len(listed)}"
            )
        return list(listed)
    for patterns, last in ((LAST_IS_FULL, True), (FIRST_IS_FULL, False)):
        if model in patterns:
            period, key, other = patterns[model]
            given = config.get(key) if key else None
            period = period if given is None else checks.integer(str(key), given, least=1)
            if config.get("sliding_window", 1) is None and other == SLIDING:
                other = FULL
            full = period - 1 if last else 0
            return [FULL if i % period == full else other for i in range(count)]
    if model in IRREGULAR:
        raise ValueError(
            f"layer_types is missing, and model_type={model!r} has no pattern: pass it"
        )
    if model in INDEXED:
        return ["indexed_attention"] * count
    return _list_windows(config, count, model)


def list_rotating(config: Mapping[str, Any], kinds: list[str], model: str | None) -> list[bool]:
    """Return which layers rotate."""
    attends = [is_attention(kind) for kind in kinds]
    listed = config.get("no_rope_layers")
    interval = config.get("no_rope_layer_interval") or NO_ROPE_INTERVALS.get(model or "")
    if listed:
        if len(listed) != len(kinds):
            raise ValueError(
                f"no_rope_layers must have {len(kinds)} entries, one a layer, got {len(listed)}"
            )
        return [there and bool(rotates) for there, rotates in zip(attends, listed, strict=True)]
    if interval is not None:
        period = checks.integer("no_rope_layer_interval", interval, least=1)
        return [there and (i + 1) % period != 0 for i, there in enumerate(attends)]
    if model in NO_POSITIONS_ON_FULL and SLIDING in kinds:
        return [kind == SLIDING for kind in kinds]
    return attends


def is_attention(kind: str) -> bool:
    """Return whether layers of a kind have scores of queries and keys."""
    return kind != LINEAR and ("attention" in kind or "hybrid" in kind)


def _count_layers(config: Mapping[str, Any], listed: Any) -> int:
    for key in LAYER_COUNTS:
        if config.get(key) is not None:
            count = checks.integer(key, config[key], least=1)
            if count > MOST_LAYERS:
                said = checks.describe_value(count)
                raise ValueError(f"{key} must be at most {MOST_LAYERS}, got {key}={said}")
            return count
    if isinstance(listed, list | tuple) and listed:
        return len(listed)
    raise ValueError("num_hidden_layers is missing: pass it")


def _list_windows(config: Mapping[str, Any], count: int, model: str | None) -> list[str]:
    """Return kinds where one window, or none, is for all layers from some layer on."""
    window, used = config.get("sliding_window"), config.get("use_sliding_window")
    if not window or used is False or (used is None and model in SWITCHED):
        return [FULL] * count
    first = config.get("max_window_layers") or 0
    return [SLIDING if i >= first else FULL for i in range(count)]
