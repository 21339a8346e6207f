"""Round float64 numbers to a narrower dtype, bfloat16 included, which NumPy doesn't have."""

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def round_to(values: Values, dtype: str) -> Values:
    """Return values rounded to a dtype, to nearest, ties to even, as float64."""
    if dtype != "bfloat16":
        with np.errstate(over="ignore", under="ignore"):
            return np.asarray(values.astype(dtype), dtype=np.float64)
    # From float64 in one step: keep 8 of the 53 bits.
    fraction, exponent = np.frexp(values)
    return np.asarray(np.ldexp(np.rint(np.ldexp(fraction, 8)), exponent - 8))
