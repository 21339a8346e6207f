"""Exercises of the chapter on vectors and numbers for each offset."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges

Table = NDArray[np.float64]

# Easy: the row of an offset.


# --8<-- [start:offsets-easy]
def row(p: int, q: int, n_1: int) -> int:
    """Return the row of the vector between a query at p and a key at q."""
    return max(-n_1, min(n_1, q - p)) + n_1
    # --8<-- [end:offsets-easy]


def unclipped(p: int, q: int, n_1: int) -> int:
    """Give every offset a row of its own."""
    return q - p + n_1


def by_distance(p: int, q: int, n_1: int) -> int:
    """Count distances, which have no sign."""
    return min(n_1, abs(q - p)) + n_1


# --8<-- [start:offsets-easy-wrong]
def query_minus_key(p: int, q: int, n_1: int) -> int:
    """Subtract the other way round."""
    return max(-n_1, min(n_1, p - q)) + n_1
    # --8<-- [end:offsets-easy-wrong]


@judges("itself", hint="rows begin at 0, and offset 0 has row n_1.", wrong=lambda p, q, n_1: 0)
def itself(answer: Answer) -> str | None:
    """A token's own vector is in the middle."""
    return first(
        differs(answer(p, p, n), n, at=f"p = q = {p}, n_1 = {n}") for p, n in ((0, 3), (9, 1))
    )


@judges("sides", hint="the sign was lost: before and after are two rows.", wrong=by_distance)
def sides(answer: Answer) -> str | None:
    """The neighbours have different rows."""
    return differs(answer(5, 4, 3) == answer(5, 6, 3), False, at="keys 4 and 6 of query 5, one row")


@judges("direction", hint="the key was subtracted from the query.", wrong=query_minus_key)
def direction(answer: Answer) -> str | None:
    """Keys after the query have the later rows."""
    return differs(answer(5, 7, 3), 5, at="query 5, key 7, n_1 = 3")


@judges("far away", hint="offsets beyond n_1 have no row; clip them.", wrong=unclipped)
def far_away(answer: Answer) -> str | None:
    """Offsets beyond n_1 get the first row or the last."""
    cases = ((100, 0, 0), (0, 100, 6))
    return first(
        differs(answer(p, q, 3), r, at=f"query {p}, key {q}, n_1 = 3") for p, q, r in cases
    )


# Medium: one number for two offsets.


# --8<-- [start:offsets-medium]
def table_rows(height: int, width: int) -> list[list[int]]:
    """Return the row of a table of biases for each two patches of a window."""
    patches = [(y, x) for y in range(height) for x in range(width)]
    wide = 2 * width - 1
    middle = (height - 1) * wide + width - 1
    rows = [y * wide + x for y, x in patches]
    return [[row - other + middle for other in rows] for row in rows]
    # --8<-- [end:offsets-medium]


# --8<-- [start:offsets-medium-wrong]
def too_narrow(height: int, width: int) -> list[list[int]]:
    """Let a step down skip as many rows as a window has columns."""
    patches = [(y, x) for y in range(height) for x in range(width)]
    middle = (height - 1) * width + width - 1
    rows = [y * width + x for y, x in patches]
    return [[row - other + middle for other in rows] for row in rows]
    # --8<-- [end:offsets-medium-wrong]


def by_pair(height: int, width: int) -> list[list[int]]:
    """Give each two patches a row of their own."""
    n = height * width
    return [[p * n + q for q in range(n)] for p in range(n)]


def with_gaps(height: int, width: int) -> list[list[int]]:
    """Leave rows of the table unused."""
    return [[2 * n for n in line] for line in table_rows(height, width)]


def columns_first(height: int, width: int) -> list[list[int]]:
    """Count the patches column by column."""
    order = np.arange(height * width).reshape(height, width).T.ravel().tolist()
    rows = table_rows(height, width)
    return [[rows[p][q] for q in order] for p in order]


WINDOWS = ((2, 3), (3, 2), (4, 4))


@judges(
    "one row an offset",
    hint="the row depends on the two patches, not only on their offset.",
    wrong=by_pair,
)
def same_offset(answer: Answer) -> str | None:
    """Every patch and itself have one row."""
    return first(
        differs(
            len({answer(h, w)[p][p] for p in range(h * w)}), 1, at=f"{h} by {w}, rows of offset 0"
        )
        for h, w in WINDOWS
    )


@judges(
    "no row for two offsets",
    hint="a step down skips too few rows: x - u runs over 2 width - 1 values.",
    wrong=too_narrow,
)
def one_offset(answer: Answer) -> str | None:
    """There are as many rows as offsets."""
    return first(
        differs(
            len({n for line in answer(h, w) for n in line}),
            (2 * h - 1) * (2 * w - 1),
            at=f"{h} by {w}, different rows",
        )
        for h, w in WINDOWS
    )


