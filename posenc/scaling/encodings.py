"""Refuse the config of a model that has no rotary embedding, or another kind of it."""

from collections.abc import Iterator, Mapping
from typing import Any

from posenc.core import checks
from posenc.scaling.keys import (
    BASES,
    ENCODING_KEYS,
    KEY_NAMES,
    NO_ROTARY,
    OTHER_ENCODINGS,
    OTHER_ROTATIONS,
)

Config = dict[str, Any]


def refuse_other_encodings(config: Config) -> None:
    """Refuse a model that rotates differently from its keys, or not at all."""
    for key, value in _find_absent(config):
        raise ValueError(
            f"{key}={checks.describe_value(value)} means that this model has no rotary embedding"
        )
    model = config.get("model_type")
    if isinstance(model, str) and model in OTHER_ROTATIONS:
        raise ValueError(f"model_type={model!r} {OTHER_ROTATIONS[model]}")


def find_other_encoding(config: Config) -> str | None:
    """Return "alibi" or "none" for a model without rotary embedding, else None."""
    for key, value in _find_absent(config):
        alibi = "alibi" in key or (isinstance(value, str) and value == "alibi")
        return "alibi" if alibi else "none"
    model = config.get("model_type")
    return OTHER_ENCODINGS.get(model) if isinstance(model, str) else None


def _find_absent(config: Config) -> Iterator[tuple[str, object]]:
    """Yield keys that mean that a model has no rotary embedding."""
    for key, value in config.items():
        declared = key in ENCODING_KEYS and not (
            isinstance(value, str) and _is_rotary(value, config)
        )
        if declared or (key in NO_ROTARY and value is NO_ROTARY[key]):
            yield key, value
    attention = config.get("attn_config")
    if isinstance(attention, Mapping) and attention.get("alibi") is True:
        yield "attn_config.alibi", True


def _is_rotary(value: str, config: Config) -> bool:
    """Whether the word for an encoding is rotary, or a default of BERT beside a rotary base."""
    if value.startswith(("rope", "rotary")):
        return True
    declared = config.get("model_type") in ("esm", "evolla")  # absolute or rotary, as this key says
    bases = (key for key in config if KEY_NAMES.get(key, key) == "rope_theta" or key in BASES)
    return value == "absolute" and not declared and any(config[key] is not None for key in bases)
