"""Define the notation of the book, as in `docs/reference/notation.md`, without the package.

Formulas are checked against these definitions, and sessions check the package against formulas.
"""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from mpmath import mp

from formula_check.evaluate import Identity, Scope

Value = Any


def get_width(scope: Scope) -> int:
    """Return the number of channels that are rotated or encoded."""
    return int(scope["d_k"] if "d_k" in scope else scope["d"])


def get_frequency(scope: Scope) -> Callable[[Value], Value]:
    """Return the frequency of pair i, in radians per position."""
    d, b = get_width(scope), scope["b"]
    return lambda i: mp.power(b, mpmath.mpf(-2) * i / d)


def get_encoding(scope: Scope) -> Callable[..., Value]:
    """Return the sinusoidal encoding of a position, or one of its channels."""
    slow = [scope["ω"](mpmath.mpf(i)) for i in range(get_width(scope) // 2)]

    def row(p: Value, c: Value = None) -> Value:
        entries = [wave(w * p) for w in slow for wave in (mp.sin, mp.cos)]
        return np.array(entries, dtype=object) if c is None else entries[int(c)]

    return row


def get_exchanged_encoding(scope: Scope) -> Callable[[Value], Value]:
    """Return the encoding with the cosine of each pair first."""
    return lambda p: scope["PE"](p).reshape(-1, 2)[:, ::-1].ravel()


def get_rotation(scope: Scope) -> Callable[[Value], Value]:
    """Return the matrix that rotates each pair of a query or key at a position."""

    def matrix(p: Value) -> Value:
        d = get_width(scope)
        rotation = np.full((d, d), mpmath.mpf(0), dtype=object)
        for i in range(d // 2):
            c, s = mp.cos(scope["ω"](mpmath.mpf(i)) * p), mp.sin(scope["ω"](mpmath.mpf(i)) * p)
            rotation[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
        return rotation

    return matrix


def get_shift(scope: Scope) -> Callable[[Value], Value]:
    """Return the matrix that takes the encoding of p to that of p + k."""
    return lambda k: get_rotation(scope)(k).T


def get_similarity(scope: Scope) -> Callable[[Value], Value]:
    """Return the dot product of two encodings at an offset."""
    pairs = range(get_width(scope) // 2)
    return lambda k: mp.fsum(mp.cos(scope["ω"](mpmath.mpf(i)) * k) for i in pairs)


NOTATION: dict[str, Callable[[Scope], Value]] = {
    "π": lambda scope: +mp.pi,  # a number, which mpmath's constant is not
    "i!": lambda scope: mpmath.mpc(0, 1),
    "e": lambda scope: +mp.e,
    "∞": lambda scope: mp.inf,
    "ω": get_frequency,
    "λ": lambda scope: lambda i: 2 * mp.pi / scope["ω"](i),
    "PE": get_encoding,
    "EP": get_exchanged_encoding,
    "R": get_rotation,
    "M": get_shift,
    "D": get_similarity,
    "I": lambda scope: Identity(),
    "range i": lambda scope: range(get_width(scope) // 2),
}
