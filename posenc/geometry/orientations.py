"""Orientations of a body in space: rotation matrices, quaternions and a continuous code.

Letters in this module
    R  rotation matrix, 3 by 3, determinant 1
    w, x, y, z  quaternion, real part first; its length does not matter, but is not 0
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.underflow import ignore_underflow

Floats = NDArray[np.float64]

# Columns this close to one line, as a sine, have lost their plane to rounding.
PARALLEL = 1e-12
# How far a matrix may be from a rotation, per entry of R Rᵀ: those of float32 are within 4e-7.
ORTHOGONAL = 1e-6


@ignore_underflow
def rotation_from_quaternion(quaternion: ArrayLike) -> Floats:
    """Return the rotation matrix of a quaternion; its negative has the same.

    Args:
        quaternion: Shape (..., 4), real, finite, order w, x, y, z. Not all 0; any length.

    Returns:
        R, shape (..., 3, 3), float64, entries in [-1, 1], up to rounding.

    Raises:
        TypeError: `quaternion` does not hold real numbers.
        ValueError: The last axis does not have 4 entries, one is not finite, or all
            four are 0.

    Source:
        Zhou et al. 2018, arXiv:1812.07035v4, section 4.1, on the two quaternions of
        each rotation. Deviation: none. Some libraries put w last.

    Examples:
        >>> from posenc.geometry import rotation_from_quaternion
        >>> rotation_from_quaternion([1, 0, 0, 1]).round(12).tolist()
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    q = _rows("quaternion", quaternion, 4)
    if not q.any(axis=-1).all():
        raise ValueError("quaternion must not hold four zeros")
    w, x, y, z = np.moveaxis(_unit(q), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


@checks.finite_result("rotation")
def six_from_rotation(rotation: ArrayLike) -> Floats:
    """Return the first two columns of a rotation matrix, a continuous code.

    Args:
        rotation: R, shape (..., 3, 3), real, finite, R Rᵀ within 1e-6 of the identity.

    Returns:
        Shape (..., 6), float64, in [-1, 1] up to rounding: where the first axis of the
        body points, then where the second does.

    Raises:
        TypeError: `rotation` does not hold real numbers.
        ValueError: The last two axes are not 3 and 3, a number is not finite, columns
            are not orthonormal, or the determinant is -1. Rotations in float32 pass.
            Or the result overflows float64.

    Source:
        Zhou et al. 2018, arXiv:1812.07035v4, section 4.2. Deviation: none.

    Examples:
        >>> from posenc.geometry import six_from_rotation
        >>> six_from_rotation([[0, -1, 0], [1, 0, 0], [0, 0, 1]]).tolist()
        [0.0, 1.0, 0.0, -1.0, 0.0, 0.0]
    """
    R = checks.matrices("rotation", rotation)
    if R.shape[-2:] != (3, 3):
        raise ValueError(f"rotation must have 3 rows and 3 columns, got shape {R.shape}")
    off = abs(R @ R.mT - np.eye(3)).max(initial=0)
    if not off <= ORTHOGONAL:  # not finite, where a product overflows
        raise ValueError(
            f"rotation must have orthonormal rows to within {ORTHOGONAL:g}, got an error of"
            f" {off:.1e} in R @ R.T"
        )
    if (np.linalg.det(R) < 0).any():
        raise ValueError("rotation must have the determinant 1, got -1: it is a reflection")
    return np.concatenate([R[..., :, 0], R[..., :, 1]], axis=-1)


@ignore_underflow
def rotation_from_six(six: ArrayLike) -> Floats:
    """Return the rotation that Gram-Schmidt computes from two vectors, given as six numbers.

    Args:
        six: Shape (..., 6), real, finite: two vectors of three, neither 0 nor parallel
            to the other.

    Returns:
        R, shape (..., 3, 3), float64: the first vector at length 1; the part of the second
        orthogonal to it, at length 1; and their cross product. Orthonormal to 4e-15, however
        small the angle between the two.

    Raises:
        TypeError: `six` does not hold real numbers.
        ValueError: The last axis does not have 6 entries, one is not finite, a vector
            is 0, or the sine of the angle between the two is 1e-12 or less.

    Source:
        Zhou et al. 2018, arXiv:1812.07035v4, section 4.2: Gram-Schmidt. Deviation:
        none; the bound on parallel vectors is ours.

    Examples:
        >>> from posenc.geometry import rotation_from_six
        >>> rotation_from_six([0, 2, 0, -3, 5, 0]).tolist()
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    numbers = _rows("six", six, 6)
    if not (numbers[..., :3].any(axis=-1) & numbers[..., 3:].any(axis=-1)).all():
        raise ValueError("six must hold two vectors, neither of them 0, got a vector of zeros")
    first, second = _unit(numbers[..., :3]), _unit(numbers[..., 3:])
    across = _across(first, second)
    sine = np.linalg.norm(across, axis=-1)
    if not (sine > PARALLEL).all():
        raise ValueError(
            "six must hold two vectors that are not parallel, with a sine of their angle above"
            f" {PARALLEL:g}, got {sine.min():.1e}"
        )
    # --8<-- [start:third]
    across = _unit(_across(first, _unit(across)))  # again: the first may have cancelled
    third = np.cross(first, across) + 0.0  # no -0.
    return np.stack([first, across, third], axis=-1)
    # --8<-- [end:third]


def _across(first: Floats, x: Floats) -> Floats:
    """Return the part of x that is orthogonal to a vector of length 1."""
    # --8<-- [start:across]
    across: Floats = x - (first * x).sum(axis=-1, keepdims=True) * first
    # --8<-- [end:across]
    return across


def _unit(x: Floats) -> Floats:
    """Return vectors at length 1; scaled first, so that no square overflows or vanishes."""
    scaled = x / abs(x).max(axis=-1, keepdims=True)
    unit: Floats = scaled / np.linalg.norm(scaled, axis=-1, keepdims=True)
    return unit


def _rows(name: str, value: Any, width: int) -> Floats:
    """Return value as a float64 array of finite numbers with `width` entries a row."""
    array = checks.reals(name, value)
    if array.ndim == 0 or array.shape[-1] != width:
        raise ValueError(
            f"{name} must have {width} entries on its last axis, got shape {array.shape}"
        )
    return checks.finite(name, array)
