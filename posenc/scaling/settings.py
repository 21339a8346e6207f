"""Reading a config: which keys there are, what they mean, and which are refused."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from posenc.core import checks
from posenc.scaling.keys import (
    INSTEAD,
    KEY_NAMES,
    MAPPINGS,
    OF_A_MODEL,
    ORIGINAL_OR_MAX,
    OWN,
    PASSED_OVER,
    ROTARY_WORDS,
    SHARED,
    SIZES,
    TELLING,
    TYPE_NAMES,
    TYPES,
)
from posenc.scaling.translating import translate_type


@dataclass(frozen=True)
class Settings:
    """A config: the type, what all types need, and the other keys as given."""

    rope_type: str
    dim: int  # d: number of rotated channels
    base: float
    given: Mapping[str, Any]  # may hold None; only keys of this type

    def number(self, key: str, default: float | None = None, *, least: float = 0) -> float:
        """Return the value of a key, above 0 and at least `least`."""
        if default is not None and self.given.get(key) is None:
            return default
        value = checks.real(key, self.given[key])
        if not value > 0 or value < least:
            rule = f"at least {least:g}" if least else "above 0"
            raise ValueError(f"{key} must be {rule}, got {key}={checks.describe_value(value)}")
        return value

    def head_dim(self) -> int:
        """Return the width of a head, or of its rotary part where it has one of its own."""
        for key in ("qk_rope_head_dim", "head_dim", "kv_channels"):
            if self.given.get(key) is not None:
                return checks.integer(key, self.given[key])
        width, heads = self.given.get("hidden_size"), self.given.get("num_attention_heads")
        return self.dim if width is None or heads is None else int(width) // int(heads)

    def length(self, key: str) -> int | None:
        """Return a number of positions, or None."""
        return None if self.given.get(key) is None else _length(key, self.given[key])

    def trained_length(self) -> int | None:
        """Return the length before scaling where the rule reads one, or None."""
        if self.rope_type in ORIGINAL_OR_MAX:
            return self.original()
        return self.length("max_position_embeddings") if self.rope_type == "dynamic" else None

    def original(self) -> int:
        """Return the length L_0 that the model was trained on."""
        length = self.length("original_max_position_embeddings")
        assert length is not None  # read() has seen to it
        return length


def make_settings(given: dict[str, Any]) -> Settings:
    """Return the settings of keys that were merged, or refuse them."""
    rope_type = given.get("rope_type") or "default"
    reads, needs = TYPES[rope_type]
    if rope_type in ORIGINAL_OR_MAX and given.get("original_max_position_embeddings") is None:
        given["original_max_position_embeddings"] = given.get("max_position_embeddings")
    for key in needs:
        if given.get(key) is None:
            raise ValueError(f"{key} is missing, and rope_type={rope_type!r} needs it")
    if rope_type == "yarn" and "factor" not in given:
        raise ValueError(
            "factor is missing, and rope_type='yarn' needs it (None: max_position_embeddings /"
            " original_max_position_embeddings)"
        )
    for key in sorted(OWN.difference(reads)):
        if given.get(key) is not None:
            raise ValueError(
                f"rope_type={rope_type!r} doesn't use {key}, got"
                f" {key}={checks.describe_value(given[key])}: remove it"
            )
    base = checks.above_one("rope_theta", _or(given.get("rope_theta"), 10000.0))
    settings = Settings(rope_type, count_rotated(rope_type, given), base, given)
    _compare_lengths(settings)
    _check_sections(settings)
    return settings


def merge(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return all levels of a config as one dict, with one name for each thing."""
    nested = [(name, config[name]) for name in sorted(MAPPINGS) if config.get(name) is not None]
    for name, inner in nested:
        _mapping(name, inner)
    nested = [(name, translate_type(inner)) for name, inner in nested]
    config = translate_type(config) if "model_type" not in config else config
    nested = [(name, inner) for name, inner in nested if inner]  # {} is ignored
    flat = not nested and bool({"rope_type", "type"} & set(config) or not OF_A_MODEL & set(config))
    given: dict[str, Any] = {}
    source: dict[str, str] = {}
    for name, inner in nested:
        _add(inner, _known(inner), given, source, f"{name}.")
    if len(nested) > 1 and nested[0][1].keys() != nested[1][1].keys():
        raise ValueError("rope_parameters and rope_scaling hold different keys: remove one of them")
    _add(config, _known(config) if flat else _of_the_model(config), given, source)
    return given


