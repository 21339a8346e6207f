"""Scores that tests give to the laws: rotary embedding in plain NumPy, whole and recounted."""

from collections.abc import Callable
from typing import Any

import numpy as np

from posenc import laws

Score = Callable[[Any, Any, Any, Any], Any]
Encode = Callable[[Any, Any], Any]

LAWS: dict[str, Callable[..., laws.Finding]] = {
    "equal_offsets": laws.equal_offsets,
    "cached_equals_full": laws.cached_equals_full,
    "sees_position": laws.sees_position,
}


def turned(x: Any, p: Any, base: float = 10000.0) -> Any:
    """Rotary embedding in plain NumPy, pairs of channels i and i + d/2."""
    half = x.shape[1] // 2
    angles = np.outer(p, base ** (-np.arange(half) / half))
    a, b, cos, sin = x[:, :half], x[:, half:], np.cos(angles), np.sin(angles)
    return np.hstack([a * cos - b * sin, a * sin + b * cos])


def both(encode: Encode) -> Score:
    """Return the score of queries and keys that are encoded alike."""
    return lambda x, p, y, q: encode(x, p) @ encode(y, q).T


def recount(x: Any, p: Any, y: Any, q: Any) -> Any:
    """Positions restart in each call."""
    return both(turned)(x, np.arange(len(x)), y, np.arange(len(y)))
