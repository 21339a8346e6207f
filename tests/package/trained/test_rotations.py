"""The rotations that are fitted to a table."""

import numpy as np
import pytest

from posenc.trained import fit_rotations


def test_each_plane_rotates_by_its_frequency_in_any_basis():
    rng, frequencies = np.random.default_rng(0), np.array([1.1, 0.4, 0.1])
    angles = np.outer(np.arange(2000), frequencies)
    waves = np.concatenate([np.cos(angles), np.sin(angles)], axis=1)
    rows = waves @ rng.normal(size=(6, 20)) + rng.normal(size=20)

    factors, planes = fit_rotations(rows, 3)

    np.testing.assert_allclose(np.angle(factors), frequencies, atol=1e-4)
    np.testing.assert_allclose(abs(factors), 1, atol=1e-4)
    np.testing.assert_allclose(planes[1:], planes[:-1] * factors, atol=2e-3 * abs(planes).max())


def test_real_eigenvalues_are_left_out():
    factors, planes = fit_rotations(np.outer(0.9 ** np.arange(50), [1.0, 2.0]), 1)

    assert factors.shape == (0,)
    assert planes.shape == (50, 0)


@pytest.mark.parametrize(
    ("rows", "pairs", "message"),
    [
        (np.zeros((9, 4)), 3, "pairs must be at most 2, got pairs=3"),
        (np.zeros((4, 4)), 2, "rows must have more than 4 rows, got 4"),
        (np.zeros(4), 1, "rows must have 2 axes"),
        (np.zeros((9, 4)), 0, "pairs must be at least 1"),
    ],
)
def test_refuses(rows, pairs, message):
    with pytest.raises(ValueError, match=message):
        fit_rotations(rows, pairs)
