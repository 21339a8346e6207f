"""Aliasing: which distant positions have nearly equal encodings, and how far there are none.

Letters in this module
    d  channels (d_model)     n  pairs, d/2        i  index of a pair, 0..n-1
    k  offset                 δ  distance limit    ω  angular frequency, radians per position
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.analysis.distances import distance_by_offset
from posenc.core import checks
from posenc.core.angles import Floats, Frequencies, sin_cos
from posenc.core.frequencies import Exponent, chosen_inv_freq
from posenc.core.underflow import ignore_underflow

# Sines that first_alias computes together; each array of them takes 512 kB.
SINES = 2**16

# "Closer" is closer by more than rounding, so that no neighbour is closer than itself.
CLOSER = 1 - 1e-12


@ignore_underflow
def first_alias(
    d_model: int,
    max_offset: int,
    *,
    min_offset: int = 1,
    distance: float | None = None,
    base: float = 10000.0,
    exponent: Exponent = "paper",
    inv_freq: ArrayLike | None = None,
) -> tuple[int, float] | None:
    """Return the smallest offset at which two sinusoidal encodings are closer than a distance.

    `nearest_alias` searches all offsets for the closest.

    Args:
        d_model: Channels d. Even, at least 2.
        max_offset: Largest offset k searched, in positions; at least `min_offset`, at
            most 2**53.
        min_offset: Smallest offset searched; at least 1.
        distance: δ, above 0; with inf, the first offset is returned. None is the distance of
            neighbours, so that an alias is closer than the next position.
        base: b, dimensionless, finite, above 1.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies ω instead of those from base and exponent: shape (d/2,), radians
            per position, each from 0 to 2**53, as in `rotary_cos_sin`.

    Returns:
        The smallest whole k within [min_offset, max_offset] with |PE_{p+k} - PE_p| < δ, and
        that distance, a float; None if there is none, which holds for each offset up to
        rounding: a distance from δ·(1 - 1e-12) up does not count as closer, and within
        2e-15·sqrt(d) of that limit either answer is possible. Time grows with max_offset
        over the longest wavelength. Memory: a few MB, more from d = 2**17 on.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `d_model` is odd or below 2, an offset is out of its range, `distance`
            is NaN or not above 0, `base` is not finite or not above 1, `exponent` is
            unknown, or `inv_freq` is refused as in `rotary_cos_sin`.

    Source:
        Own search, with the encoding of Vaswani et al. 2017, arXiv:1706.03762v7,
        section 3.5. Deviation: none.

    Examples:
        >>> from posenc.analysis import first_alias
        >>> offset, distance = first_alias(12, 1_000_000)
        >>> offset, round(distance, 4)
        (14495, 0.8754)
        >>> print(first_alias(64, 1_000_000))
        None
    """
    min_offset = checks.integer("min_offset", min_offset, least=1)
    max_offset = checks.integer("max_offset", max_offset, least=min_offset)
    if max_offset > checks.LARGEST_POSITION:
        said = checks.describe_value(max_offset)
        raise ValueError(f"max_offset must be at most 2**53, got max_offset={said}")
    delta = _delta(distance, d_model, base, exponent, inv_freq) * CLOSER
    frequencies = chosen_inv_freq(d_model, base, inv_freq, exponent)
    if delta == 0:  # of neighbours that are equal: nothing is closer
        return None

    # An eighth of the longest wavelength: the slowest pair can tell stretches apart.
    # No longer than all offsets, so that each centre is a float64 without rounding.
    omega = frequencies.radians
    slowest = omega[omega > 2.0**-52].min(initial=math.pi / 4)  # 0: a pair that doesn't rotate
    longest = 2 ** min(max(0, int(math.log2(math.pi / 4 / slowest))), 52)
    most = _at_once(frequencies)
    for block in range(min_offset, max_offset + 1, most * longest):
        count = min(most, (max_offset - block) // longest + 1)
        starts = block + longest * np.arange(count, dtype=float)
        found = _first_closer(starts, longest, max_offset, delta, frequencies)
        if found is not None:
            return found, float(_least(np.array(found, dtype=float), 0, frequencies))
    return None


@ignore_underflow
def least_distance(
    centers: ArrayLike,
    half_width: float,
    d_model: int,
    *,
    base: float = 10000.0,
    exponent: Exponent = "paper",
    inv_freq: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return a lower bound of the distance for all offsets of an interval.

    Args:
        centers: Real numbers c of any shape, in positions, each within ±2**53.
        half_width: h, in positions, finite, at least 0: the intervals are [c - h, c + h].
        d_model: Channels d. Even, at least 2.
        base: b, dimensionless, finite, above 1.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies ω instead of those from base and exponent: shape (d/2,), radians
            per position, each from 0 to 2**53, as in `rotary_cos_sin`.

    Returns:
        Shape centers.shape, float64: |PE_{p+k} - PE_p| is at least this for every real k
        with |k - c| <= h, up to 2e-15·sqrt(d) of rounding. Pairs that make a full
        rotation within the interval contribute 0. At h = 0 it is the distance itself.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: A center is not finite or beyond ±2**53, `half_width` is negative or
            not finite, or another argument is refused as in `sinusoidal_at`.

    Source:
        Own bound, with the encoding of Vaswani et al. 2017, arXiv:1706.03762v7,
        section 3.5. Deviation: none.

    Examples:
        >>> from posenc.analysis import distance_by_offset, least_distance
        >>> least_distance([20_000, 47_117], 1000, 64).round(3)
        array([3.776, 3.6  ])
        >>> float(distance_by_offset(range(19_000, 21_001), 64).min()) > 3.776
        True
    """
    c = checks.positions("centers", centers)
    h = checks.at_least_zero("half_width", half_width)
    d_model = checks.even("d_model", d_model)
    return _least(c, h, chosen_inv_freq(d_model, base, inv_freq, exponent))


