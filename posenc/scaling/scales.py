"""The scales of attention scores: before the softmax, and of queries at large positions."""

import math
from collections.abc import Mapping
from typing import Any

from posenc.core import checks
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
    keys = dict(facts.softmax_keys or {}) | dict(config)
    for key, power in (("query_pre_attn_scalar", -0.5), ("attention_multiplier", 1)):
        if key in (facts.softmax_keys or {}) and keys[key] is not None:
            return _read_positive(key, keys[key]) ** power
    width = _find_query_width(config, settings, facts)
    return None if width is None else width**-0.5 * _find_latent_factor(config, settings)


def _read_positive(key: str, value: object) -> float:
    number = checks.real(key, value)
    if not number > 0:
        raise ValueError(f"{key} must be above 0, got {key}={checks.describe_value(number)}")
    return float(number)


def _find_query_width(
    config: Mapping[str, Any], settings: Settings | None, facts: ModelFacts
) -> int | None:
    """Return the number of channels of a query."""
    given = dict(facts.defaults) | dict(config) if settings is None else settings.given
    part, rest = given.get("qk_rope_head_dim"), config.get("qk_nope_head_dim")
    if part is not None:
        named = {"qk_rope_head_dim": part, "qk_nope_head_dim": rest}
        return (
            None if rest is None else sum(checks.integer(*each, least=0) for each in named.items())
        )
    for key in ("head_dim", "kv_channels"):
        if given.get(key) is not None:
            return checks.integer(key, given[key], least=1)
    sizes = {key: given.get(key) for key in ("hidden_size", "num_attention_heads")}
    if any(value is None for value in sizes.values()):
        return None
    width, heads = (checks.integer(key, value, least=1) for key, value in sizes.items())
    if width < heads:
        raise ValueError(
            f"hidden_size must be at least num_attention_heads={heads}, got hidden_size={width}"
        )
    return width // heads


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
    if beta is not None:
        beta = _read_positive("llama_4_scaling_beta", beta)
        original = rope.get("original_max_position_embeddings")
        return f"1 + {beta:g} ln(1 + floor(p / {original}))"
    tuned = config.get("attn_temperature_tuning", True)
    if facts is not None and facts.model_type == "llama4_text" and tuned and not rotates:
        scale = _read_positive("attn_scale", config.get("attn_scale", 0.1))
        floor = _read_positive("floor_scale", config.get("floor_scale", 8192))
        return f"1 + {scale:g} ln(1 + floor((p + 1) / {floor:g}))"
    return None
