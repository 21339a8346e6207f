"""Identify T5's buckets: which offsets share their values.

Letters in this module
    k  offset q - p      n_0  distances with a bucket of their own
    n  distance, |k|     n_1  max_distance       G  buckets of one direction
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from posenc.biases.t5 import bucket_starts, relative_position_bucket
from posenc.judging.identity import Identity

Values = NDArray[np.float64]
Offsets = NDArray[np.int64]

# Maximum distances that are tried first; then all up to FARTHEST.
USUAL = (128, 64, 256, 512, 1024, 2048, 4096, 32, 20, 100, 1000)
FARTHEST = 4096

# With fewer offsets on either side, nearly each has a bucket of its own.
FEWEST = 20


def identify_buckets(
    k: Offsets, of_each: Values, hidden: bool, unknown: Identity
) -> Identity | None:
    """Return which buckets share values as these offsets do, (H, offsets), or None."""
    sign = 1
    past, future = _find_starts(k, of_each, -1), _find_starts(k, of_each, 1)
    if not past and future and not hidden:
        past, future, sign = future, past, -1
    both = bool(future) and not hidden
    if not past or (both and future != past):
        return None
    zero = int(np.flatnonzero(k == 0)[0])
    if both and np.array_equal(of_each[:, zero - 1], of_each[:, zero + 1]):
        return None  # the same on both sides: distances without a direction
    reach = int(min(-k[0], k[-1])) if both else int(-k[0] if sign == 1 else k[-1])
    buckets = _find_settings(past, reach)
    if buckets is None:
        return None
    directed, max_distance = buckets
    notes = []
    if len(past) < directed - 1:
        notes.append(
            f"Offsets of up to {reach} show {len(past) + 1} of {directed} buckets, so that"
            " other maximum distances may fit as well."
        )
    num_buckets = directed * (1 + both)
    if of_each.shape[0] == 1 and np.array_equal(of_each, np.rint(of_each)):
        way = _find_direction(k, of_each[0], both, num_buckets, max_distance, sign)
        if way is None:
            notes.append("The values are not bucket numbers.")
        sign = way or sign
    if sign == -1:
        notes.append("Offsets have the other sign (query minus key).")
    return replace(
        unknown,
        kind="t5",
        bidirectional=both,
        num_buckets=num_buckets,
        max_distance=max_distance,
        sign=sign,
        form="causal" if hidden else None,
        largest=0.0,
        limit=0.0,
        notes=tuple(notes),
    )


def find_mistake(k: Offsets, of_each: Values) -> str | None:
    """Return the mistake in T5's buckets by which offsets share values like this, in words."""
    if len(k) < 2 * FEWEST:
        return None
    _, theirs = np.unique(of_each, axis=1, return_inverse=True)
    for cause, make in MISTAKES:
        if _have_same_classes(make(k), theirs.ravel()):
            return cause
    return None


def _have_same_classes(some: Offsets, others: Offsets) -> bool:
    """Return whether two lists of classes differ only in the names of the classes."""
    pairs = np.unique(np.stack([some, others]), axis=1).shape[1]
    return bool(pairs == len(np.unique(some)) == len(np.unique(others)))


def _compute_unlimited(n: Offsets, directed: int) -> Offsets:
    """Return buckets of distances that go on beyond the last."""
    alone = directed // 2
    wide = np.log(np.maximum(n, 1) / alone) / np.log(128 / alone) * (directed - alone)
    return np.where(n < alone, n, alone + wide.astype(np.int64))


def _compute_unlimited_both_ways(k: Offsets) -> Offsets:
    return (k > 0) * 16 + _compute_unlimited(abs(k), 16)


def _compute_unlimited_past(k: Offsets) -> Offsets:
    return _compute_unlimited(-np.minimum(k, 0), 32)


def _drop_direction(k: Offsets) -> Offsets:
    return relative_position_bucket(-abs(k), num_buckets=16, bidirectional=False)


def _drop_direction_of_32(k: Offsets) -> Offsets:
    return relative_position_bucket(-abs(k), num_buckets=32, bidirectional=False)


BEYOND = "distances are not clamped to the last bucket, so far keys get buckets beyond it"
WITHOUT = "buckets ignore the direction: keys before and after the query share them"
MISTAKES: tuple[tuple[str, Callable[[Offsets], Offsets]], ...] = (
    (BEYOND, _compute_unlimited_both_ways),
    (BEYOND, _compute_unlimited_past),
    (WITHOUT, _drop_direction),
    (WITHOUT, _drop_direction_of_32),
)


def _find_starts(k: Offsets, of_each: Values, direction: int) -> list[int]:
    """Return the distances at which the values change, going one way from k = 0."""
    line = of_each[:, direction * k >= 0][:, ::direction]
    return [int(n) + 1 for n in np.flatnonzero((line[:, 1:] != line[:, :-1]).any(axis=0))]


def _find_settings(starts: list[int], reach: int) -> tuple[int, int] | None:
    """Return G and n_1 of the buckets that start at these distances, or None."""
    alone = next((j for j, start in enumerate(starts) if start != j + 1), len(starts))
    if alone == len(starts):
        return None  # each distance has a bucket of its own: nothing shows where that ends
    for exact in range(alone, 0, -1):
        for directed in (2 * exact, 2 * exact + 1):
            if directed - 1 < len(starts):
                continue
            for n_1 in dict.fromkeys((*USUAL, *range(exact + 1, FARTHEST + 1))):
                if n_1 > exact and _list_starts(directed, n_1, reach) == starts:
                    return directed, n_1
    return None


def _list_starts(directed: int, max_distance: int, reach: int) -> list[int]:
    return [int(n) for n in bucket_starts(directed, max_distance) if n <= reach]


def _find_direction(
    k: Offsets, ids: Values, both: bool, num_buckets: int, max_distance: int, sign: int
) -> int | None:
    """Return the sign of the offset whose bucket numbers these are, or None."""
    for way in (sign, -sign):
        exact = relative_position_bucket(
            way * k, bidirectional=both, num_buckets=num_buckets, max_distance=max_distance
        )
        if np.array_equal(exact, ids):
            return way
    return None
