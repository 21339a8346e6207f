"""Collect the facts of all models."""

from typing import Any

from benchmarks.model_facts.classes import find_config_classes, find_rotary_classes
from benchmarks.model_facts.frequencies import Frequencies, read_frequencies
from benchmarks.model_facts.keys import find_read_keys
from benchmarks.model_facts.rotations import measure_layout

SIZES = ("hidden_size", "max_position_embeddings", "num_attention_heads", "sliding_window")


def measure_facts() -> dict[str, dict[str, Any]]:
    """Return the facts of each model type that has a rotary module."""
    found = {}
    for name, config_class in sorted(find_config_classes().items()):
        for rotary_class in find_rotary_classes(config_class):
            facts = measure_model(config_class, rotary_class)
            if facts is not None:
                found[name] = facts
                break
    return found


def measure_model(config_class: type[Any], rotary_class: type[Any]) -> dict[str, Any] | None:
    """Return the facts of a model, or None where its rotary module can't be built."""

    def read(keys: dict[str, Any]) -> Frequencies:
        return read_frequencies(rotary_class, config_class.from_dict(dict(keys)))

    try:
        usual = read({})
    except Exception:  # of a module for another part of the model
        return None
    config = config_class.from_dict({})
    facts: dict[str, Any] = {"source": config_class.__name__, "module": rotary_class.__name__}
    kind = next(iter(usual), None)
    if kind is None:
        return None
    layout = measure_layout(rotary_class, config, kind, len(usual[kind][0]))
    facts["layout"], facts["sign"] = layout or (None, 1)
    facts["pairs"] = {kind: len(frequencies) for kind, (frequencies, _) in usual.items()}
    facts["reads"] = find_read_keys(read, config.to_dict())
    facts["defaults"] = list_defaults(config_class, facts["reads"])
    return facts


def list_defaults(config_class: type[Any], reads: dict[str, Any]) -> dict[str, Any]:
    """Return what a class fills in for keys that are absent, without what it computes."""
    config = config_class.from_dict({}).to_dict()
    found = {}
    for key in sorted({*reads, *SIZES} - {"rope_scaling"}):
        if config.get(key) is not None:
            found[key] = config[key]
    for key in _list_computed(config_class, reads):
        found.pop(key, None)
    parameters = config.get("rope_parameters")
    if isinstance(parameters, dict) and parameters:
        found["rope_parameters"] = parameters
    return found


def _list_computed(config_class: type[Any], reads: dict[str, Any]) -> list[str]:
    """Return the keys whose values follow from the sizes of the model."""
    config = config_class.from_dict({}).to_dict()
    computed = []
    for size in ("hidden_size", "num_attention_heads"):
        if isinstance(config.get(size), int):
            try:
                other = config_class.from_dict({size: config[size] * 2}).to_dict()
            except Exception:  # of a class that refuses the value
                continue
            computed += [key for key in reads if key != size and other.get(key) != config.get(key)]
    return computed
