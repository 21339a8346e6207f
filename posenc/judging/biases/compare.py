"""Compare a bias with ALiBi, with T5's buckets, or with another bias.

Letters in this module
    H  heads    h  a head, 0..H-1    k  offset q - p
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posenc.biases.alibi import alibi_slopes, offsets
from posenc.biases.t5 import relative_position_bucket
from posenc.judging import arrays, precision
from posenc.judging.arrays import Array
from posenc.judging.biases import alibi
from posenc.judging.biases.explanations import explain_bias
from posenc.judging.biases.identify import HIDDEN
from posenc.judging.biases.rearrangements import find_rearrangement
from posenc.judging.comparison import Comparison
from posenc.judging.differences import BLOCK_SIZE, Block, compare_blocks
from posenc.judging.identifying import identify_array
from posenc.judging.references import T5, Alibi

Values = NDArray[np.float64]
Offsets = NDArray[np.int64]

# Larger biases are not searched for rearrangements.
LARGEST = 2**22


def compare_with_rule(given: Array, rule: Alibi | T5, ignore_constants: bool) -> Comparison:
    """Compare a bias with ALiBi or with T5's buckets."""
    given = arrays.reshape_to_bias(given)
    if len(given.shape) != 3 or given.shape[1] > given.shape[2]:
        raise ValueError(
            "thing must be a bias (H, L_q, L_k) with at least as many keys as queries,"
            f" got shape {given.shape}"
        )
    dtype = given.known_dtype
    comparison = _compare_in_dtype(given, rule, ignore_constants, dtype)
    if comparison.equal:
        return comparison
    # float32 numbers in an array of float64 are judged as float32.
    head = given.read_rows(slice(0, 1))
    narrow = precision.find_narrowest_dtype(head[head > HIDDEN], dtype)
    if narrow != dtype:
        second = _compare_in_dtype(given, rule, ignore_constants, narrow)
        if second.equal:
            return second
    explanation = explain_bias(identify_array(given, "bias"), rule)
    if explanation is None and head.min() == head.max():
        explanation = "all entries are equal, so positions make no difference"
    return replace(comparison, explanation=explanation)


def _compare_in_dtype(
    given: Array, rule: Alibi | T5, ignore_constants: bool, dtype: str
) -> Comparison:
    """Compare a bias with a rule, within the limits of a dtype."""
    k = offsets(*given.shape[1:])
    blocks = (
        _make_block(given, h, k, rule, ignore_constants, dtype) for h in range(given.shape[0])
    )
    return compare_blocks(blocks, dtype)


def _make_block(
    given: Array, h: int, k: Offsets, rule: Alibi | T5, ignore_constants: bool, dtype: str
) -> Block:
    """Return a head of a bias with what the rule expects there."""
    head = np.array([h])
    values = given.read_rows(head)[0]
    if isinstance(rule, T5):
        wanted, limit, hidden = expect_buckets(values, k, rule)
    else:
        wanted, limit, hidden = _expect_alibi(values, k, rule, h, given.shape[0], dtype)
    if ignore_constants:
        # The constant itself is rounded, and so is the subtraction.
        constants = abs(_replace_infinities(_get_row_constants(values, k)))
        values, wanted = _subtract_row_constants(values, k), _subtract_row_constants(wanted, k)
        rounded = abs(_replace_infinities(values)) + constants
        limit = 2 * limit + 3 * precision.UNITS[dtype] * rounded
    low = values <= HIDDEN
    wanted = np.where(hidden, np.where(low, values, -np.inf), wanted)
    return Block(values[np.newaxis], wanted[np.newaxis], limit[np.newaxis], head)


