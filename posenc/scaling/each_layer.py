"""Keys that hold a value for each layer: bases, and which layers a rule is for."""

from collections.abc import Mapping
from typing import Any

from posenc.core import checks
from posenc.scaling.completing import find_mapping
from posenc.scaling.facts import ModelFacts
from posenc.scaling.files import find_facts

Config = dict[str, Any]
BASES, SCALED = "layer_rope_theta", "rope_scaling_layers"


def merge_layers(config: Config) -> Config:
    """Return a config without such keys, where all layers that rotate agree."""
    bases, scaled = _get_bases(config), _get_scaled(config)
    rotating = [index for index, base in enumerate(bases or ()) if base]
    if bases is not None and not rotating:
        raise ValueError(f"{BASES} holds only zeros: this model has no rotary embedding")
    if bases is not None and len({bases[index] for index in rotating}) > 1:
        raise ValueError(
            f"{BASES} holds several bases: read all layers with model_positions, or write one of"
            " them as rope_theta"
        )
    if scaled is not None and len(scaled) != _count_layers(config):
        raise ValueError(
            f"{SCALED} is for some layers only: read all layers with model_positions, or remove it"
            " to get the frequencies of the scaled ones"
        )
    return pick_layer(config, rotating[0] if rotating else 0)[0]


def pick_layer(config: Config, index: int) -> tuple[Config, bool]:
    """Return a config as it holds for one layer, and whether that layer rotates."""
    bases, scaled = _get_bases(config), _get_scaled(config)
    one = {key: value for key, value in config.items() if key not in (BASES, SCALED)}
    name, rope = find_mapping(one)
    if scaled is not None and index not in scaled and name is not None:
        rope = {key: value for key, value in rope.items() if key == "rope_theta"}
        one[name] = rope = rope | {"rope_type": "default"}
    base = None if bases is None else bases[index]
    facts = find_facts(one)
    if base and facts is not None and facts.one_base:
        _require_base(one, base, facts)
    elif base and "rope_theta" in rope:
        one[str(name)] = {**rope, "rope_theta": base}
    elif base:
        one["rope_theta"] = base
    return one, base != 0


def _require_base(config: Config, base: float, facts: ModelFacts) -> None:
    """Refuse a base of a layer that isn't the base of the model, which all its layers use."""
    _, rope = find_mapping(config)
    default = (facts.defaults.get("rope_parameters") or {}).get("rope_theta")
    used = rope.get("rope_theta", config.get("rope_theta", default))
    if base != used:
        raise ValueError(
            f"{BASES} must hold 0 or rope_theta={used} for model_type={facts.model_type!r}, whose"
            f" layers share one base, got {base:g}"
        )


def _get_bases(config: Config) -> list[float] | None:
    bases = config.get(BASES)
    if bases is None:
        return None
    if not isinstance(bases, list):
        raise TypeError(f"{BASES} must be a list of numbers, got {type(bases).__name__}")
    count = _count_layers(config)
    if count not in (None, len(bases)):
        raise ValueError(f"{BASES} must have {count} entries, one a layer, got {len(bases)}")
    return [float(checks.real(BASES, base)) for base in bases]


def _count_layers(config: Config) -> int | None:
    count = config.get("num_hidden_layers")
    return None if count is None else checks.integer("num_hidden_layers", count, least=1)


def _get_scaled(config: Mapping[str, Any]) -> set[int] | None:
    layers = config.get(SCALED)
    if layers is None:
        return None
    if not isinstance(layers, list):
        raise TypeError(f"{SCALED} must be a list of layers, got {type(layers).__name__}")
    return {checks.integer(SCALED, layer, least=0) for layer in layers}
