"""The notation of the book, as `docs/reference/notation.md` has it, in plain mathematics.

Nothing here calls the package: a formula is held against what its letters mean, and the
session of its card holds the package against that.
"""

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
from mpmath import mp

from engine.formula_check.evaluate import Scope, Unity

Value = Any


def width(scope: Scope) -> int:
    """Return the number of channels that are turned or encoded."""
    return int(scope["d_k"] if "d_k" in scope else scope["d"])


def frequency(scope: Scope) -> Callable[[Value], Value]:
    """Return the frequency of pair i, in radians a position."""
    d, b = width(scope), scope["b"]
    return lambda i: mp.power(b, mpmath.mpf(-2) * i / d)


def encoding(scope: Scope) -> Callable[..., Value]:
    """Return the sinusoidal encoding of a position, or one of its channels."""
    slow = [scope["ω"](mpmath.mpf(i)) for i in range(width(scope) // 2)]

    def row(p: Value, c: Value = None) -> Value:
        entries = [turn(w * p) for w in slow for turn in (mp.sin, mp.cos)]
        return np.array(entries, dtype=object) if c is None else entries[int(c)]

    return row


def exchanged(scope: Scope) -> Callable[[Value], Value]:
    """Return the encoding with the cosine of each pair first."""
    return lambda p: scope["PE"](p).reshape(-1, 2)[:, ::-1].ravel()


def turn(scope: Scope) -> Callable[[Value], Value]:
    """Return the matrix that turns each pair of a query or key at a position."""

    def matrix(p: Value) -> Value:
        d = width(scope)
        found = np.full((d, d), mpmath.mpf(0), dtype=object)
        for i in range(d // 2):
            c, s = mp.cos(scope["ω"](mpmath.mpf(i)) * p), mp.sin(scope["ω"](mpmath.mpf(i)) * p)
            found[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[c, -s], [s, c]]
        return found

    return matrix


def shift(scope: Scope) -> Callable[[Value], Value]:
    """Return the matrix that takes the encoding of p to that of p + k."""
    return lambda k: turn(scope)(k).T


def similarity(scope: Scope) -> Callable[[Value], Value]:
    """Return the dot product of two encodings at an offset."""
    pairs = range(width(scope) // 2)
    return lambda k: mp.fsum(mp.cos(scope["ω"](mpmath.mpf(i)) * k) for i in pairs)


NOTATION: dict[str, Callable[[Scope], Value]] = {
    "π": lambda scope: +mp.pi,  # a number, which mpmath's constant is not
    "i!": lambda scope: mpmath.mpc(0, 1),
    "e": lambda scope: +mp.e,
    "∞": lambda scope: mp.inf,
    "ω": frequency,
    "λ": lambda scope: lambda i: 2 * mp.pi / scope["ω"](i),
    "PE": encoding,
    "EP": exchanged,
    "R": turn,
    "M": shift,
    "D": similarity,
    "I": lambda scope: Unity(),
    "range i": lambda scope: range(width(scope) // 2),
}