def _expect_alibi(
    values: Values, k: Offsets, rule: Alibi, h: int, n_heads: int, dtype: str
) -> tuple[Values, Values, NDArray[np.bool_]]:
    """Return the ALiBi of one head, its limits, and where keys must be hidden."""
    wanted = -alibi_slopes(n_heads)[h] * abs(k)
    hidden = (k > 0) & (rule.form == "causal")
    limit = alibi.bound_alibi_error(_replace_infinities(values), wanted, n_heads, dtype)
    return wanted, limit, hidden


def expect_buckets(
    values: Values, k: Offsets, rule: T5
) -> tuple[Values, Values, NDArray[np.bool_]]:
    """Return a bias with one value per bucket, its limits, and where keys may be hidden.

    The value of a bucket is the one that the bias has there nearest to k = 0. The same number
    everywhere hides the buckets, and is compared with their numbers, as bucket numbers are.
    """
    buckets = relative_position_bucket(k, bidirectional=rule.bidirectional)
    nearest_first = np.argsort(abs(k), axis=None, kind="stable")
    ids, at = np.unique(buckets.ravel()[nearest_first], return_index=True)
    by_bucket = np.zeros(int(ids.max()) + 1)
    by_bucket[ids] = values.ravel()[nearest_first[at]]
    wanted = np.asarray(by_bucket[buckets])
    seen = (k <= 0) | rule.bidirectional
    visible = values[seen]
    hides = len(np.unique(buckets[seen])) > 1 and visible.min() == visible.max()
    if hides or _are_bucket_numbers(visible):
        wanted = buckets.astype(np.float64)
    hidden = (k > 0) & (values <= HIDDEN) & (not rule.bidirectional)
    return wanted, np.zeros_like(wanted), hidden


def _are_bucket_numbers(values: Values) -> bool:
    """Return whether a head of a bias holds whole numbers from 0, and not what was learned."""
    return bool((values == np.rint(values)).all() and (values >= 0).all() and (values < 32).all())


def compare_biases(given: Array, wanted: Array, ignore_constants: bool) -> Comparison:
    """Compare two biases (H, L_q, L_k) entry by entry."""
    blocks = _list_blocks_of_heads(given, wanted, ignore_constants)
    comparison = compare_blocks(blocks, given.dtype)
    if comparison.equal or wanted.size > LARGEST:
        return comparison
    explanation = find_rearrangement(
        given.read_all(), wanted.read_all(), given.known_dtype, wanted.known_dtype
    )
    return replace(comparison, explanation=explanation)


def _list_blocks_of_heads(given: Array, wanted: Array, ignore_constants: bool) -> Iterator[Block]:
    """Yield the heads of two biases, which may differ by three roundings of each."""
    step = max(1, BLOCK_SIZE // max(1, int(np.prod(wanted.shape[1:]))))
    k = offsets(*wanted.shape[1:]) if ignore_constants else None
    for first in range(0, wanted.shape[0], step):
        ours, theirs = (of.read_rows(slice(first, first + step)) for of in (given, wanted))
        limit = precision.bound_three_roundings(theirs, given.known_dtype)
        limit = limit + precision.bound_three_roundings(theirs, wanted.known_dtype)
        if k is not None:
            limit = 3 * np.array([head + _get_row_constants(head, k) for head in limit])
            ours = np.array([_subtract_row_constants(head, k) for head in ours])
            theirs = np.array([_subtract_row_constants(head, k) for head in theirs])
        yield Block(ours, theirs, limit, np.arange(first, first + len(theirs)))


def _get_row_constants(values: Values, k: Offsets) -> Values:
    """Return what each row of a head has at its own position, k = 0, as a column."""
    rows, columns = np.nonzero(k == 0)
    return np.asarray(values[rows, columns][:, np.newaxis])


def _subtract_row_constants(values: Values, k: Offsets) -> Values:
    """Return a head without what each row has at its own position, k = 0."""
    return np.asarray(values - _get_row_constants(values, k))


def _replace_infinities(values: Values) -> Values:
    """Return values with 0 instead of infinities and NaN."""
    return np.where(np.isfinite(values), values, 0.0)
