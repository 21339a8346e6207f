"""Formats: the types in which golden vectors are kept, and the nearest number of each."""

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.golden.exact import Decimals


@dataclass(frozen=True)
class Format:
    """A binary float: bits of a normal number, exponent of the smallest, how it is stored."""

    bits: int
    least: int
    stored: str


FORMATS = {
    "float64": Format(53, -1074, "<f8"),
    "float32": Format(24, -149, "<f4"),
    "float16": Format(11, -24, "<f2"),
    "bfloat16": Format(8, -133, "<u2"),  # NumPy has none: its 16 bits
}


def nearest(exact: Decimal, dtype: str) -> float:
    """Return the nearest number of a dtype, ties to even, in one rounding."""
    if not exact:
        return 0.0  # also of a negative zero
    if not exact.is_finite():
        return float(exact)
    form = FORMATS[dtype]
    # The float may lie one rounding above a power of two that the number itself stays
    # below; the number then rounds to that power in either spacing.
    step = max(math.frexp(float(exact))[1] - form.bits, form.least)
    return math.ldexp(round(Fraction(exact) / Fraction(2) ** step), step)


def rounded(exact: Decimals, dtype: str) -> NDArray[Any]:
    """Return the numbers as they are stored, each rounded once, little-endian."""
    values = np.vectorize(lambda one: nearest(one, dtype), otypes=[np.float64])(exact)
    if dtype == "bfloat16":
        return np.asarray(values.astype("<f4").view("<u4") >> 16, dtype="<u2")
    return np.asarray(values, dtype=FORMATS[dtype].stored)
