"""orientations against products of quaternions and of turns about the axes."""

import math
from typing import Any

import numpy as np

from posenc.geometry.orientations import (
    rotation_from_quaternion,
    rotation_from_six,
    six_from_rotation,
)

# Some 20 roundings of numbers of at most 1, each within 1.1e-16, and as much room again for
# sums in another order or fused.
CLOSE = 4e-15

Quaternion = tuple[float, float, float, float]


def times(a: Any, b: Any) -> Quaternion:
    """Hamilton's product."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def turned(q: Any, v: Any) -> list[float]:
    """The vector part of q v q*, for a quaternion of length 1."""
    conjugate = (q[0], -q[1], -q[2], -q[3])
    return list(times(times(q, (0, *v)), conjugate)[1:])


def quaternions(count: int) -> Any:
    q = np.random.default_rng(4).normal(size=(count, 4))
    return q / np.sqrt((q**2).sum(axis=1, keepdims=True))


def rotations() -> Any:
    """Products of turns about the three axes, written out."""
    made = []
    for a, b, c in np.random.default_rng(9).uniform(-7, 7, size=(40, 3)):
        R = np.eye(3)
        for axis, t in enumerate((a, b, c)):
            step = np.eye(3)
            i, j = (axis + 1) % 3, (axis + 2) % 3
            step[i, i] = step[j, j] = math.cos(t)
            step[i, j], step[j, i] = -math.sin(t), math.sin(t)
            R = R @ step
        made.append(R)
    return np.array(made)


def test_a_quaternion_turns_as_its_products_do() -> None:
    for q in quaternions(30):
        R = rotation_from_quaternion(q)
        for v in ([1, 0, 0], [0, 1, 0], [0, 0, 1], [3, -4, 5]):
            assert abs(R @ v - turned(q, v)).max() < 8 * CLOSE


def test_rotations_of_float32_are_taken_as_they_are() -> None:
    R = rotations().astype(np.float32)
    six = six_from_rotation(R)
    assert six.dtype == np.float64
    assert (six[:, 3:] == R[:, :, 1]).all()


def test_rotation_survives_the_round_trip() -> None:
    R = rotations().reshape(4, 10, 3, 3)
    six = six_from_rotation(R)
    assert six.shape == (4, 10, 6)
    assert abs(rotation_from_six(six) - R).max() < CLOSE


def test_any_two_vectors_give_a_rotation() -> None:
    for six in np.random.default_rng(1).normal(size=(50, 6)) * [5, 5, 5, 1e-3, 1e-3, 1e-3]:
        R = rotation_from_six(six)
        a, b = six[:3], six[3:]
        assert abs(R.T @ R - np.eye(3)).max() < CLOSE
        x, y, z = R.T.tolist()
        cross = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
        assert abs(np.subtract(cross, z)).max() < CLOSE  # right-handed
        assert abs(np.array(x) * math.hypot(*a) - a).max() < 20 * CLOSE
        # The second vector has nothing across the plane, and a positive part in it.
        assert abs(b @ np.array(z)) < 20 * CLOSE * math.hypot(*b)
        assert b @ np.array(y) > 0


def test_nearly_parallel_vectors_give_right_angles() -> None:
    for angle in (1e-3, 1e-7, 1e-11):
        six = [
            0.6,
            0.48,
            0.64,
            *(np.array([0.6, 0.48, 0.64]) + angle * np.array([0.8, -0.36, -0.48])),
        ]
        R = rotation_from_six(six)
        assert abs(R.T @ R - np.eye(3)).max() < CLOSE
