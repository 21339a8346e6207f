"""regression against elimination with fractions and NumPy's own solver."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc.analysis.regression import fit_linear, noise_gain

whole = st.integers(-4, 4)
problems = st.tuples(st.integers(1, 5), st.integers(1, 4)).flatmap(
    lambda shape: st.tuples(
        st.lists(
            st.lists(whole, min_size=shape[1], max_size=shape[1]),
            min_size=shape[0],
            max_size=shape[0],
        ),
        st.lists(whole, min_size=shape[0], max_size=shape[0]),
    )
)


def solve(matrix: list[list[Fraction]], right: list[Fraction]) -> list[Fraction]:
    """Gauss and Jordan; with a ridge no pivot is zero."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(rows):
        pivot[:] = [x / pivot[i] for x in pivot]
        for j, row in enumerate(rows):
            if j != i:
                row[:] = [x - row[i] * z for x, z in zip(row, pivot, strict=True)]
    return [row[-1] for row in rows]


def exact_ridge(phi: list[list[int]], y: list[int], ridge: Fraction) -> list[Fraction]:
    columns = list(zip(*phi, strict=True))
    matrix = [
        [
            sum((Fraction(a * b) for a, b in zip(u, v, strict=True)), Fraction(0))
            + ridge * (i == j)
            for j, v in enumerate(columns)
        ]
        for i, u in enumerate(columns)
    ]
    right = [
        sum((Fraction(a * b) for a, b in zip(u, y, strict=True)), Fraction(0)) for u in columns
    ]
    return solve(matrix, right)


@given(problems, st.sampled_from([Fraction(1, 4), Fraction(1), Fraction(9)]))
@settings(max_examples=80)
def test_weights_are_those_of_the_normal_equations(
    problem: tuple[list[list[int]], list[int]], ridge: Fraction
) -> None:
    phi, y = problem
    ours = fit_linear(phi, y, ridge=float(ridge))
    # Singular values within 0..18, ridge at least 1/4: weights of up to 100, condition
    # number below 2000.
    assert_allclose(ours, [float(w) for w in exact_ridge(phi, y, ridge)], rtol=0, atol=2e-12)


@given(problems)
@settings(max_examples=60)
def test_without_ridge_the_shortest_least_squares_solution(
    problem: tuple[list[list[int]], list[int]],
) -> None:
    phi, y = problem
    # Whole numbers of this size leave no singular value between 1e-3 and 1e-13.
    assert_allclose(fit_linear(phi, y), np.linalg.pinv(phi, rcond=1e-9) @ y, rtol=0, atol=1e-9)


def test_a_direction_below_the_rounding_counts_as_zero() -> None:
    tiny = 1e-17  # below 2 · 2.2e-16 of the largest singular value
    assert fit_linear([[1.0, 0.0], [0.0, tiny]], [3.0, 1.0]).tolist() == [3.0, 0.0]
    assert fit_linear([[1.0, 0.0], [0.0, 1e-15]], [3.0, 1.0])[1] == pytest.approx(1e15)


@pytest.mark.parametrize("ridge", [1e-300, 1e-40, 1e-30])
def test_a_tiny_ridge_does_not_open_directions_that_are_rounding(ridge: float) -> None:
    phi = [[0.1, 0.3], [0.7, 2.1], [0.2, 0.6]]  # of rank 1, but not in float64
    y = [1.0, 2.0, 5.0]
    # The slope along (1, 3), by hand: w = t (1, 3) with t = Σ x y / (10 Σ x²), x the first column.
    t = (0.1 + 1.4 + 1.0) / (10 * 0.54)
    assert_allclose(fit_linear(phi, y, ridge=ridge), [t, 3 * t], rtol=1e-13)
    gain = noise_gain(phi, [[1.0, 3.0]], ridge=ridge)  # 1 / |x|
    assert_allclose(gain, [1 / math.sqrt(0.54)], rtol=1e-13)


@pytest.mark.parametrize("ridge", [0.0, 0.01, 3.0])
@pytest.mark.parametrize("shape", [(7, 3), (3, 7)])
def test_the_gain_is_the_length_of_the_answers_to_single_targets(
    shape: tuple[int, int], ridge: float
) -> None:
    rng = np.random.default_rng(1)
    phi, asked = rng.normal(size=shape), rng.normal(size=(5, shape[1]))
    if ridge:
        to_weights = np.linalg.solve(phi.T @ phi + ridge * np.eye(shape[1]), phi.T)
    else:
        to_weights = np.linalg.pinv(phi)
    expected = [math.hypot(*row) for row in asked @ to_weights]
    # A condition number of at most 1e4, squared in the judge.
    assert_allclose(noise_gain(phi, asked, ridge=ridge), expected, rtol=1e-8)
