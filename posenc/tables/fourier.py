"""Sines and cosines at any frequencies: the bridge from waves to kernels.

Letters in this module
    p  a position      i  index of a pair, 0..n-1      ω  angular frequency, radians per position
    n  frequencies
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.angles import exactly, sin_cos
from posenc.core.outputs import rounded
from posenc.core.underflow import ignore_underflow


@ignore_underflow
def fourier_encoding(
    positions: ArrayLike, frequencies: ArrayLike, *, dtype: DTypeLike = np.float64
) -> NDArray[Any]:
    """Return sines and cosines of positions at given frequencies.

    Args:
        positions: Real numbers p of any shape, each within ±2**53.
        frequencies: ω, shape (n,), n at least 1: real, radians per position, each within
            ±2**53, taken as exact.
        dtype: float64, float32, float16 or the bfloat16 of ml_dtypes.

    Returns:
        Shape positions.shape + (2n,), of the given dtype, dimensionless, in [-1, 1]: channel
        2i is sin(p·ω_i), channel 2i+1 is cos(p·ω_i). The dot product of two codes is the
        sum of cos(ω_i·k) over all frequencies, k the offset. For exact periods, such
        as 24 hours, use `periodic_encoding`. float64 entries are within
        3e-16 of the exact value; those of narrower dtypes are these, rounded once.

    Raises:
        TypeError: `positions` or `frequencies` does not hold real numbers, or `dtype` is
            none.
        ValueError: A position or a frequency is not finite or beyond ±2**53,
            `frequencies` does not have one axis or is empty, or `dtype` is another one.

    Source:
        Rahimi and Recht 2007, section 3, who draw the frequencies at random.
        Deviation: frequencies are given; no random phase and no factor in front. Divide
        a dot product by n for the mean over the frequencies.

    Examples:
        >>> import math
        >>> from posenc import fourier_encoding
        >>> fourier_encoding([0, 1], [math.pi / 2, 1.0]).round(4)
        array([[0.    , 1.    , 0.    , 1.    ],
               [1.    , 0.    , 0.8415, 0.5403]])
    """
    p = checks.positions("positions", positions)
    omega = checks.positions("frequencies", frequencies)
    if omega.ndim != 1 or not omega.size:
        raise ValueError(f"frequencies must have shape (n,), n at least 1, got shape {omega.shape}")
    dtype = checks.float_dtype("dtype", dtype, bfloat16=True)
    # --8<-- [start:waves]
    sin, cos = sin_cos(p, exactly(omega))  # (..., n)
    pairs = np.stack([sin, cos], axis=-1)  # (..., n, 2)
    encoding = pairs.reshape(*p.shape, 2 * len(omega))
    # --8<-- [end:waves]
    return rounded(encoding, dtype)