def _known(level: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of a rope mapping; each must be known."""
    for key, value in level.items():
        if KEY_NAMES.get(key, key) in OWN | SHARED:
            yield key
        elif key not in PASSED_OVER:
            near = isinstance(key, str) and checks.nearest(key, tuple(sorted(OWN | SHARED)))
            raise _unknown(key, INSTEAD.get(key) or near or None)
        elif not (value is None or PASSED_OVER[key] is None or np.array_equal(value, 1)):
            raise ValueError(
                f"{key} must be 1, as posenc ignores it, got {key}={checks.describe_value(value)}"
            )


def _of_the_model(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of a model config that matter here; others are ignored."""
    for key in config:
        if KEY_NAMES.get(key, key) in SHARED:
            yield key
        elif key in OWN and config[key] is not None:
            raise ValueError(
                f"{key} must be in the same mapping as rope_type, got"
                f" {key}={checks.describe_value(config[key])} outside of it"
            )
        elif key not in MAPPINGS and (instead := _told_otherwise(key, config[key])):
            raise _unknown(key, instead)


def _told_otherwise(key: object, value: object) -> str | None:
    """Return the key to write instead of a model's own key for frequencies."""
    if not isinstance(key, str) or not any(word in key for word in (*ROTARY_WORDS, "ntk")):
        return None
    if "ntk" in key:
        return TELLING["ntk"] if value is not None and value is not False else None
    if isinstance(value, Mapping):
        return "rope_scaling"
    if value is None or isinstance(value, bool) or (isinstance(value, int | float) and value == 1):
        return None  # means that it isn't used
    return next((known for part, known in TELLING.items() if part in key), None)


def _unknown(key: object, instead: str | None) -> ValueError:
    hint = f"; write {instead}" if instead else ""
    return ValueError(f"{key!r} is not a key that rope_parameters knows{hint}")


def _add(
    level: Mapping[str, Any],
    keys: Iterator[str],
    given: dict[str, Any],
    source: dict[str, str],
    path: str = "",
) -> None:
    """Add the keys of one level to those of others, unless two values contradict each other."""
    for key in keys:
        name = KEY_NAMES.get(key, key)
        value = level[key]
        if name == "rope_type" and value is not None:
            value = TYPE_NAMES.get(value, value) if type(value) is str else value
            value = checks.choice("rope_type", value, tuple(TYPES))
        if given.get(name) is None:
            given[name], source[name] = value, path + key
        elif value is not None and not np.array_equal(value, given[name]):
            raise ValueError(
                f"{source[name]} is {checks.describe_value(given[name])} but {path}{key} is"
                f" {checks.describe_value(value)}; remove one"
            )


def count_rotated(rope_type: str, given: Mapping[str, Any]) -> int:
    """Return the number of rotated channels of a head."""
    sizes = {
        key: checks.integer(key, given[key], least=1) for key in SIZES if given.get(key) is not None
    }
    for key, size in sizes.items():
        if size > checks.LARGEST_POSITION:
            raise ValueError(
                f"{key} must be at most 2**53, got a number of {size.bit_length()} bits"
            )
    # Where a head has a part without positions, its rotary part is a head for our purposes.
    head = sizes.get("qk_rope_head_dim") or sizes.get("head_dim") or sizes.get("kv_channels")
    head = head or _quotient(sizes)
    part = checks.real("partial_rotary_factor", _or(given.get("partial_rotary_factor"), 1.0))
    if not 0 <= part <= 1:
        raise ValueError(
            "partial_rotary_factor must lie within 0..1,"
            f" got partial_rotary_factor={checks.describe_value(part)}"
        )
    rotary = sizes.get("rotary_dim")
    if head is None and rotary is None:
        raise ValueError("head_dim is missing: pass it, or hidden_size and num_attention_heads")
    if rope_type == "proportional":
        dim = head or rotary
    elif rotary and given.get("partial_rotary_factor") is None:
        dim = min(rotary, head or rotary)
    else:
        dim = int(head * part) if head else rotary
        if int(sizes.get("head_dim", 0) * part) == sizes.get("qk_rope_head_dim"):
            dim = sizes["qk_rope_head_dim"]  # is that part of the whole head, as in Mistral 4
    if rotary and rotary != dim:
        raise ValueError(
            f"rotary_dim is {rotary} but the other sizes (head_dim, partial_rotary_factor, ...)"
            f" give {dim}; remove one"
        )
    return checks.even("rotary_dim", dim)


def _quotient(sizes: Mapping[str, int]) -> int | None:
    """Return the width of a model divided among its heads, or None."""
    if not {"hidden_size", "num_attention_heads"} <= set(sizes):
        return None
    width, heads = sizes["hidden_size"], sizes["num_attention_heads"]
    if width % heads:
        raise ValueError(
            f"hidden_size must be a multiple of num_attention_heads={heads}, got {width}"
        )
    return width // heads


def _compare_lengths(settings: Settings) -> None:
    """Refuse an original length beyond the maximum, or one that a type would ignore."""
    maximum = settings.length("max_position_embeddings")
    original = settings.length("original_max_position_embeddings")
    if maximum is None or original is None or original == maximum:
        return
    if original > maximum or settings.rope_type == "dynamic":
        dynamic = settings.rope_type == "dynamic"
        rule = f"{'equal to' if dynamic else 'at most'} max_position_embeddings={maximum}"
        end = " with rope_type='dynamic'" if dynamic else ""
        raise ValueError(f"original_max_position_embeddings must be {rule}{end}, got {original}")


def _check_sections(settings: Settings) -> None:
    """Refuse sections of a multimodal embedding that do not share out its pairs."""
    if settings.given.get("mrope_interleaved") is not None:
        checks.boolean("mrope_interleaved", settings.given["mrope_interleaved"])
    sections = settings.given.get("mrope_section")
    if sections is None:
        return
    if isinstance(sections, str | bytes) or not isinstance(sections, Sequence):
        raise TypeError(
            f"mrope_section must be a list of integers, got {checks.describe_value(sections)}"
        )
    pairs = settings.dim // 2
    if sum(checks.integer("mrope_section", size, least=0) for size in sections) != pairs:
        raise ValueError(
            f"mrope_section must add up to the {pairs} rotated pairs, got {list(sections)}"
        )


def _length(key: str, value: object) -> int:
    """Return a number of positions; 4096.0, as some files have it, is 4096."""
    checks.real(key, value)
    number = checks.exact(value)
    if not 1 <= number <= checks.LARGEST_POSITION or number.denominator != 1:
        said = checks.describe_value(value)
        raise ValueError(f"{key} must be a whole number within 1..2**53, got {key}={said}")
    return int(number)


def _mapping(name: str, value: object) -> None:
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a mapping, got {type(value).__name__}")


def _or(value: object, default: object) -> object:
    return default if value is None else value
