"""Fit waves: frequencies, base, start and direction of pairs of channels that rotate.

A pair of channels is read as one complex number for each row,

    z = scale · κ · exp(i·σ·(start + step·r)·ω),

with κ one of 1, i, -1, -i and σ = ±1. From a row to the next z rotates by ω, so ω is
measured and refined over longer and longer distances. Measured numbers suggest conventions, which
are then computed and compared with every row. Nothing is named because it is near.

Letters in this module
    r  a row, from 0      i  index of a pair, 0..n-1     ω  angular frequency of a pair
    n  pairs              b  base                        u  unit roundoff
"""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posenc.core.angles import exactly, sin_cos
from posenc.core.frequencies import exact_inv_freq
from posenc.judging import precision
from posenc.judging.identity import DEGREES

Values = NDArray[np.float64]
Complex = NDArray[np.complex128]

NARROW = ("float16", "bfloat16")

FACTORS = (1j, 1 + 0j, -1j, -1 + 0j)

# Number of rows for a first check, before all rows are checked.
FEW = 24

# Number of rows, and of steps either way, with which a frequency of a narrow dtype is refined.
SOME = 200
FINER = 32

# The largest rotation from row to row that is looked for, in radians.
FASTEST = 1000.0

# A start is looked for within so many full rotations of the slowest pair, either way.
TURNS = 64


@dataclass(frozen=True)
class Fit:
    """Conventions under which waves were computed, and how well they agree."""

    frequencies: Values
    base: float | None
    exponent: str | None
    start: float
    step: float
    factor: complex  # κ
    direction: int  # σ
    scale: float
    angles: str
    spread: Values | None = None  # of frequencies that were measured, and follow no rule
    rounded: tuple[str, ...] = ()
    largest: float = math.inf
    limit: float = 0.0
    breaches: int = 0
    conclusive: bool = True  # whether the limits of most entries are narrower than the entries
    row_count: int = 0
    first: tuple[int, int] | None = None  # row of the sample and pair of the first breach

    @property
    def holds(self) -> bool:
        """Whether no entry lies beyond its limit, where the limits say anything."""
        return self.conclusive and not self.breaches

    def waves(self, rows: Values) -> Complex:
        """Return the waves of these rows under these conventions."""
        positions = self.start + self.step * rows
        exact = exactly(self.frequencies)
        if self.base is not None and self.exponent in ("paper", "tensor2tensor"):
            of_base = exact_inv_freq(2 * len(self.frequencies), self.base, self.exponent)
            if np.allclose(of_base.radians, self.frequencies, rtol=1e-12, atol=0):  # d is even
                exact = of_base
        sin, cos = sin_cos(positions, exact)
        return self.scale * self.factor * (cos + 1j * self.direction * sin)


def fit_waves(
    z: Complex, rows: NDArray[np.int64], dtype: str, exponents: Mapping[str, float]
) -> Fit | None:
    """Return the conventions that explain waves (rows, n), or those that come nearest.

    `exponents` gives, for each name, what the index of a pair is divided by.
    """
    scale = _find_scale(z, dtype)
    if scale is None or len(rows) < 2:
        return None
    best: Fit | None = None
    few = np.unique(np.linspace(0, len(rows) - 1, FEW).astype(np.int64))
    few = np.union1d(few, np.arange(min(4, len(rows))))
    for farthest in (None, 32, 4):
        if farthest is not None and rows[-1] - rows[0] <= farthest:
            continue
        for guess in _list_guesses(z, rows, dtype, exponents, scale, farthest):
            checked = check_fit(guess, z[few], rows[few], dtype)
            if checked.holds:
                checked = check_fit(guess, z, rows, dtype)
            if checked.holds:
                return _prefer_a_base(checked, z, rows, dtype, few, exponents)
            if best is None or _rank_fit(checked) < _rank_fit(best):
                best = checked
    for guess in _list_likely_fits(best, exponents):
        narrow = _fit_narrow_angles(guess, z, rows, dtype, few)
        if narrow is not None:
            return narrow
    return best if best is None else check_fit(best, z, rows, dtype)


def _rank_fit(fit: Fit) -> tuple[bool, int]:
    """Return how badly a fit explains the waves, to sort by."""
    return not fit.conclusive, fit.breaches


def _prefer_a_base(
    found: Fit,
    z: Complex,
    rows: NDArray[np.int64],
    dtype: str,
    few: NDArray[np.int64],
    exponents: Mapping[str, float],
) -> Fit:
    """Return a fit, or instead of one without a base, a fit of narrow angles that has one."""
    if found.base is not None or len(found.frequencies) < 2:
        return found
    for guess in _list_likely_fits(found, exponents):
        if guess.base is None or check_fit(guess, z[few], rows[few], dtype).holds:
            continue
        narrow = _fit_narrow_angles(guess, z, rows, dtype, few)
        if narrow is not None:
            return narrow
    return found


