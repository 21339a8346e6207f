"""Bugs of rotary embedding: a lost sign, mixed layouts, a cache that forgets an argument."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import laws
from posenc.exercises._exercise import Answer, Exercise, Property, by_law, differs, first, pairs

Table = NDArray[np.float64]


def _relative(answer: Answer) -> str | None:
    """Scores of turned queries and keys depend on offsets alone."""

    def score(x: Any, p: Any, y: Any, q: Any) -> Any:
        return np.asarray(answer(x, p)) @ np.asarray(answer(y, q)).T

    return by_law(laws.equal_offsets(score, 64, head_dim=8))


def _angles(x: Any, positions: Any) -> Table:
    return np.outer(positions, pairs(x.shape[1]))


# A sign.


def turned(x: Any, positions: Any) -> Table:
    """Turn neighbours, counter-clockwise."""
    angles = _angles(x, positions)
    a, b, cos, sin = x[:, ::2], x[:, 1::2], np.cos(angles), np.sin(angles)
    return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)


def without_minus(x: Any, positions: Any) -> Table:
    """Write plus in both lines."""
    angles = _angles(x, positions)
    a, b, cos, sin = x[:, ::2], x[:, 1::2], np.cos(angles), np.sin(angles)
    return np.stack([a * cos + b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)


def clockwise(x: Any, positions: Any) -> Table:
    """Write the minus into the other line."""
    return turned(x, -np.asarray(positions))


def direction(answer: Answer) -> str | None:
    """From the first axis towards the second."""
    found = answer(np.array([[1.0, 0.0]]), np.array([1]))
    return differs(
        found, [[np.cos(1), np.sin(1)]], at="(1, 0), position 1", axes=("row", "channel")
    )


SIGN = Exercise(
    "bug-sign",
    "turned(x, positions): rows of x, shape (L, d), neighbours turned counter-clockwise",
    (
        Property(
            "equal offsets",
            _relative,
            "the minus is missing: (a cos + b sin, a sin + b cos) is no turn, so the sum of"
            " positions gets into the score.",
            without_minus,
        ),
        Property(
            "direction",
            direction,
            "the minus is in the second line, which turns clockwise; scores are relative, but"
            " weights that were trained the other way do not fit.",
            clockwise,
        ),
    ),
    turned,
)

# Two layouts.


def turned_halves(x: Any, positions: Any) -> Table:
    """Turn channel i with channel i + d/2."""
    half, angles = x.shape[1] // 2, np.tile(_angles(x, positions), 2)
    exchanged = np.hstack([-x[:, half:], x[:, :half]])
    return np.asarray(x * np.cos(angles) + exchanged * np.sin(angles))


def mixed(x: Any, positions: Any) -> Table:
    """Exchange halves, and repeat each angle for its neighbour."""
    half, angles = x.shape[1] // 2, np.repeat(_angles(x, positions), 2, axis=1)
    exchanged = np.hstack([-x[:, half:], x[:, :half]])
    return np.asarray(x * np.cos(angles) + exchanged * np.sin(angles))


def partners(answer: Answer) -> str | None:
    """Channel 1 of six and channel 4 are a pair, with the second frequency."""
    x, p = np.eye(6)[[1]], np.array([7])
    angle = 7 * pairs(6)[1]
    expected = [[0, np.cos(angle), 0, 0, np.sin(angle), 0]]
    return differs(answer(x, p), expected, at="channel 1 alone, d=6", axes=("row", "channel"))


LAYOUT = Exercise(
    "bug-layout",
    "turned(x, positions): rows of x, shape (L, d), channel i turned with channel i + d/2",
    (
        Property(
            "equal offsets",
            _relative,
            "halves are exchanged, but angles are repeated for neighbours, so the two channels"
            " of a pair turn by different angles.",
            mixed,
        ),
        Property(
            "partners",
            partners,
            "now all is interleaved: a turn as well, but for weights of the other layout.",
            turned,
        ),
    ),
    turned_halves,
)

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


def without_cache(x: Any, start: int = 0, base: float = 10000) -> Table:
    """Compute the angles each time."""
    return _by(np.outer(np.arange(start, start + len(x)), pairs(x.shape[1], base)), x)


def _by(angles: Table, x: Any) -> Table:
    a, b, cos, sin = x[:, ::2], x[:, 1::2], np.cos(angles), np.sin(angles)
    return np.stack([a * cos - b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)


def decoded(answer: Answer) -> str | None:
    """Token by token, from the place where the token stands."""

    def score(x: Any, p: Any, y: Any, q: Any) -> Any:
        return np.asarray(answer(x, int(p[0]))) @ np.asarray(answer(y, int(q[0]))).T

    return by_law(laws.cached_equals_full(score, 32, head_dim=8))


def two_bases(answer: Answer) -> str | None:
    """Two models in one program, one after the other and back."""
    x = np.ones((3, 8))
    return first(
        differs(
            answer(x, 4, base=base),
            without_cache(x, 4, base),
            at=f"start 4, base {base}",
            axes=("row", "channel"),
        )
        for base in (10000, 100, 10000)
    )


CACHE = Exercise(
    "bug-cache",
    "turned(x, start=0, base=10000): rows of x, neighbours turned, positions from start on",
    (
        Property(
            "token by token",
            decoded,
            "the key of the cache has the length and not the start, so the second token gets"
            " the angles of the first.",
            _start_forgotten(),
        ),
        Property(
            "two bases",
            two_bases,
            "the key of the cache has no base, so the second model gets the first one's angles.",
            _base_forgotten(),
        ),
    ),
    without_cache,
)
