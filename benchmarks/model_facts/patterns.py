"""Find how kinds of layers repeat where a config doesn't list them."""

from typing import Any

COUNTS = (24, 23, 22, 21)  # of layers, because some patterns are counted from the last one
LONGEST = 8  # period
KEYS = (
    "full_attention_interval",
    "global_attn_every_n_layers",
    "no_rope_layer_interval",
    "sliding_window_pattern",
)
WINDOW = {"sliding_window": 512, "use_sliding_window": True, "max_window_layers": 2}
LISTS = ("layers_block_type", "full_attn_idxs")  # in place of layer_types


def measure_pattern(config_class: type[Any]) -> dict[str, Any]:
    """Return the kinds of one period, empty if there is none, and what changes the pattern."""
    lists = [getattr(config_class.from_dict({}), key, ["hybrid"]) for key in LISTS]
    if any(set(found or []) != {"hybrid"} for found in lists):
        return {"kinds": []}
    models = [_list_kinds(config_class, {}, count) for count in COUNTS]
    kinds = models[0]
    if kinds is None or _list_kinds(config_class, WINDOW) != kinds:
        return {}
    period = _find_period(kinds[:-1])
    facts: dict[str, Any] = {"kinds": kinds[:period]}
    if any(model and not _repeats(model, kinds[:period]) for model in models):
        facts["last_kind"] = kinds[-1]
        if not all(model and _repeats(model[:-1], kinds[:period]) for model in models):
            return {"kinds": []}
    for key in KEYS:
        changed = _list_kinds(config_class, {key: period + 1})
        if period and changed and _find_period(changed[:-1]) == period + 1:
            facts["period_key"] = key
    return facts


def measure_interval(config_class: type[Any]) -> dict[str, Any]:
    """Return n where every nth layer has no positions, whatever kind it is of."""
    config = config_class.from_dict({}).to_dict()
    rotates = config.get("no_rope_layers")
    if not rotates or 0 not in rotates:
        return {}
    return {"no_rope_interval": rotates.index(0) + 1}


def _list_kinds(
    config_class: type[Any], keys: dict[str, Any], count: int = COUNTS[0]
) -> list[str] | None:
    try:
        config = config_class.from_dict({"num_hidden_layers": count, **keys}).to_dict()
    except Exception:  # of a class that refuses this number of layers
        return None
    return config.get("layer_types") or None


def _find_period(kinds: list[str]) -> int:
    """Return the smallest period, or 0."""
    periods = range(1, LONGEST + 1)
    return next((period for period in periods if _repeats(kinds, kinds[:period])), 0)


def _repeats(kinds: list[str], period: list[str]) -> bool:
    return bool(period) and all(kind == period[i % len(period)] for i, kind in enumerate(kinds))
