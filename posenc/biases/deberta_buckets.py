"""DeBERTa's buckets: one for each near offset, and logarithmic ones for far offsets.

Letters in this module
    k    offset of a query and a key     n_0  the last distance with a bucket of its own
    n    distance, the size of k         n_1  the distance where the last bucket ends
    W    buckets of one direction for distances above n_0, up to n_1
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks

# How near to a whole number a quotient of logarithms is not trusted, relative to its size.
DOUBT = 1e-9


def deberta_bucket(
    relative_position: ArrayLike, *, num_buckets: int = 256, max_position: int = 512
) -> NDArray[np.int64]:
    """Return the bucket of each offset in DeBERTa from version 2 on.

    Args:
        relative_position: Offsets k, integers of any shape, each within ±2**53. DeBERTa has
            the position of the query minus that of the key; the function is odd, so the
            opposite sign gives the opposite bucket.
        num_buckets: `position_buckets` of its configs, even, from 6 to 2**16: n_0 is its
            half, and W is n_0 - 1.
        max_position: `max_relative_positions` of its configs, or where that is below 1 its
            `max_position_embeddings`; n_1 is one less, above n_0, at most 2**53.

    Returns:
        Shape of `relative_position`, int64, with the sign of each offset. Distances n up to
        n_0 have the bucket n; others n_0 + ceil(W * log(n/n_0) / log(n_1/n_0)), which is
        num_buckets - 1 at n_1. Larger n give larger numbers: DeBERTa adds num_buckets for the row
        of its table, and clips that to 0..2 * num_buckets - 1. The ceiling is exact.

    Raises:
        TypeError: `relative_position` does not hold integers, or another argument is no
            integer.
        ValueError: An offset lies beyond ±`2**53`, `num_buckets` is odd or out of its range,
            or `max_position` is not above n_0 + 1, or beyond `2**53`.

    Source:
        The authors' code (`make_log_bucket_position`), as transformers 5.23.0 has it; He et
        al. 2021, arXiv:2111.09543, builds on it. Deviation: they take logarithms in float32,
        which may put a distance at a boundary into the next bucket.

    Examples:
        >>> from posenc import deberta_bucket
        >>> deberta_bucket([-511, -129, -128, -3, 0, 3, 128, 129, 511])
        array([-255, -129, -128,   -3,    0,    3,  128,  129,  255])
        >>> deberta_bucket([200, 300, 400], num_buckets=32, max_position=64)
        array([44, 49, 52])
    """
    numbers = checks.integers("relative_position", relative_position)
    k = checks.positions("relative_position", numbers).astype(np.int64)
    n_0 = checks.even("num_buckets", num_buckets) // 2
    if not 3 <= n_0 <= 2**15:
        raise ValueError(
            "num_buckets must be from 6 to 2**16, got"
            f" num_buckets={checks.describe_value(num_buckets)}"
        )
    n_1 = checks.integer("max_position", max_position, least=n_0 + 2) - 1
    checks.position("max_position", max_position)
    n, places = np.unique(abs(k), return_inverse=True)
    buckets = n.copy()
    far = n > n_0
    buckets[far] = n_0 + _steps(n[far], n_0, n_1)
    return np.asarray(np.sign(k) * buckets[places].reshape(k.shape), dtype=np.int64)


def _steps(n: NDArray[np.int64], n_0: int, n_1: int) -> NDArray[np.int64]:
    """Return ceil((n_0 - 1) * log(n/n_0) / log(n_1/n_0)) for distances above n_0."""
    steps = (n_0 - 1) * np.log(n / n_0) / math.log(n_1 / n_0)
    up = np.ceil(steps).astype(np.int64)
    near = np.rint(steps)
    for i in np.flatnonzero(abs(steps - near) <= DOUBT * near):
        up[i] = near[i] + _above(int(n[i]), int(near[i]), n_0, n_1)
    return up


def _above(n: int, step: int, n_0: int, n_1: int) -> bool:
    """Whether a distance is above the end of a step, in whole numbers.

    log(n/n_0) / log(n_1/n_0) > step/W is n**W * n_0**step > n_1**step * n_0**W.
    """
    W = n_0 - 1
    return bool(n**W * n_0**step > n_1**step * n_0**W)
