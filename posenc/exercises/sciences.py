"""Exercises of the chapter on positions in other sciences."""

import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from typing import Any

import numpy as np

from posenc.exercises._exercise import Answer, Exercise, Property, differs, first

# Easy: the same stretch of DNA on the other strand.


def on_other_strand(start: int, stop: int, length: int) -> tuple[int, int]:
    """Mirror the cuts between bases, and exchange them."""
    return length - stop, length - start


def not_exchanged(start: int, stop: int, length: int) -> tuple[int, int]:
    """Let the start be the start."""
    return length - start, length - stop


def off_by_one(start: int, stop: int, length: int) -> tuple[int, int]:
    """Mirror both ends as if they were bases."""
    return length - 1 - stop, length - 1 - start


def of_bases(start: int, stop: int, length: int) -> tuple[int, int]:
    """Mirror the bases, and look where the first and the last one are."""
    mirrored = [length - 1 - p for p in range(start, stop)] or [-1]
    return min(mirrored), max(mirrored) + 1


def forwards(answer: Answer) -> str | None:
    """A stretch is as long as before."""
    start, stop = answer(2, 7, 20)
    return differs(stop - start, 5, at="stop - start of bases 2 to 7 of 20")


def same_bases(answer: Answer) -> str | None:
    """It begins at the partner of the last base, and ends after that of the first."""
    return first(
        differs(answer(a, b, n), [n - 1 - (b - 1), n - 1 - a + 1], at=f"bases {a} to {b} of {n}")
        for a, b, n in [(2, 7, 20), (0, 1, 9), (5, 9, 9), (0, 4, 4)]
    )


def cut(answer: Answer) -> str | None:
    """A place between two bases: a stretch of none."""
    cases = [(c, answer(c, c, 9)) for c in (3, 0, 9)]
    return first(differs(found, [9 - c, 9 - c], at=f"cut at {c} of 9") for c, found in cases)


# Medium: a year that fits.


def year_code(moment: datetime) -> Any:
    """Divide the time since New Year by the length of that year, both in UTC."""
    moment = moment.astimezone(UTC)
    new, next_one = (datetime(moment.year + n, 1, 1, tzinfo=UTC) for n in (0, 1))
    angle = 2 * math.pi * ((moment - new) / (next_one - new))
    return np.array([math.sin(angle), math.cos(angle)])


def of_mean_years(moment: datetime) -> Any:
    """Divide the time since 1970 by the mean length of a year."""
    angle = 2 * math.pi * moment.timestamp() / (365.2425 * 86_400)
    return np.array([math.sin(angle), math.cos(angle)])


def of_365_days(moment: datetime) -> Any:
    """Give every year 365 days."""
    days = (moment - datetime(moment.year, 1, 1, tzinfo=UTC)) / timedelta(days=365)
    return np.array([math.sin(2 * math.pi * days), math.cos(2 * math.pi * days)])


def as_written(moment: datetime) -> Any:
    """Take the clock for UTC, whatever its zone."""
    return year_code(moment.replace(tzinfo=UTC))


def showing(form: str, moments: list[datetime], right: Any) -> Callable[[Answer], str | None]:
    """Return the test that all these moments have this code, to a second."""
    return lambda answer: first(
        differs(answer(m), right, at=m.strftime(form), within=1e-6) for m in moments
    )


FIRSTS = [datetime(year, 1, 1, tzinfo=UTC) for year in (1970, 1999, 2000, 2024, 2101)]
LASTS = [datetime(year, 12, 31, 23, 59, 59, tzinfo=UTC) for year in (2023, 2024, 2100)]
HALF = datetime(2024, 7, 2, tzinfo=UTC)  # 183 of 366 days are over
LOCAL = [HALF.astimezone(timezone(timedelta(hours=h))) for h in (0, -8, 9)]

# Hard: a code for orientations.


def turn_code(q: Any) -> Any:
    """Multiply all numbers of the quaternion with each other: a sign comes in twice."""
    return np.outer(q, q).ravel()


