"""Slopes: whether a bias is linear in the offset, and by which rule.

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
from posenc.judging import precision
from posenc.judging.identity import Identity

if TYPE_CHECKING:
    from posenc.judging.biases import Bias

Values = NDArray[np.float64]

FORMS = ("causal", "symmetric", "signed", "lower", "key")


# Channels of a head, by the root of which scores are divided.
WIDTHS = (16, 32, 48, 64, 72, 80, 96, 112, 128, 160, 192, 224, 256)


def paper(n_heads: int) -> Values:
    """Return the slopes of the paper's authors."""
    return alibi_slopes(n_heads)


def identify(bias: "Bias", unknown: Identity) -> Identity | None:
    """Return which ALiBi a bias is, or None."""
    measured = _measured(bias)
    if measured is None or not measured.any():
        return None
    sign = 1 if np.median(measured) > 0 else -1
    notes = () if sign == 1 else ("It rises with the distance, where ALiBi falls.",)
    for rule, slopes in _rules(sign * measured, bias.numbers):
        for constants, form in itertools.product((False, True), FORMS):
            if (form == "causal") == bias.hidden and not (constants and form in ("key", "lower")):
                value = expected(bias, sign * slopes, form)
                allowed = limit(bias, value)
                seen, given = bias.seen, bias.values
                if constants:  # what the row has at k = 0 is taken off
                    own = _at_zero(bias)
                    given = given - own
                    allowed = 2 * limit(bias, bias.values) + limit(bias, own + 0 * value)
                apart = np.where(seen, abs(np.where(seen, given, 0) - value), 0.0)
                if (apart > allowed).any():
                    continue
                worst = np.unravel_index(int((apart - allowed).argmax()), apart.shape)
                said = (
                    ()
                    if not constants
                    else ("A constant is added in each row, which softmax does not see.",)
                )
                return replace(
                    unknown,
                    kind="alibi",
                    form=form,
                    sign=sign,
                    slopes=tuple(float(m) for m in slopes),
                    slopes_rule=rule,
                    row_constants=constants or form == "key",
                    largest=float(apart[worst]),
                    limit=float(allowed[worst]),
                    notes=(*notes, *said),
                )
    return None


def expected(bias: "Bias", slopes: Values, form: str = "symmetric") -> Values:
    """Return the bias of some slopes, (H, rows, L_k)."""
    k = np.minimum(bias.k, 0) if form in ("causal", "lower") else bias.k
    if form in ("causal", "symmetric", "lower"):
        k = -abs(k)
    if form == "key":
        k = np.broadcast_to(bias.q, k.shape)
    return slopes[:, np.newaxis, np.newaxis] * k


def limit(bias: "Bias", values: Values) -> Values:
    """Return how far entries of the bias may lie from exact ones."""
    given, exact = (np.where(bias.seen, some, 0.0) for some in (bias.values, values))
    return allowed_error(given, exact, len(bias.values), bias.numbers)


def allowed_error(given: Values, exact: Values, n_heads: int, dtype: str) -> Values:
    """Return the error of a bias: three roundings, and those of its slopes.

    Slope and product are rounded, and once more the sum with what a row has added. Programs
    make the slopes as powers of their ratio, whose own error is then there up to H times,
    twice with that of each power.
    """
    rounding = precision.UNITS.get(dtype, 0.0)
    slopes = 2 * n_heads * precision.UNITS[precision.angles_for(dtype)]
    return np.asarray(
        3 * rounding * (abs(given) + abs(exact))
        + slopes * abs(exact)
        + 3 * precision.TINY.get(dtype, 0.0)
    )


def _at_zero(bias: "Bias") -> Values:
    """Return what each row has at the offset nearest to 0, less what a slope puts there."""
    column = np.where(bias.k <= 0, bias.k, -(2**62)).argmax(axis=1)
    return np.take_along_axis(bias.values, column[np.newaxis, :, np.newaxis], axis=2)


def _measured(bias: "Bias") -> Values | None:
    """Return by how much the bias of each head falls per position into the past."""
    row = int(np.argmax((bias.k <= 0).sum(axis=1)))
    past = np.flatnonzero(bias.k[row] <= 0)
    if len(past) < 2:
        return None
    far, near = past[0], past[-1]
    values = bias.values[:, row]
    return np.asarray((values[:, near] - values[:, far]) / (near - far))


def _multiples(measured: Values) -> Iterator[tuple[str, Values]]:
    """Yield the slopes of the paper times a factor, if these may be such."""
    factors = measured / paper(len(measured))
    factor = float(np.median(factors))
    if len(measured) < 2 or factor <= 0 or np.ptp(factors) > 0.01 * factor:
        return
    for d in WIDTHS:
        if abs(1 / factor**2 - d) <= 0.02 * d:
            divided = paper(len(measured)) / math.sqrt(d)
            yield f"of the paper's authors, divided by the root of {d}", divided
    yield f"of the paper's authors, times {factor:.6g}", factor * paper(len(measured))


def _rules(measured: Values, numbers: str) -> Iterator[tuple[str | None, NDArray[Any]]]:
    """Yield rules by which slopes of this number of heads are made, at last their own."""
    n = len(measured)
    h = np.arange(n)
    yield "paper", paper(n)
    yield "geometric", 2.0 ** (-8 * (h + 1) / n)
    yield "2**(-8h/H), which begin one head too early", 2.0 ** (-8 * h / n)
    yield "in reverse order", paper(n)[::-1]
    yield "in falling order", np.sort(paper(n))[::-1]
    yield "2**(-(h+1)), whatever the number of heads", 2.0 ** -(h + 1.0)
    yield "exp(-8(h+1)/H), powers of e in the place of 2", np.exp(-8 * (h + 1) / n)
    yield "all 1", np.ones(n)
    if measured[0] > 0:
        largest = -math.log2(measured[0]) * n
        if 0 < round(largest, 2) < 64:
            whole = round(largest, 2)
            yield f"2**(-{whole:g}(h+1)/H)", 2.0 ** (-whole * (h + 1) / n)
    yield from _multiples(measured)
    yield None, precision.rounded(measured, numbers) if numbers in precision.UNITS else measured
