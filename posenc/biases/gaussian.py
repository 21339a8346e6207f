"""A Gaussian bias: attention weights that fall like a Gaussian of the offset.

Letters in this module
    k  offset q - p    σ  standard deviation, in positions
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks


def gaussian_bias(offsets: ArrayLike, std: float) -> NDArray[np.float64]:
    """Return a bias for logits with which weights fall like a Gaussian of the offset.

    Args:
        offsets: Real numbers k of any shape, in positions, each within ±2**53: for all
            pairs, `key_positions - query_positions[:, np.newaxis]`. Subtract a number to
            put the peak there.
        std: Standard deviation of the Gaussian, in positions. Finite, above 0.

    Returns:
        Shape of `offsets`, float64, dimensionless, at most 0: -k² / (2 std²), within a
        relative error of 1e-15; 0 or -inf where float64 cannot hold it. Its softmax
        is a Gaussian, sampled at the offsets and divided by its sum.

    Raises:
        TypeError: `offsets` does not hold real numbers, or `std` is none.
        ValueError: An offset is not finite or beyond ±2**53, or `std` is not finite or
            not above 0.

    Source:
        Yang et al. 2018, arXiv:1810.10182v1, the Gaussian bias. Deviation: centre and
        width are given here, where they are predicted from the query there.

    Examples:
        >>> from posenc import gaussian_bias
        >>> gaussian_bias([-2, 0, 1], std=1)
        array([-2. , -0. , -0.5])
    """
    k = checks.positions("offsets", offsets)
    s = checks.above_zero("std", std)
    with np.errstate(over="ignore", under="ignore"):
        # --8<-- [start:bias]
        return np.asarray(-((k / s) ** 2) / 2)
        # --8<-- [end:bias]
