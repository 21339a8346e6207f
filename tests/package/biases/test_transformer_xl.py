"""four_terms: against four sums for each pair, against the terms of sums, and refusals."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from posenc import transformer_xl_scores

# Four sums of up to 5 products of numbers below 6, rounded.
NEAR = 4 * 5 * 5 * 36 * 2.0**-53


def draw(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize(("q_len", "k_len"), [(1, 1), (1, 4), (5, 5), (2, 6)])
@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_scores_are_four_sums(q_len: int, k_len: int, leading: tuple[int, ...]) -> None:
    Q, K = draw(*leading, q_len, 5), draw(*leading, k_len, 5, seed=1)
    R, (u, v) = draw(q_len + k_len - 1, 5, seed=2), draw(2, 5, seed=3)
    vector = dict(zip(range(1 - k_len, q_len), R, strict=True))  # of each offset
    expected = np.zeros((*leading, q_len, k_len))
    for *head, row, q in np.ndindex(expected.shape):
        x, y = Q[(*head, row)], K[(*head, q)]
        r = vector[q - (row + k_len - q_len)]
        expected[(*head, row, q)] = math.fsum([x @ y, x @ r, u @ y, v @ r]) / math.sqrt(5)

    assert_allclose(transformer_xl_scores(Q, K, R, u, v), expected, rtol=0, atol=NEAR)


ROWS, VECTOR, R = np.zeros((2, 3)), np.zeros(3), np.zeros((3, 3))
