"""Gaussian codes: a position told by how near it is to fixed centres, and the kernel they make.

Letters in this module
    p, q  positions       c  a channel, 0..d-1      σ  bandwidth of a bump, in positions
    k     offset q - p    μ  centre of a channel    Δ  spacing of the centres, in positions
"""

import math
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.outputs import Floating


@overload
def gaussian_encoding(
    positions: ArrayLike,
    centers: ArrayLike,
    bandwidth: float,
    *,
    dtype: type[Floating] | np.dtype[Floating] = ...,
) -> NDArray[Floating]: ...


@overload
def gaussian_encoding(
    positions: ArrayLike, centers: ArrayLike, bandwidth: float, *, dtype: DTypeLike
) -> NDArray[Any]: ...


@checks.quiet
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
        Shape positions.shape + (d,), dtype as asked, dimensionless, in [0, 1]: channel c
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


@checks.quiet
def gaussian_kernel(offsets: ArrayLike, bandwidth: float, spacing: float) -> NDArray[np.float64]:
    """Return the dot product of two Gaussian codes, smoothed over where the centres lie.

    Args:
        offsets: Real numbers k of any shape, each within ±2**53.
        bandwidth: σ, in positions. Finite, above 0.
        spacing: Δ between neighbouring centres, in positions. Finite, above 0.

    Returns:
        Shape of `offsets`, float64, dimensionless, at least 0: √π σ/Δ exp(-k² / (4σ²)),
        within a relative error of 1e-15 times 1 + k²/σ² above 1e-307. The product of two
        codes whose centres are all the points of a grid, without end on both sides, is
        that number up to a relative error of `gaussian_ripple(bandwidth, spacing)`.

    Raises:
        TypeError: `offsets` does not hold real numbers, or another argument is none.
        ValueError: An offset is not finite or beyond ±2**53, `bandwidth` or `spacing` is
            not finite or not above 0, or their ratio overflows.

    Source:
        Poisson's summation formula for a Gaussian. Deviation: none.

    Examples:
        >>> from posenc import gaussian_kernel
        >>> gaussian_kernel([0, 4, 8], bandwidth=4, spacing=4).round(4)
        array([1.7725, 1.3804, 0.652 ])
    """
    k = checks.positions("offsets", offsets)
    sigma = checks.above_zero("bandwidth", bandwidth)
    delta = checks.above_zero("spacing", spacing)
    if not math.isfinite(sigma / delta):
        raise ValueError(f"bandwidth / spacing must be finite, got {bandwidth=}, {spacing=}")
    with np.errstate(over="ignore", under="ignore"):
        # --8<-- [start:kernel]
        peak = math.sqrt(math.pi) * (sigma / delta)
        return np.asarray(peak * np.exp(-((k / sigma) ** 2) / 4))
        # --8<-- [end:kernel]


def gaussian_ripple(bandwidth: float, spacing: float) -> float:
    """Return how far the dot product of two Gaussian codes can lie above its kernel.

    Args:
        bandwidth: σ, in positions. Finite, above 0.
        spacing: Δ between neighbouring centres, in positions. Finite, above 0.

    Returns:
        A float of at least 0, dimensionless: the largest relative difference between the
        dot product and `gaussian_kernel`, for centres on a grid without end. It is met
        where the midpoint of the two positions is a centre, and no difference downwards
        is as large. inf where it overflows. Relative error below 1e-14 while Δ is within
        [σ, 1e150 σ].

    Raises:
        TypeError: An argument is not a real number.
        ValueError: An argument is not finite or not above 0.

    Source:
        Poisson's summation formula; the sum is θ₃(0, q) - 1 with q = exp(-π²σ²/Δ²).
        Deviation: none.

    Examples:
        >>> from posenc import gaussian_ripple
        >>> [round(gaussian_ripple(1, spacing), 4) for spacing in (1, 1.5, 2, 3)]
        [0.0001, 0.0249, 0.1697, 0.693]
    """
    sigma = checks.above_zero("bandwidth", bandwidth)
    delta = checks.above_zero("spacing", spacing)
    # Both sums are the same number. Each is used where its terms fall faster: the first
    # omitted one is below exp(-25π) of the first.
    # --8<-- [start:ripple]
    if delta < math.sqrt(math.pi) * sigma:
        fall = math.pi * (sigma / delta)
        return 2 * math.fsum(math.exp(-fall * fall * n * n) for n in range(1, 5))
    step = delta / sigma
    near = 2 * math.fsum(math.exp(-step * step * n * n) for n in range(1, 5))
    return step / math.sqrt(math.pi) * (1 + near) - 1
    # --8<-- [end:ripple]


def gaussian_bias(offsets: ArrayLike, std: float) -> NDArray[np.float64]:
    """Return what to add to logits so that weights fall like a Gaussian of the offset.

    Args:
        offsets: Real numbers k of any shape, in positions, each within ±2**53: for all
            pairs, `key_positions - query_positions[:, np.newaxis]`. Subtract a number to
            put the peak there.
        std: Standard deviation of the Gaussian, in positions. Finite, above 0.

    Returns:
        Shape of `offsets`, float64, dimensionless, at most 0: -k² / (2 std²), within a
        relative error of 1e-15; 0 or -inf where float64 cannot hold it. A softmax of it
        alone is a Gaussian, sampled at the offsets and divided by its sum.

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