@ignore_underflow
def alias_bound(
    d_model: int,
    *,
    distance: float | None = None,
    base: float = 10000.0,
    exponent: Exponent = "paper",
    inv_freq: ArrayLike | None = None,
) -> float:
    """Return an upper bound of the first offset at which encodings are closer than a distance.

    Args:
        d_model: Channels d. Even, at least 2.
        distance: δ, above 0. None is the distance of neighbours.
        base: b, dimensionless, finite, above 1.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies ω instead of those from base and exponent: shape (d/2,), radians
            per position, each from 0 to 2**53, as in `rotary_cos_sin`.

    Returns:
        A float, at least 1 for δ up to 2π: some whole offset k from 1 up to it has
        |PE_{p+k} - PE_p| < δ. inf if it is above the largest float64.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `d_model` is odd or below 2, `distance` is NaN or not above 0, or None
            where neighbours do not differ, `base` is not finite or not above 1, `exponent`
            is unknown, or `inv_freq` is refused as in `rotary_cos_sin`.

    Source:
        Own bound: balls that do not overlap fit into a torus as often as its volume
        allows. Deviation: none.

    Examples:
        >>> from posenc.analysis import alias_bound
        >>> alias_bound(2) // 1, round(alias_bound(8))
        (6.0, 5849)
    """
    delta = _delta(distance, d_model, base, exponent, inv_freq)
    if delta == 0:
        raise ValueError(
            "distance must be given if inv_freq holds only zeros, as all encodings are equal then"
        )
    # --8<-- [start:bound]
    n = d_model // 2
    across = min(delta, 2 * math.pi)  # of a ball; a larger one would meet itself
    # Logarithms of the volumes of the torus and of a ball of n dimensions.
    torus = n * math.log(2 * math.pi)
    ball = n * (math.log(across) + math.log(math.pi) / 2 - math.log(2))
    ball -= math.lgamma(n / 2 + 1)
    # --8<-- [end:bound]
    try:
        return math.exp(torus - ball)
    except OverflowError:
        return math.inf


def _delta(
    distance: float | None,
    d_model: int,
    base: float,
    exponent: Exponent,
    inv_freq: ArrayLike | None,
) -> float:
    """Return the given distance, or that of neighbours."""
    neighbours = float(
        distance_by_offset(1, d_model, base=base, exponent=exponent, inv_freq=inv_freq)
    )
    if distance is None:
        return neighbours
    if isinstance(distance, float | np.floating) and distance == math.inf:
        return math.inf
    delta = checks.real("distance", distance)
    if not delta > 0:
        raise ValueError(f"distance must be above 0, got distance={distance!r}")
    return delta


def _first_closer(
    starts: NDArray[np.float64],
    length: int,
    last: int,
    delta: float,
    frequencies: Frequencies,
) -> int | None:
    """Return the first whole offset up to the last that is closer than delta, or None.

    `starts` are where stretches of `length` offsets begin, a power of two, in rising order.
    """
    most = _at_once(frequencies)
    pending = [(starts, length)]  # last in, first out: the smallest offsets come first
    while pending:
        starts, length = pending.pop()
        if len(starts) > most:
            pending += [(starts[most:], length), (starts[:most], length)]
            continue
        # --8<-- [start:halving]
        half = length // 2  # from its centre, a stretch reaches no farther
        centers = np.minimum(starts + half, last)
        starts = starts[(_least(centers, half, frequencies) < delta) & (starts <= last)]
        if half:  # what is left may hold one: look at both halves
            halves = np.ravel([starts, starts + half], order="F")  # still in order
            pending.append((halves, half))
        elif len(starts):
            return int(starts[0])
        # --8<-- [end:halving]
    return None


def _at_once(frequencies: Frequencies) -> int:
    """Return how many stretches to look at together, so that memory is bounded."""
    return max(SINES // len(frequencies.radians), 1)


def _least(centers: Floats, half: float, frequencies: Frequencies) -> Floats:
    """Return what the distance cannot fall below within `half` of each center."""
    # A pair that makes a full rotation within it contributes 0.
    slow = frequencies.radians * half < math.pi
    frequencies = Frequencies(*(part[slow] for part in frequencies))
    # --8<-- [start:least]
    # t: half the angle to the nearest return, within [0, π/2]; s: what it can lose
    sin, cos = sin_cos(centers / 2, frequencies)  # ± sin(t), ± cos(t)
    s = frequencies.radians * half / 2
    sines = np.maximum(abs(sin) * np.cos(s) - abs(cos) * np.sin(s), 0)  # sin(t - s)
    return np.asarray(2 * np.sqrt(np.einsum("...i,...i->...", sines, sines)))
    # --8<-- [end:least]
