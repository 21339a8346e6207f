"""Biases: what is added to the scores of each head, ALiBi, T5 or something else.

Letters in this module
    H    heads                       p, q  positions of a query and of a key
    L_q  queries                     k     offset q - p
    L_k  keys                        m     slope of a head
    c    constant of a row of the bias, which softmax does not see
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posenc.judging import alibi, buckets, precision
from posenc.judging.arrays import Given
from posenc.judging.identity import Identity

Values = NDArray[np.float64]

# An entry this low hides a key, where all later keys have the same: -10000, rounded to
# bfloat16, is -9984.
HIDDEN = -9984.0

# Queries that are looked at, of a bias with more.
QUERIES = 48


@dataclass(frozen=True)
class Bias:
    """Some rows of a bias: numbers (H, rows, L_k), offsets (rows, L_k), what is hidden."""

    values: Values
    k: NDArray[np.int64]
    q: NDArray[np.int64]
    rows: NDArray[np.int64]
    hidden: bool
    numbers: str

    @property
    def seen(self) -> NDArray[np.bool_]:
        """Where a key is not hidden, (rows, L_k)."""
        return (self.k <= 0) if self.hidden else np.ones(self.k.shape, dtype=bool)


def identify_bias(given: Given) -> Identity:
    """Return what a bias (H, L_q, L_k) is."""
    bias, unknown = read(given, last=True)
    if isinstance(bias, str):
        return replace(unknown, cause=bias)
    shown = bias.values[:, bias.seen]
    if not shown.any():
        return replace(unknown, cause="all entries are 0, so that no position is told")
    narrow = precision.narrowest(shown, bias.numbers)
    found = alibi.identify(bias, unknown)
    if found is None and narrow != bias.numbers:
        found = alibi.identify(replace(bias, numbers=narrow), replace(unknown, numbers=narrow))
    found = found or _by_offset(bias, unknown)
    n_queries, n_keys = given.shape[1:]
    if n_queries < n_keys and (found is None or found.kind == "relative"):
        early, _ = read(given, last=False)
        if isinstance(early, Bias):
            other = alibi.identify(early, unknown) or _by_offset(early, unknown)
            if other is not None and other.kind != "relative":
                note = "Queries are counted from 0, as if they stood beside the first keys."
                return replace(other, notes=(note, *other.notes))
    if found is not None:
        return found
    return _nearest(bias, unknown)


def read(given: Given, *, last: bool) -> tuple[Bias | str, Identity]:
    """Return some rows of a bias, or why it is none, and an identity with what is known so far.

    `last` says whether the queries are the last of the positions of the keys, or the first.
    """
    n_queries, n_keys = given.shape[1:]
    rows = np.unique(np.linspace(0, n_queries - 1, QUERIES).astype(np.int64))
    if n_queries <= 4 * QUERIES:
        rows = np.arange(n_queries)
    values = given.rows((slice(None), rows))
    q = np.arange(n_keys)
    k = q - (rows + (n_keys - n_queries if last else 0))[:, np.newaxis]
    ahead = np.broadcast_to(k > 0, values.shape)
    unknown = Identity("unknown", dtype=given.dtype, rows=int(k.max() - k.min()) + 1)
    if np.isnan(values).any() or (values == np.inf).any():
        raise ValueError(f"{given.name} must be finite or -inf, got NaN or inf")
    later = values[ahead]
    hidden = bool(later.size and later.max() <= HIDDEN and later.max() == later.min())
    finite = values[~ahead] if hidden else values
    if not np.isfinite(finite).all():
        behind = values[np.broadcast_to(k < 0, values.shape)]
        if behind.size and behind.max() == -np.inf:
            return "past keys are hidden and later ones shown: the mask is transposed", unknown
        return "keys are hidden that a causal mask would show", unknown
    numbers = given.dtype if given.dtype in precision.UNITS else "float64"
    return Bias(values, k, q, rows, hidden, numbers), replace(unknown, numbers=numbers)


def _by_offset(bias: Bias, unknown: Identity) -> Identity | None:
    """Return what a bias is that depends on the offset alone, or None if it does not."""
    values, constants = bias.values, False
    if len(bias.rows) < 2:
        return None  # of a single query, everything depends on the offset alone
    by_offset = _offsets(bias, values)
    if by_offset is None:
        at_zero = np.argmax(bias.k == 0, axis=1)
        has = (bias.k == 0).any(axis=1)
        if not has.all():
            return None
        here = np.take_along_axis(values, at_zero[np.newaxis, :, np.newaxis], axis=2)
        with np.errstate(invalid="ignore"):
            by_offset = _offsets(bias, values - here)
        constants = True
    if by_offset is None:
        return None
    found = buckets.identify(*by_offset, bias.hidden, unknown)
    if found is None:
        found = replace(
            unknown,
            kind="relative",
            form=_form(*by_offset, bias.hidden),
            largest=0.0,
            limit=0.0,
            cause=buckets.mistake(*by_offset),
        )
    note = ("A constant is added in each row, which softmax does not see.",) if constants else ()
    return replace(found, row_constants=constants, notes=(*found.notes, *note))


def _offsets(bias: Bias, values: Values) -> tuple[NDArray[np.int64], Values] | None:
    """Return the offsets that are seen, rising, and the values of each, (H, offsets)."""
    k, at = np.unique(bias.k[bias.seen], return_index=True)
    seen = values[:, bias.seen]
    of_each = seen[:, at]
    again = of_each[:, np.searchsorted(k, bias.k[bias.seen])]
    limit = 2 * precision.UNITS.get(bias.numbers, 0.0) * abs(bias.values[:, bias.seen]).max()
    same = values is bias.values
    if not (np.array_equal(again, seen) if same else bool((abs(again - seen) <= 2 * limit).all())):
        return None
    return k, of_each


def _form(k: NDArray[np.int64], of_each: Values, hidden: bool) -> str:
    if hidden or k[-1] <= 0:
        return "causal"
    both = min(-k[0], k[-1])
    middle = int(np.flatnonzero(k == 0)[0])
    ahead, behind = of_each[:, middle + 1 : middle + both + 1], of_each[:, middle - both : middle]
    return "symmetric" if np.array_equal(ahead, behind[:, ::-1]) else "asymmetric"


def _nearest(bias: Bias, unknown: Identity) -> Identity:
    """Return how a bias differs from the ALiBi of its number of heads."""
    best = alibi.expected(bias, alibi.paper(len(bias.values)))
    with np.errstate(invalid="ignore"):
        over = abs(bias.values - best) > alibi.limit(bias, best)
    beyond = np.argwhere(over & bias.seen)
    if not len(beyond):
        return unknown
    h, row, column = (int(number) for number in beyond[0])
    return replace(
        unknown,
        nearest="an ALiBi bias, the slopes of the paper's authors",
        first_difference=(
            (h, int(bias.rows[row]), column),
            float(bias.values[h, row, column]),
            float(best[h, row, column]),
        ),
    )
