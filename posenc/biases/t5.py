"""T5's relative bias: a learned number for each range of offsets, in each head.

Letters in this module
    p, q  positions of a query and of a key    G    buckets of one direction
    k     offset q - p, key minus query        n_0  distances with a bucket of their own
    n     distance, |k|                        n_1  max_distance
    H     heads                                L_q, L_k  queries and keys
"""

import math
from decimal import Context, Decimal, localcontext
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.biases.alibi import offsets
from posenc.core import checks
from posenc.core.memory import check_memory

LONG = Context(prec=80)


def relative_position_bucket(
    relative_position: ArrayLike,
    *,
    bidirectional: bool = True,
    num_buckets: int = 32,
    max_distance: int = 128,
) -> NDArray[np.int64]:
    """Return the bucket of each offset: narrow buckets nearby, wide ones far away.

    Args:
        relative_position: Offsets k = q - p, position of the key minus that of the
            query; integers of any shape, each within ±2**53. Some libraries use
            p - q.
        bidirectional: True gives half of the buckets to keys ahead, k > 0. False is
            for causal attention: keys ahead all share bucket 0 with k = 0; hide them.
        num_buckets: Buckets in all: even and at least 4 where bidirectional, else at
            least 2. G, the buckets of one direction, is half of them or all of them.
        max_distance: n_1, in positions, above n_0 = G // 2, at most 2**53. All
            distances from there on share the last bucket.

    Returns:
        Shape of `relative_position`, int64, in 0..num_buckets-1. Distances n below n_0
        have the bucket n; others n_0 + floor(log(n/n_0) / log(n_1/n_0) * (G - n_0)), at
        most G - 1; plus G where bidirectional and k > 0. The floor is exact.

    Raises:
        TypeError: `relative_position` does not hold integers, `bidirectional` is not a
            bool, or another argument is not an integer.
        ValueError: An offset lies beyond ±`2**53`, `num_buckets` is too small or odd
            where it must be even, or `max_distance` is not above n_0 or beyond `2**53`.

    Source:
        Raffel et al. 2019, arXiv:1910.10683v4, section 2.1, in words; the formula is
        that of the authors' code (Mesh TensorFlow, `_relative_position_bucket`, where
        the offset is called memory minus query). Deviation: they take logarithms in
        float32, which in fewer than one configuration of a thousand, and none of the
        usual ones, puts a distance at a boundary into the next bucket (84 with
        36 buckets, causal, max_distance=392); here boundaries are exact.

    Examples:
        >>> from posenc import relative_position_bucket
        >>> relative_position_bucket([-200, -9, -1, 0, 1, 9, 200])
        array([15,  8,  1,  0, 17, 24, 31])
        >>> relative_position_bucket([-200, -9, -1, 0, 1], bidirectional=False)
        array([31,  9,  1,  0,  0])
    """
    numbers = checks.integers("relative_position", relative_position)
    k = checks.positions("relative_position", numbers).astype(np.int64)
    both = checks.boolean("bidirectional", bidirectional)
    directed = _directed("num_buckets", num_buckets, both)
    check_memory("the buckets", directed)
    max_distance = checks.integer("max_distance", max_distance, least=directed // 2 + 1)
    checks.position("max_distance", max_distance)
    # --8<-- [start:bucket]
    n = abs(k) if both else np.maximum(-k, 0)
    bucket = np.searchsorted(bucket_starts(directed, max_distance), n, side="right")
    upper = directed * (k > 0) if both else 0  # keys ahead have the upper half
    return np.asarray(bucket + upper, dtype=np.int64)
    # --8<-- [end:bucket]


def t5_bias(
    table: ArrayLike,
    q_len: int,
    k_len: int | None = None,
    *,
    bidirectional: bool = True,
    max_distance: int = 128,
) -> NDArray[np.float64]:
    """Return the bias that T5 adds to the scores of each head: a lookup by bucket.

    Args:
        table: Learned numbers, shape (num_buckets, H), real, finite, logits: a row for
            each bucket, a column for each head; H at least 1.
        q_len: Queries L_q, at least 0.
        k_len: Keys L_k, at least `q_len`; None for as many as queries. The queries are
            the last L_q of the L_k positions, as in `causal_mask`.
        bidirectional: True for encoders, False for decoders, as in
            `relative_position_bucket`. False doesn't hide later keys: also
            give `attention` a `causal_mask`.
        max_distance: In positions, as in `relative_position_bucket`.

    Returns:
        Shape (H, L_q, L_k), float64, logits: entry [h, r, q] is table[b, h], with b the
        bucket of q - p, and p = r + L_k - L_q. If the table comes from T5, add it to
        scores that are not divided by sqrt(d_k).

    Raises:
        TypeError: `table` does not hold real numbers, a length or `max_distance` is not
            an integer, or `bidirectional` is not a bool.
        ValueError: `table` does not have 2 axes, is not finite, has no column, or has a
            number of rows that `relative_position_bucket` refuses; `q_len` is negative,
            `k_len` below `q_len`, or `max_distance` too small.

    Source:
        Raffel et al. 2019, arXiv:1910.10683v4, section 2.1. Deviation: none.

    Examples:
        >>> import numpy as np
        >>> from posenc import t5_bias
        >>> t5_bias(np.arange(32.0)[:, np.newaxis], 3)[0]
        array([[ 0., 17., 18.],
               [ 1.,  0., 17.],
               [ 2.,  1.,  0.]])
    """
    rows = checks.table("table", table, least=(0, 1))
    q_len = checks.integer("q_len", q_len, least=0)
    k_len = checks.key_length(k_len, q_len)
    _directed("table.shape[0]", len(rows), checks.boolean("bidirectional", bidirectional))
    check_memory("the bias", rows.shape[1], q_len, k_len)
    # --8<-- [start:t5]
    bucket = relative_position_bucket(
        offsets(q_len, k_len),
        bidirectional=bidirectional,
        num_buckets=len(rows),
        max_distance=max_distance,
    )
    return rows.T[:, bucket]  # (H, L_q, L_k)
    # --8<-- [end:t5]


def bucket_starts(directed: int, max_distance: int) -> NDArray[np.int64]:
    """Return the smallest distance of each bucket of one direction, without bucket 0.

    Bucket n_0 + j starts at the first n with log(n/n_0) / log(n_1/n_0) * (G - n_0) >= j.
    Raised to the power of G - n_0, both sides are whole numbers. They can be long, so they are
    computed only where logarithms are too close to decide.
    """
    # --8<-- [start:starts]
    exact = directed // 2  # n_0
    wide = directed - exact  # G - n_0
    starts = list(range(1, exact + 1))
    for j in range(1, wide):
        n = round(exact * (max_distance / exact) ** (j / wide))  # or nearly
        while not _reaches(n, j, wide, exact, max_distance):
            n += 1
        while _reaches(n - 1, j, wide, exact, max_distance):
            n -= 1
        starts.append(n)
    return np.array(starts, dtype=np.int64)
    # --8<-- [end:starts]


def _reaches(n: int, j: int, wide: int, exact: int, max_distance: int) -> bool:
    """Whether n**wide is at least max_distance**j * exact**(wide - j)."""
    if n <= exact:  # of which max_distance is above
        return False
    gap = wide * math.log(n) - j * math.log(max_distance) - (wide - j) * math.log(exact)
    if abs(gap) > 1e-12 * wide:  # a hundred times its error: logarithms are below 37
        return gap > 0
    with localcontext(LONG):
        log_n, log_far, log_exact = (_long_log(one) for one in (n, max_distance, exact))
        close = wide * log_n - j * log_far - (wide - j) * log_exact
        if abs(close) > wide * Decimal("1e-70"):
            return close > 0
    return bool(n**wide >= max_distance**j * exact ** (wide - j))


@lru_cache(2**10)
def _long_log(n: int) -> Decimal:
    return LONG.ln(Decimal(n))


def _directed(name: str, num_buckets: object, both: bool) -> int:
    """Return the buckets of one direction, G, of a number of buckets in all."""
    if not both:
        return checks.integer(name, num_buckets, least=2)
    return checks.integer(name, checks.even(name, num_buckets), least=4) // 2
