"""Exact numbers: sines, cosines and frequencies in decimals, before any rounding to a float.

They share no arithmetic with the functions of the package, which compute in floats: a
reference that used those would repeat their mistakes. Arrays hold a Decimal in each entry.
"""

from collections.abc import Sequence
from decimal import Context, Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

Decimals = NDArray[Any]

# An angle of 2**40 spends 13 digits before its point, and 50 are to be right behind it.
EXACT = Context(prec=80)
SMALLEST = Decimal("1e-75")
PI = Decimal(
    "3.1415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253"
)


def frequencies(dim: int, base: Decimal, exponent: str = "paper") -> Decimals:
    """Return ω of each pair, `base ** (-i/steps)`, shape (dim/2,)."""
    pairs = dim // 2
    steps = pairs if exponent == "paper" else max(pairs - 1, 1)
    return np.array([base ** (Decimal(-i) / steps) for i in range(pairs)])


def waves(positions: Sequence[int], omega: Decimals) -> tuple[Decimals, Decimals]:
    """Return sin(p·ω) and cos(p·ω), each of shape (positions, pairs)."""
    angles = np.multiply.outer(np.array([Decimal(p) for p in positions]), omega)
    sin, cos = np.frompyfunc(sin_cos, 1, 2)(angles)
    return sin, cos


def sin_cos(angle: Decimal) -> tuple[Decimal, Decimal]:
    """Return sine and cosine of radians, by their series within one turn."""
    angle %= 2 * PI
    sums = [Decimal(0), Decimal(0)]  # of the even powers, and of the odd ones
    term, k = Decimal(1), 0
    while abs(term) > SMALLEST:
        sums[k % 2] += term if k % 4 < 2 else -term
        k += 1
        term *= angle / k
    cos, sin = sums
    return sin, cos


def arranged(first: NDArray[Any], second: NDArray[Any], layout: str) -> NDArray[Any]:
    """Return the two numbers of each pair as channels: beside each other, or in halves."""
    if layout == "half":
        return np.concatenate([first, second], axis=-1)
    return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)
