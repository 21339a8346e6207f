"""Exercises of the chapter on telling positions apart."""

import math

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, code, differs, first, judges, pairs

Array = NDArray[np.float64]
Nearest = tuple[int, float]

# Easy: a distance that keeps its digits.


# --8<-- [start:separation-easy]
def distance(offset: float, d_model: int = 64, base: float = 10000) -> float:
    """Return how far apart two codes are, a float."""
    chords = (2 * math.sin(w * offset / 2) for w in pairs(d_model, base))
    return math.hypot(*chords)
    # --8<-- [end:separation-easy]


# --8<-- [start:separation-easy-wrong]
def of_arcs(offset: float, d_model: int = 64, base: float = 10000) -> float:
    """Add squares of angles."""
    return math.hypot(*(w * offset for w in pairs(d_model, base)))
    # --8<-- [end:separation-easy-wrong]


def of_cosines(offset: float, d_model: int = 64, base: float = 10000) -> float:
    """Subtract a sum of cosines from d."""
    cosines = np.cos(pairs(d_model, base) * offset)
    return math.sqrt(max(d_model - 2 * math.fsum(cosines), 0))


@judges(
    "plain codes",
    hint="arcs were added; the distance of two points on a circle is a chord.",
    wrong=of_arcs,
)
def of_plain_codes(answer: Answer) -> str | None:
    """The distance is that of the rows of the table."""
    cases = [(5, 6, 8), (5, 500, 8), (20, 3, 64), (0, 710, 2), (5, 6, 8, 100)]
    return first(
        differs(
            answer(q - p, d, *base),
            math.dist(code(p, d, *base), code(q, d, *base)),
            at=f"positions {p} and {q}, d_model {d}",
        )
        for p, q, d, *base in cases
    )


@judges("tiny offsets", hint="large numbers were subtracted to get a small one.", wrong=of_cosines)
def tiny(answer: Answer) -> str | None:
    """Tiny offsets keep all digits."""
    for offset in (1e-5, 1e-9, 1e-12):
        slope = math.hypot(*pairs(64))
        if said := differs(answer(offset) / offset, slope, at=f"offset {offset}, over the offset"):
            return said
    return None


# Medium: who is nearest.


# --8<-- [start:separation-medium]
def nearest_offset(seq_len: int, d_model: int, base: float = 10000) -> Nearest:
    """Return offset and distance of two nearest rows."""
    offsets = range(1, seq_len)
    best = min(offsets, key=lambda k: distance(k, d_model, base))
    return best, distance(best, d_model, base)
    # --8<-- [end:separation-medium]


def neighbour(seq_len: int, d_model: int, base: float = 10000) -> Nearest:
    """Trust that neighbours are nearest."""
    return 1, distance(1, d_model, base)


# --8<-- [start:separation-medium-wrong]
def one_too_many(seq_len: int, d_model: int, base: float = 10000) -> Nearest:
    """Look one offset too far."""
    return nearest_offset(seq_len + 1, d_model, base)
    # --8<-- [end:separation-medium-wrong]


def _nearest(answer: Answer, seq_len: int, d_model: int, base: float = 10000) -> str | None:
    """All pairs of rows, by the plain formula; of equal distances, which are rounded, the first."""
    rows = np.array([code(p, d_model, base) for p in range(seq_len)])
    best = [np.linalg.norm(rows[k:] - rows[:-k], axis=1).min() for k in range(1, seq_len)]
    expected = (int(np.argmin(best)) + 1, min(best))
    at = f"{seq_len} rows, d_model {d_model}, of offset and distance"
    return differs(answer(seq_len, d_model, base), expected, at=at)


@judges(
    "far twins",
    hint="the neighbour was taken for the nearest; with few pairs it is not.",
    wrong=neighbour,
)
def far_twin(answer: Answer) -> str | None:
    """Rows far away that are nearer than the neighbour are found."""
    cases = ((100, 2), (800, 2), (100, 64), (100, 4, 50.0))
    return first(_nearest(answer, *case) for case in cases)


@judges(
    "last row",
    hint="one offset too many was tried; rows of a table are at most seq_len - 1 apart.",
    wrong=one_too_many,
)
def last_row(answer: Answer) -> str | None:
    """The largest offset is that of the last row."""
    return first(_nearest(answer, seq_len, 2) for seq_len in (44, 45))


# Hard: frequencies that keep few pairs apart.


# --8<-- [start:separation-hard]
def frequencies(n_pairs: int, seq_len: int) -> Array:
    """Return n_pairs frequencies that keep all seq_len rows apart."""
    best, turns = 0.0, np.ones(n_pairs)
    offsets = np.arange(1, seq_len // 2 + 1)
    for number in range(2, seq_len // 2):
        tried = np.array([pow(number, i, seq_len) for i in range(n_pairs)])
        angles = np.outer(offsets, tried) * math.pi / seq_len
        nearest = 2 * np.sqrt((np.sin(angles) ** 2).sum(axis=1).min())
        if nearest > best:
            best, turns = nearest, tried
    return 2 * math.pi * turns / seq_len
    # --8<-- [end:separation-hard]


# --8<-- [start:separation-hard-wrong]
def of_half_the_rows(n_pairs: int, seq_len: int) -> Array:
    """Let all pairs be back before the last row."""
    return frequencies(n_pairs, seq_len // 2)
    # --8<-- [end:separation-hard-wrong]


def of_the_paper(n_pairs: int, seq_len: int) -> Array:
    """Take the frequencies of the paper."""
    return pairs(2 * n_pairs)


def _apart(omega: Array, seq_len: int) -> Array:
    """Return the distance of two rows for each offset, from 1 on."""
    halves = np.outer(np.arange(1, seq_len), np.asarray(omega, dtype=float)) / 2
    return np.asarray(2 * np.sqrt((np.sin(halves) ** 2).sum(axis=1)))


CASES = ((4, 2000), (3, 500))


@judges(
    "no row again",
    hint="all pairs are back before the last row; seq_len rows need as many steps a round.",
    wrong=of_half_the_rows,
)
def none_back(answer: Answer) -> str | None:
    """There are as many frequencies as asked for, and no row comes again."""
    for n, seq_len in CASES:
        omega = np.asarray(answer(n, seq_len), dtype=float)
        if said := differs(0 * omega, np.zeros(n), at=f"{n} pairs, {seq_len} rows"):
            return said
        apart = _apart(omega, seq_len)
        if not apart.min() > 1e-6:
            where = f"{n} pairs, {seq_len} rows, offset {apart.argmin() + 1}"
            return f"at {where}: found distance {apart.min():.4f}, expected above 0"
    return None


@judges(
    "farther than the paper",
    hint="a geometric sequence has pairs that do almost nothing within so few rows.",
    wrong=of_the_paper,
)
def farther(answer: Answer) -> str | None:
    """Rows are at least a fifth farther apart than with the paper's frequencies."""
    for n, seq_len in CASES:
        least = 1.2 * _apart(pairs(2 * n), seq_len).min()
        apart = _apart(answer(n, seq_len), seq_len)
        if not apart.min() >= least:
            where = f"{n} pairs, {seq_len} rows, offset {apart.argmin() + 1}"
            return f"at {where}: found distance {apart.min():.4f}, expected at least {least:.4f}"
    return None


EXERCISES = (
    Exercise("separation-easy", distance, (of_plain_codes, tiny)),
    Exercise("separation-medium", nearest_offset, (far_twin, last_row)),
    Exercise("separation-hard", frequencies, (none_back, farther)),
)
