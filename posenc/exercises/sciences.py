"""Exercises of the chapter on positions in other sciences."""

import math
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from typing import Any

import numpy as np

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges

# Easy: the same stretch of DNA on the other strand.


# --8<-- [start:sciences-easy]
def on_other_strand(start: int, stop: int, length: int) -> tuple[int, int]:
    """Return start and stop of the partners, two integers."""
    return length - stop, length - start
    # --8<-- [end:sciences-easy]


def not_exchanged(start: int, stop: int, length: int) -> tuple[int, int]:
    """Let the start be the start."""
    return length - start, length - stop


# --8<-- [start:sciences-easy-wrong]
def off_by_one(start: int, stop: int, length: int) -> tuple[int, int]:
    """Mirror both ends as if they were bases."""
    return length - 1 - stop, length - 1 - start
    # --8<-- [end:sciences-easy-wrong]


def of_bases(start: int, stop: int, length: int) -> tuple[int, int]:
    """Mirror the bases, and look where the first and the last one are."""
    mirrored = [length - 1 - p for p in range(start, stop)] or [-1]
    return min(mirrored), max(mirrored) + 1


@judges("forwards", hint="start and stop were mirrored, but not exchanged.", wrong=not_exchanged)
def forwards(answer: Answer) -> str | None:
    """A stretch is as long as before."""
    start, stop = answer(2, 7, 20)
    return differs(stop - start, 5, at="stop - start of bases 2 to 7 of 20")


@judges(
    "same bases",
    hint="stop was mirrored as if it were a base; it is the first base after the gene.",
    wrong=off_by_one,
)
def same_bases(answer: Answer) -> str | None:
    """It begins at the partner of the last base, and ends after that of the first."""
    return first(
        differs(answer(a, b, n), [n - 1 - (b - 1), n - 1 - a + 1], at=f"bases {a} to {b} of {n}")
        for a, b, n in [(2, 7, 20), (0, 1, 9), (5, 9, 9), (0, 4, 4)]
    )


@judges(
    "cut between bases",
    hint="bases were mirrored one by one, and a cut has none.",
    wrong=of_bases,
)
def cut(answer: Answer) -> str | None:
    """A cut between two bases has a length of 0."""
    cases = [(c, answer(c, c, 9)) for c in (3, 0, 9)]
    return first(differs(found, [9 - c, 9 - c], at=f"cut at {c} of 9") for c, found in cases)


# Medium: a year that fits.


# --8<-- [start:sciences-medium]
def year_encoding(moment: datetime) -> Any:
    """Return sine and cosine of the part of its year that is over, shape (2,)."""
    moment = moment.astimezone(UTC)
    new = datetime(moment.year, 1, 1, tzinfo=UTC)
    next_one = datetime(moment.year + 1, 1, 1, tzinfo=UTC)
    angle = 2 * math.pi * ((moment - new) / (next_one - new))
    return math.sin(angle), math.cos(angle)
    # --8<-- [end:sciences-medium]


def of_mean_years(moment: datetime) -> Any:
    """Divide the time since 1970 by the mean length of a year."""
    angle = 2 * math.pi * moment.timestamp() / (365.2425 * 86_400)
    return math.sin(angle), math.cos(angle)


# --8<-- [start:sciences-medium-wrong]
def of_365_days(moment: datetime) -> Any:
    """Give every year 365 days."""
    new = datetime(moment.year, 1, 1, tzinfo=UTC)
    angle = 2 * math.pi * ((moment - new) / timedelta(days=365))
    return math.sin(angle), math.cos(angle)
    # --8<-- [end:sciences-medium-wrong]


def as_written(moment: datetime) -> Any:
    """Take the clock for UTC, whatever its zone."""
    return year_encoding(moment.replace(tzinfo=UTC))


@judges(
    "New Year",
    hint="all years were given one length, so that New Year drifts.",
    wrong=of_mean_years,
)
def new_year(answer: Answer) -> str | None:
    """Each year starts with the same encoding."""
    firsts = [datetime(year, 1, 1, tzinfo=UTC) for year in (1970, 1999, 2000, 2024, 2101)]
    return first(
        differs(answer(moment), [0, 1], at=f"{moment:%Y-%m-%d}", within=1e-6) for moment in firsts
    )


@judges(
    "December",
    hint="the year was given 365 days, and a leap year goes beyond its end.",
    wrong=of_365_days,
)
def december(answer: Answer) -> str | None:
    """The last second of a year is close to it."""
    lasts = [datetime(year, 12, 31, 23, 59, 59, tzinfo=UTC) for year in (2023, 2024, 2100)]
    return first(
        differs(answer(moment), [0, 1], at=f"{moment:%Y-%m-%d %H:%M:%S}", within=1e-6)
        for moment in lasts
    )


