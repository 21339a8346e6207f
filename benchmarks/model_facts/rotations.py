"""Measure which channels the function of a model moves together, and in which direction."""

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch

import posenc

APPLY = re.compile(r"^_?(vision_)?apply_.*(rotary|rope)")


def measure_layout(
    rotary_class: type[Any], config: Any, kind: str, pairs: int
) -> tuple[str, int] | None:
    """Return the layout, and 1 or -1 for the direction, or None where neither can be measured."""
    module = rotary_class(config).eval()
    more = {"layer_type": kind} if kind else {}
    for apply in _list_functions(rotary_class, config):
        for call in CALLS:
            for axes in (1, 3):
                rotate = _make_function(module, apply, call, more, axes)
                try:
                    found = posenc.identify(rotate, head_dim=2 * pairs, seq_len=64)
                except Exception:  # of a function with other arguments
                    continue
                if found.kind == "rotary" and found.layout is not None:
                    return found.layout, found.sign
    return None


def _make_function(
    module: Any, apply: Any, call: Any, more: dict[str, str], axes: int
) -> Callable[[Any, Any], Any]:
    """Return the rotation of vectors (L, d) by positions (L,), the same on all axes."""

    def rotate(x: Any, positions: Any) -> Any:
        vectors = torch.as_tensor(x, dtype=torch.float32)[None, None]
        places = torch.as_tensor(positions.copy())[None]
        if axes > 1:
            places = places[None].expand(axes, -1, -1)
        with torch.no_grad():
            return call(apply, vectors, module(vectors, places, **more))

    return rotate


def _list_functions(rotary_class: type[Any], config: Any) -> Iterator[Callable[..., Any]]:
    """Yield the functions of a modeling file that may rotate, the likeliest first."""
    module = sys.modules[rotary_class.__module__]
    found = [n for n, f in inspect.getmembers(module, inspect.isfunction) if APPLY.search(n)]
    found = [name for name in found if "vision" not in name]
    neighbours = getattr(config, "rope_interleave", True)
    for name in sorted(found, key=lambda name: ("interleave" in name) != neighbours):
        yield getattr(module, name)


def _call_with_pair(apply: Any, x: Any, tables: Any) -> Any:
    return apply(x, x, *tables)[0][0, 0]


def _call_with_one(apply: Any, x: Any, tables: Any) -> Any:
    return apply(x, *tables)[0, 0]


def _call_with_complex(apply: Any, x: Any, tables: Any) -> Any:
    return apply(x, x, tables)[0][0, 0]


def _call_with_complex_heads_last(apply: Any, x: Any, tables: Any) -> Any:
    x = x.transpose(1, 2)
    return apply(x, x, tables)[0][0, :, 0]


def _call_with_sin_first(apply: Any, x: Any, tables: Any) -> Any:
    sin, cos = tables
    return apply(x.transpose(1, 2), sin, cos)[0, :, 0]


def _call_with_table(apply: Any, x: Any, tables: Any) -> Any:
    sin, cos = tables.chunk(2, dim=-1)
    return apply(x.transpose(1, 2), sin, cos)[0, :, 0]


CALLS = (
    _call_with_pair,
    _call_with_one,
    _call_with_complex,
    _call_with_complex_heads_last,
    _call_with_sin_first,
    _call_with_table,
)
