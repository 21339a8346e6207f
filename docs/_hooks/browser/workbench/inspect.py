"""Inspect a model: what a config.json says of positions, as numbers for the page and as files."""

import base64
import csv
import io
import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc
from browser.workbench.cache import count_cache
from posenc import analysis
from posenc.core.layouts import pair_channels
from posenc.core.rounding import round_to
from posenc.scaling import LayerPositions, ModelPositions
from posenc.scaling.keys import KEY_NAMES

SEARCHED = 2**17  # positions whose rows are compared; more would take seconds in a browser
ADVICE = re.compile(r"[;:,] (?:write|pass|remove|use|add|leave)\b")  # follows what is wrong
COLUMNS = (
    "kind",
    "pair",
    "channel_1",
    "channel_2",
    "inv_freq",
    "wavelength",
    "inv_freq_unscaled",
    "ratio",
    "first_equal_neighbours_bfloat16",
)
Answer = dict[str, Any]


@dataclass
class Kind:
    """Layers that do the same with positions, and the pairs of their heads."""

    name: str
    layers: list[int]
    first: LayerPositions
    pairs: dict[str, list[Any]]  # by column, without the kind


def answer(
    text: str, seq_len: int | None = None, part: str | None = None, file: str | None = None
) -> Answer:
    """Return what each kind of layer does, a file with the numbers, or why that is refused."""
    try:
        config = json.loads(text)
    except (ValueError, RecursionError) as error:
        return {"refused": _describe_json_error(error)}
    if not isinstance(config, dict):
        message = f"A config is a JSON object in braces, got {json.dumps(config)[:40]}."
        return {"refused": {"message": message, "keys": []}}
    try:
        model = posenc.model_positions(config, seq_len, part=part or None)
        kinds = list(_list_kinds(model))
        if file is not None:
            return _make_file(file, model, kinds)
        longest = max((kind.first.max_positions or 0 for kind in kinds), default=0) or None
        return {
            "model": _describe_model(model, longest),
            "kinds": [_describe_kind(kind) for kind in kinds],
            "cache": count_cache(config, part or None, model, longest),
        }
    except (TypeError, ValueError) as error:
        message = str(error)
        return {"refused": {"message": message, "keys": _list_named_keys(message, config)}}


def _describe_json_error(error: Exception) -> Answer:
    if not isinstance(error, json.JSONDecodeError):
        return {"message": f"This is not JSON: {error}.", "keys": []}
    message = f"This is not JSON: {error.msg} in line {error.lineno}, column {error.colno}."
    return {"message": message, "keys": [], "line": error.lineno}


def _list_named_keys(message: str, config: object) -> list[str]:
    """Return the keys of a config that a message finds fault with, else those in its advice."""
    keys = set(_list_keys(config))
    fault, advice = ADVICE.split(message, maxsplit=1) if ADVICE.search(message) else (message, "")
    for words in (fault, advice):
        named = [_find_key(word, keys) for word in re.findall(r"[\w.]+", words)]
        if found := list(dict.fromkeys(key for key in named if key)):
            return found
    return []


def _find_key(word: str, keys: set[str]) -> str | None:
    """Return the key that a word of a message means: `type` for rope_type in older files."""
    last = word.strip(".").rpartition(".")[2]
    older = (key for key, name in KEY_NAMES.items() if name == last)
    return next((key for key in (last, *older) if key in keys), None)


