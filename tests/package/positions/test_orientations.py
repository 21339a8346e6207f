"""orientations against products of quaternions and of turns about the axes."""

import math
from typing import Any

import numpy as np

from posenc.positions.orientations import (
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


def test_length_and_sign_do_not_matter() -> None:
    q = quaternions(10).reshape(2, 5, 4)
    R = rotation_from_quaternion(q)
    assert R.shape == (2, 5, 3, 3)
    assert (rotation_from_quaternion(-q) == R).all()
    for factor in (3.0, 1e-200, 1e200):
        assert abs(rotation_from_quaternion(factor * q) - R).max() < CLOSE


def test_six_numbers_are_two_columns() -> None:
    for R in rotations():
        six = six_from_rotation(R)
        assert six.tolist() == [R[0, 0], R[1, 0], R[2, 0], R[0, 1], R[1, 1], R[2, 1]]


def test_rotations_of_float32_are_taken_as_they_are() -> None:
    R = rotations().astype(np.float32)
    six = six_from_rotation(R)
    assert six.dtype == np.float64
    assert (six[:, 3:] == R[:, :, 1]).all()


def test_there_and_back() -> None:
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


def test_scale_of_all_six_does_not_matter() -> None:
    six = np.array([1.0, 2, 2, -1, 4, 3])
    R = rotation_from_six(six)
    for factor in (1e-300, 1e300):
        assert abs(rotation_from_six(factor * six) - R).max() < CLOSE


def test_a_small_change_makes_a_small_change() -> None:
    six = np.array([0.0, 2, 0, -3, 5, 1])
    R = rotation_from_six(six)
    for step in np.eye(6) * 1e-6:
        # Lengths of 2 and, across, sqrt(10): slopes below 2 per entry, with room.
        assert abs(rotation_from_six(six + step) - R).max() < 2e-6


def test_inputs_are_left_alone() -> None:
    q, six, R = np.array([2.0, 0, 0, 0]), np.array([2.0, 0, 0, 0, 3, 0]), np.eye(3)
    rotation_from_quaternion(q)[:] = 7
    rotation_from_six(six)[:] = 7
    six_from_rotation(R)[:] = 7
    assert q.tolist() == [2, 0, 0, 0]
    assert six.tolist() == [2, 0, 0, 0, 3, 0]
    assert R.tolist() == np.eye(3).tolist()


def test_no_rotations_at_all() -> None:
    assert rotation_from_quaternion(np.zeros((0, 4))).shape == (0, 3, 3)
    assert rotation_from_six(np.zeros((0, 6))).shape == (0, 3, 3)
    assert six_from_rotation(np.zeros((0, 3, 3))).shape == (0, 6)
