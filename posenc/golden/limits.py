"""Limits: how far a right port may be from golden numbers, from the arithmetic of its steps.

The errors of angles are those of `posenc.judging`, derived there. A number that has a relative
error e and is then rounded n times to a dtype with unit roundoff u lies within
(1 + e)·(1 + u)**n - 1 of its size, and where it is too small for that, within n steps.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc.golden.exact import Decimals
from posenc.judging import precision

Values = NDArray[np.float64]

SINE = 4  # units that a sine or a cosine may be wrong by, as in _precision


@dataclass(frozen=True)
class Margin:
    """What a port may differ by.

    `error` is that of the number before it is rounded, relative to `size`, for angles in a
    dtype; both fit the golden numbers. `roundings` are those to the dtype of the result.
    """

    error: Callable[[str], Values]
    size: Values
    roundings: int
    why: str

    def rows(self, dtype: str, angles: str) -> tuple[float | None, ...]:
        """Return the limit for each index of the first axis; None where anything would pass."""
        error = np.broadcast_to(self.error(angles), self.size.shape)
        growth = (1 + error) * (1 + precision.UNITS[dtype]) ** self.roundings - 1
        limits = self.size * growth + self.roundings * precision.TINY[dtype]
        others = tuple(range(1, limits.ndim))
        says = np.asarray((error < 1).all(axis=others))
        return tuple(
            _up(limit) if said else None
            for limit, said in zip(limits.max(axis=others), says, strict=True)
        )


def _up(limit: float) -> float:
    """Return three digits, rounded up: no last bit of a logarithm changes them."""
    return float(f"{1.005 * limit:.2e}")


def of_angles(positions: list[int], omega: Decimals, angles: str) -> Values:
    """Return by how much sines of p·ω may be wrong, shape (positions, pairs)."""
    p, rates = np.array(positions, dtype=np.float64), omega.astype(np.float64)
    return precision.bound_angle_error(p, rates, angles) + SINE * precision.UNITS[angles]


def of_frequencies(omega: Decimals, angles: str) -> Values:
    """Return by how much frequencies may be wrong, as a share of each, shape (pairs,)."""
    rates = omega.astype(np.float64)
    return np.asarray(precision.bound_angle_error(np.ones(1), rates, angles)[0] / rates)
