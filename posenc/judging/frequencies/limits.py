"""How far right frequencies may be from exact ones, by dtype."""

import numpy as np
from numpy.typing import NDArray

from posenc.judging import precision
from posenc.judging.arrays import Array

Values = NDArray[np.float64]

# A rule of scaling rounds a frequency so many times more.
ROUNDINGS = 16


def bound_frequency_error(frequencies: Values, dtype: str) -> Values:
    """Return how far frequencies of a dtype may be from these exact ones."""
    computed = precision.get_angle_dtype(dtype)
    error = precision.bound_angle_error(np.ones(1), frequencies, computed)[0]
    rounded = ROUNDINGS * precision.UNITS[computed] + precision.UNITS[dtype]
    return np.asarray(error + rounded * abs(frequencies) + precision.TINY[dtype])


def choose_dtype(given: Array) -> str:
    """Return the dtype by which frequencies are judged: float32 for such numbers in float64."""
    numbers = precision.find_narrowest_dtype(given.read_all(), given.dtype)
    return "float32" if numbers == "float32" else given.known_dtype
