"""The power of values at given periods.

Letters in this module
    p  position, real    T  period, in the unit of p
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.tables.periodic import periodic_encoding


@checks.finite_result("values")
def period_power(
    values: ArrayLike, positions: ArrayLike, periods: ArrayLike
) -> NDArray[np.float64]:
    """Return the power of values at each period, for even or uneven positions.

    Args:
        values: Shape (..., L), real, finite, each belonging to one position.
        positions: p, shape (L,), real, within ±2**53, in any order.
        periods: T, shape (n,), as in `periodic_encoding`.

    Returns:
        Shape (..., n), float64, at least 0, in the squared unit of `values`: the square
        of the sum of values times exp(2πip/T). Not divided by the number of values; a
        constant added to them adds to it, unless its own sum over the waves is 0.

    Raises:
        TypeError: An argument does not hold real numbers.
        ValueError: `positions` does not have 1 axis, `values` does not have as many
            numbers along its last axis, one of them is not finite, or `periods` is refused as
            in `periodic_encoding`.
            Or the result overflows float64.

    Source:
        The periodogram of even and uneven samples, as in VanderPlas 2017,
        arXiv:1703.09824v1. Deviation: not divided by L.

    Examples:
        >>> from posenc.analysis import period_power
        >>> period_power([1, 0, 0, 1, 0, 0], range(6), [3, 6]).round(6).tolist()
        [4.0, 0.0]
    """
    v = checks.reals("values", values)
    v = checks.finite("values", v, ndim=max(v.ndim, 1))
    p = checks.positions("positions", positions)
    if p.ndim != 1:
        raise ValueError(f"positions must have 1 axis, got shape {p.shape}")
    if v.shape[-1] != len(p):
        raise ValueError(f"values must have {len(p)} numbers along their last axis, got {v.shape}")
    waves = periodic_encoding(p, periods, layout="half")  # (L, 2n): sines, then cosines
    sine_sums, cosine_sums = np.split(v @ waves, 2, axis=-1)  # (..., n) each
    power: NDArray[np.float64] = sine_sums**2 + cosine_sums**2
    return power
