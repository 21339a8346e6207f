"""Exercises of the chapter on relative positions."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises._exercise import Answer, Exercise, Property, code, differs, first, pairs

Table = NDArray[np.float64]

# Easy: the mean dot product for each distance.


def mean_by_distance(pe: Any) -> Table:
    """Return the mean dot product of rows that are 0, 1, 2, … apart."""
    table, means = np.asarray(pe), []
    for k in range(len(table)):
        products = [table[r] @ table[r + k] for r in range(len(table) - k)]
        means.append(sum(products) / len(products))
    return np.array(means)


def by_number_of_rows(pe: Any) -> Table:
    """Return each sum over the number of rows, not of pairs."""
    products = np.asarray(pe) @ np.asarray(pe).T
    return np.array([products.diagonal(k).sum() / len(products) for k in range(len(products))])


def of_directions(pe: Any) -> Table:
    """Return the means of the cosines between rows."""
    return mean_by_distance(pe / np.linalg.norm(pe, axis=1, keepdims=True))


def without_itself(pe: Any) -> Table:
    """Return the means from distance 1 on."""
    return mean_by_distance(pe)[1:]


def one_for_each(answer: Answer) -> str | None:
    """As many values as rows."""
    return differs(len(answer(np.eye(5))), 5, at="5 rows")


def mean_of_pairs(answer: Answer) -> str | None:
    """Rows of length 1: those 1 apart have the products 0.8 and 1, and those 2 apart 0.8."""
    rows = np.array([[0.0, 1.0], [0.6, 0.8], [0.6, 0.8]])
    return differs(answer(rows), [1, (0.8 + 1) / 2, 0.8], axes=("distance",))


def dot_products(answer: Answer) -> str | None:
    """For sinusoids, each mean is a sum of cosines."""
    pe = np.array([code(p, 64) for p in range(40)])
    expected = [math.fsum(np.cos(pairs(64) * k)) for k in range(40)]
    return differs(answer(pe), expected, at="40 positions, d_model=64", axes=("distance",))


# Medium: a shift without its matrix.


def moved(rows: Any, offset: float, base: float = 10000) -> Table:
    """Turn each pair by the angle of its own frequency."""
    rows = np.asarray(rows, dtype=float)
    angles = offset * pairs(rows.shape[-1], base)
    s, c = rows[..., ::2], rows[..., 1::2]
    turned = [c * np.sin(angles) + s * np.cos(angles), c * np.cos(angles) - s * np.sin(angles)]
    return np.stack(turned, axis=-1).reshape(rows.shape)


def moved_back(rows: Any, offset: float, base: float = 10000) -> Table:
    """Turn the other way."""
    return moved(rows, -offset, base)


def read_and_written(rows: Any, offset: float, base: float = 10000) -> Table:
    """Read each angle, add to it, and write its sine and cosine: the length of a pair is lost."""
    rows = np.asarray(rows, dtype=float)
    angles = np.arctan2(rows[..., ::2], rows[..., 1::2]) + offset * pairs(rows.shape[-1], base)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(rows.shape)


def of_one_base(rows: Any, offset: float, base: float = 10000) -> Table:
    """Forget the base."""
    return moved(rows, offset)


def forward(answer: Answer) -> str | None:
    """The code of p becomes that of p + k, for whole and other offsets."""
    cases = [(p, k) for p in (0, 5, 900) for k in (1, 7, -3, 0.5)]
    return first(
        differs(answer(code(p), k), code(p + k), at=f"position {p}, offset {k}", axes=("channel",))
        for p, k in cases
    )


def any_vector(answer: Answer) -> str | None:
    """There and back again, for rows that are no codes."""
    rows = np.array([[3.0, 4.0, 0.0, -2.0], [1.0, 0.0, 0.5, 0.5]])
    back = answer(answer(rows, 2.5), -2.5)
    return differs(back, rows, at="offset 2.5 and back", axes=("row", "channel"))


def other_base(answer: Answer) -> str | None:
    """The base is that of the codes."""
    found = answer(code(3, base=100), 4, base=100)
    return differs(found, code(7, base=100), at="base 100", axes=("channel",))


# Hard: the offset, with its sign, from two rows in half precision.


def offset_between(here: Any, there: Any, base: float = 10000) -> float:
    """Let the slowest pair say roughly, and each faster one more exactly."""
    rows = [np.asarray(row, dtype=float) for row in (here, there)]
    x, y = (row[1::2] + 1j * row[::2] for row in rows)
    angles, frequencies = np.angle(y * x.conj()), pairs(2 * len(x), base)
    offset = angles[-1] / frequencies[-1]
    for angle, omega in zip(angles[::-1], frequencies[::-1], strict=True):
        turns = round((omega * offset - angle) / (2 * math.pi))
        offset = (angle + 2 * math.pi * turns) / omega
    return float(offset)


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


def by_slowest(here: Any, there: Any, base: float = 10000) -> float:
    """Divide the angle of the last pair by its frequency, and leave it there."""
    x, y = (complex(row[-1], row[-2]) for row in (here, there))
    return float(np.angle(y * x.conjugate()) / pairs(len(here), base)[-1])


def _judged(
    answer: Answer, cases: Sequence[tuple[float, float]], dtype: str, within: float
) -> str | None:
    return first(
        differs(
            answer(code(p, 64).astype(dtype), code(p + k, 64).astype(dtype)),
            k,
            at=f"position {p}, offset {k}, {dtype}",
            within=within,
        )
        for p, k in cases
    )


def sign(answer: Answer) -> str | None:
    """Behind is below 0."""
    cases = [(50, 3), (50, -3), (50, 0), (7.5, -2.25)]
    return _judged(answer, cases, "float64", 1e-9)


def far(answer: Answer) -> str | None:
    """More than half a turn of the fastest pair."""
    return _judged(answer, [(0, 4), (12, -5000)], "float64", 1e-6)


def half_precision(answer: Answer) -> str | None:
    """The rows as models keep them; the fastest pair has three digits, so has the offset."""
    cases = [(0, 4), (17, 800), (3000, -2999), (1, 9000)]
    return _judged(answer, cases, "float16", 2e-3)


EXERCISES = (
    Exercise(
        "relative-easy",
        "mean_by_distance(pe): the mean dot product of rows 0, 1, 2, … apart, shape (L,)",
        (
            Property(
                "one for each distance",
                one_for_each,
                "the first value is missing; a row is at distance 0 from itself.",
                without_itself,
            ),
            Property(
                "mean of the pairs",
                mean_of_pairs,
                "the sum was divided by L; of L rows, only L - k have another k further.",
                by_number_of_rows,
            ),
            Property(
                "dot products",
                dot_products,
                "rows were divided by their lengths, which gives cosines.",
                of_directions,
            ),
        ),
        mean_by_distance,
    ),
    Exercise(
        "relative-medium",
        "moved(rows, offset, base=10000): interleaved codes, shape (…, d), moved by the offset",
        (
            Property(
                "forward",
                forward,
                "the two sines have each other's sign, which moves backwards.",
                moved_back,
            ),
            Property(
                "any vector",
                any_vector,
                "the angle was read off and written anew, so the length of the pair was lost.",
                read_and_written,
            ),
            Property(
                "other base",
                other_base,
                "the frequencies are those of the default base.",
                of_one_base,
            ),
        ),
        moved,
    ),
    Exercise(
        "relative-hard",
        "offset_between(here, there, base=10000): q - p from the codes of p and q, a float",
        (
            Property(
                "sign",
                sign,
                "the dot product was used, which tells how far, but not which way.",
                by_dot_product,
            ),
            Property(
                "far",
                far,
                "one fast pair was used; beyond half a turn its angle comes again.",
                by_fastest,
            ),
            Property(
                "half precision",
                half_precision,
                "the slowest pair was used alone: a small error of its angle is many positions.",
                by_slowest,
            ),
        ),
        offset_between,
    ),
)