def check_fit(guess: Fit, z: Complex, rows: NDArray[np.int64], dtype: str) -> Fit:
    """Return the guess with its differences, at the first precision at which it holds."""
    for angles in dict.fromkeys((precision.get_angle_dtype(dtype), "float32")):
        checked = check_in_dtype(guess, z, rows, dtype, angles)
        if checked.holds:
            break
    return checked


def _find_differences(
    guess: Fit, z: Complex, expected: Complex, allowed: Values, dtype: str
) -> Fit:
    """Return the guess with the largest difference, its limit, and the first breach."""
    over = np.full(z.shape, -np.inf)
    apart, limits = np.zeros(z.shape), np.zeros(z.shape)
    for part in (np.real, np.imag):
        value = part(expected)
        difference = abs(part(z) - value)
        limit = precision.bound_entry_error(value, allowed, dtype, guess.angles, guess.scale)
        worse = difference - limit > over
        over = np.maximum(over, difference - limit)
        apart, limits = np.where(worse, difference, apart), np.where(worse, limit, limits)
    ratio = apart / limits
    worst = np.unravel_index(int(ratio.argmax()), z.shape)
    beyond = np.argwhere(over > 0)
    first = (int(beyond[0][0]), int(beyond[0][1])) if len(beyond) else None
    return replace(
        guess,
        largest=float(apart[worst]),
        limit=float(limits[worst]),
        breaches=len(beyond),
        conclusive=bool((limits <= guess.scale / 2).mean() >= 0.5),
        row_count=len(z),
        first=first,
    )


def _find_scale(z: Complex, dtype: str) -> float | None:
    """Return the length that all pairs have, or None where lengths differ."""
    lengths = abs(z)
    scale = float(np.median(lengths))
    unit = precision.UNITS[dtype] + 4 * precision.UNITS[precision.get_angle_dtype(dtype)]
    if not scale > 0 or float(abs(lengths - scale).max()) > 4 * unit * scale:
        return None
    n = z.shape[1]
    for simple in (1.0, *(m**e for m in (2.0 * n, float(n)) for e in (0.5, -0.5))):
        if abs(scale - simple) <= 4 * unit * simple:
            return float(simple)
    return scale


def _list_guesses(
    z: Complex,
    rows: NDArray[np.int64],
    dtype: str,
    exponents: Mapping[str, float],
    scale: float,
    farthest: int | None,
) -> Iterator[Fit]:
    """Yield conventions that are worth computing, the simplest numbers first."""
    measured, spread = _measure_frequencies(z, rows, dtype, farthest)
    measurable = abs(measured) > 8 * spread
    if not measurable.any():
        return
    turning = np.sign(measured[measurable] / spread[measurable]).sum()
    direction = 1 if turning > 0 else -1
    frequencies = np.where(np.sign(measured) == direction, abs(measured), 0.0)
    for step, base, exponent in _list_rules(frequencies, spread, measurable, exponents):
        if base is not None and exponent is not None:
            index = np.arange(len(frequencies)) / exponents[exponent]
            omega = base**-index
        elif step == 1:
            omega = frequencies
        else:
            continue
        starts = []
        for order, factor in enumerate(FACTORS):
            start = _find_start(z[0] / factor, omega * step, measurable, direction) - float(rows[0])
            for s in dict.fromkeys((float(round(start)), round(2 * start) / 2, start)):
                if abs(s - start) <= 0.3:
                    starts.append((s != round(s), s != round(2 * s) / 2, order, s, factor))
        for _, _, _, s, factor in sorted(starts, key=lambda found: found[:4]):
            guess = Fit(omega, base, exponent, s * step, step, factor, direction, scale, "")
            if base is None and dtype in NARROW:
                guess = _refine_frequencies(guess, spread, z, rows, dtype)
            yield guess


def _refine_frequencies(
    guess: Fit, spread: Values, z: Complex, rows: NDArray[np.int64], dtype: str
) -> Fit:
    """Return measured frequencies, each moved within its spread to where it fits best.

    In a narrow dtype a measured frequency is too coarse for every row.
    """
    some = np.unique(np.linspace(0, len(rows) - 1, SOME).astype(np.int64))
    steps = np.linspace(-1, 1, 2 * FINER + 1)
    positions = guess.start + rows[some].astype(np.float64)
    best, least = guess.frequencies, np.full(len(guess.frequencies), np.inf)
    for part in steps:
        omega = np.where(guess.frequencies > 0, guess.frequencies + part * spread, 0.0)
        waves = np.exp(1j * guess.direction * np.multiply.outer(positions, omega))
        expected = guess.scale * guess.factor * waves
        over = [
            abs(of(z[some]) - of(expected)) - precision.UNITS[dtype] * abs(of(expected))
            for of in (np.real, np.imag)
        ]
        worst = np.maximum(*over).max(axis=0)
        best, least = np.where(worst < least, omega, best), np.minimum(worst, least)
    return replace(guess, frequencies=best, spread=spread / FINER)


