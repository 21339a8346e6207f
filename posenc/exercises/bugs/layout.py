"""A bug of rotary embedding: halves are exchanged, but angles are those of neighbours."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.bugs.rotary import angles_of, depend_on_offsets
from posenc.exercises.bugs.rotary import turned as turned_neighbours
from posenc.exercises.exercise import Answer, Exercise, differs, judges, pairs

Table = NDArray[np.float64]


def turned(x: Any, positions: Any) -> Table:
    """Return rows of x, shape (L, d), channel i turned with channel i + d/2."""
    half, angles = x.shape[1] // 2, np.tile(angles_of(x, positions), 2)
    exchanged = np.hstack([-x[:, half:], x[:, :half]])
    return np.asarray(x * np.cos(angles) + exchanged * np.sin(angles))


def mixed(x: Any, positions: Any) -> Table:
    """Exchange halves, and repeat each angle for its neighbour."""
    half, angles = x.shape[1] // 2, np.repeat(angles_of(x, positions), 2, axis=1)
    exchanged = np.hstack([-x[:, half:], x[:, :half]])
    return np.asarray(x * np.cos(angles) + exchanged * np.sin(angles))


@judges(
    "equal offsets",
    hint="halves are exchanged, but angles are repeated for neighbours, so the two channels"
    " of a pair turn by different angles.",
    wrong=mixed,
)
def equal_offsets(answer: Answer) -> str | None:
    """Scores of turned queries and keys depend on offsets alone."""
    return depend_on_offsets(answer)


@judges(
    "partners",
    hint="now all is interleaved: a turn as well, but for weights of the other layout.",
    wrong=turned_neighbours,
)
def partners(answer: Answer) -> str | None:
    """Channel 1 of six and channel 4 are a pair, with the second frequency."""
    x, p = np.eye(6)[[1]], np.array([7])
    angle = 7 * pairs(6)[1]
    expected = [[0, np.cos(angle), 0, 0, np.sin(angle), 0]]
    return differs(answer(x, p), expected, at="channel 1 alone, d=6", axes=("row", "channel"))


LAYOUT = Exercise("bug-halves", turned, (equal_offsets, partners))
