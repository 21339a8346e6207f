"""Find the config of one kind of layer in files, objects and model configs.

It decides which keys count; `settings` reads them.
"""

import json
import os
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from posenc.core import checks
from posenc.scaling.keys import (
    BASES,
    KEY_NAMES,
    LIKE_KEYS,
    NESTED,
    NO_ROTARY,
    NOT_OF_A_MODEL,
    OF_A_KIND,
    OF_A_MODEL,
    OWN,
    PLACES,
    ROTARY_WORDS,
    SHARED,
    SIZES,
    TEXT_MODELS,
    WIDTHS,
)
from posenc.scaling.models import OTHERWISE, SEVERAL, STATED

Config = dict[str, Any]


def opened(config: object) -> Config:
    """Return a config as a dict: from a mapping, an object with to_dict(), or a file."""
    if isinstance(config, str | os.PathLike):
        try:
            config = json.loads(Path(config).read_text("utf-8"))
        except (ValueError, RecursionError) as error:  # no JSON, no UTF-8, no path
            raise ValueError(f"config must be the path of a JSON file: {error}") from None
    elif not isinstance(config, Mapping) and callable(getattr(config, "to_dict", None)):
        config = config.to_dict()  # type: ignore[attr-defined]
    if not isinstance(config, Mapping):
        raise TypeError(
            "config must be a mapping, the path of a JSON file or an object with to_dict(), got"
            f" {type(config).__name__}"
        )
    return dict(config)


def of_one_layer(config: Config, layer_type: str | None) -> Config:
    """Return the config of one kind of layer, with keys that don't depend on the layer."""
    if layer_type is not None and not isinstance(layer_type, str):
        raise TypeError(
            f"layer_type must be a string, got layer_type={checks.describe_value(layer_type)}"
        )
    layer_type = None if layer_type is None else str(layer_type)  # not one of a kind of its own
    for name in TEXT_MODELS:
        if isinstance(config.get(name), Mapping):
            raise ValueError(f"config holds the config of a text model: pass config[{name!r}]")
    _as_the_model_does(config)
    chosen = _base_of(_width_of(_mapping_of(dict(config), layer_type), layer_type), layer_type)
    if layer_type is not None and chosen == config:
        raise ValueError(
            f"config describes only one kind of layer, maybe not {layer_type!r}: leave out"
            " layer_type, and check which layers of the model are rotated"
        )
    return chosen


def _mapping_of(config: Config, layer_type: str | None) -> Config:
    """Put the mapping of one kind in place of one that holds a mapping for each."""
    for name in NESTED:
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
        for key in OF_A_KIND & config.keys():  # said of all, where this kind has its own
            if key not in SHARED or inner[layer_type].get(key) is not None:
                del config[key]
    return config


def _width_of(config: Config, layer_type: str | None) -> Config:
    """Put the width of the heads of one kind of layer in place of the general one."""
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
    """Put the base of one kind of layer in place of keys that have a name for each."""
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
            config = {k: v for k, v in config.items() if k not in NESTED} | {"rope_theta": value}
    if given and config.get("rope_theta") is None and not _stretched(config):
        raise ValueError(f"rope_theta is missing, the base for layer_type={layer_type!r}")
    return config


def _as_the_model_does(config: Config) -> None:
    """Refuse a config of a model that rotates differently from its keys, or not at all."""
    for key, value in config.items():
        if key in PLACES and not (isinstance(value, str) and value in ("rope", "rotary")):
            raise ValueError(
                f"{key}={checks.describe_value(value)} means that this model has no rotary"
                " embedding"
            )
        if key in NO_ROTARY and value is NO_ROTARY[key]:
            raise ValueError(f"{key}={value} means that this model has no rotary embedding")
    model = config.get("model_type")
    if isinstance(model, str) and model in OTHERWISE:
        raise ValueError(f"model_type={model!r} {OTHERWISE[model]}")
    for key in config:
        _misspelt(key)


def all_stated(config: Config, chosen: Config) -> None:
    """Refuse a model config without the keys that a class would fill in."""
    model = config.get("model_type")
    if model is not None and not isinstance(model, str):
        raise TypeError(
            f"model_type must be a string, got model_type={checks.describe_value(model)}"
        )
    if {"rope_type", "type"} & config.keys() or not OF_A_MODEL & config.keys():
        return  # a rope mapping with sizes beside it, in which each key must be known
    if model is None and all(_of_rope(key) for key in config):
        return
    stated = STATED.get(model, ("rope_theta",)) if isinstance(model, str) else ()
    levels = [chosen, *(chosen[name] for name in NESTED if isinstance(chosen.get(name), Mapping))]
    keys = {KEY_NAMES.get(k, k) for level in levels for k, v in level.items() if v is not None}
    if any(len(level) for level in levels[1:]):
        keys.add("rope_parameters")
    says = keys & (OWN | SHARED) - NOT_OF_A_MODEL or model in STATED
    if not says and not any(word in str(key) for key in config for word in ROTARY_WORDS):
        raise ValueError(
            "config has no key of a rotary embedding (rope_parameters, rope_theta, ...): "
            "if the model has one, pass rope_theta"
        )
    if model in SEVERAL and chosen == config:
        raise ValueError(
            f"model_type={model!r} has several kinds of layers, and this config describes only"
            " one: pass the keys of that kind without model_type"
        )
    for key in stated:
        if key not in keys:
            raise ValueError(
                f"{key} is missing; no default is known for model_type={model!r}: pass {key}"
            )


def _misspelt(key: object) -> None:
    """Refuse a misspelt key: one word of it differs slightly from a known key."""
    if not isinstance(key, str) or _of_rope(key) or key in LIKE_KEYS:
        return
    words = key.lower().split("_")
    for known in sorted(OWN | SHARED | NESTED):
        theirs = known.split("_")
        other = [(a, b) for a, b in zip(words, theirs, strict=False) if a != b]
        slip = len(words) == len(theirs) > 1 and len(other) <= 1 and _alike(*other)
        if slip or "".join(words) == "".join(theirs):
            raise ValueError(f"{key!r} is not a key that rope_parameters knows; write {known}")


def _alike(*words: tuple[str, str]) -> bool:
    return all(get_close_matches(a, [b], cutoff=0.7) for a, b in words)


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
    inner = [config[name] for name in NESTED if config.get(name) is not None]
    return any(not isinstance(value, Mapping) or len(value) > 0 for value in inner)


def _of_rope(key: object) -> bool:
    return key in OWN | SHARED | NESTED | KEY_NAMES.keys()


def _either(kinds: Any) -> str:
    return " or ".join(f"layer_type={str(kind)!r}" for kind in kinds)
