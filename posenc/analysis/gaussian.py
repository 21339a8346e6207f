"""The kernel of two Gaussian encodings, and how much their dot product deviates from it.

Letters in this module
    k  offset q - p      σ  bandwidth of a bump, in positions
    μ  centre of a bump  Δ  spacing of the centres, in positions
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.underflow import ignore_underflow


@ignore_underflow
def gaussian_kernel(offsets: ArrayLike, bandwidth: float, spacing: float) -> NDArray[np.float64]:
    """Return the dot product of two Gaussian encodings, averaged over shifts of the centres.

    Args:
        offsets: Real numbers k of any shape, each within ±2**53.
        bandwidth: σ, in positions. Finite, above 0.
        spacing: Δ between neighbouring centres, in positions. Finite, above 0.

    Returns:
        Shape of `offsets`, float64, dimensionless, at least 0: √π σ/Δ exp(-k² / (4σ²)),
        within a relative error of 1e-15 times 1 + k²/σ² above 1e-307. With centres on
        an infinite grid, the dot product is that number up to a relative error of
        `gaussian_ripple(bandwidth, spacing)`.

    Raises:
        TypeError: `offsets` does not hold real numbers, or another argument is none.
        ValueError: An offset is not finite or beyond ±2**53, `bandwidth` or `spacing` is
            not finite or not above 0, or their ratio overflows.

    Source:
        Poisson's summation formula for a Gaussian. Deviation: none.

    Examples:
        >>> from posenc.analysis import gaussian_kernel
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
    """Return the largest relative difference between a dot product of codes and its kernel.

    Args:
        bandwidth: σ, in positions. Finite, above 0.
        spacing: Δ between neighbouring centres, in positions. Finite, above 0.

    Returns:
        A float of at least 0, dimensionless: the largest relative difference between the
        dot product and `gaussian_kernel`, for centres on an infinite grid. It is reached,
        upwards, where the midpoint of the two positions is a centre. inf if it overflows.
        Relative error below 1e-14 for Δ within [σ, 1e150 σ].

    Raises:
        TypeError: An argument is not a real number.
        ValueError: An argument is not finite or not above 0.

    Source:
        Poisson's summation formula; the sum is θ₃(0, q) - 1 with q = exp(-π²σ²/Δ²).
        Deviation: none.

    Examples:
        >>> from posenc.analysis import gaussian_ripple
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
