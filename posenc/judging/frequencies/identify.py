"""Identify rotary frequencies on their own: base, exponent and scaling rule.

Letters in this module
    n  pairs, d/2    i  index of a pair, 0..n-1    b  base
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.biases.alibi import alibi_slopes
from posenc.judging import precision
from posenc.judging.arrays import Array
from posenc.judging.frequencies import limits
from posenc.judging.frequencies.published import BASES, list_scaled
from posenc.judging.frequencies.readings import compute
from posenc.judging.identity import Identity
from posenc.scaling.settings import Settings

Values = NDArray[np.float64]


def identify_frequencies(given: Array) -> Identity:
    """Return the base, the exponent and the scaling rule of frequencies (d/2,)."""
    given = given.check_finite()
    values = given.read_all()
    _refuse_others(given, values)
    numbers = precision.find_narrowest_dtype(values, given.dtype)
    about: dict[str, Any] = {"dtype": given.dtype, "numbers": numbers, "rows": len(values)}
    turning = int(np.count_nonzero(values))
    notes: list[str] = []
    if turning < len(values):
        notes.append(f"Pairs {turning} to {len(values) - 1} of {len(values)} don't rotate.")
    if numbers in ("bfloat16", "float16") and given.dtype not in ("bfloat16", "float16"):
        notes.append(f"The frequencies were rounded to {numbers}.")
    found = _find(values[:turning], len(values), numbers)
    if found is None:
        notes.append("The frequencies follow no base, and no scaling rule of a published model.")
        return Identity("unknown", **about, inv_freq=tuple(values.tolist()), notes=tuple(notes))
    frequencies = np.concatenate([np.asarray(found.inv_freq), np.zeros(len(values) - turning)])
    off = abs(values - frequencies)
    limit = limits.bound_frequency_error(frequencies, numbers)
    worst = int((off / np.maximum(limit, 1e-300)).argmax())
    return replace(
        found,
        **about,
        rotary_dim=2 * len(values),
        inv_freq=None if found.scaling is None else tuple(frequencies.tolist()),
        largest=float(off[worst]),
        limit=float(limit[worst]),
        notes=(*notes, *found.notes),
    )


def name_frequencies(values: Values, dtype: str) -> str | None:
    """Return what frequencies are in a few words, or None."""
    found = _find(values, len(values), dtype) if (values > 0).all() else None
    if found is None:
        return None
    words = f"base {found.base:.10g}"
    if found.exponent == "tensor2tensor":
        words += " with exponent i/(d/2-1)"
    return f"{words} with {found.scaling}" if found.scaling else words


def _refuse_others(given: Array, values: Values) -> None:
    """Refuse arrays of one axis that hold something other than frequencies."""
    rule = "thing with one axis must be rotary frequencies (inv_freq), at least 2, falling from"
    rule += " the first to the last"
    if len(values) < 2:
        raise ValueError(f"{rule}, got {len(values)}")
    slopes = alibi_slopes(len(values))
    if (abs(values - slopes) <= 1e-2 * slopes).all():
        raise ValueError(
            f"thing holds the ALiBi slopes of {len(values)} heads: pass the bias (H, L_q, L_k),"
            " not the slopes"
        )
    if (values < 0).any() or values[0] <= values[-1]:
        raise ValueError(f"{rule}, got {values[0]:.6g} to {values[-1]:.6g}")


def _find(values: Values, n: int, dtype: str) -> Identity | None:
    """Return what explains all frequencies, those of the first of n pairs."""

    def explains(frequencies: Values) -> bool:
        limit = limits.bound_frequency_error(frequencies, dtype)
        return bool((abs(values - frequencies) <= limit).all())

    if len(values) < 2 or not (values > 0).all():
        return None
    for first, (exponent, steps), base in _list_formulas(values, n):
        frequencies = first * base ** -(np.arange(len(values)) / steps)
        if explains(frequencies):
            scaling = None if first == 1 else f"linear factor {1 / first:.6g}"
            return _make(base, exponent, scaling, frequencies)
    scaled = find_scaling(values, n, explains)
    return None if scaled is None else _make(scaled.base, "paper", scaled.rule, scaled.frequencies)


@dataclass(frozen=True)
class Scaled:
    """Frequencies of a base with the scaling rule of a published model."""

    base: float
    rule: str  # in words
    frequencies: Values


def find_scaling(values: Values, n: int, explains: Callable[[Values], bool]) -> Scaled | None:
    """Return the scaling rule that explains frequencies, those of the first of n pairs, or None."""
    for base in _list_bases(values, n):
        for words, settings in list_scaled(Settings("default", 2 * n, base, {})):
            computed = compute(settings)
            if computed is not None and explains(computed[0][: len(values)]):
                return Scaled(base, words, computed[0][: len(values)])
    return None


def _make(base: float, exponent: str, scaling: str | None, frequencies: Values) -> Identity:
    free = tuple(frequencies.tolist())
    return Identity("frequencies", exponent=exponent, base=base, scaling=scaling, inv_freq=free)


def _list_formulas(values: Values, n: int) -> Iterator[tuple[float, tuple[str, float], float]]:
    """Yield (first frequency, (exponent, its divisor), base), the shortest numbers first."""
    ratio = values[0] / values[-1]
    firsts = [1.0] if abs(values[0] - 1) < 0.01 else []
    firsts += [1 / float(f"{1 / values[0]:.{digits}e}") for digits in range(6)]
    exponents = [("paper", float(n))]
    if n > 2:
        exponents.append(("tensor2tensor", n - 1.0))
    for digits in range(10):
        for exponent, steps in exponents:
            base = float(f"{ratio ** (steps / (len(values) - 1)):.{digits}e}")
            if 1 < base < 1e300:
                for first in dict.fromkeys(firsts):
                    yield first, (exponent, steps), base


def _list_bases(values: Values, n: int) -> Iterator[float]:
    """Yield bases that a rule may have scaled: those with which the second frequency agrees."""
    if values[0] < 0.99:
        return  # these rules keep the fastest pair
    measured = (values[0] / values[1]) ** n
    rounded = [float(f"{measured:.{digits}e}") for digits in range(5)]
    for base in dict.fromkeys((*BASES, *rounded)):
        if base > 1 and abs(base ** (-1 / n) / values[1] - 1) < 1e-4:
            yield base
