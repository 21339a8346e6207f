"""Known mistakes in tables: what programs compute that meant the paper's formula.

Each entry is a table that somebody's program has, and the sentence that says why. A table
is called one of these only where every entry agrees.

Letters in this module
    p  positions    c  a channel, 0..d-1    d  channels
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.judging import precision

Values = NDArray[np.float64]
Rows = NDArray[np.int64]
Made = Callable[[NDArray[Any], int], NDArray[Any]]

BASE = 10000.0


def of_table(table: Values, rows: Rows, dtype: str) -> str | None:
    """Return the mistake that gives exactly this table, in words, or None."""
    d = table.shape[1]
    if d < 4 or len(rows) < 2 or d % 2:
        return None
    for cause, make in MISTAKES:
        for start in (0, 1):
            rates = BASE ** (2 * (np.arange(d) // 2) / d) if make is _upwards else np.ones(d)
            if agrees(table, make(rows + float(start), d), rows + start, rates, dtype):
                return cause + ("" if start == 0 else ", counted from position 1")
    return None


def agrees(table: Values, expected: Values, positions: Rows, rates: Values, dtype: str) -> bool:
    """Return whether entries agree with computed ones; `rates` bounds the frequencies."""
    angles = precision.angles_for(dtype)
    # For frequencies above 1, t in the error of the exponent is up to ln(base): below 8 times
    # what is allowed at 1, where t is 0.
    allowed = 8 * precision.angle_error(positions.astype(np.float64), rates, angles)
    limit = precision.entry_limit(expected, allowed, dtype, angles, 1.0)
    # Where an angle may be anything, an entry says nothing.
    telling = limit < 0.1
    return bool(telling[:2].all() and (abs(table - expected)[telling] <= limit[telling]).all())


def _alternating(angles: Values) -> Values:
    """Return sines in even channels and cosines in odd ones."""
    return np.where(np.arange(angles.shape[1]) % 2, np.cos(angles), np.sin(angles))


def _pairs(p: Values, d: int, power: float = -1.0) -> Values:
    """Return the right angles, the same for both channels of a pair."""
    return np.outer(p, BASE ** (power * 2 * (np.arange(d) // 2) / d))


def _each_channel(p: Values, d: int, base: float = BASE) -> Values:
    return _alternating(np.outer(p, base ** (-np.arange(d) / d)))


def _each_channel_slower(p: Values, d: int) -> Values:
    return _each_channel(p, d, 1000.0)


def _each_channel_doubled(p: Values, d: int) -> Values:
    return _alternating(np.outer(p, BASE ** (-2 * np.arange(d) / d)))


def _upwards(p: Values, d: int) -> Values:
    return _alternating(_pairs(p, d, power=1.0))


def _degrees(p: Values, d: int) -> Values:
    return _alternating(np.deg2rad(_pairs(p, d)))


def _sines(p: Values, d: int) -> Values:
    return np.sin(_pairs(p, d))


def _cosines(p: Values, d: int) -> Values:
    return np.cos(_pairs(p, d))


def _sines_of_each(p: Values, d: int) -> Values:
    return np.sin(np.outer(p, BASE ** (-np.arange(d) / d)))


def _cut(p: Values, d: int) -> Values:
    return np.trunc(_alternating(_pairs(p, d)))


def _rounded(p: Values, d: int) -> Values:
    return np.rint(_alternating(_pairs(p, d)))


def _folded(p: Values, d: int) -> Values:
    angles = _pairs(p, d)[:, ::2]
    return np.stack([np.sin(angles), np.cos(angles)]).reshape(len(p), d)


def _angles(p: Values, d: int) -> Values:
    return _pairs(p, d)


def _by_rows(p: Values, d: int) -> Values:
    """Return sines at even positions and cosines at odd ones."""
    angles = _pairs(p, d)
    return np.where(p[:, np.newaxis] % 2, np.cos(angles), np.sin(angles))


def _constant(p: Values, d: int) -> Values:
    return np.repeat(_alternating(_pairs(p[:1], d)), len(p), axis=0)


MISTAKES: tuple[tuple[str, Made], ...] = (
    (
        "each channel has a frequency of its own, exponent c/d: no cosine fits its sine",
        _each_channel,
    ),
    (
        "each channel has a frequency of its own, exponent c/d, and the base is 1000",
        _each_channel_slower,
    ),
    (
        "each channel has a frequency of its own, exponent 2c/d: the loop already steps by two",
        _each_channel_doubled,
    ),
    ("positions are multiplied by base**(2i/d) where they should be divided by it", _upwards),
    ("angles are taken for degrees", _degrees),
    ("both channels of a pair hold the sine; the cosines are missing", _sines),
    ("both channels of a pair hold the cosine; the sines are missing", _cosines),
    ("all channels hold sines, each with a frequency of its own", _sines_of_each),
    ("entries were cut to whole numbers, as in an array of integers", _cut),
    ("entries were rounded to whole numbers", _rounded),
    (
        "sines and cosines were stacked and then reshaped, which puts rows of sines before rows of"
        " cosines",
        _folded,
    ),
    ("the angles themselves stand in the table; sine and cosine were not taken", _angles),
    ("every row is the first one: the position is not used", _constant),
    ("sine and cosine alternate from row to row, and should from channel to channel", _by_rows),
)
