"""Choose the config of one kind of layer from a config that describes several."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from posenc.core import checks
from posenc.scaling.keys import BASES, MAPPINGS, OF_A_KIND, SHARED, SIZES, WIDTHS

Config = dict[str, Any]


def choose_layer(config: Config, layer_type: str | None) -> Config:
    """Return the config of one kind of layer, with keys that don't depend on the layer."""
    if layer_type is not None and not isinstance(layer_type, str):
        raise TypeError(
            f"layer_type must be a string, got layer_type={checks.describe_value(layer_type)}"
        )
    layer_type = None if layer_type is None else str(layer_type)  # not one of a kind of its own
    chosen = _base_of(_width_of(_mapping_of(dict(config), layer_type), layer_type), layer_type)
    if layer_type is not None and chosen == config:
        raise ValueError(
            f"config describes only one kind of layer, maybe not {layer_type!r}: leave out"
            " layer_type, and check which layers of the model are rotated"
        )
    return chosen


def _mapping_of(config: Config, layer_type: str | None) -> Config:
    """Put the mapping of one kind instead of one that holds a mapping for each."""
    for name in MAPPINGS:
        inner = config.get(name)
        if not isinstance(inner, Mapping):
            continue
        kinds = [key for key, value in inner.items() if isinstance(value, Mapping)]
        if not kinds:
            continue
        beside = {key: value for key, value in inner.items() if key not in kinds}
        silent = [key for key, value in beside.items() if value is None]
        for key in beside.keys() - silent:
            raise ValueError(f"{key} must be in the mapping of one kind of layer in {name}")
        if layer_type in silent:
            raise ValueError(
                f"layers of {layer_type} have no rotary embedding: {name} has None for them"
            )
        if layer_type not in kinds:
            raise ValueError(f"{name} has a mapping for each kind of layer: pass {_either(kinds)}")
        config[name] = inner[layer_type]
        for key in OF_A_KIND & config.keys():  # of all layers, where this kind has its own
            if key not in SHARED or inner[layer_type].get(key) is not None:
                del config[key]
    return config


def _width_of(config: Config, layer_type: str | None) -> Config:
    """Put the width of the heads of one kind of layer instead of the general one."""
    for key, kind in WIDTHS.items():
        width = config.pop(key, None)
        if width is None or _same(width, config.get("head_dim")):
            continue
        if layer_type is None:
            raise ValueError(
                f"{key} is the head width of one kind of layer: pass layer_type={kind!r}"
            )
        if layer_type == kind:
            config["head_dim"] = width
    layers = config.pop("per_layer_config", None)
    if not isinstance(layers, Mapping):
        return config
    told = config.get("layer_types")
    kinds = told if isinstance(told, list | tuple) else ()
    for key in SIZES:
        own = {
            _layer(number): values[key]
            for number, values in layers.items()
            if isinstance(values, Mapping)
            and not _same(values.get(key, config.get(key)), config.get(key))
        }
        if not own or (key == "num_attention_heads" and config.get("head_dim") is not None):
            continue  # the number of heads matters only where it gives their width
        of_kind = [
            i for i, kind in enumerate(kinds) if isinstance(kind, str) and kind == layer_type
        ]
        widths = [own.get(i, config.get(key)) for i in of_kind]
        if not widths or not all(_same(widths[0], width) for width in widths):
            which = "layers: pass layer_type" if layer_type is None else f"{layer_type} layers"
            raise ValueError(f"per_layer_config has different values of {key} for {which}")
        config[key] = widths[0]
    return config


def _base_of(config: Config, layer_type: str | None) -> Config:
    """Put the base of one kind of layer instead of keys that have a name for each."""
    given = {key: kind for key, kind in BASES.items() if config.get(key) is not None}
    beside = config.get("rope_theta") is not None or _stretched(config)
    for key, kind in given.items():
        if layer_type is None and (beside or len(given) > 1 or key != "rope_local_base_freq"):
            raise ValueError(
                f"{key} is the base of one kind of layer, other keys belong to another: "
                f"pass {_either(('full_attention', 'sliding_attention'))}"
            )
        if layer_type not in (None, "full_attention", "sliding_attention"):
            raise ValueError(
                f"config has {key}: pass {_either(('full_attention', kind))}, got"
                f" layer_type={layer_type!r}"
            )
        value = config.pop(key)
        if layer_type in (None, kind):
            config = {k: v for k, v in config.items() if k not in MAPPINGS} | {"rope_theta": value}
    if given and config.get("rope_theta") is None and not _stretched(config):
        raise ValueError(f"rope_theta is missing, the base for layer_type={layer_type!r}")
    return config


def _layer(number: object) -> int:
    """Return the number of a layer, which JSON has as a string."""
    if isinstance(number, str) and number.isdecimal():
        return int(number[:9])
    return checks.integer("a key of per_layer_config", number, least=0)


def _same(one: Any, other: Any) -> bool:
    """Whether two values, arrays perhaps, are equal."""
    return bool(np.array_equal(one, other))


def _stretched(config: Config) -> bool:
    """Return whether there is a mapping inside that isn't empty."""
    inner = [config[name] for name in MAPPINGS if config.get(name) is not None]
    return any(not isinstance(value, Mapping) or len(value) > 0 for value in inner)


def _either(kinds: Any) -> str:
    return " or ".join(f"layer_type={str(kind)!r}" for kind in kinds)
