"""Inspect a model: what a config.json says of positions, as numbers for the page and as files."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc
from browser.workbench.cache import count_cache
from browser.workbench.config_text import read_config
from browser.workbench.marks import list_marks
from browser.workbench.other_encodings import describe_other, list_rows
from browser.workbench.result_files import make_file
from posenc import analysis
from posenc.core.layouts import pair_channels
from posenc.core.rounding import round_to
from posenc.scaling import LayerPositions, ModelPositions

SEARCHED = 2**17  # positions whose rows are compared; more would take seconds in a browser
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
    config = read_config(text)
    if "refused" in config:
        return config
    part = part or None
    try:
        other = describe_other(config, part)
        if other is not None:
            return other[0] if file is None else make_file(file, list_rows(other[0]), other[1])
        model = posenc.model_positions(config, seq_len, part=part)
        kinds = list(_list_kinds(model))
        if file is not None:
            return make_file(file, _list_rows(kinds), _list_arrays(model, kinds))
        longest = max((kind.first.max_positions or 0 for kind in kinds), default=0) or None
        return {
            "model": _describe_model(model, longest, seq_len),
            "kinds": [_describe_kind(kind) for kind in kinds],
            "cache": count_cache(config, part, model, longest),
        }
    except (TypeError, ValueError) as error:
        message = str(error)
        return {"refused": {"message": message, "marks": list_marks(message, text, part)}}


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


def _describe_model(model: ModelPositions, longest: int | None, seq_len: int | None) -> Answer:
    searched = min(longest or SEARCHED, SEARCHED)
    return {
        "model_type": model.model_type,
        "source": model.source,
        "encoding": model.encoding,
        "layout": model.layout,
        "sign": model.sign,
        "layers": len(model.layers),
        "max_positions": longest,
        "positions_now": seq_len,
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


def _list_rows(kinds: list[Kind]) -> Iterator[Iterable[Any]]:
    """Yield the rows of the CSV file, a pair each, below their heads."""
    yield COLUMNS
    for kind in kinds:
        for row in zip(*kind.pairs.values(), strict=True):
            yield kind.name, *row


def _list_arrays(model: ModelPositions, kinds: list[Kind]) -> dict[str, NDArray[Any]]:
    """Return the arrays of the .npz file."""
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
    return arrays
