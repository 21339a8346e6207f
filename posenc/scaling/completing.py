"""Complete the config of a known model as its class in transformers does.

Published files leave out what the class fills in, and some hold keys that the class ignores. Where
an ignored key would change our result, the config is refused.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from posenc.core import checks
from posenc.scaling.facts import ModelFacts
from posenc.scaling.keys import (
    BASES,
    KEY_NAMES,
    MAPPINGS,
    SIZES,
    TYPE_NAMES,
    WIDTHS,
)
from posenc.scaling.settings import count_rotated

Config = dict[str, Any]
WIDTH_KEYS = ("head_dim", "kv_channels", "qk_rope_head_dim", "rotary_dim")


def complete(config: Config, facts: ModelFacts) -> Config:
    """Return a config with what its class fills in for absent keys."""
    rope = facts.defaults.get("rope_parameters") or {}
    if facts.refused:
        name = config.get("model_type", facts.model_type)  # which may be an older one
        raise ValueError(f"model_type={name!r} {facts.refused}")
    if str(rope.get("rope_type")) == "axial":
        raise ValueError(
            f"model_type={facts.model_type!r} rotates by two coordinates: use axial_cos_sin"
        )
    if has_kinds(rope):
        config = _complete_kinds(config, rope, facts)
    else:
        config = _complete_rule(config, rope, facts)
    return _complete_sizes(config, facts)


def _complete_sizes(config: Config, facts: ModelFacts) -> Config:
    """Fill in the sizes of a model."""
    config = dict(config)
    given = {KEY_NAMES.get(key, key): key for key in config}
    for key, value in facts.defaults.items():
        name = KEY_NAMES.get(key, key)
        if name in SIZES or name == "max_position_embeddings":
            if name not in given:
                config[key] = value
            elif config[given[name]] is None and name in SIZES:
                raise _conflict(f"{given[name]} is None", value, given[name], facts)
    for name, key in given.items():
        known = facts.reads.keys() | facts.defaults.keys()
        if key != name and name in SIZES and name in known and key not in known:
            raise ValueError(f"{facts.source} of transformers ignores {key}: write {name}")
    return config


def _complete_rule(config: Config, rope: Mapping[str, Any], facts: ModelFacts) -> Config:
    """Fill in the rule, the base and the rotated share where all layers are alike."""
    name, given = find_mapping(config)
    scaled = rope.get("rope_type", "default") != "default"
    rule = _get_type(given)
    if name not in facts.reads and rule != "default":
        raise ignored(str(name), facts)
    share = rope.get("partial_rotary_factor", 1)
    if name == "rope_parameters" and not given and not np.array_equal(share, 1):
        default = f"partial_rotary_factor={rope['partial_rotary_factor']}"
        raise _conflict(f"{name} is {config[name]}", default, name, facts)
    if scaled and not given:
        if name is not None:
            raise _conflict(
                f"{name} is {config[name]}", f"rope_type={_get_type(rope)}", name, facts
            )
        read = [key for key in _find_bases(config) if key in facts.reads]
        rope = {key: value for key, value in rope.items() if not (read and key == "rope_theta")}
        config = _drop_ignored(config, "rope_theta", read, rope.get("rope_theta"), facts)
        return config | {"rope_parameters": rope}
    for key in ("rope_theta", "partial_rotary_factor"):
        config = _complete_key(config, key, given, rope, facts)
    if "mrope_section" in rope and not given:
        config["mrope_section"] = rope["mrope_section"]
    return config


def _complete_key(
    config: Config, key: str, given: Mapping[str, Any], rope: Mapping[str, Any], facts: ModelFacts
) -> Config:
    """Fill in the base or the rotated share, and drop names of it that the class ignores."""
    scaled = _get_type(rope) != "default"
    default = rope.get(key, facts.defaults.get(key))
    unread = scaled and bool(given) and _get_type(given) == "default" and key not in facts.reads
    if key == "partial_rotary_factor" and unread:
        default = None  # only the rules of the class's default type read the share
    if key == "rope_theta" and default is None:
        default = facts.base
    read = [
        name
        for name in config
        if _get_name(name) == key
        and (name in facts.reads or (name == key and given and scaled and default is not None))
    ]
    value = given.get(key)
    for name in read:
        if config[name] is None and value is None and default not in (None, 1):
            raise _conflict(f"{name} is None", default, name, facts)
        value = config[name] if value is None else value
    if value is not None:
        return _drop_ignored(config, key, read, value, facts)
    may_differ = scaled or facts.drops_base if key == "rope_theta" else default != 1
    empty = facts.drops_base and {} in [config.get(name) for name in MAPPINGS]
    if (given or empty) and default is not None and may_differ:
        raise ValueError(
            f"{key} is missing, and the default of {facts.source} of transformers may not"
            f" hold beside other rope parameters: pass {key}"
        )
    config = _drop_ignored(config, key, read, 1 if default is None else default, facts)
    return config if default is None else config | {key: default}


def _drop_ignored(
    config: Config, key: str, read: list[str], value: object, facts: ModelFacts
) -> Config:
    """Return a config without names of a key that the class ignores; refuse another value."""
    kept = dict(config)
    for name in config:
        same = _get_name(name) == key or (key == "rope_theta" and name in BASES)
        if not same or name in read:
            continue
        if config[name] is not None and not np.array_equal(config[name], np.asarray(value)):
            raise ignored(name, facts)
        del kept[name]
    return kept


def _complete_kinds(config: Config, rope: Mapping[str, Any], facts: ModelFacts) -> Config:
    """Give each kind of layer a mapping of its own."""
    name, given = find_mapping(config)
    if has_kinds(given):
        return _check_kinds(config, given, rope, facts)
    if name == "rope_parameters" and given:
        raise ValueError(
            "rope_parameters must hold a mapping for each kind of layer of"
            f" model_type={facts.model_type!r}: {', '.join(map(repr, rope))}"
        )
    if given and "rope_scaling" not in facts.reads:
        raise ignored("rope_scaling", facts)
    bases = _find_bases(config)
    for key in bases:
        kind = BASES.get(key, "full_attention")
        if key not in facts.reads and config[key] != (rope.get(kind) or {}).get("rope_theta"):
            raise ignored(key, facts)
    kinds = {kind: _complete_kind(config, given, kind, own, facts) for kind, own in rope.items()}
    left = {key: value for key, value in config.items() if key not in MAPPINGS and key not in bases}
    read = [name for name in ("partial_rotary_factor",) if name in facts.reads]
    left = _drop_ignored(left, "partial_rotary_factor", read, 1, facts)
    left.pop("partial_rotary_factor", None)
    return left | {"rope_parameters": kinds}


def _check_kinds(
    config: Config, given: Mapping[str, Any], rope: Mapping[str, Any], facts: ModelFacts
) -> Config:
    """Refuse mappings of kinds of layers that leave out what the class may fill in, or not."""
    for kind, own in given.items():
        if not isinstance(own, Mapping):
            continue
        if "type" in own and "rope_type" not in own:
            raise ValueError(f"type is an older name in the mapping of {kind!r}: write rope_type")
        for key in ("rope_theta", "partial_rotary_factor"):
            if own.get(key) is None and (rope.get(kind) or {}).get(key, 1) != 1:
                raise ValueError(f"{key} is missing in the mapping of {kind!r}: pass it")
    bases = [key for key in _find_bases(config) if key not in facts.reads]
    left = {key: value for key, value in config.items() if key not in bases}
    return _drop_ignored(left, "partial_rotary_factor", ["partial_rotary_factor"], 1, facts)


def _complete_kind(
    config: Config,
    given: Mapping[str, Any],
    kind: str,
    rope: Mapping[str, Any] | None,
    facts: ModelFacts,
) -> Config | None:
    """Return the mapping of one kind of layer: its defaults, changed by keys of older files."""
    if rope is None:
        return None
    own = dict(rope)
    stated = None
    if given and reads(facts, "rope_scaling", kind):
        if _get_type(own) != "default":
            raise ValueError(f"rope_scaling must hold a mapping for {kind!r}")
        if "type" in given and "rope_type" not in given:
            raise ValueError("rope_scaling.type is an older name: write rope_type")
        stated = given.get("rope_theta")
        own.update({_get_name(key): value for key, value in given.items()})
    for key in _find_bases(config):
        if not reads(facts, key, kind):
            continue
        if stated not in (None, config[key]):
            raise ValueError(
                f"rope_scaling.rope_theta is {checks.describe_value(stated)} but {key} is"
                f" {checks.describe_value(config[key])}; remove one"
            )
        own["rope_theta"] = config[key]
    share = config.get("partial_rotary_factor")
    if share is not None and reads(facts, "partial_rotary_factor", kind):
        own["partial_rotary_factor"] = share
    return own


def refuse_ignored(
    given: Mapping[str, Any], config: Config, kind: str | None, facts: ModelFacts
) -> None:
    """Refuse a size or share that changes our result, although the class ignores it."""
    rope = facts.defaults.get("rope_parameters") or {}
    own = (rope.get(kind) if has_kinds(rope) else rope) or {}
    rope_type = given.get("rope_type") or "default"
    for key in (*WIDTH_KEYS, "partial_rotary_factor"):
        scaled = key == "partial_rotary_factor" and _get_type(own) != "default"  # read by its rule
        if given.get(key) is None or (reads(facts, key, kind) and not scaled):
            continue
        stated = key in own and (rope_type != "default" or not scaled)
        if key == "partial_rotary_factor" and (rope_type == "proportional" or stated):
            continue
        if key == "head_dim" and config.keys() & {*WIDTHS, "per_layer_config"}:
            continue
        rest = {name: value for name, value in given.items() if name != key}
        if _count(rope_type, rest) != _count(rope_type, given):
            raise ignored(key, facts, kind)


def refuse_unequal(given: Mapping[str, Any], kind: str | None, facts: ModelFacts) -> None:
    """Refuse two widths of which the class reads both, unless they are of the same part."""
    width, part = given.get("head_dim"), given.get("qk_rope_head_dim")
    if width is None or part is None or not reads(facts, "head_dim", kind):
        return
    rest = {key: value for key, value in given.items() if key != "qk_rope_head_dim"}
    if _count("default", rest) != _count("default", given):
        raise ValueError(
            f"{facts.source} of transformers reads head_dim and qk_rope_head_dim, which must mean"
            f" the same width, got head_dim={width}, qk_rope_head_dim={part}"
        )


def refuse_computed(
    given: Mapping[str, Any], config: Config, kind: str | None, facts: ModelFacts
) -> None:
    """Ask for the width of a head where the class computes it differently from others."""
    sizes = {_get_name(key) for key, value in config.items() if value is not None}
    read = {key for key in WIDTH_KEYS if reads(facts, key, kind)}
    if not sizes.isdisjoint(read or WIDTH_KEYS) or (kind or "") not in facts.pairs:
        return
    default = {_get_name(key): value for key, value in facts.defaults.items()}
    default |= facts.defaults.get("rope_parameters") or {}
    if _count("default", default) != 2 * facts.pairs[kind or ""]:
        raise ValueError(
            f"head_dim is missing, and {facts.source} of transformers computes it differently: pass"
            " head_dim"
        )


def _count(rope_type: str, given: Mapping[str, Any]) -> int | None:
    """Return the number of rotated channels, or None where a key is missing."""
    try:
        return count_rotated(rope_type, given)
    except ValueError:
        return None


def reads(facts: ModelFacts, key: str, kind: str | None) -> bool:
    """Return whether a key, under any of its names, changes the frequencies of a kind of layer."""
    return any(
        kind is None or kind in kinds or kind not in facts.pairs
        for name, kinds in facts.reads.items()
        if name == key or _get_name(name) == key
    )


def ignored(key: str, facts: ModelFacts, kind: str | None = None) -> ValueError:
    """Return the refusal of a key that a class ignores."""
    wider = next((wide for wide, of in WIDTHS.items() if key == "head_dim" and of == kind), None)
    layers = "" if kind is None else f" for {kind} layers"
    instead = f"pass {wider}" if wider else "remove it"
    return ValueError(
        f"{facts.source} of transformers ignores {key}{layers}, which would change the result:"
        f" {instead}"
    )


def has_kinds(mapping: Mapping[str, Any]) -> bool:
    """Return whether rope parameters hold a mapping for each kind of layer."""
    return any(isinstance(value, Mapping) for value in mapping.values())


def find_mapping(config: Config) -> tuple[str | None, Mapping[str, Any]]:
    """Return the mapping of rope keys and its name, which may be that of an empty one."""
    found: str | None = None
    for name in sorted(MAPPINGS):
        value = config.get(name)
        if value is not None and not isinstance(value, Mapping):
            raise TypeError(f"{name} must be a mapping, got {type(value).__name__}")
        if value:
            return name, value
        found = name if name in config else found
    return found, {}


def _find_bases(config: Config) -> list[str]:
    """Return the keys of the model itself that give a base."""
    bases = (key for key in config if _get_name(key) == "rope_theta" or key in BASES)
    return [key for key in bases if config[key] is not None]


def _get_name(key: str) -> str:
    return KEY_NAMES.get(key, key)


def _get_type(rope: Mapping[str, Any]) -> object:
    name = rope.get("rope_type") or rope.get("type") or "default"
    return TYPE_NAMES.get(name, name) if isinstance(name, str) else name


def _conflict(stated: str, default: object, key: str, facts: ModelFacts) -> ValueError:
    return ValueError(
        f"{stated}, but {facts.source} of transformers has the default {default}: remove {key},"
        " or pass a value"
    )