@judges("one moment", hint="the clock was read without its zone.", wrong=as_written)
def one_moment(answer: Answer) -> str | None:
    """One moment has one encoding on clocks of three time zones."""
    half = datetime(2024, 7, 2, tzinfo=UTC)
    zones = [timezone(timedelta(hours=hours)) for hours in (0, -8, 9)]
    return first(
        differs(answer(moment), [0, -1], at=f"{moment:%Y-%m-%d %H:%M %Z}", within=1e-6)
        for moment in (half.astimezone(zone) for zone in zones)
    )


# Hard: an encoding of orientations.


# --8<-- [start:sciences-hard]
def orientation_encoding(q: Any) -> Any:
    """Return the encoding of a quaternion (w, x, y, z), shape (n,)."""
    return np.outer(q, q).ravel()
    # --8<-- [end:sciences-hard]


# --8<-- [start:sciences-hard-wrong]
def positive(q: Any) -> Any:
    """Choose the one of the two quaternions that begins with a positive number."""
    return np.asarray(q) * (1 if q[0] >= 0 else -1)
    # --8<-- [end:sciences-hard-wrong]


def two_rows(q: Any) -> Any:
    """Take two rows of the rotation matrix."""
    return matrix(q)[:2].ravel()


def one_axis(q: Any) -> Any:
    """Say where the first axis of the body points."""
    return matrix(q)[:, 0]


def product(g: Any, h: Any) -> Any:
    """Return the quaternion of h followed by g."""
    v, w = np.asarray(g[1:]), np.asarray(h[1:])
    return np.array([g[0] * h[0] - v @ w, *(g[0] * w + h[0] * v + np.cross(v, w))])


def matrix(q: Any) -> Any:
    """Return the rotation matrix of a quaternion, column by column."""
    back = np.array([1, -1, -1, -1]) * q
    return np.array([product(product(q, axis), back)[1:] for axis in np.eye(4)[1:]]).T


def about(axis: Any, angle: float) -> Any:
    """Return the quaternion of a rotation by this angle in degrees."""
    half = math.radians(angle) / 2
    return np.array([math.cos(half), *(math.sin(half) * np.asarray(axis) / np.linalg.norm(axis))])


SOME = [q / np.linalg.norm(q) for q in np.random.default_rng(0).normal(size=(8, 4))]


@judges(
    "two quaternions",
    hint="a quaternion and its negative are one orientation, but have two encodings.",
    wrong=np.asarray,
)
def two_quaternions(answer: Answer) -> str | None:
    """A quaternion and its negative are one orientation."""
    return first(differs(answer(-q), answer(q), at=f"-q, q={q.round(2).tolist()}") for q in SOME)


@judges(
    "no jump",
    hint="one of the two quaternions was chosen, and somewhere the choice flips.",
    wrong=positive,
)
def no_jump(answer: Answer) -> str | None:
    """Along small rotations the encoding does not jump."""
    for axis in ([0, 0, 1], [1, 2, -2]):
        encodings = np.array([answer(product(about(axis, t), SOME[0])) for t in range(721)])
        steps = np.linalg.norm(np.diff(encodings, axis=0), axis=1)
        at = f"longest step about axis {axis}, at {steps.argmax()} degrees, over the mean step"
        if wrong := differs(steps.max() / steps.mean(), 1.0, at=at, within=2):
            return wrong
    return None


@judges(
    "another map",
    hint="rows were taken for columns; columns say where the axes of the body point.",
    wrong=two_rows,
)
def another_map(answer: Answer) -> str | None:
    """The score of two orientations is the same on a rotated map."""
    for p, q in pairwise(SOME):
        moved = np.dot(answer(product(SOME[-1], p)), answer(product(SOME[-1], q)))
        if wrong := differs(moved, np.dot(answer(p), answer(q)), at="dot product on a rotated map"):
            return wrong
    return None


@judges(
    "tell apart",
    hint="a direction was encoded; a body can still rotate about it.",
    wrong=one_axis,
)
def apart(answer: Answer) -> str | None:
    """Different orientations have different encodings."""
    for axis, angle in [(a, b) for a in "xyz" for b in (20, 180)]:
        rotated = product(SOME[0], about([axis == name for name in "xyz"], angle))
        far = float(np.linalg.norm(answer(rotated) - answer(SOME[0])))
        at = f"distance after {angle} degrees about the {axis} axis of the body"
        if wrong := differs(min(far, 0.01), 0.01, at=at):
            return wrong
    return None


EXERCISES = (
    Exercise("sciences-easy", on_other_strand, (forwards, same_bases, cut)),
    Exercise("sciences-medium", year_encoding, (new_year, december, one_moment)),
    Exercise("sciences-hard", orientation_encoding, (two_quaternions, no_jump, another_map, apart)),
)
