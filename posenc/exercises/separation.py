"""Exercises of the chapter on telling positions apart."""

import math

import numpy as np
from numpy.typing import NDArray

from posenc.exercises._exercise import Answer, Exercise, Property, code, differs, first, pairs

Array = NDArray[np.float64]

# Easy: a distance that keeps its digits.


def distance(offset: float, d_model: int = 64, base: float = 10000) -> float:
    """Add squares of chords."""
    return 2 * math.hypot(*np.sin(pairs(d_model, base) * offset / 2))


def of_arcs(offset: float, d_model: int = 64, base: float = 10000) -> float:
    """Add squares of angles."""
    return math.hypot(*(pairs(d_model, base) * offset))


def of_cosines(offset: float, d_model: int = 64, base: float = 10000) -> float:
    """Subtract a sum of cosines from d."""
    cosines = np.cos(pairs(d_model, base) * offset)
    return math.sqrt(max(d_model - 2 * math.fsum(cosines), 0))


def of_plain_codes(answer: Answer) -> str | None:
    """The codes of two positions, subtracted."""
    cases = [(5, 6, 8), (5, 500, 8), (20, 3, 64), (0, 710, 2)]
    return first(
        differs(
            answer(q - p, d),
            math.dist(code(p, d), code(q, d)),
            at=f"positions {p} and {q}, d_model {d}",
        )
        for p, q, d in cases
    )


def tiny(answer: Answer) -> str | None:
    """So near that a chord is its arc; per offset, so that all digits count."""
    for offset in (1e-5, 1e-9, 1e-12):
        slope = math.hypot(*pairs(64))
        if said := differs(answer(offset) / offset, slope, at=f"offset {offset}, over the offset"):
            return said
    return None


# Medium: who is nearest.


def nearest_offset(seq_len: int, d_model: int, base: float = 10000) -> tuple[int, float]:
    """Look at each offset that two rows can have."""
    distances = [distance(k, d_model, base) for k in range(1, seq_len)]
    k = int(np.argmin(distances))
    return k + 1, distances[k]


def neighbour(seq_len: int, d_model: int, base: float = 10000) -> tuple[int, float]:
    """Trust that neighbours are nearest."""
    return 1, distance(1, d_model, base)


def one_too_many(seq_len: int, d_model: int, base: float = 10000) -> tuple[int, float]:
    """Look one offset too far."""
    return nearest_offset(seq_len + 1, d_model, base)


def _nearest(answer: Answer, seq_len: int, d_model: int) -> str | None:
    """All pairs of rows, by the plain formula; of equal distances, which are rounded, the first."""
    rows = np.array([code(p, d_model) for p in range(seq_len)])
    best = [np.linalg.norm(rows[k:] - rows[:-k], axis=1).min() for k in range(1, seq_len)]
    expected = (int(np.argmin(best)) + 1, min(best))
    at = f"{seq_len} rows, d_model {d_model}, of offset and distance"
    return differs(answer(seq_len, d_model), expected, at=at)


def far_twin(answer: Answer) -> str | None:
    """A row far off is nearer than the neighbour, or is not."""
    return first(_nearest(answer, seq_len, d) for seq_len, d in ((100, 2), (800, 2), (100, 64)))


def last_row(answer: Answer) -> str | None:
    """A twin 44 further is there from 45 rows on."""
    return first(_nearest(answer, seq_len, 2) for seq_len in (44, 45))


# Hard: frequencies that keep few pairs apart.


def frequencies(n_pairs: int, seq_len: int) -> Array:
    """Let all pairs make whole numbers of turns in seq_len steps: powers of the best number."""
    best, turns = 0.0, np.ones(n_pairs)
    offsets = np.arange(1, seq_len // 2 + 1)
    for number in range(2, seq_len // 2):
        tried = np.array([pow(number, i, seq_len) for i in range(n_pairs)])
        angles = np.outer(offsets, tried) * math.pi / seq_len
        nearest = 2 * np.sqrt((np.sin(angles) ** 2).sum(axis=1).min())
        if nearest > best:
            best, turns = nearest, tried
    return 2 * math.pi * turns / seq_len


def of_half_the_rows(n_pairs: int, seq_len: int) -> Array:
    """Let all pairs be back before the last row."""
    return frequencies(n_pairs, seq_len // 2)


def of_the_paper(n_pairs: int, seq_len: int) -> Array:
    """Take the frequencies of the paper."""
    return pairs(2 * n_pairs)


def _apart(omega: Array, seq_len: int) -> Array:
    """Return the distance of two rows for each offset, from 1 on."""
    halves = np.outer(np.arange(1, seq_len), np.asarray(omega, dtype=float)) / 2
    return np.asarray(2 * np.sqrt((np.sin(halves) ** 2).sum(axis=1)))


CASES = ((4, 2000), (3, 500))


def none_back(answer: Answer) -> str | None:
    """As many frequencies as asked for, and no row that comes again."""
    for n, seq_len in CASES:
        omega = np.asarray(answer(n, seq_len), dtype=float)
        if said := differs(0 * omega, np.zeros(n), at=f"{n} pairs, {seq_len} rows"):
            return said
        apart = _apart(omega, seq_len)
        if not apart.min() > 1e-6:
            where = f"{n} pairs, {seq_len} rows, offset {apart.argmin() + 1}"
            return f"at {where}: found distance {apart.min():.4f}, expected above 0"
    return None


def farther(answer: Answer) -> str | None:
    """A fifth farther apart than with the frequencies of the paper."""
    for n, seq_len in CASES:
        least = 1.2 * _apart(pairs(2 * n), seq_len).min()
        apart = _apart(answer(n, seq_len), seq_len)
        if not apart.min() >= least:
            where = f"{n} pairs, {seq_len} rows, offset {apart.argmin() + 1}"
            return f"at {where}: found distance {apart.min():.4f}, expected at least {least:.4f}"
    return None


EXERCISES = (
    Exercise(
        "separation-easy",
        "distance(offset, d_model=64, base=10000): how far apart two codes are, a float",
        (
            Property(
                "plain codes",
                of_plain_codes,
                "arcs were added; the distance of two points on a circle is a chord.",
                of_arcs,
            ),
            Property(
                "tiny offsets",
                tiny,
                "large numbers were subtracted to get a small one.",
                of_cosines,
            ),
        ),
        distance,
    ),
    Exercise(
        "separation-medium",
        "nearest_offset(seq_len, d_model, base=10000): offset and distance of two nearest rows",
        (
            Property(
                "far twins",
                far_twin,
                "the neighbour was taken for the nearest; with few pairs it is not.",
                neighbour,
            ),
            Property(
                "last row",
                last_row,
                "one offset too many was tried; rows of a table are at most seq_len - 1 apart.",
                one_too_many,
            ),
        ),
        nearest_offset,
    ),
    Exercise(
        "separation-hard",
        "frequencies(n_pairs, seq_len): n_pairs frequencies that keep all seq_len rows apart",
        (
            Property(
                "no row again",
                none_back,
                "all pairs are back before the last row; seq_len rows need as many steps a round.",
                of_half_the_rows,
            ),
            Property(
                "farther than the paper",
                farther,
                "a geometric sequence has pairs that do almost nothing within so few rows.",
                of_the_paper,
            ),
        ),
        frequencies,
    ),
)
