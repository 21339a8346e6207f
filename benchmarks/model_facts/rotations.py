"""Measure which channels the function of a model moves together, and in which direction."""

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from posenc.core.layouts import pair_channels
from posenc.judging.rotations.identify import identify_rotation
from posenc.judging.rotations.probe import Probe

APPLY = re.compile(r"^_?(vision_)?apply_.*(rotary|rope)")
LENGTH = 24  # positions that are looked at
# Measured matrices, (positions, channels out, channels in), for positions (axes, positions).
Measure = Callable[[NDArray[np.int64]], NDArray[np.float64]]


@dataclass(frozen=True)
class Layout:
    """Which channels are a pair, and on which axis each pair depends."""

    layout: str
    sign: int
    axes: str | None  # the axis of each pair, such as "000111222"; None for only one axis


def measure_layout(rotary_class: type[Any], config: Any, kind: str, pairs: int) -> Layout | None:
    """Return the layout, or None where no call of a function of the model gives a rotation."""
    module = rotary_class(config).eval()
    more = {"layer_type": kind} if kind else {}
    for apply in list_functions(rotary_class, config):
        for call in CALLS:
            for axes in (3, 1):
                measure = _make_measure(module, apply, call, more, 2 * pairs)
                try:
                    found = _identify(measure, axes)
                except Exception:  # of a function with other arguments
                    continue
                if found is not None:
                    return found
    return None


def _identify(measure: Measure, axes: int) -> Layout | None:
    rows = np.arange(LENGTH)
    matrices = measure(np.tile(rows, (axes, 1)))
    probe = Probe(matrices, rows, "float32", "float32", adds=False, follows=True)
    found = identify_rotation(probe)
    if found.kind != "rotary" or found.layout is None:
        return None
    order = None
    if axes > 1:
        channels = np.arange(matrices.shape[1])[pair_channels(matrices.shape[1], found.layout)[0]]
        order = "".join(_find_axis(measure, axes, channel) for channel in channels)
    return Layout(found.layout, found.sign, order if order and set(order) != {"0"} else None)


def _find_axis(measure: Measure, axes: int, channel: int) -> str:
    """Return the number of the axis that rotates a channel."""
    for axis in range(axes):
        positions = np.zeros((axes, 1), dtype=np.int64)
        positions[axis] = 1_000_003  # slow pairs have rotated as well
        if measure(positions)[0, channel, channel] != 1:
            return str(axis)
    return "-"


def _make_measure(module: Any, apply: Any, call: Any, more: dict[str, str], d: int) -> Measure:
    """Return a function of positions (axes, L) that returns matrices (L, d, d)."""

    def measure(positions: NDArray[np.int64]) -> NDArray[np.float64]:
        length = positions.shape[1]
        vectors = torch.eye(d)[:, None].expand(d, length, d)
        found = _rotate(module, apply, call, more, vectors, positions)
        if found.shape != (d, length, d):
            raise ValueError("not a rotation of vectors")
        matrices: NDArray[np.float64] = found.double().numpy().transpose(1, 2, 0)
        return matrices

    return measure


def make_function(
    module: Any, apply: Any, call: Any, more: dict[str, str], axes: int
) -> Callable[[Any, Any], Any]:
    """Return the rotation of vectors (L, d) by positions (L,), the same on all axes."""

    def rotate(x: Any, positions: Any) -> Any:
        vectors = torch.as_tensor(x, dtype=torch.float32)[None]
        return _rotate(module, apply, call, more, vectors, np.tile(positions, (axes, 1)))[0]

    return rotate


def _rotate(
    module: Any, apply: Any, call: Any, more: dict[str, str], vectors: Any, positions: Any
) -> Any:
    """Return vectors (heads, L, d) rotated by positions (axes, L)."""
    places = torch.as_tensor(positions)[:, None]
    x = vectors[None]
    with torch.no_grad():
        return call(apply, x, module(x, places if len(places) > 1 else places[0], **more))


def list_functions(rotary_class: type[Any], config: Any) -> Iterator[Callable[..., Any]]:
    """Yield the functions of a modeling file that may rotate, the likeliest first."""
    module = sys.modules[rotary_class.__module__]
    found = [n for n, f in inspect.getmembers(module, inspect.isfunction) if APPLY.search(n)]
    found = [name for name in found if "vision" not in name]
    # The audio part of dots3 has its function beside the interleaved one of its text part.
    neighbours = getattr(config, "rope_interleave", True) and "audio" not in config.model_type
    for name in sorted(found, key=lambda name: ("interleave" in name) != neighbours):
        yield getattr(module, name)


def _call_with_pair(apply: Any, x: Any, tables: Any) -> Any:
    return apply(x, x, *tables)[0][0]


def _call_with_one(apply: Any, x: Any, tables: Any) -> Any:
    return apply(x, *tables)[0]


def _call_with_complex(apply: Any, x: Any, tables: Any) -> Any:
    return apply(x, x, tables)[0][0]


def _call_with_complex_heads_last(apply: Any, x: Any, tables: Any) -> Any:
    x = x.transpose(1, 2)
    return apply(x, x, tables)[0][0].transpose(0, 1)


def _call_with_sin_first(apply: Any, x: Any, tables: Any) -> Any:
    sin, cos = tables
    return apply(x.transpose(1, 2), sin, cos)[0].transpose(0, 1)


def _call_with_table(apply: Any, x: Any, tables: Any) -> Any:
    sin, cos = tables.chunk(2, dim=-1)
    return apply(x.transpose(1, 2), sin, cos)[0].transpose(0, 1)


CALLS = (
    _call_with_pair,
    _call_with_one,
    _call_with_complex,
    _call_with_complex_heads_last,
    _call_with_sin_first,
    _call_with_table,
)