def _measure_frequencies(
    z: Complex, rows: NDArray[np.int64], dtype: str, farthest: int | None
) -> tuple[Values, Values]:
    """Return by how much each pair rotates from row to row, and how uncertain that is."""
    turned = z / z[0]
    distances = rows - rows[0]
    omega = np.angle(turned[1]) / distances[1]
    known = int(distances[1])
    for j, distance in enumerate(distances):
        if distance < 1.5 * known or (farthest is not None and distance > farthest):
            continue
        missing = np.angle(turned[j] * np.exp(-1j * omega * distance))
        omega, known = omega + missing / distance, int(distance)
    # Both ends of the distance are rounded, each by u in two channels.
    noise = 3 * precision.UNITS[dtype] / known
    return omega, noise + 80 * precision.UNITS[precision.get_angle_dtype(dtype)] * abs(omega)


def _list_rules(
    frequencies: Values,
    spread: Values,
    measurable: NDArray[np.bool_],
    exponents: Mapping[str, float],
) -> Iterator[tuple[float, float | None, str | None]]:
    """Yield (step, base, exponent) that the frequencies suggest; at last, no base at all."""
    steps = [1.0]
    if not frequencies[0] > 8 * spread[0]:
        steps = []
    elif abs(frequencies[0] - 1) > 2 * spread[0]:
        size = float(frequencies[0])
        steps = list(dict.fromkeys((*_list_short_roundings(size, spread[0]), size)))
        inverse = [1 / s for s in _list_short_roundings(1 / size, float(spread[0]) / size**2)]
        steps = [*inverse, *steps]
    if len(frequencies) > 1 and measurable[1:].any():
        for step in steps[:3]:
            yield from (
                (step, base, name)
                for name, base in _list_bases(frequencies, spread, measurable, step, exponents)
            )
        fast = _extrapolate_first_frequency(frequencies, measurable)
        slow = measurable & (np.arange(len(measurable)) >= len(measurable) // 2)
        for step in fast:
            for name, base in _list_bases(frequencies, spread, slow, step, exponents):
                yield step, base, name
    yield 1.0, None, None


def _extrapolate_first_frequency(frequencies: Values, measurable: NDArray[np.bool_]) -> list[float]:
    """Return frequencies of the first pair, by the slower half, if it is too fast to be measured.

    A pair that turns by more than half from row to row looks like one that turns less.
    """
    n = len(frequencies)
    slow = np.flatnonzero(measurable & (frequencies > 0) & (np.arange(n) >= n // 2))
    if len(slow) < 2:
        return []
    slope, start = np.polyfit(slow, np.log(frequencies[slow]), 1)
    first = math.exp(min(start, 700.0))
    if slope >= 0 or not math.pi < first < FASTEST:
        return []
    known = [one for one in (DEGREES, 2 * math.pi) if math.isclose(first, one, rel_tol=1e-4)]
    return list(dict.fromkeys((*known, float(f"{first:.3g}"), round(first, 6), first)))


def _list_bases(
    frequencies: Values,
    spread: Values,
    measurable: NDArray[np.bool_],
    step: float,
    exponents: Mapping[str, float],
) -> list[tuple[str, float]]:
    """Return exponents with a base each, the roundest numbers first."""
    i = np.arange(len(frequencies))
    use = measurable & (frequencies > 0) & (i > 0)
    if not use.any():
        return []
    logs = np.log(frequencies[use] / step)
    weight = (frequencies[use] / spread[use]) ** 2
    slope = -float((weight * i[use] * logs).sum() / (weight * i[use] ** 2).sum())
    off = 4 * float((weight * i[use] ** 2).sum()) ** -0.5
    found = []
    for order, (name, steps) in enumerate(exponents.items()):
        exact = slope * steps
        if not 1e-6 < exact < 80:
            continue
        base = math.exp(exact)
        for value in dict.fromkeys(
            (10000.0, *_list_short_roundings(base, base * math.expm1(off * steps)))
        ):
            if abs(math.log(value) - exact) <= off * steps and value > 1:
                found.append((_count_digits(value), order, name, value))
        found.append((20, order, name, base))
    return [(name, value) for _, _, name, value in sorted(found)]


def _list_short_roundings(value: float, off: float) -> list[float]:
    """Return roundings of a value that lie within off of it, the shortest first."""
    tried = [float(f"{value:.{digits}e}") for digits in range(8)]
    return list(dict.fromkeys(t for t in tried if abs(t - value) <= off))


def _count_digits(value: float) -> int:
    """Return how many digits a number needs; the base of the paper counts as the simplest."""
    if value == 10000:
        return 0
    return next((d + 1 for d in range(16) if float(f"{value:.{d}e}") == value), 17)


def _find_start(z: Complex, omega: Values, measurable: NDArray[np.bool_], direction: int) -> float:
    """Return how many rows before the first one all waves have the angle 0."""
    angles = direction * np.angle(z)
    slow_first = [i for i in np.argsort(omega) if omega[i] > 0 and measurable[i]]
    turns = np.arange(-TURNS, TURNS + 1)  # of the slowest pair, before the first row
    starts = (angles[slow_first[0]] + 2 * math.pi * turns) / omega[slow_first[0]]
    worst = np.zeros(len(turns))
    for i in slow_first[1:]:
        missing = (angles[i] - starts * omega[i] + math.pi) % (2 * math.pi) - math.pi
        starts += missing / omega[i]
        worst = np.maximum(worst, abs(missing))
    # Of the starts that fit best, the one nearest to 0.
    good = worst <= worst.min() + 0.05
    return float(starts[good][abs(starts[good]).argmin()])


def _list_likely_fits(best: Fit | None, exponents: Mapping[str, float]) -> Iterator[Fit]:
    """Yield usual conventions, for angles that are too coarse to measure a base."""
    if best is None:
        return
    bases = dict.fromkeys((10000.0, best.base, 500000.0, 1000000.0))
    starts = dict.fromkeys((0.0, 1.0, float(round(best.start))))
    senses = dict.fromkeys(((best.factor, best.direction), (1j, -1), (1 + 0j, 1)))
    for base, (exponent, steps), start, (factor, direction) in itertools.product(
        bases, exponents.items(), starts, senses
    ):
        if base is not None:
            omega = base ** -(np.arange(len(best.frequencies)) / steps)
            yield Fit(omega, base, exponent, start, 1.0, factor, direction, best.scale, "")


def _fit_narrow_angles(
    guess: Fit, z: Complex, rows: NDArray[np.int64], dtype: str, few: NDArray[np.int64]
) -> Fit | None:
    """Return the guess where angles in too narrow a dtype explain every entry."""
    some = few[:: max(1, len(few) // FEW)]
    positions = guess.start + guess.step * rows.astype(np.float64)
    for narrow in NARROW:  # first whether it is possible at all
        if check_in_dtype(guess, z[some], rows[some], dtype, narrow).breaches:
            continue
        for way, versions in precision.list_narrow_angles(
            positions, guess.frequencies, guess.base, narrow
        ):
            named = replace(guess, angles=narrow, rounded=way)
            waves = [
                guess.scale * guess.factor * np.exp(1j * guess.direction * a) for a in versions
            ]
            allowed = np.zeros(z.shape)
            if "angles" not in way:  # these are float32, then
                allowed = precision.bound_angle_error(positions, guess.frequencies, "float32")
            checked = _check_nearest_version(
                named, z[some], [w[some] for w in waves], allowed[some], dtype
            )
            if checked.holds:
                checked = _check_nearest_version(named, z, waves, allowed, dtype)
            if checked.holds:
                return checked
    return None


def check_in_dtype(guess: Fit, z: Complex, rows: NDArray[np.int64], dtype: str, angles: str) -> Fit:
    """Judge whether entries lie where angles of some dtype may put them."""
    expected = guess.waves(rows.astype(np.float64))
    positions = guess.start + guess.step * rows.astype(np.float64)
    allowed = precision.bound_angle_error(positions, guess.frequencies, angles)
    if guess.spread is not None:  # as far as frequencies can be measured
        allowed = allowed + np.multiply.outer(abs(rows - rows[0]), guess.spread)
    return _find_differences(replace(guess, angles=angles), z, expected, allowed, dtype)


def _check_nearest_version(
    guess: Fit, z: Complex, versions: list[Complex], allowed: Values, dtype: str
) -> Fit:
    """Return the guess with differences of each entry from the nearest version."""
    apart = np.array([abs(z - version) for version in versions])
    nearest = np.take_along_axis(np.array(versions), apart.argmin(axis=0)[np.newaxis], axis=0)[0]
    checked = _find_differences(replace(guess, angles="float32"), z, nearest, allowed, dtype)
    return replace(checked, angles=guess.angles)
