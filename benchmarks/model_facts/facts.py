"""Collect the facts of all models."""

from copy import deepcopy
from typing import Any

import numpy as np

from benchmarks.model_facts.classes import find_config_classes, find_rotary_classes
from benchmarks.model_facts.frequencies import Frequencies, read_frequencies
from benchmarks.model_facts.keys import Read, find_read_keys
from benchmarks.model_facts.layers import measure_layers
from benchmarks.model_facts.patterns import measure_interval, measure_pattern
from benchmarks.model_facts.rotations import measure_layout

COORDINATES = "rotates by two coordinates: use axial_cos_sin"
# By hand: its frequencies are those of a text, and its four coordinates are not measured.
NOT_MEASURED = {"hunyuan_vl_text"}
# A default of some classes doesn't fit their sections, so that only published files work.
SECTIONS_FIT: tuple[dict[str, Any], ...] = (
    {},
    {"partial_rotary_factor": 0.5},
    {"head_dim": 128, "partial_rotary_factor": 0.5},
)
QUERY_KEYS = ("attn_temperature_tuning", "attn_scale", "floor_scale", "llama_4_scaling_beta")
# By hand: these multiply queries and keys by d^(-1/4) before they compute scores (as read in
# modeling_openai_privacy_filter.py), so that the scale of scores is the usual one.
SCALE_APPLIED_BEFORE = {"openai_privacy_filter"}
# By hand, as read in their modules, where measuring doesn't show it.
NOT_ON_FULL = {"full_attention": False, "sliding_attention": True}
READ: dict[str, dict[str, Any]] = {
    "afmoe": {"rotates": NOT_ON_FULL},
    "dots3_note_text": {"refused": "computes the rotated share from several sizes"},
    "embedding_gemma2_text": {"unscaled": True},
    "ernie4_5_vl_moe_text": {
        "refused": "orders its frequencies differently, height and width alternating first: leave"
        " out model_type to get them from fast to slow, then reorder them"
    },
    "gemma4_text": {"unscaled": True},
    "gemma4_unified_text": {"unscaled": True},
    "minimax_m3_vl_text": {
        "refused": "rotates all channels of a head, whatever rotary_dim is: leave out model_type"
        " and rotary_dim"
    },
    "muse_glimmer_text": {"rotates": NOT_ON_FULL, "one_base": True},
    "muse_spark_text": {"rotates": NOT_ON_FULL, "one_base": True},
}
SOFTMAX_KEYS = ("attention_multiplier", "query_pre_attn_scalar")
YARN = {
    "rope_type": "yarn",
    "rope_theta": 10000.0,
    "factor": 40.0,
    "original_max_position_embeddings": 4096,
}
SIZES = ("hidden_size", "max_position_embeddings", "num_attention_heads")
WINDOWS = ("sliding_window", "use_sliding_window", "max_window_layers")


def measure_facts() -> dict[str, dict[str, Any]]:
    """Return the facts of each model type that has a rotary module."""
    found = {name: measure_model_type(name) for name in sorted(find_config_classes())}
    return {name: facts for name, facts in found.items() if facts is not None}


def measure_model_type(name: str) -> dict[str, Any] | None:
    """Return the facts of a model type, or None if it has no rotary module."""
    config_class = find_config_classes()[name]
    for rotary_class in find_rotary_classes(config_class):
        facts = measure_model(config_class, rotary_class)
        if facts is not None:
            return facts
    return None


def measure_model(config_class: type[Any], rotary_class: type[Any]) -> dict[str, Any] | None:
    """Return the facts of a model, or None where its rotary module can't be built."""

    def read(keys: dict[str, Any]) -> Frequencies:
        return read_frequencies(rotary_class, config_class.from_dict(deepcopy(keys)))

    try:
        usual = read({})
    except Exception:  # of a module for another part of the model
        return None
    if not usual:
        return None
    facts: dict[str, Any] = {"source": config_class.__name__, "module": rotary_class.__name__}
    facts |= measure_rotation(config_class, rotary_class, usual)
    facts["pairs"] = {kind: len(frequencies) for kind, (frequencies, _) in usual.items()}
    facts["reads"] = find_read_keys(read, config_class.from_dict({}).to_dict())
    facts["defaults"] = list_defaults(config_class, facts["reads"])
    if "rope_parameters" not in facts["defaults"] and facts["layout"]:
        frequencies, _ = next(iter(usual.values()))
        facts["base"] = float(f"{frequencies[1] ** -len(frequencies):.4g}")
    if drops_base(read, usual):
        facts["drops_base"] = True
    facts |= measure_pattern(config_class) | measure_interval(config_class)
    facts |= describe_layers(measure_layers(config_class, rotary_class))
    facts |= find_scale_keys(config_class, rotary_class)
    if facts.keys() >= {"softmax_keys", "unscaled"}:
        facts.pop("unscaled")  # by the default of a key
    if config_class.model_type in SCALE_APPLIED_BEFORE:
        facts.pop("softmax_scale", None)
        facts.pop("unscaled", None)
    facts |= READ.get(config_class.model_type, {})
    return facts


