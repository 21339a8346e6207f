"""Known mistakes in rotations, and the matrices that they make.

Letters in this module
    d  channels of a head    i  index of a pair    θ  angles, (rows, d/2)
    a, b  the channels of each pair
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from posenc.core.layouts import LAYOUTS, pair_channels
from posenc.judging import precision

Values = NDArray[np.float64]
Made = Callable[[Values, str], Values]

BASES = (10000.0, 500000.0)


def find_mistake(matrices: Values, rows: NDArray[np.int64], dtype: str) -> str | None:
    """Return which known mistake makes exactly these matrices, in words, or None."""
    d = matrices.shape[1]
    if d % 2 or d < 4:
        return None
    angles = precision.get_angle_dtype(dtype)
    for base in BASES:
        omega = base ** (-np.arange(d // 2) / (d // 2))
        positions = rows.astype(np.float64)
        theta = np.multiply.outer(positions, omega)
        # A matrix entry may hold the angle of any pair; the fastest is the least certain.
        allowed = 3 * precision.bound_angle_error(positions, np.ones(1), angles)[:, :, np.newaxis]
        for cause, make in MISTAKES:
            for layout in LAYOUTS:
                expected = make(theta, layout)
                limit = precision.bound_entry_error(expected, allowed, dtype, angles, 1.0)
                conclusive = limit < 0.1
                near = (abs(matrices - expected) <= limit) | ~conclusive
                if conclusive[: min(8, len(rows))].all() and near.all():
                    return cause
    return None


def _fill_matrices(theta: Values, layout: str, *entries: Values) -> Values:
    """Return matrices with the entries (a, a), (a, b), (b, a), (b, b) of each pair."""
    d = 2 * theta.shape[1]
    first, second = pair_channels(d, layout)
    a, b = np.arange(d)[first], np.arange(d)[second]
    matrices = np.zeros((len(theta), d, d))
    for (row, column), values in zip(((a, a), (a, b), (b, a), (b, b)), entries, strict=True):
        matrices[:, row, column] = values
    return matrices


def _drop_minus(theta: Values, layout: str) -> Values:
    cos, sin = np.cos(theta), np.sin(theta)
    return _fill_matrices(theta, layout, cos, sin, sin, cos)


def _negate_both_sines(theta: Values, layout: str) -> Values:
    cos, sin = np.cos(theta), np.sin(theta)
    return _fill_matrices(theta, layout, cos, -sin, -sin, cos)


def _mirror_pairs(theta: Values, layout: str) -> Values:
    cos, sin = np.cos(theta), np.sin(theta)
    return _fill_matrices(theta, layout, cos, sin, sin, -cos)


def _overwrite_first(theta: Values, layout: str) -> Values:
    cos, sin = np.cos(theta), np.sin(theta)
    return _fill_matrices(theta, layout, cos, -sin, cos * sin, cos - sin * sin)


def _drop_sines(theta: Values, layout: str) -> Values:
    cos, none = np.cos(theta), np.zeros_like(theta)
    return _fill_matrices(theta, layout, cos, none, none, cos)


def _mix_layouts(theta: Values, layout: str) -> Values:
    """Return matrices with the pairs of one layout and the angles of the other."""
    h = theta.shape[1]
    channels = np.arange(2 * h)
    pair = channels // 2 if layout == "half" else channels % h
    cos, sin = np.cos(theta[:, pair]), np.sin(theta[:, pair])
    first, second = pair_channels(2 * h, layout)
    return _fill_matrices(
        theta, layout, cos[:, first], -sin[:, first], sin[:, second], cos[:, second]
    )


def _multiply_elementwise(theta: Values, layout: str) -> Values:
    """Return the matrices of an elementwise product with a table of sines and cosines."""
    cos, none = np.cos(theta), np.zeros_like(theta)
    return _fill_matrices(theta, layout, np.sin(theta), none, none, cos)


MISTAKES: tuple[tuple[str, Made], ...] = (
    ("the minus sign of the rotation is missing, so that vectors change their length", _drop_minus),
    ("both sines have a minus sign, so that vectors change their length", _negate_both_sines),
    ("pairs are mirrored and not turned, since a sign stands at the wrong product", _mirror_pairs),
    ("the first channel of a pair is overwritten before the second is computed", _overwrite_first),
    ("the products with the sines are missing", _drop_sines),
    (
        "partners are those of one layout and angles those of the other: the halves of a vector"
        " meet cosines and sines that were doubled side by side, or the other way round",
        _mix_layouts,
    ),
    (
        "vectors are multiplied by sines and cosines channel by channel, and not turned",
        _multiply_elementwise,
    ),
)
