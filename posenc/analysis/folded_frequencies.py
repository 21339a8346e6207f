"""Folded frequencies: how a frequency looks if it is sampled once per position.

Letters in this module
    p  a position      ω  angular frequency, radians per position
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.underflow import ignore_underflow


@ignore_underflow
def apparent_frequency(frequencies: ArrayLike) -> NDArray[np.float64]:
    """Return the lowest frequencies with the same samples at whole positions.

    Args:
        frequencies: ω of any shape, radians per position, real, finite.

    Returns:
        Same shape, float64, radians per position, within [0, π]: the distance of ω from
        the nearest multiple of 2π, within 3e-16·|ω|, so it is meaningless from 1e16 on.
        Frequencies within [0, 3.14] are unchanged. The direction is lost: for ω from π to
        2π, the folded wave runs backwards.

    Raises:
        TypeError: `frequencies` does not hold real numbers.
        ValueError: A frequency is not finite.

    Source:
        The sampling theorem, Shannon 1949, DOI 10.1109/JRPROC.1949.232969, with one sample
        a position. Deviation: none.

    Examples:
        >>> from posenc.analysis import apparent_frequency
        >>> apparent_frequency([0.5, 4.0, 6.0]).round(4)
        array([0.5   , 2.2832, 0.2832])
    """
    omega = checks.finite("frequencies", frequencies)
    # --8<-- [start:fold]
    turns = np.rint(omega / (2 * math.pi))  # whole rotations per position
    return np.minimum(abs(omega - 2 * math.pi * turns), math.pi)
    # --8<-- [end:fold]
