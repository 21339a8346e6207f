"""Waves: frequencies, base, start and direction of pairs of channels that turn.

A pair of channels is read as one complex number for each row,

    z = scale · κ · exp(i·σ·(start + step·r)·ω),

with κ one of 1, i, -1, -i and σ = ±1. From a row to the next z turns by ω, so ω is measured
and refined over longer and longer distances; what is measured suggests conventions, and those
are then computed anew and held against every row. Nothing is named because it is near.

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

Values = NDArray[np.float64]
Complex = NDArray[np.complex128]

NARROW = ("float16", "bfloat16")

FACTORS = (1j, 1 + 0j, -1j, -1 + 0j)

# So many rows tell whether it is worth looking at all.
FEW = 24

# So many rows, and so many steps either way, refine a frequency of a narrow dtype.
SOME = 200
FINER = 32

# A first pair that turns by more than this from row to row is not looked for.
FASTEST = 1000.0

# A start is looked for within so many turns of the slowest pair, either way.
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
    turn: int  # σ
    scale: float
    angles: str
    spread: Values | None = None  # of frequencies that were measured, and follow no rule
    rounded: tuple[str, ...] = ()
    largest: float = math.inf
    limit: float = 0.0
    breaches: int = 0
    telling: bool = True  # whether the limits of most entries are narrower than the entries
    looked_at: int = 0
    first: tuple[int, int] | None = None  # row of the sample and pair of the first breach

    @property
    def holds(self) -> bool:
        """Whether no entry lies beyond its limit, where the limits say anything."""
        return self.telling and not self.breaches

    def waves(self, rows: Values) -> Complex:
        """Return the waves of these rows under these conventions."""
        positions = self.start + self.step * rows
        exact = exactly(self.frequencies)
        if self.base is not None and self.exponent in ("paper", "tensor2tensor"):
            of_base = exact_inv_freq(2 * len(self.frequencies), self.base, self.exponent)
            if np.allclose(of_base.radians, self.frequencies, rtol=1e-12, atol=0):  # d is even
                exact = of_base
        sin, cos = sin_cos(positions, exact)
        return self.scale * self.factor * (cos + 1j * self.turn * sin)


def fit(
    z: Complex, rows: NDArray[np.int64], dtype: str, exponents: Mapping[str, float]
) -> Fit | None:
    """Return the conventions that explain waves (rows, n), or those that come nearest.

    `exponents` gives, for each name, what the index of a pair is divided by.
    """
    scale = _scale(z, dtype)
    if scale is None or len(rows) < 2:
        return None
    best: Fit | None = None
    few = np.unique(np.linspace(0, len(rows) - 1, FEW).astype(np.int64))
    few = np.union1d(few, np.arange(min(4, len(rows))))
    for farthest in (None, 32, 4):
        if farthest is not None and rows[-1] - rows[0] <= farthest:
            continue
        for guess in _guesses(z, rows, dtype, exponents, scale, farthest):
            judged = judge(guess, z[few], rows[few], dtype)
            if judged.holds:
                judged = judge(guess, z, rows, dtype)
            if judged.holds:
                return _explained(judged, z, rows, dtype, few, exponents)
            if best is None or _further(judged) < _further(best):
                best = judged
    for guess in _likely(best, exponents):
        narrow = _in_narrow_angles(guess, z, rows, dtype, few)
        if narrow is not None:
            return narrow
    return best if best is None else judge(best, z, rows, dtype)


def _further(fit: Fit) -> tuple[bool, int]:
    """Return how far waves are from being explained, the lower the nearer."""
    return not fit.telling, fit.breaches


def _explained(
    found: Fit,
    z: Complex,
    rows: NDArray[np.int64],
    dtype: str,
    few: NDArray[np.int64],
    exponents: Mapping[str, float],
) -> Fit:
    """Return a fit as it is, or where it has no base, one of narrow frequencies that has one."""
    if found.base is not None or len(found.frequencies) < 2:
        return found
    for guess in _likely(found, exponents):
        if guess.base is None or judge(guess, z[few], rows[few], dtype).holds:
            continue
        narrow = _in_narrow_angles(guess, z, rows, dtype, few)
        if narrow is not None:
            return narrow
    return found


def judge(guess: Fit, z: Complex, rows: NDArray[np.int64], dtype: str) -> Fit:
    """Return the guess with what became of it, at the first precision where it holds."""
    for angles in dict.fromkeys((precision.angles_for(dtype), "float32")):
        judged = within(guess, z, rows, dtype, angles)
        if judged.holds:
            break
    return judged


def _held(guess: Fit, z: Complex, expected: Complex, allowed: Values, dtype: str) -> Fit:
    """Return the guess with the largest difference, its limit, and the first breach."""
    over = np.full(z.shape, -np.inf)
    apart, limits = np.zeros(z.shape), np.zeros(z.shape)
    for part in (np.real, np.imag):
        value = part(expected)
        difference = abs(part(z) - value)
        limit = precision.entry_limit(value, allowed, dtype, guess.angles, guess.scale)
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
        telling=bool((limits <= guess.scale / 2).mean() >= 0.5),
        looked_at=len(z),
        first=first,
    )


def _scale(z: Complex, dtype: str) -> float | None:
    """Return the length that all pairs have, or None where lengths differ."""
    lengths = abs(z)
    scale = float(np.median(lengths))
    unit = precision.UNITS[dtype] + 4 * precision.UNITS[precision.angles_for(dtype)]
    if not scale > 0 or float(abs(lengths - scale).max()) > 4 * unit * scale:
        return None
    n = z.shape[1]
    for simple in (1.0, *(m**e for m in (2.0 * n, float(n)) for e in (0.5, -0.5))):
        if abs(scale - simple) <= 4 * unit * simple:
            return float(simple)
    return scale


def _guesses(
    z: Complex,
    rows: NDArray[np.int64],
    dtype: str,
    exponents: Mapping[str, float],
    scale: float,
    farthest: int | None,
) -> Iterator[Fit]:
    """Yield conventions that are worth computing, the simplest numbers first."""
    measured, spread = _measured(z, rows, dtype, farthest)
    seen = abs(measured) > 8 * spread
    if not seen.any():
        return
    turning = np.sign(measured[seen] / spread[seen]).sum()
    turn = 1 if turning > 0 else -1
    frequencies = np.where(np.sign(measured) == turn, abs(measured), 0.0)
    for step, base, exponent in _rules(frequencies, spread, seen, exponents):
        if base is not None and exponent is not None:
            index = np.arange(len(frequencies)) / exponents[exponent]
            omega = base**-index
        elif step == 1:
            omega = frequencies
        else:
            continue
        starts = []
        for order, factor in enumerate(FACTORS):
            start = _start(z[0] / factor, omega * step, seen, turn) - float(rows[0])
            for s in dict.fromkeys((float(round(start)), round(2 * start) / 2, start)):
                if abs(s - start) <= 0.3:
                    starts.append((s != round(s), s != round(2 * s) / 2, order, s, factor))
        for _, _, _, s, factor in sorted(starts, key=lambda found: found[:4]):
            guess = Fit(omega, base, exponent, s * step, step, factor, turn, scale, "")
            if base is None and dtype in NARROW:
                guess = _refined(guess, spread, z, rows, dtype)
            yield guess


def _refined(guess: Fit, spread: Values, z: Complex, rows: NDArray[np.int64], dtype: str) -> Fit:
    """Return measured frequencies, each moved within its spread to where it fits best.

    In a narrow dtype a measured frequency is too coarse to be held against every row.
    """
    some = np.unique(np.linspace(0, len(rows) - 1, SOME).astype(np.int64))
    steps = np.linspace(-1, 1, 2 * FINER + 1)
    positions = guess.start + rows[some].astype(np.float64)
    best, least = guess.frequencies, np.full(len(guess.frequencies), np.inf)
    for part in steps:
        omega = np.where(guess.frequencies > 0, guess.frequencies + part * spread, 0.0)
        waves = np.exp(1j * guess.turn * np.multiply.outer(positions, omega))
        expected = guess.scale * guess.factor * waves
        over = [
            abs(of(z[some]) - of(expected)) - precision.UNITS[dtype] * abs(of(expected))
            for of in (np.real, np.imag)
        ]
        worst = np.maximum(*over).max(axis=0)
        best, least = np.where(worst < least, omega, best), np.minimum(worst, least)
    return replace(guess, frequencies=best, spread=spread / FINER)


def _measured(
    z: Complex, rows: NDArray[np.int64], dtype: str, farthest: int | None
) -> tuple[Values, Values]:
    """Return by how much each pair turns from row to row, and how uncertain that is."""
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
    return omega, noise + 80 * precision.UNITS[precision.angles_for(dtype)] * abs(omega)


def _rules(
    frequencies: Values, spread: Values, seen: NDArray[np.bool_], exponents: Mapping[str, float]
) -> Iterator[tuple[float, float | None, str | None]]:
    """Yield (step, base, exponent) that the frequencies suggest; at last, no base at all."""
    steps = [1.0]
    if not frequencies[0] > 8 * spread[0]:
        steps = []
    elif abs(frequencies[0] - 1) > 2 * spread[0]:
        size = float(frequencies[0])
        steps = list(dict.fromkeys((*_simple(size, spread[0]), size)))
        inverse = [1 / s for s in _simple(1 / size, float(spread[0]) / size**2)]
        steps = [*inverse, *steps]
    if len(frequencies) > 1 and seen[1:].any():
        for step in steps[:3]:
            yield from (
                (step, base, name)
                for name, base in _bases(frequencies, spread, seen, step, exponents)
            )
        fast = _faster(frequencies, seen)
        slow = seen & (np.arange(len(seen)) >= len(seen) // 2)
        for step in fast:
            for name, base in _bases(frequencies, spread, slow, step, exponents):
                yield step, base, name
    yield 1.0, None, None


def _faster(frequencies: Values, seen: NDArray[np.bool_]) -> list[float]:
    """Return frequencies of the first pair, by the slower half, if it is too fast to be seen.

    A pair that turns by more than half from row to row looks like one that turns less.
    """
    n = len(frequencies)
    slow = np.flatnonzero(seen & (frequencies > 0) & (np.arange(n) >= n // 2))
    if len(slow) < 2:
        return []
    slope, start = np.polyfit(slow, np.log(frequencies[slow]), 1)
    first = math.exp(min(start, 700.0))
    if slope >= 0 or not math.pi < first < FASTEST:
        return []
    return list(dict.fromkeys((float(f"{first:.3g}"), round(first, 6), first)))


def _bases(
    frequencies: Values,
    spread: Values,
    seen: NDArray[np.bool_],
    step: float,
    exponents: Mapping[str, float],
) -> list[tuple[str, float]]:
    """Return exponents with a base each, the roundest numbers first."""
    i = np.arange(len(frequencies))
    use = seen & (frequencies > 0) & (i > 0)
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
        for value in dict.fromkeys((10000.0, *_simple(base, base * math.expm1(off * steps)))):
            if abs(math.log(value) - exact) <= off * steps and value > 1:
                found.append((_digits(value), order, name, value))
        found.append((20, order, name, base))
    return [(name, value) for _, _, name, value in sorted(found)]


def _simple(value: float, off: float) -> list[float]:
    """Return roundings of a value that lie within off of it, the shortest first."""
    tried = [float(f"{value:.{digits}e}") for digits in range(8)]
    return list(dict.fromkeys(t for t in tried if abs(t - value) <= off))


def _digits(value: float) -> int:
    """Return how many digits a number needs; the base of the paper counts as the simplest."""
    if value == 10000:
        return 0
    return next((d + 1 for d in range(16) if float(f"{value:.{d}e}") == value), 17)


def _start(z: Complex, omega: Values, seen: NDArray[np.bool_], turn: int) -> float:
    """Return how many rows before the first one all waves stood at the angle 0."""
    angles = turn * np.angle(z)
    slow_first = [i for i in np.argsort(omega) if omega[i] > 0 and seen[i]]
    turns = np.arange(-TURNS, TURNS + 1)  # of the slowest pair, before the first row
    starts = (angles[slow_first[0]] + 2 * math.pi * turns) / omega[slow_first[0]]
    worst = np.zeros(len(turns))
    for i in slow_first[1:]:
        missing = (angles[i] - starts * omega[i] + math.pi) % (2 * math.pi) - math.pi
        starts += missing / omega[i]
        worst = np.maximum(worst, abs(missing))
    # Of those that need the least mending, the one nearest to 0.
    good = worst <= worst.min() + 0.05
    return float(starts[good][abs(starts[good]).argmin()])


def _likely(best: Fit | None, exponents: Mapping[str, float]) -> Iterator[Fit]:
    """Yield what may have been meant where angles are too coarse to measure a base."""
    if best is None:
        return
    bases = dict.fromkeys((10000.0, best.base, 500000.0, 1000000.0))
    starts = dict.fromkeys((0.0, 1.0, float(round(best.start))))
    senses = dict.fromkeys(((best.factor, best.turn), (1j, -1), (1 + 0j, 1)))
    for base, (exponent, steps), start, (factor, turn) in itertools.product(
        bases, exponents.items(), starts, senses
    ):
        if base is not None:
            omega = base ** -(np.arange(len(best.frequencies)) / steps)
            yield Fit(omega, base, exponent, start, 1.0, factor, turn, best.scale, "")


def _in_narrow_angles(
    guess: Fit, z: Complex, rows: NDArray[np.int64], dtype: str, few: NDArray[np.int64]
) -> Fit | None:
    """Return the guess where angles in too narrow a dtype explain every entry."""
    some = few[:: max(1, len(few) // FEW)]
    positions = guess.start + guess.step * rows.astype(np.float64)
    for narrow in NARROW:  # first whether it is possible at all
        if within(guess, z[some], rows[some], dtype, narrow).breaches:
            continue
        for way, versions in precision.narrow_angles(
            positions, guess.frequencies, guess.base, narrow
        ):
            named = replace(guess, angles=narrow, rounded=way)
            waves = [guess.scale * guess.factor * np.exp(1j * guess.turn * a) for a in versions]
            allowed = np.zeros(z.shape)
            if "angles" not in way:  # these are float32, then
                allowed = precision.angle_error(positions, guess.frequencies, "float32")
            judged = _nearest(named, z[some], [w[some] for w in waves], allowed[some], dtype)
            if judged.holds:
                judged = _nearest(named, z, waves, allowed, dtype)
            if judged.holds:
                return judged
    return None


def within(guess: Fit, z: Complex, rows: NDArray[np.int64], dtype: str, angles: str) -> Fit:
    """Judge whether entries lie where angles of some dtype may put them."""
    expected = guess.waves(rows.astype(np.float64))
    positions = guess.start + guess.step * rows.astype(np.float64)
    allowed = precision.angle_error(positions, guess.frequencies, angles)
    if guess.spread is not None:  # as far as frequencies can be measured
        allowed = allowed + np.multiply.outer(abs(rows - rows[0]), guess.spread)
    return _held(replace(guess, angles=angles), z, expected, allowed, dtype)


def _nearest(guess: Fit, z: Complex, versions: list[Complex], allowed: Values, dtype: str) -> Fit:
    """Judge each entry by the version that comes nearest; sine and cosine in float32."""
    apart = np.array([abs(z - version) for version in versions])
    nearest = np.take_along_axis(np.array(versions), apart.argmin(axis=0)[np.newaxis], axis=0)[0]
    judged = _held(replace(guess, angles="float32"), z, nearest, allowed, dtype)
    return replace(judged, angles=guess.angles)
