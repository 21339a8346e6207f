"""Identify ALiBi: whether a bias is linear in the offset, and by which rule its slopes go.

Letters in this module
    H  heads    h  a head, 0..H-1    m  slope of a head    k  offset q - p
"""

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from posenc.biases.alibi import alibi_slopes
from posenc.core.rounding import round_to
from posenc.judging import precision
from posenc.judging.identity import Identity

if TYPE_CHECKING:
    from posenc.judging.biases.identify import Bias

Values = NDArray[np.float64]

FORMS = ("causal", "symmetric", "signed", "lower", "key")

# Usual numbers of channels of a head, by the root of which scores are divided.
WIDTHS = (16, 32, 48, 64, 72, 80, 96, 112, 128, 160, 192, 224, 256)


def identify_alibi(bias: "Bias", unknown: Identity) -> Identity | None:
    """Return which ALiBi a bias is, or None."""
    measured = _measure_slopes(bias)
    if measured is None or not measured.any():
        return None
    sign = 1 if np.median(measured) > 0 else -1
    for rule, slopes in _list_rules(sign * measured, bias.numbers):
        for constants, form in itertools.product((False, True), FORMS):
            if (form == "causal") != bias.hidden or (constants and form in ("key", "lower")):
                continue
            worst = _find_worst(bias, compute_bias(bias, sign * slopes, form), constants)
            if worst is None:
                continue
            return replace(
                unknown,
                kind="alibi",
                form=form,
                sign=sign,
                slopes=tuple(float(m) for m in slopes),
                slopes_rule=rule,
                row_constants=constants or form == "key",
                largest=worst[0],
                limit=worst[1],
                notes=_list_notes(sign, constants),
            )
    return None


def _list_notes(sign: int, constants: bool) -> tuple[str, ...]:
    """Return what is unusual about an ALiBi, a sentence each."""
    notes = []
    if sign == -1:
        notes.append("It rises with the distance, and ALiBi falls.")
    if constants:
        notes.append("A constant is added to each row, which softmax ignores.")
    return tuple(notes)


def _find_worst(bias: "Bias", expected: Values, constants: bool) -> tuple[float, float] | None:
    """Return the difference nearest to its limit, and the limit; None if one is beyond.

    With `constants`, each row may have a constant added.
    """
    given, limit = bias.values, bound_errors(bias, expected)
    if constants:
        own = _get_row_constants(bias)
        given = given - own
        limit = 2 * bound_errors(bias, bias.values) + bound_errors(bias, own + 0 * expected)
    given = np.where(bias.visible, given, 0)
    difference = np.where(bias.visible, abs(given - expected), 0.0)
    if (difference > limit).any():
        return None
    worst = np.unravel_index(int((difference - limit).argmax()), difference.shape)
    return float(difference[worst]), float(limit[worst])


def compute_bias(bias: "Bias", slopes: Values, form: str = "symmetric") -> Values:
    """Return the bias of some slopes, (H, rows, L_k)."""
    k = np.minimum(bias.k, 0) if form in ("causal", "lower") else bias.k
    if form in ("causal", "symmetric", "lower"):
        k = -abs(k)
    if form == "key":
        k = np.broadcast_to(bias.q, k.shape)
    return slopes[:, np.newaxis, np.newaxis] * k


def bound_errors(bias: "Bias", values: Values) -> Values:
    """Return how far entries of the bias may be from exact ones."""
    given, exact = (np.where(bias.visible, some, 0.0) for some in (bias.values, values))
    return bound_alibi_error(given, exact, len(bias.values), bias.numbers)


def bound_alibi_error(given: Values, exact: Values, n_heads: int, dtype: str) -> Values:
    """Return the error of a bias: three roundings, and those of its slopes.

    The slope, the product, and the sum with a constant of the row are rounded. Libraries compute
    slopes as powers of their ratio, whose error then counts up to H times, and twice with that of
    each power.
    """
    rounding = precision.UNITS.get(dtype, 0.0)
    slopes = 2 * n_heads * precision.UNITS[precision.get_angle_dtype(dtype)]
    return np.asarray(
        3 * rounding * (abs(given) + abs(exact))
        + slopes * abs(exact)
        + 3 * precision.TINY.get(dtype, 0.0)
    )


def _get_row_constants(bias: "Bias") -> Values:
    """Return the constants of rows: what each has at the last offset up to 0, as a column."""
    column = np.where(bias.k <= 0, bias.k, -(2**62)).argmax(axis=1)
    return np.take_along_axis(bias.values, column[np.newaxis, :, np.newaxis], axis=2)


def _measure_slopes(bias: "Bias") -> Values | None:
    """Return by how much the bias of each head falls per position into the past."""
    row = int(np.argmax((bias.k <= 0).sum(axis=1)))
    past = np.flatnonzero(bias.k[row] <= 0)
    if len(past) < 2:
        return None
    far, near = past[0], past[-1]
    values = bias.values[:, row]
    return np.asarray((values[:, near] - values[:, far]) / (near - far))


def _list_multiples(measured: Values) -> Iterator[tuple[str, Values]]:
    """Yield the slopes of the paper times a factor, if measured ones have a common factor."""
    factors = measured / alibi_slopes(len(measured))
    factor = float(np.median(factors))
    if len(measured) < 2 or factor <= 0 or np.ptp(factors) > 0.01 * factor:
        return
    for d in WIDTHS:
        if abs(1 / factor**2 - d) <= 0.02 * d:
            divided = alibi_slopes(len(measured)) / math.sqrt(d)
            yield f"of the paper's authors, divided by the root of {d}", divided
    yield f"of the paper's authors, times {factor:.6g}", factor * alibi_slopes(len(measured))


def _list_rules(measured: Values, numbers: str) -> Iterator[tuple[str | None, NDArray[Any]]]:
    """Yield rules for slopes, with the slopes of each; the last is the measured ones themselves."""
    n = len(measured)
    h = np.arange(n)
    yield "paper", alibi_slopes(n)
    yield "geometric", 2.0 ** (-8 * (h + 1) / n)
    yield "2**(-8h/H), one head too early", 2.0 ** (-8 * h / n)
    yield "in reverse order", alibi_slopes(n)[::-1]
    yield "in falling order", np.sort(alibi_slopes(n))[::-1]
    yield "2**(-(h+1)) for any number of heads", 2.0 ** -(h + 1.0)
    yield "exp(-8(h+1)/H), powers of e instead of 2", np.exp(-8 * (h + 1) / n)
    yield "all 1", np.ones(n)
    if measured[0] > 0:
        largest = -math.log2(measured[0]) * n
        if 0 < round(largest, 2) < 64:
            whole = round(largest, 2)
            yield f"2**(-{whole:g}(h+1)/H)", 2.0 ** (-whole * (h + 1) / n)
    yield from _list_multiples(measured)
    yield None, round_to(measured, numbers) if numbers in precision.UNITS else measured