def _list_keys(value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inside in value.items():
            yield key
            yield from _list_keys(inside)


def _list_kinds(model: ModelPositions) -> Iterator[Kind]:
    """Yield each kind of layer, in the order of their first layers."""
    groups: dict[Any, list[LayerPositions]] = {}
    for layer in model.layers:
        groups.setdefault(_make_key(layer), []).append(layer)
    names: set[str] = set()
    found: dict[bytes, dict[str, list[Any]]] = {}  # kinds may share their frequencies
    for layers in groups.values():
        first = layers[0]
        name = first.kind if first.rotates or model.encoding != "rotary" else f"{first.kind}_nope"
        name = next(n for n in _number_names(name) if n not in names)
        names.add(name)
        key = repr(_make_key(first)[:4]).encode()
        if key not in found:
            found[key] = _list_pairs(first, model.layout)
        yield Kind(name, [layer.index for layer in layers], first, found[key])


def _number_names(name: str) -> Iterator[str]:
    yield name
    yield from (f"{name}_{number}" for number in range(2, 2**20))


def _make_key(layer: LayerPositions) -> tuple[Any, ...]:
    parameters = layer.parameters
    numbers = None if parameters is None else parameters.inv_freq.tobytes()
    factor = None if parameters is None else parameters.attention_factor
    frequencies = (numbers, factor, layer.base, layer.max_positions)
    others = (layer.kind, layer.rope_type, layer.head_dim, layer.window)
    return (*frequencies, *others, layer.softmax_scale, layer.query_scale)


def _list_pairs(layer: LayerPositions, layout: str | None) -> dict[str, list[Any]]:
    """Return the columns of a table with a row for each rotated pair."""
    if layer.parameters is None:
        return {}
    assert layer.base is not None
    omega, factor = layer.parameters
    unscaled = posenc.inv_freq(2 * len(omega), layer.base)
    channels = np.arange(2 * len(omega))
    first, second = ([None] * len(omega),) * 2
    if layout is not None:
        first, second = (channels[where].tolist() for where in pair_channels(len(channels), layout))
    equal = analysis.first_equal_neighbours(omega, _searched(layer), attention_factor=factor)
    return {
        "pair": list(range(len(omega))),
        "channel_1": first,
        "channel_2": second,
        "inv_freq": omega.tolist(),
        "wavelength": [2 * math.pi / one if one else None for one in omega.tolist()],
        "inv_freq_unscaled": unscaled.tolist(),
        "ratio": (omega / unscaled).tolist(),
        "first_equal_neighbours_bfloat16": [p if p > 0 else None for p in equal.tolist()],
    }


def _searched(layer: LayerPositions) -> int:
    return min(layer.max_positions or SEARCHED, SEARCHED)


def _describe_model(model: ModelPositions, longest: int | None) -> Answer:
    searched = min(longest or SEARCHED, SEARCHED)
    return {
        "model_type": model.model_type,
        "source": model.source,
        "encoding": model.encoding,
        "layout": model.layout,
        "sign": model.sign,
        "layers": len(model.layers),
        "max_positions": longest,
        "searched": searched,
        "distinct_bfloat16_positions": len(
            np.unique(round_to(np.arange(searched, dtype=float), "bfloat16"))
        ),
    }


def _describe_kind(kind: Kind) -> Answer:
    first = kind.first
    known: Answer = {
        "name": kind.name,
        "layers": kind.layers,
        "rotates": first.rotates,
        "base": first.base,
        "rope_type": first.rope_type,
        "head_dim": first.head_dim,
        "rotary_dim": first.rotary_dim,
        "window": first.window,
        "softmax_scale": first.softmax_scale,
        "query_scale": first.query_scale,
        "max_positions": first.max_positions,
        "original_positions": first.original_positions,
        "attention_factor": None,
        "equal_rows": None,
        "pairs": kind.pairs,
    }
    if first.parameters is not None:
        omega, factor = first.parameters
        equal = analysis.first_equal_rows(omega, _searched(first), attention_factor=factor)
        known |= {"attention_factor": factor, "equal_rows": equal}
    return known


def _make_file(file: str, model: ModelPositions, kinds: list[Kind]) -> Answer:
    content = {"csv": _make_csv, "npz": _make_npz}[file](model, kinds)
    return {"base64": base64.b64encode(content).decode()}


def _make_csv(_: ModelPositions, kinds: list[Kind]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for kind in kinds:
        for row in zip(*kind.pairs.values(), strict=True):
            writer.writerow([kind.name, *row])
    return text.getvalue().encode()


def _make_npz(model: ModelPositions, kinds: list[Kind]) -> bytes:
    arrays: dict[str, NDArray[Any]] = {}
    names = [""] * len(model.layers)
    for kind in kinds:
        for layer in kind.layers:
            names[layer] = kind.name
        if kind.first.parameters is not None:
            omega, factor = kind.first.parameters
            arrays[f"{kind.name}.inv_freq"] = omega
            arrays[f"{kind.name}.inv_freq_unscaled"] = np.array(kind.pairs["inv_freq_unscaled"])
            arrays[f"{kind.name}.attention_factor"] = np.array(factor)
    arrays["layer_kinds"] = np.array(names)
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]  # names of arrays, not of arguments
    return stream.getvalue()
