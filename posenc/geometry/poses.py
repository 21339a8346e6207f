"""Poses: a place and a heading in the plane instead of a position.

Letters in this module
    g     a pose: x and y, lengths in one unit, and a heading in radians, counter-clockwise
    ρ(g)  its matrix, 3 by 3, which maps coordinates seen from the pose to the map
    L     tokens, each with a pose    d  channels of a token, in blocks of 3
    B     sequences in a batch
"""

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.layouts import axes_of
from posenc.core.underflow import ignore_underflow

Floats = NDArray[np.float64]

Role = Literal["query", "key", "output"]
ROLES: tuple[Role, ...] = get_args(Role)


@ignore_underflow
def pose_matrices(poses: ArrayLike) -> Floats:
    """Return the matrix of each pose, from coordinates seen from there to the map.

    Args:
        poses: Shape (..., 3), real, within ±2**53: x, y and heading in radians.

    Returns:
        ρ(g), shape (..., 3, 3), float64: a rotation by the heading, the place as third
        column, and the row 0, 0, 1. The product of two is the matrix of the second
        pose, given as seen from the first.

    Raises:
        TypeError: `poses` does not hold real numbers.
        ValueError: The last axis does not have 3 entries, or one is not finite or
            beyond ±2**53.

    Source:
        Homogeneous coordinates of the planar motions, the group SE(2). Deviation: none.

    Examples:
        >>> import math
        >>> from posenc.geometry import pose_matrices
        >>> pose_matrices([5, 2, math.pi / 2]).round(12).tolist()
        [[0.0, -1.0, 5.0], [1.0, 0.0, 2.0], [0.0, 0.0, 1.0]]
    """
    g = _poses("poses", poses)
    sin, cos = np.sin(g[..., 2]), np.cos(g[..., 2])
    matrix = np.zeros((*g.shape[:-1], 3, 3))
    matrix[..., 0, 0], matrix[..., 0, 1], matrix[..., 0, 2] = cos, -sin, g[..., 0]
    matrix[..., 1, 0], matrix[..., 1, 1], matrix[..., 1, 2] = sin, cos, g[..., 1]
    matrix[..., 2, 2] = 1
    return matrix


@ignore_underflow
def relative_poses(seen_from: ArrayLike, poses: ArrayLike) -> Floats:
    """Return poses as seen from other poses: distance ahead, to the left, and heading.

    Args:
        seen_from: Shape (..., 3), real, within ±2**53: x, y and heading in radians.
        poses: The same shape, in the same frame.

    Returns:
        The poses of ρ(seen_from)⁻¹ ρ(poses), shape (..., 3), float64: ahead and to the
        left in the unit of x and y, and the difference of the headings in radians,
        within ±π, up to rounding. The same in every frame, up to rounding.

    Raises:
        TypeError: An argument does not hold real numbers.
        ValueError: The shapes differ, the last axis does not have 3 entries, or one is
            not finite or beyond ±2**53.

    Source:
        Miyato et al. 2023, arXiv:2310.10375, for any group. Deviation: the
        pose maps what is seen to the map, not the map to what is seen.

    Examples:
        >>> import math
        >>> from posenc.geometry import relative_poses
        >>> relative_poses([5, 2, math.pi / 2], [5, 6, math.pi]).round(4).tolist()
        [4.0, 0.0, 1.5708]
    """
    here, there = _poses("seen_from", seen_from), _poses("poses", poses)
    if here.shape != there.shape:
        raise ValueError(
            f"seen_from and poses must have the same shape, got {here.shape} and {there.shape}"
        )
    # --8<-- [start:relative]
    dx, dy, turn = np.moveaxis(there - here, -1, 0)
    sin, cos = np.sin(here[..., 2]), np.cos(here[..., 2])
    # exact for any number of whole rotations
    wrapped = np.arctan2(np.sin(turn), np.cos(turn))
    return np.stack([cos * dx + sin * dy, cos * dy - sin * dx, wrapped], axis=-1)
    # --8<-- [end:relative]


@checks.finite_result("x", "poses")
def apply_poses(x: ArrayLike, poses: ArrayLike, *, role: Role) -> Floats:
    """Return tokens moved by their poses, so that attention sees only relative poses.

    Args:
        x: Shape (..., L, d), real, finite, d a multiple of 3, at least 3.
        poses: g, real, within ±2**53: x, y and heading in radians. Shape (L, 3), or
            (B, L, 3) with B the first axis of x, or x.shape[:-1] + (3,).
        role: `"query"`: every block of 3 channels is multiplied by the transpose of
            ρ(g)⁻¹. `"key"`: by ρ(g), for keys and for values. `"output"`: by ρ(g)⁻¹,
            for what a query receives.

    Returns:
        Shape of `x`, float64. The product of a query and a key, so moved, is
        x ρ(g_p⁻¹ g_q) y in each block. ρ(g) is not a rotation unless the place is 0: lengths
        change, and scores grow with the distance.

    Raises:
        TypeError: `x` or `poses` does not hold real numbers, or `role` is not a string.
        ValueError: `x` has fewer than 2 axes or d is not a multiple of 3, `poses` does
            not fit, a number is not finite or a pose beyond ±2**53, or `role` is unknown.
            Or the result overflows float64.

    Source:
        Miyato et al. 2023, arXiv:2310.10375, whose queries, keys, values and outputs
        are moved by a group. Deviation: the plane, one kind of block; ρ of the paper's
        camera matrices is that of the inverse pose here.

    Examples:
        >>> from posenc.geometry import apply_poses
        >>> seen = [[2.0, 1.0, 1.0]]  # a place, 2 ahead and 1 to the left
        >>> apply_poses(seen, [[5.0, 2.0, 0.0]], role="key").tolist()
        [[7.0, 3.0, 1.0]]
    """
    tokens = checks.matrices("x", x)
    if tokens.shape[-1] < 3 or tokens.shape[-1] % 3:
        raise ValueError(f"x must have a multiple of 3 channels, got shape {tokens.shape}")
    g = _poses("poses", poses)
    g = g.reshape(*axes_of("poses", g.shape[:-1], tokens.shape), 3)
    role = checks.choice("role", role, ROLES)
    # --8<-- [start:apply]
    matrix = pose_matrices(g)  # ρ(g), (..., L, 3, 3)
    if role != "key":
        turn = matrix[..., :2, :2].mT  # the inverse rotation
        matrix[..., :2, :2], matrix[..., :2, 2:] = turn, -turn @ matrix[..., :2, 2:]
    if role == "query":
        matrix = matrix.mT
    *leading, d = tokens.shape
    blocks = tokens.reshape(*leading, d // 3, 3)  # (..., L, d/3, 3)
    return (blocks @ matrix.mT).reshape(tokens.shape)
    # --8<-- [end:apply]


def _poses(name: str, value: Any) -> Floats:
    """Return value as a float64 array of poses, so small that no difference overflows."""
    array = checks.reals(name, value)
    if array.ndim == 0 or array.shape[-1] != 3:
        raise ValueError(
            f"{name} must hold x, y and heading on its last axis, got shape {array.shape}"
        )
    return checks.positions(name, array)
