"""Bugs of batches: positions that count padding, codes along the wrong axis."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges

Table = NDArray[np.float64]

# Positions beside padding.

TEXT = np.array([[0, 0, 1, 1, 1], [1, 1, 1, 0, 0], [1, 0, 0, 1, 1]], dtype=bool)


def position_ids(real: Any) -> NDArray[Any]:
    """Return the position of each token, shape (B, L), where real says what is one."""
    return np.asarray(np.maximum(np.cumsum(real, axis=1) - 1, 0))


def places(real: Any) -> NDArray[Any]:
    """Take the place in the row."""
    return np.asarray(np.arange(real.shape[1]) + np.zeros_like(real, dtype=int))


def from_one(real: Any) -> NDArray[Any]:
    """Count the token itself."""
    return np.cumsum(real, axis=1)


def below_zero(real: Any) -> NDArray[Any]:
    """Leave -1 at padding."""
    return np.asarray(np.cumsum(real, axis=1) - 1)


@judges(
    "either side",
    hint="the place in the row was taken for the position, so padding on the left counts.",
    wrong=places,
)
def either_side(answer: Answer) -> str | None:
    """Three tokens, padded on the left, on the right, and between them."""
    ids = np.asarray(answer(TEXT))
    return first(
        differs(ids[row, TEXT[row]], ids[1, :3], at=f"padding {at} against right", axes=("token",))
        for row, at in ((0, "on the left"), (2, "between tokens"))
    )


@judges(
    "from zero",
    hint="the token itself was counted; its position is the number of tokens before it.",
    wrong=from_one,
)
def from_zero(answer: Answer) -> str | None:
    """The first token has position 0."""
    return differs(
        np.asarray(answer(TEXT))[1, :3], [0, 1, 2], at="padding on the right", axes=("token",)
    )


@judges(
    "rows that exist",
    hint="padding on the left got -1, which NumPy reads as the last row of a table.",
    wrong=below_zero,
)
def rows_exist(answer: Answer) -> str | None:
    """A table can be looked up at padding, too."""
    return differs(np.min(answer(TEXT)), 0, at="smallest position")


PADDING = Exercise("bug-positions", position_ids, (either_side, from_zero, rows_exist))

# Codes along an axis.


def add_positions(tokens: Any, table: Any) -> Table:
    """Return tokens, shape (B, L, d), plus row p of table at position p."""
    return np.asarray(tokens + table[: tokens.shape[1]])


def along_the_batch(tokens: Any, table: Any) -> Table:
    """Add row b to all tokens of sentence b."""
    return np.asarray(tokens + table[: tokens.shape[0], None])


def running_on(tokens: Any, table: Any) -> Table:
    """Count on from one sentence to the next."""
    rows = table[: tokens.shape[0] * tokens.shape[1]]
    return np.asarray(tokens + rows.reshape(tokens.shape))


ROWS = np.arange(40.0).reshape(20, 2)  # entry 2p + c


@judges(
    "along the sentence",
    hint="rows were taken along the batch: all tokens of a sentence get the same row, and"
    " no order is left.",
    wrong=along_the_batch,
)
def one_sentence(answer: Answer) -> str | None:
    """Each token of a sentence has a row of its own."""
    return differs(
        answer(np.zeros((1, 5, 2)), ROWS),
        [ROWS[:5]],
        at="one sentence of 5 tokens",
        axes=("sentence", "position", "channel"),
    )


@judges(
    "each sentence",
    hint="positions run on from one sentence to the next; each begins with row 0.",
    wrong=running_on,
)
def each_sentence(answer: Answer) -> str | None:
    """All sentences begin with the first row."""
    return differs(
        answer(np.ones((3, 4, 2)), ROWS),
        [ROWS[:4] + 1] * 3,
        at="3 sentences of 4 tokens",
        axes=("sentence", "position", "channel"),
    )


AXES = Exercise("bug-sum", add_positions, (one_sentence, each_sentence))
