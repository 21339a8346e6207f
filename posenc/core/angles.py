"""Sine and cosine of position times frequency, within 6e-17 for frequencies up to 2**40.

A plain `np.sin(p * ω)` loses a digit for every factor of ten in p: rounding ω moves the
angle by p times the rounding error, and rounding the product moves it again. Here ω is kept
in turns, as a sum of three float64, so that whole turns can be left out exactly. What is left
is the nearest of 2048 steps on the circle, whose sine and cosine are in a table, and less
than a step beside it, for which a short series does. It uses only sums and products, which
are the same on every machine, so the bound below follows from their roundings.

Letters in this module
    p  position, real, at most 2**53      ω  angular frequency, radians per position
    n  frequencies
"""

import math
from collections.abc import Iterable
from decimal import Context, Decimal, localcontext
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# 2**27 + 1 cuts the 53 bits of a float64 into two halves whose products are exact.
CUT = 134217729.0

# Steps of a whole turn. Half a step is 0.0015 radians, so that the powers of it that the
# series below leave out are below 2e-20.
STEPS = 2048

# Up to so many turns, what three float64 add to the first one is far less than a step.
NEAR = 2.0**33

# Entries at a time, so that intermediate results stay in the cache.
BLOCK = 2**13

# Decimals, and binary places, that frequencies in turns are cut to first.
EXACT = Context(prec=60)
PLACES = 200
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
TURN = EXACT.multiply(2, PI)
PER_RADIAN = EXACT.divide(2**PLACES, TURN)

# A slower frequency has too few of those places; any angle of it is below 1e-14.
SLOWEST = Decimal(2.0**-100)  # a comparison with a float takes five times as long


class Frequencies(NamedTuple):
    """Angular frequencies, rounded and exact."""

    radians: Floats  # (n,), per position, each the nearest float64
    turns: Floats  # (n, 3), per position; the exact number is the sum of the three


def exactly(radians: Floats) -> Frequencies:
    """Return frequencies (n,) whose float64 are taken as exact."""
    return Frequencies(radians, in_turns(map(Decimal, radians.tolist())))


def in_turns(radians: Iterable[Decimal]) -> Floats:
    """Return exact frequencies in turns, (n, 3): the nearest float64, what it lacks, and so on."""
    parts = []
    for omega in radians:
        if 0 < abs(omega) < SLOWEST:
            parts.append((float(EXACT.multiply(omega, PER_RADIAN)), 0.0, 0.0))
            continue
        lacking = int(EXACT.multiply(omega, PER_RADIAN))
        first = float(lacking)
        lacking -= int(first)
        second = float(lacking)
        parts.append((first, second, float(lacking - int(second))))
    with np.errstate(under="ignore"):
        return np.array(parts).reshape(-1, 3) * 2.0**-PLACES


