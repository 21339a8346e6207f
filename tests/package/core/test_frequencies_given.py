"""Frequencies of the caller's own, in place of those of a base, wherever there are any."""

import math
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import posenc

# Four pairs, neither sorted nor of one base; the third stands still.
OWN = [0.7, 2.5, 0.0, 0.013]

# float64 sums of four squares of numbers up to 1.
CLOSE = {"rtol": 1e-14, "atol": 1e-14}


def code(p: float) -> list[float]:
    """Return the encoding of a position in plain Python, interleaved."""
    return [f(p * w) for w in OWN for f in (math.sin, math.cos)]


def distance(k: float) -> float:
    """Return the distance of two codes that lie an offset apart, in plain Python."""
    return math.sqrt(sum((2 * math.sin(k * w / 2)) ** 2 for w in OWN))


def test_distances_are_those_of_the_frequencies_given():
    found = posenc.analysis.distance_by_offset([0, 1, -3, 10.5], 8, inv_freq=OWN)

    assert_allclose(found, [distance(k) for k in (0, 1, -3, 10.5)], **CLOSE)


def test_aliases_are_those_of_the_frequencies_given():
    distances = {k: distance(k) for k in range(2, 200)}
    nearest = min(distances, key=distances.__getitem__)
    first = next(k for k, d in distances.items() if d < distance(1))

    assert posenc.analysis.nearest_alias(8, 199, min_offset=2, inv_freq=OWN)[0] == nearest
    found = posenc.analysis.first_alias(8, 199, min_offset=2, inv_freq=OWN)
    assert found is not None
    assert found[0] == first
    assert_allclose(found[1], distance(first), **CLOSE)


@pytest.mark.parametrize("own", [OWN, [0.0, 1e-300, 0.002], [3.0, 1.0], [2.0**53]])
def test_first_alias_finds_what_looking_at_each_offset_finds(own):
    def far(k: float) -> float:
        return math.sqrt(sum((2 * math.sin(k * w / 2)) ** 2 for w in own))

    for delta in (0.05, 0.5, 1.5):
        first = next((k for k in range(1, 3000) if far(k) < delta), None)
        found = posenc.analysis.first_alias(2 * len(own), 2999, distance=delta, inv_freq=own)
        assert (found and found[0]) == first, delta


def test_where_no_pair_turns_no_offset_is_closer_than_another():
    still = [0.0, 0.0]

    assert posenc.analysis.first_alias(4, 2**53, inv_freq=still) is None
    assert posenc.analysis.first_alias(4, 2**53, distance=0.1, inv_freq=still) == (1, 0.0)


def test_what_an_interval_does_not_fall_below_holds_for_the_frequencies_given():
    for center in (5, 40.5, 117):
        least = posenc.analysis.least_distance(center, 1.5, 8, inv_freq=OWN)
        tried = min(distance(k) for k in np.linspace(center - 1.5, center + 1.5, 301))
        assert least <= tried + 1e-14
        assert_allclose(
            posenc.analysis.least_distance(center, 0, 8, inv_freq=OWN), distance(center)
        )


def test_the_bound_on_the_first_alias_takes_the_neighbours_of_the_frequencies_given():
    delta = distance(1)
    ball = math.pi**2 / 2 * (delta / 2) ** 4  # of four dimensions

    found = posenc.analysis.alias_bound(8, inv_freq=OWN)
    assert_allclose(found, (2 * math.pi) ** 4 / ball, rtol=1e-13)


def test_turns_are_those_of_the_frequencies_given():
    expected = [100 * w / (2 * math.pi) for w in OWN]

    assert_allclose(posenc.analysis.count_rotations(100, 8, inv_freq=OWN), expected, **CLOSE)
    with pytest.raises(ValueError, match=r"^span must give a finite result"):
        posenc.analysis.count_rotations(1e308, 2, inv_freq=[2.0**53])


def test_the_matrix_moves_the_codes_of_the_frequencies_given():
    table = np.array([code(p) for p in range(20)])
    matrix = posenc.rotation_matrix(4, 8, inv_freq=OWN)

    assert_allclose(matrix @ table[3], table[7], **CLOSE)
    assert posenc.relative_position_matrix(table, 4, inv_freq=OWN)[1] < 1e-14
    assert posenc.relative_position_matrix(table, 4)[1] > 0.1


def test_layers_hold_the_codes_of_the_frequencies_given():
    layer = posenc.PositionalEmbedding(5, 6, 8, inv_freq=OWN)
    hybrid = posenc.hybrid_encoding(range(6), 8, [[7.0]], inv_freq=OWN)

    expected = [code(p) for p in range(6)]
    assert_allclose(layer.pe, expected, **CLOSE)
    assert_allclose(hybrid[:, :8], expected, **CLOSE)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("sections", [(4, 4), (2, 6), (6, 2)])
def test_grids_share_the_frequencies_given_out_to_their_blocks(order, sections):
    point = (3, 0.5)
    pairs = [(axis, sections[axis] // 2) for axis in order]
    ends = [0, pairs[0][1], 4]
    angles = [
        point[axis] * w
        for (axis, _), (first, stop) in zip(pairs, pairwise(ends), strict=True)
        for w in OWN[first:stop]
    ]

    table = posenc.axial_encoding([point], 8, sections=sections, order=order, inv_freq=OWN)
    cos, sin = posenc.axial_cos_sin([point], 8, sections=sections, order=order, inv_freq=OWN)

    assert_allclose(table[0, 0::2], [math.sin(a) for a in angles], **CLOSE)
    assert_allclose(table[0, 1::2], [math.cos(a) for a in angles], **CLOSE)
    assert_array_equal(sin, table[:, 0::2])
    assert_array_equal(cos, table[:, 1::2])
