"""Gaussian codes: a position as its nearness to fixed centres.

Letters in this module
    p, q  positions       c  a channel, 0..d-1      σ  bandwidth of a bump, in positions
    k     offset q - p    μ  centre of a channel    Δ  spacing of the centres, in positions
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.underflow import ignore_underflow


@ignore_underflow
def gaussian_encoding(
    positions: ArrayLike,
    centers: ArrayLike,
    bandwidth: float,
    *,
    dtype: DTypeLike = np.float64,
) -> NDArray[Any]:
    """Return the Gaussian encoding of any positions: one bump a channel.

    Args:
        positions: Real numbers p of any shape, each within ±2**53.
        centers: Centres μ, shape (d,), d at least 1: real, in any order, each within
            ±2**53, in positions.
        bandwidth: σ, in positions: the standard deviation of a bump. Finite, above 0.
        dtype: float64, float32 or float16.

    Returns:
        Shape positions.shape + (d,), of the given dtype, dimensionless, in [0, 1]: channel c
        is exp(-(p - centers[c])² / (2σ²)), 1 at its centre. float64 entries are within
        4e-16 of the exact value; float32 and float16 entries are those, rounded. Far
        from all centres a row is all zeros.

    Raises:
        TypeError: `positions` or `centers` does not hold real numbers, or another
            argument has the wrong type.
        ValueError: A position or a centre is not finite or beyond ±2**53, `centers` does
            not have one axis or is empty, `bandwidth` is not finite or not above 0, or
            `dtype` is another one.

    Source:
        Broomhead and Lowe 1988, radial basis functions; as a positional encoding, own
        statement. Deviation: none.

    Examples:
        >>> from posenc import gaussian_encoding
        >>> gaussian_encoding([0, 2.5], [0, 5, 10], 2.5).round(3)
        array([[1.   , 0.135, 0.   ],
               [0.607, 0.607, 0.011]])
    """
    p = checks.positions("positions", positions)
    mu = checks.positions("centers", centers)
    if mu.ndim != 1 or not mu.size:
        raise ValueError(f"centers must have shape (d,), d at least 1, got shape {mu.shape}")
    sigma = checks.above_zero("bandwidth", bandwidth)
    dtype = checks.float_dtype("dtype", dtype)
    with np.errstate(over="ignore", under="ignore"):  # a square of inf: the bump is 0 there
        # --8<-- [start:bumps]
        distances = (p[..., np.newaxis] - mu) / sigma  # (..., d), in bandwidths
        encoding = np.exp(-(distances**2) / 2)
        # --8<-- [end:bumps]
        return np.asarray(encoding.astype(dtype, copy=False))
