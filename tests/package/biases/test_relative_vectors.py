"""offset_vectors: scores and means against loops over pairs, and refusals by name."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from posenc import relative_scores, relative_values

# Sums of up to 20 products of numbers below 6, rounded.
NEAR = 20 * 20 * 72 * 2.0**-53


def draw(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def row(p: int, q: int, n_1: int) -> int:
    """The row of the vector for a query at p and a key at q, as the paper clips."""
    return max(-n_1, min(n_1, q - p)) + n_1


@pytest.mark.parametrize(
    ("q_len", "k_len", "n_1"), [(0, 0, 2), (0, 3, 2), (1, 1, 0), (4, 4, 0), (5, 5, 9), (3, 9, 2)]
)
@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_scores_and_means_are_those_of_the_pairs(
    q_len: int, k_len: int, n_1: int, leading: tuple[int, ...]
) -> None:
    Q, K, A = draw(*leading, q_len, 5), draw(*leading, k_len, 5, seed=1), draw(2 * n_1 + 1, 5)
    W, V, B = draw(*leading, q_len, k_len), draw(*leading, k_len, 2), draw(2 * n_1 + 1, 2)
    scores, means = np.zeros(W.shape), np.zeros((*leading, q_len, 2))
    for place in np.ndindex(*leading, q_len):
        *head, r = place
        p = r + k_len - q_len
        for q in range(k_len):
            key = (*head, q)
            scores[(*place, q)] = Q[place] @ (K[key] + A[row(p, q, n_1)]) / math.sqrt(5)
            means[place] += W[(*place, q)] * (V[key] + B[row(p, q, n_1)])

    assert_allclose(relative_scores(Q, K, A), scores, rtol=0, atol=NEAR)
    assert_allclose(relative_values(W, V, B), means, rtol=0, atol=NEAR)
