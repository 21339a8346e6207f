"""Check the arguments of a module only by shape and dtype, so that a graph stays whole.

Values are not read. On a GPU, reading them waits for all earlier work, and a compiled graph
breaks there.
"""

from typing import Any

import torch
from torch import Tensor

from posenc.core import checks
from posenc.core.layouts import LAYOUTS, Layout

EXACT = (torch.float32, torch.float64)


def tensor(name: str, value: Any) -> Tensor:
    """Return value, if it is a tensor of floats."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be a tensor, got {type(value).__name__}")
    if not value.is_floating_point():
        raise TypeError(f"{name} must hold floats, got dtype {value.dtype}")
    return value


def vectors(name: str, value: Any, channels: int) -> Tensor:
    """Return value, if it has an axis of positions and one of so many channels."""
    x = tensor(name, value)
    if x.ndim < 2 or x.shape[-1] != channels:
        raise ValueError(
            f"{name} must have shape (..., seq_len, {channels}), got shape {(*x.shape,)}"
        )
    return x


def positions(name: str, value: Any, x: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return positions as float64, shaped to broadcast with x without its channels.

    Args:
        name: Its name in messages.
        value: Integers, float32 or float64; shape (L,), (B, L), or `shape`. None: 0..L-1.
        x: Where the positions are needed: they come back on its device.
        shape: That of x without its channels, positions last.
    """
    length = shape[-1]
    if value is None:
        return torch.arange(length, device=x.device, dtype=torch.float64)
    as_float64 = exact(name, value)
    given = (*value.shape,)
    if given not in ((length,), (shape[0], length), shape):
        raise ValueError(
            f"{name} must have shape {(length,)}, {(shape[0], length)} or {shape},"
            f" got shape {given}"
        )
    if given == shape or value.ndim == 1:
        return as_float64
    return as_float64.reshape(shape[0], *[1] * (len(shape) - 2), length)


def points(name: str, value: Any, shape: tuple[int, ...], n: int) -> Tensor:
    """Return points as float64, shaped to broadcast with x: n coordinates instead of channels.

    Args:
        name: Its name in messages.
        value: Integers, float32 or float64; shape (L, n), (B, L, n), or (*shape, n).
        shape: That of x without its channels, positions last.
        n: Coordinates of a point.
    """
    as_float64 = exact(name, value)
    length, given = shape[-1], (*value.shape,)
    if given not in ((length, n), (shape[0], length, n), (*shape, n)):
        first = given[:1] == (n,) and given[-1:] == (length,)
        hint = f"; coordinates are on the last axis: pass {name}.movedim(0, -1)" if first else ""
        raise ValueError(
            f"{name} must have shape {(length, n)}, {(shape[0], length, n)} or {(*shape, n)},"
            f" got shape {given}{hint}"
        )
    if given == (*shape, n) or value.ndim == 2:
        return as_float64
    return as_float64.reshape(shape[0], *[1] * (len(shape) - 2), length, n)


def exact(name: str, value: Any) -> Tensor:
    """Return value as float64, if it is a tensor of real numbers that are not half precision."""
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} must be a tensor, got {type(value).__name__}")
    if value.is_complex() or value.dtype == torch.bool:
        raise TypeError(f"{name} must hold real numbers, got dtype {value.dtype}")
    if value.is_floating_point() and value.dtype not in EXACT:
        raise TypeError(
            f"{name} must be integers, float32 or float64, got dtype {value.dtype}:"
            " whole numbers fall together there"
        )
    return value.to(torch.float64)


def wide(x: Tensor) -> torch.dtype:
    """Return the dtype to compute in: float64 for float64, and else float32."""
    return torch.float64 if x.dtype == torch.float64 else torch.float32


def lengths(q_len: object, k_len: object) -> tuple[int, int]:
    """Return how many queries and keys there are; without k_len, as many keys as queries."""
    queries = length("q_len", q_len, 0)
    return queries, queries if k_len is None else length("k_len", k_len, queries)


def length(name: str, value: object, least: int) -> int:
    """Return value, if it is an integer of at least `least`."""
    # `checks` breaks the graph in older versions of PyTorch.
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return value
    return checks.integer(name, value, least=least)


def layout(value: Layout) -> Layout:
    """Return value, if it is the name of a layout."""
    if value not in LAYOUTS:  # as above
        checks.choice("layout", value, LAYOUTS)
    return value


def float_dtype(value: object, name: str = "dtype") -> torch.dtype:
    """Return value, if it is a dtype of floats."""
    if not isinstance(value, torch.dtype) or not value.is_floating_point:
        raise TypeError(
            f"{name} must be a floating torch.dtype, got {checks.describe_value(value)}"
        )
    return value
