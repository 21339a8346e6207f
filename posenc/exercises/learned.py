"""Exercises of the chapter on learned encodings."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises._exercise import Answer, Exercise, Property, differs, first, pairs

Table = NDArray[np.float64]
Loss = Callable[[Any], Any]

# Easy: the directions of sinusoids, the lengths of random rows.


def start(rows: int, d_model: int, std: float = 0.02) -> Any:
    """Compute the sinusoids, and shorten them all by the same factor."""
    angles = np.outer(range(rows), pairs(d_model))
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(rows, d_model)
    return std * np.sqrt(2) * table


def by_deviation(rows: int, d_model: int, std: float = 0.02) -> Any:
    """Multiply sinusoids by the standard deviation, as if their entries had one of 1."""
    return start(rows, d_model, std) / np.sqrt(2)


def drawn(rows: int, d_model: int, std: float = 0.02) -> Any:
    """Draw rows, and give them the right length."""
    table = np.random.default_rng(0).normal(size=(rows, d_model))
    return table * std * np.sqrt(d_model) / np.linalg.norm(table, axis=1, keepdims=True)


@lru_cache
def shared(rows: int, d_model: int, std: float = 0.02) -> Any:
    """Hand out one and the same table each time."""
    return start(rows, d_model, std)


def lengths(answer: Answer) -> str | None:
    """Each row is as long as a drawn one is on average."""
    cases, norm, row = [(8, 0.02), (64, 0.5)], np.linalg.norm, ("length of row",)
    return first(
        differs(norm(answer(7, d, std), axis=1), [std * d**0.5] * 7, at=f"{d=}, {std=}", axes=row)
        for d, std in cases
    )


def directions(answer: Answer) -> str | None:
    """The cosine between two rows is that of sinusoids: a mean of cosines of the offset."""
    table = np.asarray(answer(9, 8))
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    expected = [[np.cos(pairs() * (q - p)).mean() for q in range(9)] for p in range(9)]
    return differs(unit @ unit.T, expected, at="cosines, d_model=8", axes=("row", "row"))


def its_own(answer: Answer) -> str | None:
    """Training one table must not train another."""
    one, other = answer(3, 4), answer(3, 4)
    before = other.copy()
    one += 1
    return differs(other, before, at="another table trained", axes=("row", "channel"))


# Medium: a gradient check without a step to choose.


def slopes(loss: Loss, table: Any) -> Table:
    """Step in an imaginary direction, where nothing cancels."""
    found = np.zeros(np.shape(table))
    for place in np.ndindex(found.shape):
        moved = np.array(table, dtype=complex)
        moved[place] += 1e-200j
        found[place] = loss(moved).imag / 1e-200
    return found


def by_differences(loss: Loss, table: Any) -> Table:
    """Take central differences."""
    found = np.zeros(np.shape(table))
    for place in np.ndindex(found.shape):
        for sign in (1, -1):
            moved = np.array(table, dtype=float)
            moved[place] += sign * 1e-5
            found[place] += sign * loss(moved) / 2e-5
    return found


def of_all_at_once(loss: Loss, table: Any) -> Table:
    """Move all entries in one step."""
    moved = np.array(table, dtype=complex) + 1e-200j
    return np.full(np.shape(table), loss(moved).imag / 1e-200)


def _line(table: Any) -> Any:
    return (np.arange(1.0, 7.0).reshape(3, 2) * table).sum()


def _waves(table: Any) -> Any:
    return np.sin(300 * table).sum() + np.exp(table[0]).prod()


POINT = np.array([[0.3, -1.1], [2.0, 0.7], [0.0, 5.0]])


def each_entry(answer: Answer) -> str | None:
    """A weighted sum of the entries has its weights as gradient."""
    expected = [[1, 2], [3, 4], [5, 6]]
    return differs(answer(_line, POINT.copy()), expected, axes=("row", "channel"), within=1e-6)


def all_digits(answer: Answer) -> str | None:
    """To the last digits: sines of 300 x, and a product of exponentials."""
    expected = 300 * np.cos(300 * POINT)
    expected[0] += np.exp(POINT[0].sum())
    found = answer(_waves, POINT.copy())
    return differs(found, expected, at="sin 300 x", axes=("row", "channel"), within=1e-11)


# Hard: the gradient of a table, from a batch that is padded on the left.


def gradient(g: Any, real: Any, rows: int) -> Table:
    """Number the real tokens of each sequence, and add each upstream row to that of its number."""
    g, real = np.asarray(g, dtype=float), np.asarray(real)
    positions = np.cumsum(real, axis=1) - 1
    table = np.zeros((rows, g.shape[2]))
    np.add.at(table, positions[real], g[real])
    return table


def last_one_wins(g: Any, real: Any, rows: int) -> Table:
    """Add by an index, which NumPy does once for each row."""
    g, real = np.asarray(g, dtype=float), np.asarray(real)
    table = np.zeros((rows, g.shape[2]))
    table[(np.cumsum(real, axis=1) - 1)[real]] += g[real]
    return table


def by_column(g: Any, real: Any, rows: int) -> Table:
    """Take the column of the batch for the position."""
    table = np.zeros((rows, np.shape(g)[2]))
    table[: np.shape(g)[1]] = (np.asarray(g) * np.asarray(real)[:, :, None]).sum(axis=0)
    return table


def from_the_end(g: Any, real: Any, rows: int) -> Table:
    """Number the padding, too: before the first token it has -1, the last row."""
    table = np.zeros((rows, np.shape(g)[2]))
    np.add.at(table, np.cumsum(real, axis=1) - 1, np.asarray(g, dtype=float))
    return table


REAL = np.array([[0, 0, 1, 1], [1, 1, 1, 1], [0, 1, 1, 1]], dtype=bool)
UPSTREAM = np.array([[7.0, 70, 1, 2], [10, 20, 30, 40], [700, 100, 200, 300]])[:, :, None]
HEARD = UPSTREAM * REAL[:, :, None]


def summed(answer: Answer) -> str | None:
    """By hand: 1 + 10 + 100, and so on; padding sends back nothing here."""
    expected = [[1 + 10 + 100], [2 + 20 + 200], [30 + 300], [40], [0]]
    return differs(answer(HEARD, REAL, 5), expected, axes=("row", "channel"))


def padded_on_the_right(answer: Answer) -> str | None:
    """Where padding stands does not matter."""
    moved = np.zeros((3, 4, 1))
    for s, kept in enumerate(REAL):
        moved[s, : kept.sum()] = UPSTREAM[s, kept]
    right = np.sort(REAL, axis=1)[:, ::-1]
    left = answer(HEARD, REAL, 4)
    return differs(
        left, answer(moved, right, 4), at="padding left, not right", axes=("row", "channel")
    )


def silent_padding(answer: Answer) -> str | None:
    """What comes back from padding is not heard."""
    found, quiet = answer(UPSTREAM, REAL, 6), answer(HEARD, REAL, 6)
    return differs(found, quiet, at="gradients at padding", axes=("row", "channel"))


EXERCISES = (
    Exercise(
        "learned-easy",
        "start(rows, d_model, std=0.02): sinusoids as long as drawn rows, shape (rows, d_model)",
        (
            Property(
                "lengths",
                lengths,
                "a sinusoid was taken for sqrt(d) long; its length is sqrt(d / 2).",
                by_deviation,
            ),
            Property(
                "directions",
                directions,
                "rows were drawn at random, and no row knows its neighbour.",
                drawn,
            ),
            Property(
                "its own",
                its_own,
                "each call hands out the same array, so layers train each other's table.",
                shared,
            ),
        ),
        start,
    ),
    Exercise(
        "learned-medium",
        "slopes(loss, table): the gradient, exact to rounding; loss also takes complex tables",
        (
            Property(
                "each entry",
                each_entry,
                "all entries were moved at once; a slope belongs to one of them.",
                of_all_at_once,
            ),
            Property(
                "all digits",
                all_digits,
                "losses were subtracted; any step is too coarse, or is lost in rounding.",
                by_differences,
            ),
        ),
        slopes,
    ),
    Exercise(
        "learned-hard",
        "gradient(g, real, rows): of the table, from g (B, L, d) and real (B, L), true or false",
        (
            Property(
                "where padding stands",
                padded_on_the_right,
                "the column of the batch was taken for the position; padding moves it.",
                by_column,
            ),
            Property(
                "summed",
                summed,
                "an indexed += adds once to each row; np.add.at adds every time.",
                last_one_wins,
            ),
            Property(
                "silent padding",
                silent_padding,
                "padding got position -1, and in NumPy that is the last row.",
                from_the_end,
            ),
        ),
        gradient,
    ),
)
