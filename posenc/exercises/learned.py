"""Exercises of the chapter on learned encodings."""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges, pairs

Table = NDArray[np.float64]
Loss = Callable[[Any], Any]

# Easy: the directions of sinusoids, the lengths of random rows.


# --8<-- [start:learned-easy]
def start(rows: int, d_model: int, std: float = 0.02) -> Any:
    """Return sinusoids as long as drawn rows, shape (rows, d_model)."""
    omega = 10000.0 ** (-np.arange(0, d_model, 2) / d_model)
    angles = np.outer(np.arange(rows), omega)
    table = np.empty((rows, d_model))
    table[:, ::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return std * math.sqrt(2) * table
    # --8<-- [end:learned-easy]


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


@judges(
    "lengths",
    hint="a sinusoid was taken for sqrt(d) long; its length is sqrt(d / 2).",
    wrong=by_deviation,
)
def lengths(answer: Answer) -> str | None:
    """Each row is as long as a drawn one is on average."""
    return first(
        differs(
            np.linalg.norm(answer(7, d, std), axis=1),
            [std * math.sqrt(d)] * 7,
            at=f"d={d}, std={std}",
            axes=("length of row",),
        )
        for d, std in ((8, 0.02), (64, 0.5))
    )


@judges(
    "directions", hint="rows were drawn at random, and no row knows its neighbour.", wrong=drawn
)
def directions(answer: Answer) -> str | None:
    """The cosine between two rows is that of sinusoids: a mean of cosines of the offset."""
    table = np.asarray(answer(9, 8))
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    expected = [[np.cos(pairs() * (q - p)).mean() for q in range(9)] for p in range(9)]
    return differs(unit @ unit.T, expected, at="cosines, d_model=8", axes=("row", "row"))


@judges(
    "its own",
    hint="each call hands out the same array, so layers train each other's table.",
    wrong=shared,
)
def its_own(answer: Answer) -> str | None:
    """Training one table must not train another."""
    one, other = answer(3, 4), answer(3, 4)
    before = other.copy()
    one += 1
    finding = differs(other, before, at="another table trained", axes=("row", "channel"))
    one -= 1  # the answer may hand out this array again
    return finding


# Medium: a gradient check without a step to choose.


# --8<-- [start:learned-medium]
def slopes(loss: Loss, table: Table) -> Table:
    """Return the gradient, exact to rounding; loss also takes complex tables."""
    found = np.zeros(table.shape)
    for place in np.ndindex(table.shape):
        moved = table.astype(complex)
        moved[place] += 1e-200j
        found[place] = loss(moved).imag / 1e-200
    return found
    # --8<-- [end:learned-medium]


# --8<-- [start:learned-medium-wrong]
def by_differences(loss: Loss, table: Table) -> Table:
    """Take central differences."""
    found = np.zeros(table.shape)
    for place in np.ndindex(table.shape):
        step = np.zeros(table.shape)
        step[place] = 1e-5
        found[place] = (loss(table + step) - loss(table - step)) / 2e-5
    return found
    # --8<-- [end:learned-medium-wrong]


def of_all_at_once(loss: Loss, table: Any) -> Table:
    """Move all entries in one step."""
    moved = np.array(table, dtype=complex) + 1e-200j
    return np.full(np.shape(table), loss(moved).imag / 1e-200)


def _line(table: Any) -> Any:
    return (np.arange(1.0, 7.0).reshape(3, 2) * table).sum()


def _waves(table: Any) -> Any:
    return np.sin(300 * table).sum() + np.exp(table[0]).prod()


POINT = np.array([[0.3, -1.1], [2.0, 0.7], [0.0, 5.0]])


@judges(
    "each entry",
    hint="all entries were moved at once; a slope belongs to one of them.",
    wrong=of_all_at_once,
)
def each_entry(answer: Answer) -> str | None:
    """A weighted sum of the entries has its weights as gradient."""
    expected = [[1, 2], [3, 4], [5, 6]]
    return differs(answer(_line, POINT.copy()), expected, axes=("row", "channel"), within=1e-6)


@judges(
    "all digits",
    hint="losses were subtracted; any step is too coarse, or is lost in rounding.",
    wrong=by_differences,
)
def all_digits(answer: Answer) -> str | None:
    """The gradient is right to the last digits, for fast waves and a product of exponentials."""
    expected = 300 * np.cos(300 * POINT)
    expected[0] += np.exp(POINT[0].sum())
    found = answer(_waves, POINT.copy())
    return differs(found, expected, at="sin 300 x", axes=("row", "channel"), within=1e-11)


# Hard: the gradient of a table, from a batch that is padded on the left.


# --8<-- [start:learned-hard]
def gradient(g: Any, real: Any, rows: int) -> Table:
    """Return the gradient of the table from g (B, L, d) and a mask real (B, L)."""
    positions = np.cumsum(real, axis=1) - 1
    table = np.zeros((rows, g.shape[2]))
    np.add.at(table, positions[real], g[real])
    return table
    # --8<-- [end:learned-hard]


# --8<-- [start:learned-hard-wrong]
def last_one_wins(g: Any, real: Any, rows: int) -> Table:
    """Add by an index, which NumPy does once for each row."""
    positions = np.cumsum(real, axis=1) - 1
    table = np.zeros((rows, g.shape[2]))
    table[positions[real]] += g[real]
    return table
    # --8<-- [end:learned-hard-wrong]


def by_column(g: Any, real: Any, rows: int) -> Table:
    """Take the column of the batch for the position."""
    table = np.zeros((rows, g.shape[2]))
    table[: g.shape[1]] = (g * real[:, :, np.newaxis]).sum(axis=0)
    return table


def from_the_end(g: Any, real: Any, rows: int) -> Table:
    """Number the padding, too: before the first token it has -1, the last row."""
    table = np.zeros((rows, g.shape[2]))
    np.add.at(table, np.cumsum(real, axis=1) - 1, g)
    return table


REAL = np.array([[0, 0, 1, 1], [1, 1, 1, 1], [0, 1, 1, 1]], dtype=bool)
UPSTREAM = np.array([[7.0, 70, 1, 2], [10, 20, 30, 40], [700, 100, 200, 300]])[:, :, None]
HEARD = UPSTREAM * REAL[:, :, None]


@judges(
    "summed",
    hint="an indexed += adds once to each row; np.add.at adds every time.",
    wrong=last_one_wins,
)
def summed(answer: Answer) -> str | None:
    """The gradients of all sequences at a position are added."""
    expected = [[1 + 10 + 100], [2 + 20 + 200], [30 + 300], [40], [0]]
    return differs(answer(HEARD, REAL, 5), expected, axes=("row", "channel"))


@judges(
    "where padding stands",
    hint="the column of the batch was taken for the position; padding moves it.",
    wrong=by_column,
)
def padded_on_the_right(answer: Answer) -> str | None:
    """The place of padding does not matter."""
    moved = np.zeros((3, 4, 1))
    for sentence, kept in enumerate(REAL):
        moved[sentence, : kept.sum()] = UPSTREAM[sentence, kept]
    right = np.sort(REAL, axis=1)[:, ::-1]
    found, expected = answer(HEARD, REAL, 4), answer(moved, right, 4)
    return differs(found, expected, at="padding left, not right", axes=("row", "channel"))


@judges(
    "silent padding",
    hint="padding got position -1, and in NumPy that is the last row.",
    wrong=from_the_end,
)
def silent_padding(answer: Answer) -> str | None:
    """What comes back from padding is not heard."""
    found, quiet = answer(UPSTREAM, REAL, 6), answer(HEARD, REAL, 6)
    return differs(found, quiet, at="gradients at padding", axes=("row", "channel"))


EXERCISES = (
    Exercise("learned-easy", start, (lengths, directions, its_own)),
    Exercise("learned-medium", slopes, (each_entry, all_digits)),
    Exercise("learned-hard", gradient, (padded_on_the_right, summed, silent_padding)),
)
