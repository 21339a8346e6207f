"""Identify a bias, which is added to the scores of each head: ALiBi, T5 or something else.

Letters in this module
    H    heads                       p, q  positions of a query and of a key
    L_q  queries                     k     offset q - p
    L_k  keys                        m     slope of a head
    c    constant of a row of the bias, which softmax does not see
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posenc.biases.alibi import alibi_slopes
from posenc.judging import precision
from posenc.judging.arrays import Array
from posenc.judging.biases import alibi, buckets
from posenc.judging.identity import Identity

Values = NDArray[np.float64]

# An entry this low hides a key, where all later keys have the same: -10000, rounded to
# bfloat16, is -9984.
HIDDEN = -9984.0

# Of a large bias, so many queries are looked at.
QUERIES = 48


@dataclass(frozen=True)
class Bias:
    """Some rows of a bias: values (H, rows, L_k), offsets (rows, L_k), positions of keys."""

    values: Values
    k: NDArray[np.int64]
    q: NDArray[np.int64]
    rows: NDArray[np.int64]
    hidden: bool
    numbers: str

    @property
    def visible(self) -> NDArray[np.bool_]:
        """Where a key is not hidden, (rows, L_k)."""
        return (self.k <= 0) if self.hidden else np.ones(self.k.shape, dtype=bool)


def identify_bias(given: Array) -> Identity:
    """Return what a bias (H, L_q, L_k) is."""
    bias, unknown = sample_bias(given, last=True)
    if isinstance(bias, str):
        return replace(unknown, cause=bias)
    visible = bias.values[:, bias.visible]
    if not visible.any():
        return replace(unknown, cause="all entries are 0, so positions make no difference")
    found = _identify_alibi(bias, unknown, visible) or _identify_by_offset(bias, unknown)
    if given.shape[1] < given.shape[2] and (found is None or found.kind == "relative"):
        other = _identify_early_queries(given, unknown)
        if other is not None:
            return other
    return found or _find_nearest(bias, unknown)


def _identify_alibi(bias: Bias, unknown: Identity, visible: Values) -> Identity | None:
    """Return which ALiBi a bias is, in its own dtype or in the narrowest that holds it, or None."""
    found = alibi.identify_alibi(bias, unknown)
    narrow = precision.find_narrowest_dtype(visible, bias.numbers)
    if found is None and narrow != bias.numbers:
        narrow_bias = replace(bias, numbers=narrow)
        found = alibi.identify_alibi(narrow_bias, replace(unknown, numbers=narrow))
    return found


def _identify_early_queries(given: Array, unknown: Identity) -> Identity | None:
    """Return what a bias is if its queries have the positions of the first keys, or None."""
    bias, _ = sample_bias(given, last=False)
    if isinstance(bias, str):
        return None
    found = alibi.identify_alibi(bias, unknown) or _identify_by_offset(bias, unknown)
    if found is None or found.kind == "relative":
        return None
    note = "Query positions count from 0 instead of following the cached keys."
    return replace(found, notes=(note, *found.notes))


def sample_bias(given: Array, *, last: bool) -> tuple[Bias | str, Identity]:
    """Return some rows of a bias, or the mistake in its mask, and an identity without a kind.

    `last` says whether the queries have the positions of the last keys, or of the first.
    """
    n_queries, n_keys = given.shape[1:]
    rows = np.arange(n_queries)
    if n_queries > 4 * QUERIES:
        rows = np.unique(np.linspace(0, n_queries - 1, QUERIES).astype(np.int64))
    values = given.read_rows((slice(None), rows))
    if np.isnan(values).any() or (values == np.inf).any():
        raise ValueError(f"{given.name} must be finite or -inf, got NaN or inf")
    q = np.arange(n_keys)
    k = q - (rows + (n_keys - n_queries if last else 0))[:, np.newaxis]
    later = values[np.broadcast_to(k > 0, values.shape)]
    hidden = bool(later.size and later.max() <= HIDDEN and later.max() == later.min())
    bias = Bias(values, k, q, rows, hidden, given.known_dtype)
    offset_count = int(k.max() - k.min()) + 1
    unknown = Identity("unknown", dtype=given.dtype, numbers=bias.numbers, rows=offset_count)
    return _find_mask_mistake(bias) or bias, unknown


def _find_mask_mistake(bias: Bias) -> str | None:
    """Return which mistake hides keys that a causal mask shows, in words, or None."""
    if np.isfinite(bias.values[:, bias.visible]).all():
        return None
    behind = bias.values[:, bias.k < 0]
    if behind.size and behind.max() == -np.inf:
        return "past keys are hidden and later ones shown: the mask is transposed"
    return "keys are hidden that a causal mask shows"


def _identify_by_offset(bias: Bias, unknown: Identity) -> Identity | None:
    """Return what a bias is that depends only on the offset, or None if it does not."""
    values, constants = bias.values, False
    if len(bias.rows) < 2:
        return None  # a single query has each offset once
    by_offset = _find_values_by_offset(bias, values)
    if by_offset is None:
        at_zero = np.argmax(bias.k == 0, axis=1)
        has = (bias.k == 0).any(axis=1)
        if not has.all():
            return None
        here = np.take_along_axis(values, at_zero[np.newaxis, :, np.newaxis], axis=2)
        with np.errstate(invalid="ignore"):
            by_offset = _find_values_by_offset(bias, values - here)
        constants = True
    if by_offset is None:
        return None
    found = buckets.identify_buckets(*by_offset, bias.hidden, unknown)
    if found is None:
        found = replace(
            unknown,
            kind="relative",
            form=_find_form(*by_offset, bias.hidden),
            largest=0.0,
            limit=0.0,
            cause=buckets.find_mistake(*by_offset),
        )
    note = ("A constant is added to each row, which softmax ignores.",) if constants else ()
    return replace(found, row_constants=constants, notes=(*found.notes, *note))


def _find_values_by_offset(bias: Bias, values: Values) -> tuple[NDArray[np.int64], Values] | None:
    """Return the visible offsets, rising, and the values of each, (H, offsets)."""
    k, at = np.unique(bias.k[bias.visible], return_index=True)
    visible = values[:, bias.visible]
    of_each = visible[:, at]
    difference = abs(of_each[:, np.searchsorted(k, bias.k[bias.visible])] - visible)
    limit = 0.0
    if values is not bias.values:  # the constants of rows were subtracted, and rounded
        unit = precision.UNITS.get(bias.numbers, 0.0)
        limit = 4 * unit * abs(bias.values[:, bias.visible]).max()
    if not (difference <= limit).all():
        return None
    return k, of_each


def _find_form(k: NDArray[np.int64], of_each: Values, hidden: bool) -> str:
    if hidden or k[-1] <= 0:
        return "causal"
    both = min(-k[0], k[-1])
    middle = int(np.flatnonzero(k == 0)[0])
    ahead, behind = of_each[:, middle + 1 : middle + both + 1], of_each[:, middle - both : middle]
    return "symmetric" if np.array_equal(ahead, behind[:, ::-1]) else "asymmetric"


def _find_nearest(bias: Bias, unknown: Identity) -> Identity:
    """Return how a bias differs from the ALiBi of its number of heads."""
    best = alibi.compute_bias(bias, alibi_slopes(len(bias.values)))
    with np.errstate(invalid="ignore"):
        over = abs(bias.values - best) > alibi.bound_errors(bias, best)
    beyond = np.argwhere(over & bias.visible)
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
