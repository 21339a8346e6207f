"""Exercises of the chapter on rotary position embedding."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges, pairs

Table = NDArray[np.float64]
Rotate = Callable[[Any, float], Any]
Found = list[tuple[int, int, float]]
ROWS = np.random.default_rng(0).normal(size=(7, 8))

# Easy: the half layout with complex numbers.


# --8<-- [start:rotary-easy]
def rotate_halves(rows: Table, w: Table) -> Table:
    """Return row p rotated by position p, half layout, shape (L, d)."""
    half = rows.shape[1] // 2
    z = rows[:, :half] + 1j * rows[:, half:]
    z = z * np.exp(1j * np.outer(np.arange(len(rows)), w))
    return np.concatenate([z.real, z.imag], axis=1)
    # --8<-- [end:rotary-easy]


def of_neighbours(rows: Table, w: Table) -> Table:
    """Join neighbours, as in the interleaved layout."""
    z = rows[:, ::2] + 1j * rows[:, 1::2]
    z = z * np.exp(1j * np.outer(np.arange(len(rows)), w))
    return np.stack([z.real, z.imag], axis=-1).reshape(rows.shape)


def clockwise(rows: Table, w: Table) -> Table:
    """Rotate the other way."""
    return rotate_halves(rows, -w)


@judges(
    "half turn",
    hint="neighbours were paired: that is the interleaved layout.",
    wrong=of_neighbours,
)
def half_turn(answer: Answer) -> str | None:
    """Half a turn changes the signs of channels 0 and d/2."""
    rows = np.tile([3.0, 1.0, 4.0, 2.0], (2, 1))
    found = np.asarray(answer(rows, np.array([math.pi, 0.0])))[1]
    return differs(found, [-3, 1, -4, 2], at="half a turn of pair 0", axes=("channel",))


@judges(
    "direction",
    hint="the exponential rotates clockwise; its exponent needs the other sign.",
    wrong=clockwise,
)
def direction(answer: Answer) -> str | None:
    """Counter-clockwise, every pair by its own frequency."""
    found = answer(np.tile([1.0] * 4 + [0.0] * 4, (5, 1)), pairs())
    angles = np.outer(np.arange(5), pairs())
    expected = np.hstack([np.cos(angles), np.sin(angles)])
    return differs(found, expected, at="rows of four ones", axes=("position", "channel"))


# Medium: the oldest keys of a cache are dropped.


# --8<-- [start:rotary-medium]
def without_oldest(cache: Table, dropped: int, w: Table) -> Table:
    """Return the keys that stay, rotated as if the first were at position 0."""
    kept = cache[dropped:].copy()
    z = (kept[:, ::2] + 1j * kept[:, 1::2]) * np.exp(-1j * dropped * w)
    kept[:, ::2], kept[:, 1::2] = z.real, z.imag
    return kept
    # --8<-- [end:rotary-medium]


def as_they_are(cache: Table, dropped: int, w: Table) -> Table:
    """Keep the rows as they were rotated."""
    return cache[dropped:]


def unrotated(cache: Table, dropped: int, w: Table) -> Table:
    """Rotate each key back by its own position."""
    back = [without_oldest(cache[: p + 1], p, w)[0] for p in range(len(cache))]
    return np.array(back[dropped:])


def _keys(start: int, count: int) -> Table:
    """Return rows `start` and later of the keys, rotated by the positions from 0 on."""
    z = ROWS[start:, ::2] + 1j * ROWS[start:, 1::2]
    z = z * [[np.exp(1j * w * p) for w in pairs()] for p in range(count)]
    return np.stack([z.real, z.imag], axis=-1).reshape(count, 8)


@judges(
    "first key",
    hint="the keys are still rotated by their old positions.",
    wrong=as_they_are,
)
def first_key(answer: Answer) -> str | None:
    """The oldest key that is left is now at position 0, and so not rotated at all."""
    found = np.asarray(answer(_keys(0, 7), 3, pairs()))[0]
    return differs(found, ROWS[3], at="3 of 7 dropped, key 0", axes=("channel",))


@judges(
    "as if new",
    hint="each key was rotated back by its own position, so all of them are at 0.",
    wrong=unrotated,
)
def as_if_new(answer: Answer) -> str | None:
    """All keys that stay are rotated as if the sequence began with them."""
    return first(
        differs(
            answer(_keys(0, 7), n, pairs()),
            _keys(n, 7 - n),
            at=f"{n} of 7 dropped",
            axes=("key", "channel"),
        )
        for n in (3, 1, 0, 6)
    )


# Hard: the pairs of an unknown library.


# --8<-- [start:rotary-hard]
def pairs_of(rotate: Rotate, channels: int) -> Found:
    """Return a list of (first, second, frequency), one for each pair."""
    found = []
    for one, start in enumerate(np.eye(channels)):
        end = rotate(start, 1)
        for two in np.flatnonzero(end > 0):
            if two != one:
                w = math.atan2(end[two], end[one])
                found.append((one, int(two), w))
    return found
    # --8<-- [end:rotary-hard]


def neighbours(rotate: Rotate, channels: int) -> Found:
    """Assume the interleaved layout."""
    ends = [rotate(start, 1) for start in np.eye(channels)]
    return [(c, c + 1, math.atan2(ends[c][c + 1], ends[c][c])) for c in range(0, channels, 2)]


def all_channels(rotate: Rotate, channels: int) -> Found:
    """Take whatever is left of the channels for pairs that do not rotate."""
    found = pairs_of(rotate, channels)
    taken = {channel for one, two, _ in found for channel in (one, two)}
    rest = [channel for channel in range(channels) if channel not in taken]
    still = [(one, two, 0.0) for one, two in zip(rest[::2], rest[1::2], strict=True)]
    return sorted(found + still)


def lower_first(rotate: Rotate, channels: int) -> Found:
    """Name the lower channel of a pair first, whichever way it rotates."""
    return sorted((min(one, two), max(one, two), w) for one, two, w in pairs_of(rotate, channels))


# --8<-- [start:rotary-hard-wrong]
def by_cosine(rotate: Rotate, channels: int) -> Found:
    """Read the angle off the cosine, which is flat where it matters."""
    units = np.eye(channels)
    cosines = [min(rotate(unit, 1)[c], 1.0) for c, unit in enumerate(units)]
    found = pairs_of(rotate, channels)
    return [(one, two, math.acos(cosines[one])) for one, two, _ in found]
    # --8<-- [end:rotary-hard-wrong]


def _library(layout: Found) -> Rotate:
    """Return the rotation of a library, from its pairs and frequencies."""

    def rotate(x: Any, position: float) -> Any:
        end = np.array(x, dtype=float)
        for one, two, w in layout:
            cos, sin = math.cos(w * position), math.sin(w * position)
            end[one], end[two] = x[one] * cos - x[two] * sin, x[one] * sin + x[two] * cos
        return end

    return rotate


def _judge(answer: Answer, name: str, layout: Found, channels: int) -> str | None:
    found, expected = sorted(answer(_library(layout), channels)), sorted(layout)
    written = [(int(one), int(two)) for one, two, _ in found]
    wanted = [(one, two) for one, two, _ in expected]
    if written != wanted:
        return f"at {name}: found pairs {written}, expected {wanted}"
    ratios = [mine[2] / right[2] for mine, right in zip(found, expected, strict=True)]
    return differs(ratios, [1] * len(ratios), at=f"{name}, frequency over the right one")


@judges("two layouts", hint="the layout was assumed, and not found.", wrong=neighbours)
def two_layouts(answer: Answer) -> str | None:
    """Pairs are found in both layouts, and a fast pair, too."""
    w = [float(each) for each in pairs()]
    interleaved = [(2 * i, 2 * i + 1, w[i]) for i in range(4)]
    halves = [(i, i + 4, w[i]) for i in range(4)]
    layouts = {"neighbours": interleaved, "halves": halves, "a fast pair": [(0, 1, 2.5)]}
    return first(_judge(answer, name, each, 2 * len(each)) for name, each in layouts.items())


@judges("partial", hint="channels that don't rotate were listed as pairs.", wrong=all_channels)
def partial(answer: Answer) -> str | None:
    """Channels that don't rotate are in no pair."""
    return _judge(answer, "four of eight rotated", [(0, 2, 1.0), (1, 3, 0.01)], 8)


@judges(
    "other way",
    hint="the lower channel was named first; the pair rotates from first to second.",
    wrong=lower_first,
)
def other_way(answer: Answer) -> str | None:
    """A clockwise rotation goes from the second channel to the first."""
    return _judge(answer, "clockwise", [(1, 0, 1.0), (3, 2, 0.01)], 4)


@judges(
    "slow pairs",
    hint="the angle was read off its cosine, which has lost a small one; take the sine.",
    wrong=by_cosine,
)
def slow_pairs(answer: Answer) -> str | None:
    """Large bases have frequencies near 0."""
    return _judge(answer, "slow pairs", [(0, 2, 1.0), (1, 3, 2e-9)], 4)


EXERCISES = (
    Exercise("rotary-easy", rotate_halves, (half_turn, direction)),
    Exercise("rotary-medium", without_oldest, (first_key, as_if_new)),
    Exercise("rotary-hard", pairs_of, (two_layouts, partial, other_way, slow_pairs)),
)
