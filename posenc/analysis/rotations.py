"""How often each pair of channels rotates within a context.

Letters in this module
    i  index of a pair, 0..d/2-1    ω  angular frequency, radians per position
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.frequencies import Exponent, chosen_inv_freq


@checks.finite_result("span")
def count_rotations(
    span: float,
    d_model: int,
    *,
    base: float = 10000.0,
    exponent: Exponent = "paper",
    inv_freq: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return how many full rotations each pair of channels makes over a number of positions.

    Args:
        span: Number of positions; a real number, at least 0.
        d_model: Channels d. Even, at least 2.
        base: b, dimensionless, finite, above 1.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies ω instead of those from base and exponent: shape (d/2,), radians
            per position, each from 0 to 2**53, as in `rotary_cos_sin`.

    Returns:
        Shape (d/2,), float64, rotations: span·ω_i/(2π), fastest pair first. Below 1, the
        pair has not returned to its start.

    Raises:
        TypeError: `span` is not a real number, or another argument has the wrong type.
        ValueError: `span` is negative or not finite, or another argument is refused as
            in `sinusoidal_at`. Or the result overflows float64.

    Source:
        Definition of this book, with the frequencies of Vaswani et al. 2017,
        arXiv:1706.03762v7, section 3.5. Deviation: none.

    Examples:
        >>> from posenc.analysis import count_rotations
        >>> count_rotations(2048, 8).round(2)
        array([325.95,  32.59,   3.26,   0.33])
    """
    span = checks.at_least_zero("span", span)
    d_model = checks.even("d_model", d_model)
    omega = chosen_inv_freq(d_model, base, inv_freq, exponent).radians
    # --8<-- [start:turns]
    return span * omega / (2 * math.pi)  # (d/2,)
    # --8<-- [end:turns]
