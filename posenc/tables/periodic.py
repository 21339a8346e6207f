"""Periodic encodings: waves that return after a day, a codon or a full rotation.

Letters in this module
    p  position, real: a time, a base of DNA, a heading    n  number of periods, d/2
    T  period, in the unit of p                            d  channels, 2 for each period
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.layouts import LAYOUTS, Layout, pair_channels
from posenc.core.outputs import rounded
from posenc.core.underflow import ignore_underflow

Floats = NDArray[np.float64]

# So far from the ends of float64 that a quarter of a period is exact.
SHORTEST, LONGEST = 2.0**-53, 2.0**53


@ignore_underflow
def periodic_encoding(
    positions: ArrayLike,
    periods: ArrayLike,
    *,
    layout: Layout = "interleaved",
    dtype: DTypeLike = np.float64,
) -> NDArray[Any]:
    """Return sines and cosines of positions with given periods.

    Args:
        positions: Real numbers p of any shape, each within ±2**53: times, places
            or headings in any unit.
        periods: T, shape (n,), in the unit of `positions`, each from `2**-53` to `2**53`.
            n at least 1. A float64 is taken as exact.
        layout: `"interleaved"` or `"half"`, as in `sinusoidal_positional_encoding`.
        dtype: float64, float32, float16 or the bfloat16 of ml_dtypes.

    Returns:
        Shape positions.shape + (2n,), of the given dtype, dimensionless, in [-1, 1]: sine
        and cosine of 2πp/T for each period. float64 entries are within 1e-15 of the
        exact value at every position, and exactly 0, 1 or -1 at whole quarters of a
        period; those of narrower dtypes are these, rounded once.

    Raises:
        TypeError: `positions` or `periods` does not hold real numbers, or another
            argument has the wrong type.
        ValueError: A position is not finite or beyond ±2**53, `periods` does not have
            1 axis, is empty or holds a number out of range, or a name is unknown.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5. Deviation: the periods
        are given, not a geometric sequence of 2π, ..., 2πb. `fourier_encoding` takes
        frequencies instead; there, 2π/T is rounded before it meets a position.

    Examples:
        >>> from posenc import periodic_encoding
        >>> hours = [0, 6, 18, 24]
        >>> periodic_encoding(hours, [24]).tolist()
        [[0.0, 1.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]
    """
    p = checks.positions("positions", positions)
    lengths = _periods("periods", periods)
    layout = checks.choice("layout", layout, LAYOUTS)
    dtype = checks.float_dtype("dtype", dtype, bfloat16=True)
    encoding = np.empty((*p.shape, 2 * len(lengths)), dtype)
    sines, cosines = pair_channels(2 * len(lengths), layout)
    sin, cos = _waves(p.reshape(-1, 1), lengths)  # (L, n) each; np.choose supports at most 32 axes
    flat = encoding.reshape(p.size, 2 * len(lengths))
    flat[:, sines], flat[:, cosines] = rounded(sin, dtype), rounded(cos, dtype)
    return encoding


def _waves(p: Floats, periods: Floats) -> tuple[Floats, Floats]:
    """Return sin and cos of 2πp/T; whole and quarter rotations are removed without rounding."""
    # --8<-- [start:waves]
    rest = np.fmod(p, periods)  # exact, and less than one period
    rest -= np.where(abs(rest) > periods / 2, np.copysign(periods, rest), 0)  # exact
    quarters = np.rint(4 * rest / periods)  # -2 to 2
    angle = 2 * np.pi * (rest - quarters * (periods / 4)) / periods  # at most π/4
    sin, cos = np.sin(angle), np.cos(angle)
    quarter = quarters.astype(np.intp) % 4
    sines = np.choose(quarter, [sin, cos, 0 - sin, 0 - cos])
    cosines = np.choose(quarter, [cos, 0 - sin, 0 - cos, sin])
    # --8<-- [end:waves]
    return sines, cosines


def _periods(name: str, value: Any) -> Floats:
    """Return value as a float64 array of one or more periods."""
    array = checks.finite(name, value, ndim=1)
    if not array.size:
        raise ValueError(f"{name} must not be empty")
    fits = (array >= SHORTEST) & (array <= LONGEST)
    if not fits.all():
        raise ValueError(f"{name} must lie within 2**-53 to 2**53, got {array[~fits][0]}")
    return array