def positive(q: Any) -> Any:
    """Choose the one of the two quaternions that begins with a positive number."""
    return np.asarray(q) * (1 if q[0] >= 0 else -1)


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
    """Return the quaternion of a turn by this angle in degrees."""
    half = math.radians(angle) / 2
    return np.array([math.cos(half), *(math.sin(half) * np.asarray(axis) / np.linalg.norm(axis))])


SOME = [q / np.linalg.norm(q) for q in np.random.default_rng(0).normal(size=(8, 4))]


def two_quaternions(answer: Answer) -> str | None:
    """A quaternion and its negative are one turn."""
    return first(differs(answer(-q), answer(q), at=f"-q, q={q.round(2).tolist()}") for q in SOME)


def no_jump(answer: Answer) -> str | None:
    """Two full turns in small steps: no step of the code is much longer than another."""
    for axis in ([0, 0, 1], [1, 2, -2]):
        codes = np.array([answer(product(about(axis, t), SOME[0])) for t in range(721)])
        steps = np.linalg.norm(np.diff(codes, axis=0), axis=1)
        at = f"axis {axis}, step from {steps.argmax()} degrees over the mean"
        if wrong := differs(steps.max() / steps.mean(), 1.0, at=at, within=2):
            return wrong
    return None


def another_map(answer: Answer) -> str | None:
    """The score of two orientations is the same on a map that is turned."""
    for p, q in pairwise(SOME):
        moved = np.dot(answer(product(SOME[-1], p)), answer(product(SOME[-1], q)))
        if wrong := differs(moved, np.dot(answer(p), answer(q)), at="dot product on a turned map"):
            return wrong
    return None


def apart(answer: Answer) -> str | None:
    """Different turns have different codes."""
    for axis, angle in [(a, b) for a in "xyz" for b in (20, 180)]:
        turned = product(SOME[0], about([axis == name for name in "xyz"], angle))
        far = float(np.linalg.norm(answer(turned) - answer(SOME[0])))
        at = f"distance after {angle} degrees about the {axis} axis of the body"
        if wrong := differs(min(far, 0.01), 0.01, at=at):
            return wrong
    return None


EXERCISES = (
    Exercise(
        "sciences-easy",
        "on_other_strand(start, stop, length): start and stop of the partners, two integers",
        (
            Property(
                "forwards",
                forwards,
                "start and stop were mirrored, but not exchanged.",
                not_exchanged,
            ),
            Property(
                "same bases",
                same_bases,
                "stop was mirrored as if it were a base; it is the first one that is not in.",
                off_by_one,
            ),
            Property(
                "cut between bases",
                cut,
                "bases were mirrored one by one, and a cut has none.",
                of_bases,
            ),
        ),
        on_other_strand,
    ),
    Exercise(
        "sciences-medium",
        "year_code(moment): sine and cosine of the part of its year that is over, shape (2,)",
        (
            Property(
                "New Year",
                showing("%Y-%m-%d", FIRSTS, [0, 1]),
                "all years were given one length, so that New Year drifts.",
                of_mean_years,
            ),
            Property(
                "December",
                showing("%Y-%m-%d %H:%M:%S", LASTS, [0, 1]),
                "the year was given 365 days, and a leap year goes beyond its turn.",
                of_365_days,
            ),
            Property(
                "one moment",
                showing("%Y-%m-%d %H:%M %Z", LOCAL, [0, -1]),
                "the clock was read without its zone.",
                as_written,
            ),
        ),
        year_code,
    ),
    Exercise(
        "sciences-hard",
        "turn_code(q): code of the turn of a quaternion (w, x, y, z), an array of shape (n,)",
        (
            Property(
                "two quaternions",
                two_quaternions,
                "a quaternion and its negative, which are one turn, have two codes.",
                np.asarray,
            ),
            Property(
                "no jump",
                no_jump,
                "one of the two quaternions was chosen, and somewhere the choice flips.",
                positive,
            ),
            Property(
                "another map",
                another_map,
                "rows were taken for columns; columns say where the axes of the body point.",
                two_rows,
            ),
            Property(
                "tell apart",
                apart,
                "a direction was encoded; a body can still turn about it.",
                one_axis,
            ),
        ),
        turn_code,
    ),
)