def sin_cos(positions: Floats, frequencies: Frequencies) -> tuple[Floats, Floats]:
    """Return sin(p·ω) and cos(p·ω), each of shape positions.shape + (n,), within [-1, 1].

    The error is at most 6e-17 where ω is at most 2**40, which docs/chapters/aliasing.md proves
    (eq-single-entry); half a unit in the last place is 5.6e-17. Beyond, up to 2**53, the
    rounding of the third part of ω counts too, and it is at most 3e-16. That of a plain
    float64 product is 1e-10 at a million and of order 1 at 2**53.
    """
    turns = frequencies.turns.T
    p = positions.reshape(-1, 1)
    sin, cos = np.empty((2, p.size, turns.shape[1]))
    step = max(1, BLOCK // max(1, turns.shape[1]))
    # --8<-- [start:single]
    for first in range(0, p.size, step):
        rows = slice(first, first + step)
        whole, rest = _steps(p[rows], turns)
        sin[rows], cos[rows] = _waves(whole, rest)
    # --8<-- [end:single]
    shape = (*positions.shape, turns.shape[1])
    return sin.reshape(shape), cos.reshape(shape)


def _steps(p: Floats, turns: Floats) -> tuple[Floats, Floats]:
    """Return p·ω without whole turns: as a whole number of steps, and in steps what is left."""
    first, second, third = turns
    whole, rest = near_steps(p, first, second)
    # Row by row, so that the rounding of a position does not depend on its neighbours.
    far = np.abs(p[:, 0]) * np.abs(first).max(initial=0) >= NEAR
    if far.any():
        whole[far], rest[far] = far_steps(p[far], first, second, third)
    return whole, rest


def near_steps(p: Floats, first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return the steps of p·ω, and what is left, for an angle of at most NEAR turns."""
    # --8<-- [start:near]
    angle, small = p * first, p * second
    lacking = product_error(p, first, angle)
    whole, rest = nearest_step(angle)
    return whole, rest + STEPS * (lacking + small)
    # --8<-- [end:near]


def far_steps(p: Floats, first: Floats, second: Floats, third: Floats) -> tuple[Floats, Floats]:
    """Return the steps of p·ω, and what is left, for any number of turns."""
    # --8<-- [start:far]
    angle, small = p * first, p * second
    lacking, least = product_error(p, first, angle), product_error(p, second, small)
    whole, rest = nearest_step(angle)
    for part in (lacking, small, least, p * third):
        more, left = nearest_step(part)
        whole = whole + more
        rest = rest + left
    more = np.rint(rest)
    return whole + more, rest - more
    # --8<-- [end:far]


def nearest_step(turns: Floats) -> tuple[Floats, Floats]:
    """Return how many steps are nearest to an angle without whole turns, and what is left."""
    # --8<-- [start:step]
    steps = STEPS * (turns - np.rint(turns))
    whole = np.rint(steps)
    return whole, steps - whole
    # --8<-- [end:step]


def _waves(whole: Floats, rest: Floats) -> tuple[Floats, Floats]:
    """Return sine and cosine of a whole number of steps and a rest."""
    places = whole.astype(np.intp) & (STEPS - 1)
    (sin, sin_low), (cos, cos_low) = (t.take(places, axis=1) for t in circle())
    return beside(rest, sin, sin_low, cos, cos_low)


def beside(
    rest: Floats, sin: Floats, sin_low: Floats, cos: Floats, cos_low: Floats
) -> tuple[Floats, Floats]:
    """Return sine and cosine beside a step whose own are given, by angle addition."""
    # --8<-- [start:beside]
    t = rest * (2 * math.pi / STEPS)
    square = t * t
    sin_t = t + t * square * (square / 120 - 1 / 6)
    cos_t = square * (square / 24 - 1 / 2)  # less 1, which is added last
    return (
        sin + (sin_low + (sin * cos_t + cos * sin_t)),
        cos + (cos_low + (cos * cos_t - sin * sin_t)),
    )
    # --8<-- [end:beside]


@cache
def circle() -> tuple[Floats, Floats]:
    """Return sine and cosine of each step, (2, STEPS): nearest float64, and what it lacks."""
    quarter = STEPS // 4
    with localcontext(EXACT):
        sines, cosines = [Decimal(0)], [Decimal(1)]
        step = TURN / STEPS
        square, sin, cos, term = step * step, Decimal(0), Decimal(0), Decimal(1)
        for k in range(0, 24, 2):  # the series, up to 1e-80
            cos += term
            sin += term * step / (k + 1)
            term *= -square / ((k + 1) * (k + 2))
        for _ in range(quarter):
            s, c = sines[-1], cosines[-1]
            sines.append(s * cos + c * sin)
            cosines.append(c * cos - s * sin)
        nearest = [float(s) for s in sines]
        low = [float(s - Decimal(near)) for s, near in zip(sines, nearest, strict=True)]
    rise = np.array([nearest, low])  # (2, quarter + 1), from 0 to 1
    half = np.concatenate([rise[:, :-1], rise[:, :0:-1]], axis=1)
    sine = np.concatenate([half, -half], axis=1)
    return sine, np.roll(sine, -quarter, axis=1)


def product_error(a: Floats, b: Floats, product: Floats) -> Floats:
    """Return a*b - product exactly, where product is a*b rounded (Dekker 1971)."""
    # --8<-- [start:product]
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    error = a_high * b_high - product
    error += a_high * b_low
    if a_low.any():  # not where a is a whole number of 26 bits
        error += a_low * b_high
        error += a_low * b_low
    # --8<-- [end:product]
    return error


def _halves(x: Floats) -> tuple[Floats, Floats]:
    """Return x as a sum of two numbers of 26 bits each (Veltkamp 1968)."""
    cut = CUT * x
    high = cut - (cut - x)
    return high, x - high
