"""Which kind each layer of a model is, and which of them rotate.

A config lists the kinds under `layer_types`. Where it doesn't, they follow the pattern of its class
in transformers, which the model facts hold.
"""

from collections.abc import Mapping
from typing import Any

from posenc.core import checks
from posenc.scaling.facts import ModelFacts

FULL, SLIDING, CHUNKED = "full_attention", "sliding_attention", "chunked_attention"
LINEAR = "linear_attention"
MOST_LAYERS = 2**16  # far above that of any model
LAYER_COUNTS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")


def list_kinds(config: Mapping[str, Any], facts: ModelFacts | None) -> list[str]:
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
    if facts is None or facts.kinds is None:
        return _list_windows(config, count, {} if facts is None else facts.defaults)
    if not facts.kinds:
        raise ValueError(
            f"layer_types is missing, and model_type={facts.model_type!r} has no pattern: pass it"
        )
    kinds = _find_period(config, facts)
    if config.get("sliding_window", 1) is None:
        kinds = [FULL if kind == SLIDING else kind for kind in kinds]
    listed = [kinds[i % len(kinds)] for i in range(count)]
    return [*listed[:-1], facts.last_kind or listed[-1]]


def _find_period(config: Mapping[str, Any], facts: ModelFacts) -> list[str]:
    """Return the kinds that repeat."""
    kinds, key = list(facts.kinds or ()), facts.period_key
    if key is None or config.get(key) is None:
        return kinds
    others = [kinds[1] if kinds[0] == FULL else kinds[0]] * (
        checks.integer(key, config[key], least=1) - 1
    )
    return [FULL, *others] if kinds[0] == FULL else [*others, kinds[-1]]


def list_rotating(
    config: Mapping[str, Any], kinds: list[str], facts: ModelFacts | None
) -> list[bool]:
    """Return which layers rotate."""
    attends = [is_attention(kind) for kind in kinds]
    listed, interval = (config.get(key) for key in ("no_rope_layers", "no_rope_layer_interval"))
    if interval is None and facts is not None:
        interval = facts.no_rope_interval
    if listed is not None and not isinstance(listed, list | tuple):
        raise TypeError(f"no_rope_layers must be a list, got {type(listed).__name__}")
    if listed:
        if len(listed) != len(kinds):
            raise ValueError(
                f"no_rope_layers must have {len(kinds)} entries, one a layer, got {len(listed)}"
            )
        return [there and bool(rotates) for there, rotates in zip(attends, listed, strict=True)]
    if interval is not None:
        period = checks.integer("no_rope_layer_interval", interval, least=1)
        return [there and (i + 1) % period != 0 for i, there in enumerate(attends)]
    rotates = {} if facts is None else facts.rotates
    if isinstance(rotates, Mapping) and SLIDING in kinds:  # without windows all layers rotate
        return [there and rotates.get(k, True) for there, k in zip(attends, kinds, strict=True)]
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


def _list_windows(config: Mapping[str, Any], count: int, defaults: Mapping[str, Any]) -> list[str]:
    """Return kinds where one window, or none, is for all layers from some layer on."""
    window, used, first = (
        config[key] if key in config else defaults.get(key)
        for key in ("sliding_window", "use_sliding_window", "max_window_layers")
    )
    if used is not None and not isinstance(used, bool):
        raise TypeError(f"use_sliding_window must be a bool, got {checks.describe_value(used)}")
    if window is None or used is False or checks.integer("sliding_window", window) <= 0:
        return [FULL] * count
    first = 0 if first is None else checks.integer("max_window_layers", first)
    return [SLIDING if i >= first else FULL for i in range(count)]
