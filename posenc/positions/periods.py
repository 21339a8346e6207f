"""Periods: encodings whose waves return after a day, a codon or a full turn.

Letters in this module
    p  position, real: a time, a base of DNA, a heading    n  number of periods, d/2
    T  period, in the unit of p                            d  channels, 2 for each period
"""

from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.layouts import LAYOUTS, Layout, pair_channels
from posenc.core.outputs import Floating, rounded

Floats = NDArray[np.float64]

# So far from the ends of float64 that a quarter of a period is exact.
SHORTEST, LONGEST = 2.0**-53, 2.0**53


@overload
def periodic_encoding(
    positions: ArrayLike,
    periods: ArrayLike,
    *,
    layout: Layout = ...,
    dtype: type[Floating] | np.dtype[Floating] = ...,
) -> NDArray[Floating]: ...


@overload
def periodic_encoding(
    positions: ArrayLike, periods: ArrayLike, *, layout: Layout = ..., dtype: DTypeLike
) -> NDArray[Any]: ...


@checks.quiet
def periodic_encoding(
    positions: ArrayLike,
    periods: ArrayLike,
    *,
    layout: Layout = "interleaved",
    dtype: DTypeLike = np.float64,
) -> NDArray[Any]:
    """Return sines and cosines that come back after periods of your choice.

    Args:
        positions: Real numbers p of any shape, each within ±2**53: times, places,
            headings, in any unit.
        periods: T, shape (n,), in the unit of `positions`, each from `2**-53` to `2**53`.
            n at least 1. A float64 is taken as exact.
        layout: `"interleaved"` or `"half"`, as in `sinusoidal_positional_encoding`.
        dtype: float64, float32, float16 or the bfloat16 of ml_dtypes.

    Returns:
        Shape positions.shape + (2n,), dtype as asked, dimensionless, in [-1, 1]: sine
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
    sin, cos = _waves(p.reshape(-1, 1), lengths)  # (L, n) each; np.choose knows 32 axes alone
    flat = encoding.reshape(p.size, 2 * len(lengths))
    flat[:, sines], flat[:, cosines] = rounded(sin, dtype), rounded(cos, dtype)
    return encoding


@checks.bounded
def period_power(values: ArrayLike, positions: ArrayLike, periods: ArrayLike) -> Floats:
    """Return how strongly values beat with each period, at even or uneven positions.

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
        ValueError: `positions` does not have 1 axis, `values` has not as many numbers
            along its last axis, one of them is not finite, or `periods` is refused as
            in `periodic_encoding`.
            Or numbers are so large that a result overflows.

    Source:
        The periodogram of even and uneven samples, as in VanderPlas 2017,
        arXiv:1703.09824v1. Deviation: not divided by L.

    Examples:
        >>> from posenc import period_power
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
    power: Floats = sine_sums**2 + cosine_sums**2
    return power


def _waves(p: Floats, periods: Floats) -> tuple[Floats, Floats]:
    """Return sin and cos of 2πp/T; whole turns and quarters are taken out without rounding."""
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
