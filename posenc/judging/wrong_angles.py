"""Known mistakes in the angles of pairs whose cosines and sines are right.

Letters in this module
    p  positions, (rows,)    i  index of a pair
    n  how many positions there are before they start again
    z  cosines and sines of the pairs as complex numbers, (rows, d/2)
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from posenc.judging import precision

Values = NDArray[np.float64]
Complex = NDArray[np.complex128]

INTEGERS = {256: 8, 65536: 16}  # how many bits a signed integer has that starts again after n
MOST_ROUNDS = 8  # how often positions may have started again before a row shows it


@dataclass(frozen=True)
class WrongAngles:
    """A mistake in words, the angles that it makes, and how fast they grow with the position.

    The angles may be any of several, where a last digit decides how they are rounded.
    """

    cause: str
    angles: tuple[Values, ...]
    rates: Values = field(repr=False)


def find_wrong_angles(
    omega: Values, z: Complex, rows: NDArray[np.int64], numbers: str
) -> str | None:
    """Return which known mistake makes exactly these waves, in words, or None."""
    positions = rows.astype(np.float64)
    for wrong in _list_wrong_angles(positions, omega, z, numbers):
        if _agree(wrong, positions, z, numbers):
            return wrong.cause
    return None


def _agree(wrong: WrongAngles, positions: Values, z: Complex, numbers: str) -> bool:
    """Return whether all entries agree, of those whose angles are known well enough."""
    angles = precision.get_angle_dtype(numbers)
    # As for tables: 8 times the bound for frequencies below 1 holds for those above 1, too.
    allowed = 8 * precision.bound_angle_error(positions, wrong.rates, angles)
    waves = np.array([np.exp(1j * one) for one in wrong.angles])
    nearest = np.take_along_axis(waves, abs(waves - z).argmin(axis=0)[np.newaxis], axis=0)[0]
    conclusive = np.ones(z.shape, dtype=bool)
    near = np.ones(z.shape, dtype=bool)
    for part in (np.real, np.imag):
        limit = precision.bound_entry_error(part(nearest), allowed, numbers, angles, 1.0)
        conclusive &= limit < 0.1
        near &= abs(part(z) - part(nearest)) <= limit
    return bool(conclusive[:4].mean() >= 0.5 and near[conclusive].all())


def _list_wrong_angles(p: Values, omega: Values, z: Complex, numbers: str) -> Iterator[WrongAngles]:
    """Yield the mistakes that these frequencies and positions allow."""
    yield WrongAngles(
        "positions are multiplied by base**(2i/d) instead of divided by it",
        (np.multiply.outer(p, 1 / omega),),
        1 / omega,
    )
    lengths = 2 * math.pi / omega
    yield WrongAngles(
        "wavelengths are used as frequencies: positions are multiplied by 2π·base**(2i/d)",
        (np.multiply.outer(p, lengths),),
        lengths,
    )
    error = precision.bound_angle_error(p, omega, precision.get_angle_dtype(numbers))
    theta = np.multiply.outer(p, omega)
    around = (theta - 2 * error, theta, theta + 2 * error)
    yield WrongAngles(
        "angles are rounded down to integers, as // does",
        tuple(np.floor(one) for one in around),
        omega,
    )
    yield WrongAngles(
        "angles are rounded to integers", tuple(np.rint(one) for one in around), omega
    )
    for cause, wrapped in _list_wrapped_positions(p, omega, z, numbers):
        yield WrongAngles(cause, (np.multiply.outer(wrapped, omega),), omega)


def _list_wrapped_positions(
    p: Values, omega: Values, z: Complex, numbers: str
) -> Iterator[tuple[str, Values]]:
    """Yield positions that start again after n, for each n that the first such row suggests."""
    slow = np.flatnonzero(omega * p[-1] < 3)  # pairs that show the position
    pair = int(slow[0]) if len(slow) else len(omega) - 1
    seen = np.angle(z[:, pair]) / omega[pair]
    noise = 8 * precision.UNITS[numbers] / float(omega[pair])
    behind = np.flatnonzero(abs(p - seen) > max(0.5, 2 * noise))
    if not len(behind):
        return
    row = behind[0]
    reach = math.ceil(noise)
    near = range(round(p[row] - seen[row]) - reach, round(p[row] - seen[row]) + reach + 1)
    whole = {missing / rounds for missing in near for rounds in range(1, MOST_ROUNDS + 1)}
    for n in sorted((int(n) for n in whole if n >= 2 and n == round(n)), reverse=True):
        yield f"positions start again after {n} rows", p % n
        if n in INTEGERS:
            half = n // 2
            words = f"positions from {half} on are negative, as in integers of {INTEGERS[n]} bits"
            yield words, (p + half) % n - half
