"""Known mistakes in tables that were meant to follow the paper's formula.

Each mistake has a function that makes the table, and the words that explain it. It is named only
where every entry of a table agrees.

Letters in this module
    p  positions    c  a channel, 0..d-1    d  channels
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.core.layouts import LAYOUTS, pair_channels
from posenc.judging import precision
from posenc.judging.wrong_angles import find_wrong_angles

Values = NDArray[np.float64]
Rows = NDArray[np.int64]
Made = Callable[[NDArray[Any], int], NDArray[Any]]

BASE = 10000.0
COUNTED = ", counted from position 1"


def find_mistake(table: Values, rows: Rows, dtype: str) -> str | None:
    """Return which known mistake makes exactly this table, in words, or None."""
    d = table.shape[1]
    if d < 4 or len(rows) < 2 or d % 2:
        return None
    for cause, make in MISTAKES:
        for start in (0, 1):
            if _matches(table, make(rows + float(start), d), rows + start, dtype):
                return cause + ("" if start == 0 else COUNTED)
    return _explain_angles(table, rows, dtype)


def _explain_angles(table: Values, rows: Rows, dtype: str) -> str | None:
    """Return what is wrong with the angles of a table of sines and cosines, or None."""
    d = table.shape[1]
    omega = BASE ** (-np.arange(d // 2) / (d // 2))
    for layout in LAYOUTS:
        sin, cos = (table[:, part] for part in pair_channels(d, layout))
        for start in (0, 1):
            cause = find_wrong_angles(omega, cos + 1j * sin, rows + start, dtype)
            if cause is not None:
                return cause + ("" if start == 0 else COUNTED)
    return None


def _matches(table: Values, expected: Values, positions: Rows, dtype: str) -> bool:
    """Return whether entries agree with computed ones."""
    angles = precision.get_angle_dtype(dtype)
    fastest = np.ones(table.shape[1])
    # An exponent that is wrong may make frequencies above 1: t in the error of the exponent is
    # up to ln(base), below 8 times what is allowed at 1, where t is 0.
    allowed = 8 * precision.bound_angle_error(positions.astype(np.float64), fastest, angles)
    limit = precision.bound_entry_error(expected, allowed, dtype, angles, 1.0)
    # Where an angle may be anything, an entry says nothing.
    conclusive = limit < 0.1
    return bool(
        conclusive[:2].all() and (abs(table - expected)[conclusive] <= limit[conclusive]).all()
    )


def _alternate(angles: Values) -> Values:
    """Return sines in even channels and cosines in odd ones."""
    return np.where(np.arange(angles.shape[1]) % 2, np.cos(angles), np.sin(angles))


def _compute_angles(p: Values, d: int) -> Values:
    """Return the right angles, the same for both channels of a pair."""
    return np.outer(p, BASE ** (-2 * (np.arange(d) // 2) / d))


def _separate_channels(p: Values, d: int, base: float = BASE) -> Values:
    return _alternate(np.outer(p, base ** (-np.arange(d) / d)))


def _separate_channels_at_base_1000(p: Values, d: int) -> Values:
    return _separate_channels(p, d, 1000.0)


def _separate_channels_doubled(p: Values, d: int) -> Values:
    return _alternate(np.outer(p, BASE ** (-2 * np.arange(d) / d)))


def _use_degrees(p: Values, d: int) -> Values:
    return _alternate(np.deg2rad(_compute_angles(p, d)))


def _use_sines_only(p: Values, d: int) -> Values:
    return np.sin(_compute_angles(p, d))


def _use_cosines_only(p: Values, d: int) -> Values:
    return np.cos(_compute_angles(p, d))


def _use_sines_in_halves(p: Values, d: int) -> Values:
    return np.tile(np.sin(_compute_angles(p, d)[:, ::2]), 2)


def _leave_odd_channels(p: Values, d: int) -> Values:
    return np.where(np.arange(d) % 2, 0.0, np.sin(_compute_angles(p, d)))


def _leave_second_half(p: Values, d: int) -> Values:
    sines = np.sin(_compute_angles(p, d)[:, ::2])
    return np.concatenate([sines, np.zeros_like(sines)], axis=1)


def _use_sines_of_separate_channels(p: Values, d: int) -> Values:
    return np.sin(np.outer(p, BASE ** (-np.arange(d) / d)))


def _truncate(p: Values, d: int) -> Values:
    return np.trunc(_alternate(_compute_angles(p, d)))


def _round(p: Values, d: int) -> Values:
    return np.rint(_alternate(_compute_angles(p, d)))


def _stack_and_reshape(p: Values, d: int) -> Values:
    angles = _compute_angles(p, d)[:, ::2]
    return np.stack([np.sin(angles), np.cos(angles)]).reshape(len(p), d)


def _keep_angles(p: Values, d: int) -> Values:
    return _compute_angles(p, d)


def _alternate_by_row(p: Values, d: int) -> Values:
    """Return sines at even positions and cosines at odd ones."""
    angles = _compute_angles(p, d)
    return np.where(p[:, np.newaxis] % 2, np.cos(angles), np.sin(angles))


def _repeat_first_row(p: Values, d: int) -> Values:
    return np.repeat(_alternate(_compute_angles(p[:1], d)), len(p), axis=0)


MISTAKES: tuple[tuple[str, Made], ...] = (
    (
        "each channel has its own frequency, exponent c/d, so sines and cosines form no pairs",
        _separate_channels,
    ),
    (
        "each channel has its own frequency, exponent c/d, and the base is 1000",
        _separate_channels_at_base_1000,
    ),
    (
        "each channel has its own frequency, exponent 2c/d: the loop already steps by two",
        _separate_channels_doubled,
    ),
    ("angles are taken as degrees", _use_degrees),
    ("both channels of a pair are sines; the cosines are missing", _use_sines_only),
    ("both channels of a pair are cosines; the sines are missing", _use_cosines_only),
    ("both halves are sines; the cosines are missing", _use_sines_in_halves),
    ("channels of the cosines are zero: they are never written", _leave_odd_channels),
    ("channels of the cosines are zero: they are never written", _leave_second_half),
    ("all channels are sines, each with its own frequency", _use_sines_of_separate_channels),
    ("entries are truncated to integers, as in an array of integers", _truncate),
    ("entries are rounded to integers", _round),
    (
        "sines and cosines were stacked and then reshaped, which puts rows of sines before rows of"
        " cosines",
        _stack_and_reshape,
    ),
    ("the table contains the angles; sine and cosine are missing", _keep_angles),
    ("all rows equal the first: the position is not used", _repeat_first_row),
    (
        "sine and cosine alternate from row to row instead of from channel to channel",
        _alternate_by_row,
    ),
)
