"""How far apart the rows of a table are, and where they come closest.

Letters in this module
    L  positions (rows of pe)    p  a position    i  index of a pair, 0..d/2-1
    d  channels (d_model)        k  offset        ω  angular frequency, radians per position
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.angles import Floats, Frequencies, sin_cos
from posenc.core.frequencies import Exponent, chosen_inv_freq
from posenc.core.underflow import ignore_underflow

# Sines that nearest_alias holds at once; each array of them takes 256 kB.
CHUNK = 2**15


@np.errstate(over="ignore", under="ignore")  # they count as inf and 0
def separation(pe: ArrayLike) -> float:
    """Return the smallest Euclidean distance between two different rows of a table.

    Args:
        pe: Shape (L, d), real, finite; L at least 2, any d. Learned tables too.

    Returns:
        A float, at least 0; it is 0 where two rows are equal. It is computed
        from differences, so nearby rows keep their digits; differences of 1e-162 and
        less count as 0, of 1e155 and more as inf.
        Memory grows as L·d, time as L²·d.

    Raises:
        TypeError: `pe` does not hold real numbers.
        ValueError: `pe` does not have 2 axes, is not finite, or has fewer than 2 rows.

    Source:
        Definition of this book. Deviation: not by the common shortcut
        |x|² + |y|² - 2 x·y, with which rows closer than 1e-8 of their length look equal.

    Examples:
        >>> from posenc import sinusoidal_positional_encoding
        >>> from posenc.analysis import separation
        >>> round(separation(sinusoidal_positional_encoding(1000, 64)), 6)
        1.471848
    """
    table = checks.table("pe", pe, least=(2, 0))
    # --8<-- [start:separation]
    smallest = math.inf
    for k in range(1, len(table)):
        difference = table[k:] - table[:-k]  # (L - k, d)
        squares = np.einsum("rc,rc->r", difference, difference)  # (L - k,)
        smallest = min(smallest, float(squares.min()))
    # --8<-- [end:separation]
    return math.sqrt(smallest)


@ignore_underflow
def nearest_alias(
    d_model: int,
    max_offset: int,
    *,
    min_offset: int = 1,
    base: float = 10000.0,
    exponent: Exponent = "paper",
    inv_freq: ArrayLike | None = None,
) -> tuple[int, float]:
    """Return the offset at which sinusoidal encodings come closest to repeating.

    It computes every offset. `first_alias` finds the first one that is closer than a given
    distance, and is faster.

    Args:
        d_model: Channels d. Even, at least 2.
        max_offset: Largest offset k tried, in positions; at least `min_offset`, at
            most 2**53.
        min_offset: Smallest offset tried; at least 1. Neighbours are always near,
            so a search for true aliases starts above them.
        base: b, dimensionless, finite, above 1.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies ω instead of those from base and exponent: shape (d/2,), radians
            per position, each from 0 to 2**53, as in `rotary_cos_sin`.

    Returns:
        The integer k within [min_offset, max_offset] at which |PE_{p+k} - PE_p| is
        smallest, the smallest such k if several are, and that distance, a float. The
        distance is the same for every position p and for either channel layout.
        Memory stays within a few MB; time grows as (max_offset - min_offset)·d.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `d_model` is odd or below 2, an offset is out of its range, `base`
            is not finite or not above 1, `exponent` is unknown, or `inv_freq` is refused
            as in `rotary_cos_sin`.

    Source:
        The encoding of Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5. Two
        points of a unit circle that lie an angle kω apart have the distance
        2 |sin(kω/2)|; the pairs add as squares. The paper gives no distances.
        Deviation: none.

    Examples:
        >>> from posenc.analysis import nearest_alias
        >>> offset, distance = nearest_alias(2, 10_000)
        >>> offset, round(distance, 6)
        (710, 6e-05)
        >>> offset, distance = nearest_alias(64, 10_000)
        >>> offset, round(distance, 6)
        (1, 1.471848)
    """
    d_model = checks.even("d_model", d_model)
    min_offset = checks.integer("min_offset", min_offset, least=1)
    max_offset = checks.integer("max_offset", max_offset, least=min_offset)
    if max_offset > checks.LARGEST_POSITION:
        said = checks.describe_value(max_offset)
        raise ValueError(f"max_offset must be at most 2**53, got max_offset={said}")
    frequencies = chosen_inv_freq(d_model, base, inv_freq, exponent)

    nearest, smallest = min_offset, math.inf
    step = max(CHUNK // (d_model // 2), 1)
    for first in range(min_offset, max_offset + 1, step):
        k = np.arange(first, min(first + step, max_offset + 1), dtype=float)
        squares = _quarter_squares(k, frequencies)
        best = int(squares.argmin())
        # Strictly below, so that of equal distances the smallest offset stays.
        if squares[best] < smallest:
            nearest, smallest = first + best, float(squares[best])
    return nearest, 2 * math.sqrt(smallest)


@ignore_underflow
def distance_by_offset(
    offsets: ArrayLike,
    d_model: int,
    *,
    base: float = 10000.0,
    exponent: Exponent = "paper",
    inv_freq: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return how far apart two sinusoidal encodings are, for each offset between them.

    Args:
        offsets: Real numbers k of any shape, in positions, each within ±2**53.
        d_model: Channels d. Even, at least 2.
        base: b, dimensionless, finite, above 1.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies ω instead of those from base and exponent: shape (d/2,), radians
            per position, each from 0 to 2**53, as in `rotary_cos_sin`.

    Returns:
        Shape offsets.shape, float64, each from 0 to 2·sqrt(d/2): the Euclidean length of
        PE_{p+k} - PE_p, the same for every real p, for -k, and for either channel
        layout. Within 1e-15·sqrt(d) of the exact value. Memory: offsets.size·d floats.

    Raises:
        TypeError: `offsets` does not hold real numbers, or another argument has the
            wrong type.
        ValueError: An offset is not finite or beyond ±2**53, or another argument is
            refused as in `sinusoidal_at`.

    Source:
        The encoding of Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5; the sum of
        squared sines as in `nearest_alias`. Deviation: none.

    Examples:
        >>> from posenc.analysis import distance_by_offset
        >>> distance_by_offset([0, 1, -1, 710], 64).round(4)
        array([0.    , 1.4718, 1.4718, 7.2967])
    """
    k = checks.positions("offsets", offsets)
    d_model = checks.even("d_model", d_model)
    frequencies = chosen_inv_freq(d_model, base, inv_freq, exponent)
    # --8<-- [start:distance]
    return np.asarray(2 * np.sqrt(_quarter_squares(k, frequencies)))
    # --8<-- [end:distance]


def _quarter_squares(k: Floats, frequencies: Frequencies) -> Floats:
    """Return a quarter of |PE_{p+k} - PE_p|², for each offset k of an array."""
    # --8<-- [start:alias]
    sin, _ = sin_cos(k / 2, frequencies)  # (..., d/2): sin(k·ω_i/2)
    squares: Floats = np.einsum("...i,...i->...", sin, sin)  # |PE_{p+k} - PE_p|² / 4
    # --8<-- [end:alias]
    return squares
