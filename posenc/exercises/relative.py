"""Exercises of the chapter on relative positions."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, code, differs, first, judges, pairs

Table = NDArray[np.float64]

# Easy: the mean dot product for each distance.


# --8<-- [start:relative-easy]
def mean_by_distance(pe: Table) -> Table:
    """Return the mean dot product of rows 0, 1, 2, … apart, shape (L,)."""
    means = []
    for k in range(len(pe)):
        products = [pe[r] @ pe[r + k] for r in range(len(pe) - k)]
        means.append(sum(products) / len(products))
    return np.array(means)
    # --8<-- [end:relative-easy]


# --8<-- [start:relative-easy-wrong]
def by_number_of_rows(pe: Table) -> Table:
    """Divide each sum by the number of rows, not of pairs."""
    products = pe @ pe.T
    sums = [products.diagonal(k).sum() for k in range(len(pe))]
    return np.array(sums) / len(pe)
    # --8<-- [end:relative-easy-wrong]


def of_directions(pe: Table) -> Table:
    """Take the means of the cosines between rows."""
    return mean_by_distance(pe / np.linalg.norm(pe, axis=1, keepdims=True))


def without_itself(pe: Table) -> Table:
    """Take the means from distance 1 on."""
    return mean_by_distance(pe)[1:]


@judges(
    "one for each distance",
    hint="the first value is missing; a row is at distance 0 from itself.",
    wrong=without_itself,
)
def one_for_each(answer: Answer) -> str | None:
    """There are as many values as rows."""
    return differs(len(answer(np.eye(5))), 5, at="5 rows")


@judges(
    "mean of the pairs",
    hint="the sum was divided by L; of L rows, only L - k have another k further.",
    wrong=by_number_of_rows,
)
def mean_of_pairs(answer: Answer) -> str | None:
    """Each value is the mean over all pairs of rows that far apart."""
    rows = np.array([[0.0, 1.0], [0.6, 0.8], [0.6, 0.8]])
    return differs(answer(rows), [1, (0.8 + 1) / 2, 0.8], axes=("distance",))


@judges(
    "dot products",
    hint="rows were divided by their lengths, which gives cosines.",
    wrong=of_directions,
)
def dot_products(answer: Answer) -> str | None:
    """For sinusoids, each mean is a sum of cosines."""
    pe = np.array([code(p, 64) for p in range(40)])
    expected = [math.fsum(np.cos(pairs(64) * k)) for k in range(40)]
    found = differs(answer(pe), expected, at="40 positions, d_model=64", axes=("distance",))
    return found or differs(answer(np.array([[1.0], [2.0]])), [2.5, 2.0], at="rows [1] and [2]")


# Medium: a shift without its matrix.


# --8<-- [start:relative-medium]
def moved(rows: Any, offset: float, base: float = 10000) -> Any:
    """Return interleaved codes, shape (…, d), moved by the offset."""
    rows = np.asarray(rows, dtype=float)
    d = rows.shape[-1]
    angles = offset * base ** (-np.arange(0, d, 2) / d)
    s, c = rows[..., ::2], rows[..., 1::2]
    result = np.empty_like(rows)
    result[..., ::2] = np.cos(angles) * s + np.sin(angles) * c
    result[..., 1::2] = np.cos(angles) * c - np.sin(angles) * s
    return result
    # --8<-- [end:relative-medium]


def moved_back(rows: Any, offset: float, base: float = 10000) -> Any:
    """Rotate the other way."""
    return moved(rows, -offset, base)


# --8<-- [start:relative-medium-wrong]
def read_and_written(rows: Any, offset: float, base: float = 10000) -> Any:
    """Read each angle, add to it, and write its sine and cosine."""
    rows = np.asarray(rows, dtype=float)
    d = rows.shape[-1]
    angles = np.arctan2(rows[..., ::2], rows[..., 1::2])
    angles += offset * base ** (-np.arange(0, d, 2) / d)
    both = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return both.reshape(rows.shape)
    # --8<-- [end:relative-medium-wrong]


def of_one_base(rows: Any, offset: float, base: float = 10000) -> Any:
    """Forget the base."""
    return moved(rows, offset)


@judges(
    "forward",
    hint="the two sines have each other's sign, which moves backwards.",
    wrong=moved_back,
)
def forward(answer: Answer) -> str | None:
    """The code of p becomes that of p + k, for whole and other offsets."""
    cases = [(p, k) for p in (0, 5, 900) for k in (1, 7, -3, 0.5)]
    return first(
        differs(answer(code(p), k), code(p + k), at=f"position {p}, offset {k}", axes=("channel",))
        for p, k in cases
    )


@judges(
    "any vector",
    hint="the angle was read and written again, which loses the norm of the pair.",
    wrong=read_and_written,
)
def any_vector(answer: Answer) -> str | None:
    """Any row comes back after a shift and its inverse."""
    rows = np.array([[3.0, 4.0, 0.0, -2.0], [1.0, 0.0, 0.5, 0.5]])
    back = answer(answer(rows, 2.5), -2.5)
    return differs(back, rows, at="offset 2.5 and back", axes=("row", "channel"))


@judges("other base", hint="the frequencies are those of the default base.", wrong=of_one_base)
def other_base(answer: Answer) -> str | None:
    """The base is that of the codes."""
    found = answer(code(3, base=100), 4, base=100)
    return differs(found, code(7, base=100), at="base 100", axes=("channel",))


# Hard: the offset, with its sign, from two rows in half precision.


# --8<-- [start:relative-hard]
def offset_between(here: Any, there: Any, base: float = 10000) -> float:
    """Return q - p from the codes of p and q, a float."""
    rows = [np.asarray(row, dtype=float) for row in (here, there)]
    x, y = (row[1::2] + 1j * row[::2] for row in rows)
    angles = np.angle(y * x.conj())
    omegas = base ** (-np.arange(len(x)) / len(x))
    offset = angles[-1] / omegas[-1]
    for angle, w in zip(angles[::-1], omegas[::-1], strict=True):
        turns = round((w * offset - angle) / (2 * math.pi))
        offset = (angle + 2 * math.pi * turns) / w
    return float(offset)
    # --8<-- [end:relative-hard]


def by_dot_product(here: Any, there: Any, base: float = 10000) -> float:
    """Look for the offset whose dot product fits best; it comes without its sign."""
    product = np.dot(np.asarray(here, dtype=float), np.asarray(there, dtype=float))
    offsets = np.arange(10_001)
    sums = np.cos(np.outer(offsets, pairs(len(here), base))).sum(axis=1)
    return float(abs(sums - product).argmin())


def by_fastest(here: Any, there: Any, base: float = 10000) -> float:
    """Take the angle of the first pair for the offset."""
    x, y = (complex(row[1], row[0]) for row in (here, there))
    return float(np.angle(y * x.conjugate()))


# --8<-- [start:relative-hard-wrong]
def by_slowest(here: Any, there: Any, base: float = 10000) -> float:
    """Divide the angle of the last pair by its frequency, and leave it there."""
    x, y = (complex(row[-1], row[-2]) for row in (here, there))
    return float(np.angle(y * x.conjugate()) / pairs(len(here), base)[-1])
    # --8<-- [end:relative-hard-wrong]


def _judged(
    answer: Answer, cases: Sequence[tuple[float, ...]], dtype: str, within: float
) -> str | None:
    return first(
        differs(
            answer(*(code(q, 64, *base).astype(dtype) for q in (p, p + k)), *base),
            k,
            at=f"position {p}, offset {k}, {dtype}",
            within=within,
        )
        for p, k, *base in cases
    )


@judges(
    "sign",
    hint="the dot product was used, which tells how far, but not which way.",
    wrong=by_dot_product,
)
def sign(answer: Answer) -> str | None:
    """Keys behind have offsets below 0."""
    cases = [(50, 3), (50, -3), (50, 0), (7.5, -2.25)]
    return _judged(answer, cases, "float64", 1e-9)


@judges(
    "far",
    hint="one fast pair was used; beyond half a turn its angle comes again.",
    wrong=by_fastest,
)
def far(answer: Answer) -> str | None:
    """Offsets may be many turns of the fastest pair."""
    return _judged(answer, [(0, 4), (12, -5000), (12, -5000, 50000.0)], "float64", 1e-6)


@judges(
    "half precision",
    hint="only the slowest pair was used; a small error in its angle is many positions.",
    wrong=by_slowest,
)
def half_precision(answer: Answer) -> str | None:
    """The offset is right for rows in half precision."""
    cases = [(0, 4), (17, 800), (3000, -2999), (1, 9000)]
    return _judged(answer, cases, "float16", 2e-3)


EXERCISES = (
    Exercise("relative-easy", mean_by_distance, (one_for_each, mean_of_pairs, dot_products)),
    Exercise("relative-medium", moved, (forward, any_vector, other_base)),
    Exercise("relative-hard", offset_between, (sign, far, half_precision)),
)