@judges("no row is left over", hint="rows of the table are never looked up.", wrong=with_gaps)
def all_used(answer: Answer) -> str | None:
    """The last row is the number of offsets less 1."""
    return first(
        differs(
            max(max(line) for line in answer(h, w)), (2 * h - 1) * (2 * w - 1) - 1, at=f"{h} by {w}"
        )
        for h, w in WINDOWS
    )


@judges("row by row", hint="patches were counted column by column.", wrong=columns_first)
def row_by_row(answer: Answer) -> str | None:
    """The key one column to the left is one row of the table later."""
    lines = answer(2, 3)
    return differs(lines[1][0] - lines[0][0], 1, at="2 by 3, query 1 less query 0, key 0")


# Hard: positions that count what matters.


# --8<-- [start:offsets-hard]
def contextual(x: Table, Y: Table, E: Table) -> Table:
    """Return what CoPE adds to the score of the last query x with each key of Y."""
    gates = 1 / (1 + np.exp(-Y @ x))
    t = np.minimum(np.cumsum(gates[::-1])[::-1], len(E) - 1)
    return np.interp(t, range(len(E)), E @ x)
    # --8<-- [end:offsets-hard]


# --8<-- [start:offsets-hard-wrong]
def from_the_start(x: Table, Y: Table, E: Table) -> Table:
    """Count from the first key on."""
    gates = 1 / (1 + np.exp(-Y @ x))
    t = np.minimum(np.cumsum(gates), len(E) - 1)
    return np.interp(t, range(len(E)), E @ x)
    # --8<-- [end:offsets-hard-wrong]


def rounded(x: Any, Y: Any, E: Any) -> Table:
    """Take the nearest row."""
    gates = 1 / (1 + np.exp(-Y @ x))
    t = np.minimum(np.cumsum(gates[::-1])[::-1], len(E) - 1)
    return np.asarray((E @ x)[np.rint(t).astype(int)])


def without_itself(x: Any, Y: Any, E: Any) -> Any:
    """Leave the key itself out of its count."""
    gates = 1 / (1 + np.exp(-Y @ x))
    t = np.minimum(np.cumsum(gates[::-1])[::-1] - gates, len(E) - 1)
    return np.interp(t, range(len(E)), E @ x)


OPEN, SHUT, NONE = np.array([50.0, 0]), np.array([-50.0, 0]), np.zeros(2)
X, E = np.array([1.0, 2.0]), np.array([[0.0, n * n / 2] for n in range(5)])


@judges("every token", hint="the key itself counts, too.", wrong=without_itself)
def every_token(answer: Answer) -> str | None:
    """A single key with an open gate has position 1."""
    return differs(answer(X, np.array([OPEN]), E), [1], at="one open gate", axes=("key",))


@judges(
    "counted backwards", hint="gates were added up from the first key on.", wrong=from_the_start
)
def backwards(answer: Answer) -> str | None:
    """A key counts what is between it and the query."""
    keys = np.array([SHUT, OPEN, SHUT, OPEN])
    return differs(answer(X, keys, E), [4, 4, 1, 1], at="gates 0, 1, 0, 1", axes=("key",))


@judges("between two rows", hint="a row was rounded to; take the line between two.", wrong=rounded)
def between(answer: Answer) -> str | None:
    """Half-open gates give halves."""
    return differs(
        answer(X, np.array([NONE] * 3), E), [2.5, 1, 0.5], at="gates of a half", axes=("key",)
    )


def wrapped(x: Any, Y: Any, E: Any) -> Any:
    """Begin again at row 0."""
    gates = 1 / (1 + np.exp(-Y @ x))
    t = np.fmod(np.cumsum(gates[::-1])[::-1], len(E) - 1 + 1e-6)
    return np.interp(t, range(len(E)), E @ x)


@judges("beyond the table", hint="positions beyond the last row count as the last.", wrong=wrapped)
def beyond(answer: Answer) -> str | None:
    """Positions beyond the table count as its last row."""
    found = answer(X, np.array([OPEN] * 7), E)
    return differs(found, [16, 16, 16, 16, 9, 4, 1], at="seven open gates", axes=("key",))


EXERCISES = (
    Exercise("offsets-easy", row, (itself, sides, direction, far_away)),
    Exercise("offsets-medium", table_rows, (same_offset, one_offset, all_used, row_by_row)),
    Exercise("offsets-hard", contextual, (every_token, backwards, between, beyond)),
)
