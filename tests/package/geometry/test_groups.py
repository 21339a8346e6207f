"""group_matrices against powers, closed forms and bad input."""

import math

import numpy as np
import pytest

from posenc.geometry import group_matrices

ANY = np.random.default_rng(2).normal(size=(5, 5))


def test_whole_positions_are_powers_of_the_first_step():
    step = group_matrices(ANY, 1)
    powers = [np.linalg.matrix_power(step, n) for n in range(-3, 4)]
    assert np.allclose(group_matrices(ANY, range(-3, 4)), powers, rtol=1e-11)


def test_diagonal_generators_give_exponentials():
    found = group_matrices(np.diag([0.0, -2.0, 3.0]), [[0.5, 7.0]])
    expected = [[np.diag(np.exp([0.0, -2 * t, 3 * t])) for t in (0.5, 7.0)]]
    assert np.allclose(found, expected, rtol=1e-13, atol=0)


def test_far_rotations_stay_rotations():
    found = group_matrices([[0, -1], [1, 0]], 2.0**20)
    sin, cos = math.sin(2.0**20), math.cos(2.0**20)
    assert np.allclose(found, [[cos, -sin], [sin, cos]], atol=1e-9)


def test_position_zero_is_the_identity_in_every_bit():
    assert (group_matrices(ANY, 0) == np.eye(5)).all()
    assert group_matrices(np.zeros((0, 0)), [1, 2]).shape == (2, 0, 0)
    assert group_matrices(ANY, []).shape == (0, 5, 5)


@pytest.mark.parametrize(
    ("generator", "positions", "message"),
    [
        ([[1, 2]], 0, r"generator must be square, got shape \(1, 2\)"),
        ([1, 2], 0, "generator must have 2 axes"),
        ([[math.nan]], 0, "generator must be finite"),
        ([[1]], math.inf, "positions must be finite"),
        ([[1]], 2**54, "positions must lie within"),
        ([[1]], 2**41, r"must have row sums within 2\*\*40, got 2.2e\+12"),
        ([[1]], 1000, "must give a finite result"),
    ],
)
def test_bad_input_is_refused(generator, positions, message):
    with pytest.raises(ValueError, match=message):
        group_matrices(generator, positions)
