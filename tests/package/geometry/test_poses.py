"""poses against planar motions as complex numbers."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from posenc.geometry.poses import apply_poses, pose_matrices, relative_poses

# Places up to 10, a handful of products each: 10 * 5 * 1.1e-16, and room.
CLOSE = 2e-14

Motion = tuple[complex, complex]


def motion(g: Any) -> Motion:
    """The map z -> r*z + t of a pose."""
    return complex(math.cos(g[2]), math.sin(g[2])), complex(g[0], g[1])


def then(first: Motion, second: Motion) -> Motion:
    """The map z -> first(second(z))."""
    return first[0] * second[0], first[0] * second[1] + first[1]


def back(g: Motion) -> Motion:
    return g[0].conjugate(), -g[0].conjugate() * g[1]


def matrix(g: Motion) -> NDArray[np.float64]:
    """Columns: images of 1 and i without the shift, and the shift."""
    r, t = g
    return np.array([[r.real, -r.imag, t.real], [r.imag, r.real, t.imag], [0, 0, 1]])


@pytest.fixture
def poses() -> Any:
    return np.random.default_rng(5).uniform(-10, 10, size=(6, 3))


def test_pose_matrices_agree_with_the_motion(poses: Any) -> None:
    ours = pose_matrices(poses.reshape(2, 3, 3))
    assert ours.shape == (2, 3, 3, 3)
    for g, found in zip(poses, ours.reshape(6, 3, 3), strict=True):
        assert abs(found - matrix(motion(g))).max() < CLOSE


def test_relative_poses(poses: Any) -> None:
    here, there = poses[:3], poses[3:]
    found = relative_poses(here, there)
    for p, q, g in zip(here, there, found, strict=True):
        r, t = then(back(motion(p)), motion(q))
        assert abs(complex(g[0], g[1]) - t) < CLOSE
        assert abs(complex(math.cos(g[2]), math.sin(g[2])) - r) < CLOSE
        assert abs(g[2]) <= math.pi + 1e-14


def test_headings_are_wrapped_the_short_way() -> None:
    for degrees, expected in [(359, -1), (-359, 1), (179, 179), (181, -179), (725, 5)]:
        found = relative_poses([0, 0, 0], [0, 0, math.radians(degrees)])[2]
        assert abs(math.degrees(found) - expected) < 1e-12  # 725 degrees in radians, rounded


def test_roles_apply_the_pose_matrices(poses: Any) -> None:
    x = np.random.default_rng(6).normal(size=(2, 6, 9))
    moved = {role: apply_poses(x, poses, role=role) for role in ("query", "key", "output")}
    for p, g in enumerate(poses):
        rho = matrix(motion(g))
        inverse = matrix(back(motion(g)))
        rules = {"query": inverse.T, "key": rho, "output": inverse}
        for role, rule in rules.items():
            for head in range(2):
                for block in range(3):
                    part = slice(3 * block, 3 * block + 3)
                    expected = [sum(rule[r, c] * x[head, p, part][c] for c in range(3))
                                for r in range(3)]  # fmt: skip
                    assert abs(moved[role][head, p, part] - expected).max() < 10 * CLOSE


def test_a_pose_for_each_sequence_or_for_each_token_of_each_head() -> None:
    rng = np.random.default_rng(11)
    x, g = rng.normal(size=(2, 4, 5, 6)), rng.uniform(-9, 9, size=(2, 4, 5, 3))
    for role in ("query", "key", "output"):
        by_token = apply_poses(x, g, role=role)
        by_sequence = apply_poses(x, g[:, 0], role=role)
        for b in range(2):
            for h in range(4):
                one = apply_poses(x[b, h], g[b, h], role=role)
                assert abs(by_token[b, h] - one).max() < 10 * CLOSE
                one = apply_poses(x[b, h], g[b, 0], role=role)
                assert abs(by_sequence[b, h] - one).max() < 10 * CLOSE
