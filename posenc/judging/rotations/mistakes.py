"""Known mistakes in rotations, and the matrices that they make.

Letters in this module
    d  channels of a head    i  index of a pair    θ  angles, (rows, d/2)
    a, b  the channels of each pair
"""

import itertools
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from posenc.core.layouts import LAYOUTS, pair_channels
from posenc.judging import precision
from posenc.judging.rotations.probe import Probe
from posenc.judging.wrong_angles import find_wrong_angles

Values = NDArray[np.float64]
Made = Callable[[Values, str], Values]

BASES = (10000.0, 500000.0)


def find_mistake(probe: Probe, frequencies: Sequence[Values] = ()) -> str | None:
    """Return which known mistake makes exactly these matrices, in words, or None.

    `frequencies` are those of a reference, tried besides those of usual bases.
    """
    head_dim = probe.matrices.shape[1]
    changed = (probe.matrices != np.eye(head_dim)).any(axis=0)
    moved = np.flatnonzero(changed.any(axis=0) | changed.any(axis=1))
    rotated = int(moved[-1]) + 1 if len(moved) else head_dim
    for d in dict.fromkeys((head_dim, rotated + rotated % 2)):
        if d % 2 or d < 4:
            continue
        usual = [base ** (-np.arange(d // 2) / (d // 2)) for base in BASES]
        for omega in (*usual, *(given for given in frequencies if 2 * len(given) == d)):
            matrices = probe.matrices[:, :d, :d]
            cause = _find_mistake_with(omega, matrices, probe)
            cause = cause or _explain_angles(omega, matrices, probe)
            if cause is not None:
                return cause
    return None


def _find_mistake_with(omega: Values, matrices: Values, probe: Probe) -> str | None:
    """Return which known mistake makes these matrices with these frequencies, or None."""
    angles = precision.get_angle_dtype(probe.numbers)
    positions = probe.rows.astype(np.float64)
    theta = np.multiply.outer(positions, omega)
    # A matrix entry may hold the angle of any pair; the fastest is the least certain.
    allowed = 3 * precision.bound_angle_error(positions, np.ones(1), angles)[:, :, np.newaxis]
    for (cause, make), layout in itertools.product(MISTAKES, LAYOUTS):
        for some in (slice(8), slice(None)):  # most are ruled out by a few positions
            expected = make(theta[some], layout)
            limit = precision.bound_entry_error(expected, allowed[some], probe.numbers, angles, 1.0)
            conclusive = limit < 0.1
            near = (abs(matrices[some] - expected) <= limit) | ~conclusive
            if not conclusive[:8].all() or not near.all():
                break
        else:
            return cause
    return None


def _explain_angles(omega: Values, matrices: Values, probe: Probe) -> str | None:
    """Return what is wrong with the angles of matrices that rotate each pair, or None."""
    d = matrices.shape[1]
    for layout in LAYOUTS:
        a, b = (np.arange(d)[part] for part in pair_channels(d, layout))
        cos, sin = matrices[:, a, a], matrices[:, b, a]
        rotations = _fill_matrices(cos, layout, cos, -sin, sin, cos)
        if abs(matrices - rotations).max() <= 2 * precision.UNITS[probe.numbers]:
            return find_wrong_angles(omega, cos + 1j * sin, probe.rows, probe.numbers)
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


def _mix_layouts(theta: Values, _: str, *, kept: str) -> Values:
    """Return matrices with the pairs of one layout and the angles of the other."""
    h = theta.shape[1]
    channels = np.arange(2 * h)
    pair = channels // 2 if kept == "half" else channels % h
    cos, sin = np.cos(theta[:, pair]), np.sin(theta[:, pair])
    first, second = pair_channels(2 * h, kept)
    return _fill_matrices(
        theta, kept, cos[:, first], -sin[:, first], sin[:, second], cos[:, second]
    )


def _reorder_swapped(theta: Values, _: str, *, kept: str) -> Values:
    """Return matrices of one layout whose products with sines are those of the other."""
    cos, none = np.cos(theta), np.zeros_like(theta)
    matrices = _fill_matrices(theta, kept, cos, none, none, cos)
    d = 2 * theta.shape[1]
    first, second = (np.arange(d)[part] for part in pair_channels(d, kept))
    pair = np.empty(d, dtype=np.int64)  # of each channel
    pair[first] = pair[second] = np.arange(d // 2)
    other = "half" if kept == "interleaved" else "interleaved"
    to_first, to_second = (np.arange(d)[part] for part in pair_channels(d, other))
    matrices[:, to_first, second] -= np.sin(theta[:, pair[to_first]])
    matrices[:, to_second, first] += np.sin(theta[:, pair[to_second]])
    return matrices


def _multiply_elementwise(theta: Values, layout: str) -> Values:
    """Return the matrices of an elementwise product with a table of sines and cosines."""
    cos, none = np.cos(theta), np.zeros_like(theta)
    return _fill_matrices(theta, layout, np.sin(theta), none, none, cos)


def _multiply_by_cosines_first(theta: Values, layout: str) -> Values:
    cos, none = np.cos(theta), np.zeros_like(theta)
    return _fill_matrices(theta, layout, cos, none, none, np.sin(theta))


def _separate_channels(theta: Values, layout: str) -> Values:
    """Return matrices whose channels c each have their own frequency, base**(-c/d)."""
    d = 2 * theta.shape[1]
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = theta[1, 1] / theta[1, 0]  # of two neighbouring frequencies
    own = np.multiply.outer(theta[:, 0], ratio ** (np.arange(d) / 2))
    first, second = (np.arange(d)[part] for part in pair_channels(d, layout))
    cos, sin = np.cos(own), np.sin(own)
    return _fill_matrices(
        theta, layout, cos[:, first], -sin[:, first], sin[:, second], cos[:, second]
    )


def _keep_order(theta: Values, layout: str) -> Values:
    """Return the matrices of rotate_half that changes a sign but exchanges nothing."""
    cos, sin, none = np.cos(theta), np.sin(theta), np.zeros_like(theta)
    return _fill_matrices(theta, layout, cos - sin, none, none, cos + sin)


def _add_sines(theta: Values, layout: str) -> Values:
    cos, sin, none = np.cos(theta), np.sin(theta), np.zeros_like(theta)
    return _fill_matrices(theta, layout, cos + sin, none, none, cos + sin)


def _drop_second_sine(theta: Values, layout: str) -> Values:
    cos, sin, none = np.cos(theta), np.sin(theta), np.zeros_like(theta)
    return _fill_matrices(theta, layout, cos, -sin, none, cos)


def _drop_first_sine(theta: Values, layout: str) -> Values:
    cos, sin, none = np.cos(theta), np.sin(theta), np.zeros_like(theta)
    return _fill_matrices(theta, layout, cos, none, sin, cos)


def _exchange_in_second(theta: Values, layout: str) -> Values:
    cos, sin = np.cos(theta), np.sin(theta)
    return _fill_matrices(theta, layout, cos, -sin, cos, sin)


def _exchange_results(theta: Values, layout: str) -> Values:
    cos, sin = np.cos(theta), np.sin(theta)
    return _fill_matrices(theta, layout, sin, cos, cos, -sin)


MISTAKES: tuple[tuple[str, Made], ...] = (
    ("the minus sign of the rotation is missing, so vectors change their length", _drop_minus),
    ("both sines have a minus sign, so vectors change their length", _negate_both_sines),
    ("pairs are reflected instead of rotated: the minus sign is at a cosine", _mirror_pairs),
    ("the first channel of a pair is overwritten before the second is computed", _overwrite_first),
    ("the products with the sines are missing", _drop_sines),
    (
        "halves are rotated with cos and sin repeated side by side instead of concatenated",
        partial(_mix_layouts, kept="half"),
    ),
    (
        "neighbouring channels are rotated with cos and sin concatenated instead of repeated side"
        " by side",
        partial(_mix_layouts, kept="interleaved"),
    ),
    (
        "swapped halves are interleaved instead of concatenated (rotate_half)",
        partial(_reorder_swapped, kept="half"),
    ),
    (
        "swapped neighbours are concatenated instead of interleaved (rotate_every_two)",
        partial(_reorder_swapped, kept="interleaved"),
    ),
    (
        "vectors are multiplied by sines and cosines channel by channel instead of rotated",
        _multiply_elementwise,
    ),
    (
        "each channel has its own frequency, exponent c/d, so the channels of a pair rotate by"
        " different angles",
        _separate_channels,
    ),
    (
        "vectors are multiplied by cosines and sines channel by channel instead of rotated",
        _multiply_by_cosines_first,
    ),
    (
        "the channels of a pair aren't exchanged before they are multiplied by the sines",
        _keep_order,
    ),
    ("vectors are multiplied by cos + sin: rotate_half is missing", _add_sines),
    ("the second channel of a pair lacks its product with the sine", _drop_second_sine),
    ("the first channel of a pair lacks its product with the sine", _drop_first_sine),
    ("sine and cosine are exchanged in the second channel of a pair", _exchange_in_second),
    ("the two channels of each pair are exchanged in the result", _exchange_results),
)
