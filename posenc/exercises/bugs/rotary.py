"""Bugs of rotary embedding: a lost sign, a cache that forgets an argument."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import laws
from posenc.exercises.exercise import Answer, Exercise, by_law, differs, first, judges, pairs

Table = NDArray[np.float64]


def depend_on_offsets(answer: Answer) -> str | None:
    """Return where scores of turned queries and keys depend on more than offsets."""

    def score(x: Any, p: Any, y: Any, q: Any) -> Any:
        return np.asarray(answer(x, p)) @ np.asarray(answer(y, q)).T

    return by_law(laws.equal_offsets(score, 64, head_dim=8))


def angles_of(x: Any, positions: Any) -> Table:
    """Return the angle of each pair of each row."""
    return np.outer(positions, pairs(x.shape[1]))


# A sign.


def turned(x: Any, positions: Any) -> Table:
    """Return rows of x, shape (L, d), neighbours turned counter-clockwise."""
    angles = angles_of(x, positions)
    a, b, cos, sin = x[:, ::2], x[:, 1::2], np.cos(angles), np.sin(angles)
    return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)


def without_minus(x: Any, positions: Any) -> Table:
    """Write plus in both lines."""
    angles = angles_of(x, positions)
    a, b, cos, sin = x[:, ::2], x[:, 1::2], np.cos(angles), np.sin(angles)
    return np.stack([a * cos + b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)


def clockwise(x: Any, positions: Any) -> Table:
    """Write the minus into the other line."""
    return turned(x, -np.asarray(positions))


@judges(
    "equal offsets",
    hint="the minus is missing: (a cos + b sin, a sin + b cos) is not a rotation, so the sum of"
    " positions gets into the score.",
    wrong=without_minus,
)
def equal_offsets(answer: Answer) -> str | None:
    """Scores of turned queries and keys depend on offsets alone."""
    return depend_on_offsets(answer)


@judges(
    "direction",
    hint="the minus is in the second line, which turns clockwise; scores are relative, but"
    " weights that were trained the other way do not fit.",
    wrong=clockwise,
)
def direction(answer: Answer) -> str | None:
    """From the first axis towards the second."""
    expected, angles = np.zeros((2, 4)), pairs(4)
    for i, angle in enumerate(angles):
        expected[i, 2 * i : 2 * i + 2] = np.cos(angle), np.sin(angle)
    found = answer(np.eye(4)[[0, 2]], np.array([1, 1]))
    return differs(
        found, expected, at="the first axis of each pair, position 1", axes=("row", "channel")
    )


SIGN = Exercise("bug-rotation", turned, (equal_offsets, direction))

# A cache.


def _start_forgotten() -> Answer:
    tables: dict[tuple[int, float], Table] = {}

    def answer(x: Any, start: int = 0, base: float = 10000) -> Table:
        """Keep a table of angles for each length and base."""
        if (len(x), base) not in tables:
            tables[len(x), base] = np.outer(
                np.arange(start, start + len(x)), pairs(x.shape[1], base)
            )
        return _by(tables[len(x), base], x)

    return answer


def _base_forgotten() -> Answer:
    tables: dict[tuple[int, int], Table] = {}

    def answer(x: Any, start: int = 0, base: float = 10000) -> Table:
        """Keep a table of angles for each length and start."""
        if (len(x), start) not in tables:
            tables[len(x), start] = np.outer(
                np.arange(start, start + len(x)), pairs(x.shape[1], base)
            )
        return _by(tables[len(x), start], x)

    return answer


def turned_from(x: Any, start: int = 0, base: float = 10000) -> Table:
    """Return rows of x, neighbours turned, positions from start on."""
    return _by(np.outer(np.arange(start, start + len(x)), pairs(x.shape[1], base)), x)


def _by(angles: Table, x: Any) -> Table:
    a, b, cos, sin = x[:, ::2], x[:, 1::2], np.cos(angles), np.sin(angles)
    return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)


@judges(
    "token by token",
    hint="the key of the cache has the length and not the start, so the second token gets"
    " the angles of the first.",
    wrong=_start_forgotten(),
)
def decoded(answer: Answer) -> str | None:
    """Token by token, from the position of the token."""

    def score(x: Any, p: Any, y: Any, q: Any) -> Any:
        return np.asarray(answer(x, int(p[0]))) @ np.asarray(answer(y, int(q[0]))).T

    return by_law(laws.cached_equals_full(score, 32, head_dim=8))


@judges(
    "two bases",
    hint="the key of the cache has no base, so the second model gets the first one's angles.",
    wrong=_base_forgotten(),
)
def two_bases(answer: Answer) -> str | None:
    """Two models in one program, one after the other and back."""
    return first(
        differs(
            answer(np.ones((3, d)), 4, base=base),
            turned_from(np.ones((3, d)), 4, base),
            at=f"d={d}, start 4, base {base}",
            axes=("row", "channel"),
        )
        for d, base in ((8, 10000), (8, 100), (8, 10000), (6, 10000))
    )


CACHE = Exercise("bug-decoding", turned_from, (decoded, two_bases))
