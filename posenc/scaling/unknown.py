"""Refuse misspelt keys, and ask for keys of models that we know nothing about."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from posenc.scaling.keys import (
    BASES,
    KEY_NAMES,
    LAYER_KEYS,
    LIKE_KEYS,
    MAPPINGS,
    NOT_OF_A_MODEL,
    OF_A_MODEL,
    OWN,
    ROTARY_WORDS,
    SHARED,
    WIDTHS,
)

Config = dict[str, Any]


def is_model(config: Config) -> bool:
    """Return whether a config is that of a model, not only rope parameters with sizes."""
    if {"rope_type", "type"} & config.keys():
        return False
    return "model_type" in config or (
        bool(OF_A_MODEL & config.keys()) and not all(map(is_known, config))
    )


def require_keys(config: Config, given: Mapping[str, Any]) -> None:
    """Ask for what the class of an unknown model would fill in: nothing is filled in for it."""
    stated = {key for key, value in given.items() if value is not None}
    if not stated & (OWN | SHARED) - NOT_OF_A_MODEL and not any(
        word in str(key) for key in config for word in ROTARY_WORDS
    ):
        raise ValueError(
            "config has no key of a rotary embedding (rope_parameters, rope_theta, ...): "
            "if the model has one, pass rope_theta"
        )
    missing = []
    if "rope_theta" not in stated:
        missing.append("rope_theta")
    if not stated & {"head_dim", "qk_rope_head_dim", "rotary_dim"}:
        missing.append("head_dim")
    if not stated & {"partial_rotary_factor", "qk_rope_head_dim", "rotary_dim"}:
        share = "0.5 for original_rope" if config.get("original_rope") else "1 for whole heads"
        missing.append(f"partial_rotary_factor ({share})")
    if missing:
        model = config.get("model_type")
        of = "without model_type" if model is None else f"for model_type={model!r}"
        first = missing[0].partition(" ")[0]
        raise ValueError(
            f"{first} is missing, and no default is known {of}: pass {' and '.join(missing)}"
        )


def refuse_misspelt(config: Config) -> None:
    """Refuse a misspelt key: one word of it differs slightly from a known key."""
    for key in config:
        if not isinstance(key, str) or is_known(key) or key in LIKE_KEYS:
            continue
        words = key.lower().split("_")
        for known in sorted(OWN | SHARED | MAPPINGS):
            theirs = known.split("_")
            other = [(a, b) for a, b in zip(words, theirs, strict=False) if a != b]
            slip = len(words) == len(theirs) > 1 and len(other) <= 1 and _are_alike(*other)
            if slip or "".join(words) == "".join(theirs):
                raise ValueError(f"{key!r} is not a key that rope_parameters knows; write {known}")


def _are_alike(*words: tuple[str, str]) -> bool:
    return all(get_close_matches(a, [b], cutoff=0.7) for a, b in words)


def is_known(key: object) -> bool:
    """Return whether a key is one of ours, by any of its names."""
    return (
        key
        in OWN | SHARED | MAPPINGS | KEY_NAMES.keys() | BASES.keys() | WIDTHS.keys() | LAYER_KEYS
    )