def drops_base(read: Read, usual: Frequencies) -> bool:
    """Return whether a rule without a base gets another one than the default of the class."""
    try:
        halved = read({"rope_parameters": {"rope_type": "linear", "factor": 2.0}})
    except Exception:  # of a class that asks for the base, or for kinds of layers
        return False
    kinds = [kind for kind in usual if kind in halved]
    same = [usual[kind][0].shape == halved[kind][0].shape for kind in kinds]
    return all(same) and any(
        usual[kind][0][0] == 2 * halved[kind][0][0]
        and not np.allclose(usual[kind][0], 2 * halved[kind][0], rtol=1e-5)
        for kind in kinds
    )


def measure_rotation(
    config_class: type[Any], rotary_class: type[Any], usual: Frequencies
) -> dict[str, Any]:
    """Return the layout and the direction, or why `rope_parameters` can't describe a rotation."""
    kind, (frequencies, _) = next(iter(usual.items()))
    found = None
    for keys in SECTIONS_FIT:
        try:
            config = config_class.from_dict(dict(keys))
            pairs = len(read_frequencies(rotary_class, config)[kind][0])
        except Exception:  # of a class that refuses the keys
            continue
        found = measure_layout(rotary_class, config, kind, pairs)
        if found is not None:
            break
    if found is None:
        if config_class.model_type in NOT_MEASURED:
            return {"layout": None, "sign": 1}
        return {"layout": None, "sign": 1, "refused": COORDINATES}
    facts: dict[str, Any] = {"layout": found.layout, "sign": found.sign}
    if found.axes:
        facts["axes"] = found.axes
        facts["mrope_section"] = list(rotary_class(config_class.from_dict({})).mrope_section)
    if (np.diff(frequencies) > 0).any():
        facts["refused"] = "orders its frequencies differently, not from fast to slow"
    return facts


def describe_layers(layers: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what layers do differently, by kind where that decides, otherwise by number."""
    facts: dict[str, Any] = {}
    if layers and not any(layer["rotates"] for layer in layers):
        # The attention took positions from elsewhere, or belongs to another part.
        return {"measured_layers": 0}
    for what, usual in (("rotates", True), ("window", None), ("softcap", None)):
        values = {layer["kind"]: layer[what] for layer in layers}
        if all(values[layer["kind"]] == layer[what] for layer in layers):
            facts[what] = {kind or "": value for kind, value in values.items()}
        else:
            facts[what] = [layer[what] for layer in layers]
        if all(layer[what] == usual for layer in layers):
            facts.pop(what)
    scales = sorted({layer["softmax_scale"] for layer in layers})
    if scales not in ([], [1.0]):
        facts["softmax_scale"] = scales[0]
    if layers and all(layer["scaling"] == 1 for layer in layers):
        facts["unscaled"] = True
    grown = [layer["query_scale"] for layer in layers]
    if grown and max(grown) > 1.01:
        facts["query_scale"] = max(grown)
    facts["measured_layers"] = len(layers)
    return facts


def find_scale_keys(config_class: type[Any], rotary_class: type[Any]) -> dict[str, Any]:
    """Return the keys by which queries or scores are scaled, with their defaults."""
    config = config_class.from_dict({}).to_dict()
    levels = [config, config.get("rope_parameters") or {}]
    found = {
        key: level[key] for level in levels for key in QUERY_KEYS if level.get(key) is not None
    }
    facts: dict[str, Any] = {"query_keys": found} if found else {}
    scaled = {
        key: config[key]
        for key in SOFTMAX_KEYS
        if config.get(key) is not None and _sets_scale(config_class, rotary_class, key)
    }
    if _reads_mscale(config_class, rotary_class):
        scaled["mscale_all_dim"] = None
    if scaled:
        facts["softmax_keys"] = scaled
    return facts


def _sets_scale(config_class: type[Any], rotary_class: type[Any], key: str) -> bool:
    """Return whether a key sets the softmax scale, or whether that could not be measured."""
    scales = []
    for value in (1, 4):
        layers = measure_layers(
            config_class, rotary_class, {"num_hidden_layers": 1, "layer_types": None, key: value}
        )
        scales.append([layer["softmax_scale"] for layer in layers])
    return scales[0] != scales[1] or not scales[0]


def _reads_mscale(config_class: type[Any], rotary_class: type[Any]) -> bool:
    """Return whether `mscale_all_dim` changes the softmax scale, as in DeepSeek-V3."""
    if not hasattr(config_class.from_dict({}), "qk_rope_head_dim"):
        return False
    scales = []
    for more in ({}, {"mscale": 1.0, "mscale_all_dim": 1.0}):
        keys = {"num_hidden_layers": 1, "rope_scaling": YARN | more}
        layers = measure_layers(config_class, rotary_class, keys)
        scales.append([layer["softmax_scale"] for layer in layers])
    return scales[0] != scales[1]


def list_defaults(config_class: type[Any], reads: dict[str, Any]) -> dict[str, Any]:
    """Return what a class fills in for keys that are absent, without what it computes."""
    config = config_class.from_dict({}).to_dict()
    found = {}
    for key in sorted({*reads, *SIZES, *WINDOWS} - {"rope_scaling"}):
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
