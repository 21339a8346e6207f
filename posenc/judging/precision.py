"""Precision: how far a right implementation may be from exact numbers, by dtype and angle.

The limits follow from the arithmetic. With u the unit roundoff of the dtype in which angles
are computed, and t = ln(1/ω), the usual formulas make these errors, each bounded:

    the exponent           three roundings of a number of size t: 3·t·u of the frequency
    power, exponential     two units in the last place: 4·u of the frequency
    a reciprocal, p·ω      one rounding each: 2·u of the angle
    sine and cosine        two units in the last place: 4·u
    rounding to the dtype  u' of the entry, u' that of the table; 3·u' if it was scaled there

So an angle p·ω is wrong by (3·t + 6)·u of itself at most, and an entry by as much as its
angle. Angles of float16 and bfloat16 tables are expected in float32.

Letters in this module
    p  a position    ω  angular frequency, radians per position    u  unit roundoff
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from posenc.core.rounding import round_to

Values = NDArray[np.float64]

UNITS = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}

# Half the distance of the smallest numbers, where rounding is no longer relative.
TINY = {"float64": 0.0, "float32": 2.0**-150, "float16": 2.0**-25, "bfloat16": 2.0**-134}

# So many different numbers must fit into a narrower dtype before it is called theirs.
ENOUGH = 16

ROUNDED = ("positions", "frequencies", "angles")
WAYS = (  # the simplest first
    *((one,) for one in ROUNDED),
    *(("positions", "frequencies"), ("positions", "angles"), ("frequencies", "angles")),
    ROUNDED,
)


def get_angle_dtype(dtype: str) -> str:
    """Return the dtype that angles are expected in, for a table of this dtype."""
    return "float64" if dtype == "float64" else "float32"


def choose_coarser(asked: str, returned: str) -> str:
    """Return the coarser of two dtypes, float64 for those that aren't floating."""
    known = [dtype if dtype in UNITS else "float64" for dtype in (asked, returned)]
    return max(known, key=lambda dtype: UNITS[dtype])


def choose_finer(one: str, other: str) -> str:
    """Return the finer of two dtypes."""
    return min(one, other, key=lambda dtype: UNITS[dtype])


def bound_angle_error(positions: Values, frequencies: Values, angles: str) -> Values:
    """Return by how much an angle p·ω may be wrong, radians, shape (positions, pairs)."""
    rate = abs(frequencies)
    slow = np.log(1 / np.clip(rate, 1e-300, 1))  # t
    return np.asarray(np.multiply.outer(abs(positions), rate * (3 * slow + 6) * UNITS[angles]))


def bound_entry_error(
    values: Values, angle: Values, dtype: str, angles: str, scale: float
) -> Values:
    """Return how far entries may be from exact values of this size, in the same shape."""
    roundings = 1 if scale == 1 else 3
    wave = abs(scale) * (angle + 4 * UNITS[angles])
    return np.asarray(wave + roundings * UNITS[dtype] * (abs(values) + wave) + TINY[dtype])


def bound_vector_error(x: Values, matrices: Values, limit: Values, dtype: str) -> Values:
    """Return how far vectors (..., d) may be from M x, where entries of M may be off by `limit`.

    Two products and their sum are rounded, each once.
    """
    off = np.einsum("...ij,...j->...i", limit, abs(x))
    size = np.einsum("...ij,...j->...i", abs(matrices), abs(x))
    return np.asarray(off + 3 * UNITS[dtype] * size + TINY[dtype])


def bound_three_roundings(values: Values, dtype: str) -> Values:
    """Return how far entries may be from these values after three roundings."""
    finite = np.where(np.isfinite(values), values, 0.0)
    return np.asarray(3 * UNITS[dtype] * abs(finite) + TINY[dtype])


def find_narrowest_dtype(values: Values, dtype: str) -> str:
    """Return the narrowest dtype that holds all values, or dtype itself.

    A float32 table that was widened to float64 is only as exact as float32. With few different
    numbers there is nothing to conclude, as zeros and ones fit every dtype.
    """
    if dtype not in UNITS:
        return "float64"
    if len(np.unique(values)) < ENOUGH:
        return dtype
    for narrow in ("bfloat16", "float16", "float32"):
        if UNITS[narrow] > UNITS[dtype] and np.array_equal(round_to(values, narrow), values):
            return narrow
    return dtype


def list_narrow_angles(
    positions: Values, frequencies: Values, base: float | None, dtype: str
) -> Iterator[tuple[tuple[str, ...], list[Values]]]:
    """Yield angles computed in too narrow a dtype, with the names of what was rounded.

    A frequency that is rounded may itself be a float32 with its errors, and then fall on
    the other side of a tie; so each way gives three versions, and an entry may be any.
    """
    spread = 2 * bound_angle_error(np.ones(1), frequencies, "float32")[0]
    exact = [frequencies, frequencies - spread, frequencies + spread]
    for way in WAYS:
        p = round_to(positions, dtype) if "positions" in way else positions
        made = [exact]
        if "frequencies" in way:
            made = [[round_to(omega, dtype) for omega in exact]]
            made += [[omega] for omega in _list_narrow_frequencies(frequencies, base, dtype)]
        for several in made:
            versions = [np.multiply.outer(p, omega) for omega in several]
            if "angles" in way:
                versions = [round_to(angles, dtype) for angles in versions]
            if all(np.isfinite(version).all() for version in versions):
                yield way, versions


def _list_narrow_frequencies(
    frequencies: Values, base: float | None, dtype: str
) -> Iterator[Values]:
    """Yield frequencies whose formula is computed in a narrow dtype, step by step."""
    n = len(frequencies)
    if base is None or n < 2 or not frequencies[1] < 1:
        return
    index = np.arange(n, dtype=np.float64)
    steps = -math.log(base) / math.log(frequencies[1])  # ω_1 = base**(-1/steps)
    factor = round_to(np.array([-math.log(base) / (2 * steps)]), dtype)
    by_log = round_to(np.exp(round_to(round_to(2 * index, dtype) * factor, dtype)), dtype)
    powers = round_to(np.power(base, round_to(index / steps, dtype)), dtype)
    yield by_log
    if np.isfinite(powers).all():
        yield round_to(1 / powers, dtype)
