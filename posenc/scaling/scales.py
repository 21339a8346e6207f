"""The scales of attention scores: before the softmax, and of queries at large positions."""

import math
from collections.abc import Mapping
from typing import Any

from posenc.scaling.facts import ModelFacts
from posenc.scaling.settings import Settings

QUERY_SCALARS = {  # defaults of query_pre_attn_scalar: its root divides the scores
    "gemma2": 256,
    "gemma3_text": 256,
    "t5_gemma_module": 256,
    "t5gemma2_text": 256,
    "vaultgemma": 256,
}
MULTIPLIERS = {  # defaults of attention_multiplier
    "granite": 1.0,
    "granite4_vision_text": 1.0,
    "granite_docling_text": 0.015625,
    "granite_swa": 1.0,
    "granitemoe": 1.0,
    "granitemoe_swa": 1.0,
    "granitemoehybrid": 1.0,
    "granitemoeshared": 1.0,
}
UNSCALED = {
    "dia_decoder",
    "dia_encoder",
    "diffusion_gemma_text",
    "embedding_gemma2_text",
    "gemma3n_text",
    "gemma4_text",
    "gemma4_unified_text",
}


def find_softmax_scale(
    config: Mapping[str, Any], settings: Settings | None, facts: ModelFacts | None
) -> float | None:
    """Return the number that scores are multiplied by before the softmax, or None."""
    if facts is None:
        return None
    model = facts.model_type
    if model in UNSCALED:
        return 1.0
    if model in QUERY_SCALARS:
        return float((config.get("query_pre_attn_scalar") or QUERY_SCALARS[model]) ** -0.5)
    if model in MULTIPLIERS:
        given = config.get("attention_multiplier")
        return float(MULTIPLIERS[model] if given is None else given)
    width = _find_query_width(config, settings, facts)
    return None if width is None else width**-0.5 * _find_latent_factor(config, settings)


def _find_query_width(
    config: Mapping[str, Any], settings: Settings | None, facts: ModelFacts
) -> int | None:
    """Return the number of channels of a query."""
    given = dict(facts.defaults) | dict(config) if settings is None else settings.given
    part, rest = given.get("qk_rope_head_dim"), config.get("qk_nope_head_dim")
    if part is not None:
        return None if rest is None else int(part) + int(rest)
    width = given.get("head_dim") or given.get("kv_channels")
    if width is None and given.get("hidden_size") and given.get("num_attention_heads"):
        width = given["hidden_size"] // given["num_attention_heads"]
    return width


def _find_latent_factor(config: Mapping[str, Any], settings: Settings | None) -> float:
    """Return the square that DeepSeek's attention adds with YaRN and mscale_all_dim."""
    if settings is None or settings.given.get("qk_rope_head_dim") is None:
        return 1.0
    all_dim, factor = settings.given.get("mscale_all_dim"), settings.given.get("factor")
    if not all_dim or not factor or factor <= 1:
        return 1.0
    return float((0.1 * all_dim * math.log(factor) + 1) ** 2)


def describe_query_scale(
    config: Mapping[str, Any], rotates: bool, facts: ModelFacts | None
) -> str | None:
    """Return how queries at large positions p are scaled, as a formula, or None."""
    rope = config.get("rope_parameters") or config.get("rope_scaling") or {}
    beta = rope.get("llama_4_scaling_beta") if isinstance(rope, Mapping) else None
    if beta:
        original = rope.get("original_max_position_embeddings")
        return f"1 + {beta:g} ln(1 + floor(p / {original}))"
    tuned = config.get("attn_temperature_tuning", True)
    if facts is not None and facts.model_type == "llama4_text" and tuned and not rotates:
        scale, floor = config.get("attn_scale", 0.1), config.get("floor_scale", 8192)
        return f"1 + {scale:g} ln(1 + floor((p + 1) / {floor:g}))"
    return None
