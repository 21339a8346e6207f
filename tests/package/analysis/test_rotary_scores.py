"""rotary_scores against complex numbers in plain Python and turned vectors."""

import cmath
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from posenc.analysis.rotary_scores import ScoreWaves, query_for_offset, score_by_offset, score_waves

number = st.floats(-9, 9).filter(lambda x: x == 0 or abs(x) > 1e-6)
pairs_of_vectors = st.integers(1, 4).flatmap(
    lambda n: st.tuples(*[st.lists(number, min_size=2 * n, max_size=2 * n)] * 2)
)


def complex_pairs(vector: list[float], layout: str) -> list[complex]:
    n = len(vector) // 2
    if layout == "half":
        return [complex(vector[i], vector[n + i]) for i in range(n)]
    return [complex(vector[2 * i], vector[2 * i + 1]) for i in range(n)]


def turned_dot(
    x: list[float], p: float, y: list[float], q: float, base: float, layout: str
) -> float:
    """Turn each pair by its own position, then take the dot product of real numbers."""
    n, total = len(x) // 2, 0.0
    for i, (u, v) in enumerate(
        zip(complex_pairs(x, layout), complex_pairs(y, layout), strict=True)
    ):
        u *= cmath.exp(1j * base ** (-i / n) * p)
        v *= cmath.exp(1j * base ** (-i / n) * q)
        total += u.real * v.real + u.imag * v.imag
    return total


@given(
    vectors=pairs_of_vectors,
    p=st.integers(-90, 90),
    q=st.floats(-90, 90),
    base=st.sampled_from([2.0, 10000.0]),
    layout=st.sampled_from(["interleaved", "half"]),
)
def test_the_waves_add_up_to_the_turned_dot_product(
    vectors: tuple[list[float], list[float]], p: int, q: float, base: float, layout: str
) -> None:
    x, y = vectors
    waves = score_waves(x, y, layout=layout)
    found = score_by_offset(q - p, *waves, base=base)
    # Four products of up to 162; angles of up to 180 are off by 4e-14 in the judge.
    assert float(found) == pytest.approx(turned_dot(x, p, y, q, base, layout), abs=1e-10)


@given(vectors=pairs_of_vectors)
def test_amplitude_is_the_product_of_lengths_and_phase_the_difference_of_angles(
    vectors: tuple[list[float], list[float]],
) -> None:
    x, y = vectors
    found = score_waves(x, y)
    assert isinstance(found, ScoreWaves)
    for u, v, A, phi in zip(
        complex_pairs(x, "interleaved"), complex_pairs(y, "interleaved"), *found, strict=True
    ):
        assert pytest.approx(abs(u) * abs(v), rel=1e-14) == A
        assert -math.pi <= phi <= math.pi
        if A == 0:
            assert phi == 0
        else:
            # As points of the circle, where -π is π: two angles, each rounded twice.
            expected = cmath.exp(1j * (cmath.phase(v) - cmath.phase(u)))
            assert cmath.exp(1j * phi) == pytest.approx(expected, abs=1e-14)


def test_where_an_amplitude_is_zero_the_phase_is_too() -> None:
    # These products are -0, whose angle is π.
    waves = score_waves([0.0, 0.0, 0.0, -1.0], [-3.0, -3.0, -0.0, -0.0])
    assert_array_equal(waves.amplitudes, [0, 0])
    assert_array_equal(waves.phases, [0, 0])


def test_stacks_of_heads_and_arrays_of_offsets() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 3, 5, 8))
    waves = score_waves(x, y)
    assert waves.amplitudes.shape == waves.phases.shape == (3, 5, 4)
    offsets = np.arange(-6, 6).reshape(2, 6)
    found = score_by_offset(offsets, *waves)
    assert found.shape == (3, 5, 2, 6)
    assert score_by_offset(np.empty((2, 0)), *waves).shape == (3, 5, 2, 0)
    for h, r, a, b in np.ndindex(3, 5, 2, 6):
        k = int(offsets[a, b])
        expected = turned_dot(x[h, r].tolist(), 0, y[h, r].tolist(), k, 10000, "interleaved")
        # Four products of a few units.
        assert found[h, r, a, b] == pytest.approx(expected, abs=1e-13)


def test_scores_are_exact_at_far_offsets() -> None:
    k, A, phi = 2**53 - 1, [1.0, 1.0, 1.0], [0.1, 0.2, 0.3]
    with mpmath.workdps(60):
        omegas = [mpmath.mpf(10000) ** (-mpmath.mpf(i) / 3) for i in range(3)]
        expected = float(
            sum(mpmath.cos(w * k + mpmath.mpf(f)) for w, f in zip(omegas, phi, strict=True))
        )
    # Three cosines, each a sum of two products within 5e-16.
    assert float(score_by_offset(k, A, phi)) == pytest.approx(expected, abs=3e-15)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("offset", [-1, 0, 5, -2.5])
def test_query_for_scores_highest_at_its_offset(layout: str, offset: float) -> None:
    y = np.random.default_rng(1).normal(size=16)
    x = query_for_offset(y, offset, layout=layout, base=500.0)
    squares = [abs(v) ** 2 for v in complex_pairs(y.tolist(), layout)]
    for k in (-30, offset, 0, 7, 44):
        score = turned_dot(x.tolist(), 3, y.tolist(), 3 + k, 500.0, layout)
        waves = (s * math.cos(500 ** (-i / 8) * (k - offset)) for i, s in enumerate(squares))
        # Eight products of a few units; angles below 100.
        assert score == pytest.approx(math.fsum(waves), abs=1e-12)
    assert math.hypot(*x) == pytest.approx(math.hypot(*y), rel=1e-15)


def test_offsets_and_amplitudes_may_have_many_axes() -> None:
    deep = score_by_offset(
        np.full((1,) * 20, 3.0), np.ones((1,) * 15 + (2,)), np.zeros((1,) * 15 + (2,))
    )
    assert deep.shape == (1,) * 35
    assert deep.item() == score_by_offset(3.0, [1.0, 1.0], [0.0, 0.0])
