"""The scales of attention scores: before the softmax, and of queries at large positions."""

import math
from collections.abc import Mapping
from typing import Any

from posenc.scaling.facts import ModelFacts
from posenc.scaling.settings import Settings


def find_softmax_scale(
    config: Mapping[str, Any], settings: Settings | None, facts: ModelFacts | None
) -> float | None:
    """Return the number that scores are multiplied by before the softmax, or None."""
    if facts is None:
        return None
    if facts.unscaled:
        return 1.0
    keys = {key: config.get(key, value) for key, value in (facts.softmax_keys or {}).items()}
    if keys.get("query_pre_attn_scalar") is not None:
        return float(keys["query_pre_attn_scalar"] ** -0.5)
    if keys.get("attention_multiplier") is not None:
        return float(keys["attention_multiplier"])
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
