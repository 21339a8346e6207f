"""disentangled: against three sums for each pair, and refusals by name."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from posenc import deberta_scores

# Three sums of up to 5 products of numbers below 6, rounded.
NEAR = 3 * 5 * 5 * 36 * 2.0**-53


def draw(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def delta(p: int, q: int, n_1: int) -> int:
    """The paper's three cases."""
    if p - q <= -n_1:
        return 0
    if p - q >= n_1:
        return 2 * n_1 - 1
    return p - q + n_1


@pytest.mark.parametrize(
    ("q_len", "k_len", "n_1"), [(0, 0, 1), (1, 1, 1), (5, 5, 1), (6, 6, 3), (2, 7, 2), (4, 4, 9)]
)
@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_scores_are_three_sums(q_len: int, k_len: int, n_1: int, leading: tuple[int, ...]) -> None:
    Q, K = draw(*leading, q_len, 5), draw(*leading, k_len, 5, seed=1)
    of_queries, of_keys = draw(2, 2 * n_1, 5, seed=2)
    expected = np.zeros((*leading, q_len, k_len))
    for *head, row, q in np.ndindex(expected.shape):
        x, y, p = Q[(*head, row)], K[(*head, q)], row + k_len - q_len
        terms = x @ y, x @ of_keys[delta(p, q, n_1)], y @ of_queries[delta(q, p, n_1)]
        expected[(*head, row, q)] = math.fsum(terms) / math.sqrt(15)

    found = deberta_scores(Q, K, of_queries, of_keys)
    assert_allclose(found, expected, rtol=0, atol=NEAR)
