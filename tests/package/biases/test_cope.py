"""contextual: positions and biases against sums of gates in plain Python, and refusals."""

import math
from typing import Any

import numpy as np
import pytest

from posenc import cope_bias, cope_positions


def draw(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def gate(product: float) -> float:
    return 1 / (1 + math.exp(-product))


@pytest.mark.parametrize(("q_len", "k_len"), [(0, 0), (0, 3), (1, 1), (1, 9), (6, 6), (3, 8)])
@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_positions_are_sums_of_gates(q_len: int, k_len: int, leading: tuple[int, ...]) -> None:
    products = 3 * draw(*leading, q_len, k_len)
    found = cope_positions(products)

    assert found.shape == products.shape
    for *head, row, q in np.ndindex(found.shape):
        p = row + k_len - q_len
        between = [gate(float(products[(*head, row, j)])) for j in range(q, p + 1)]
        # Nine gates, each within eight units in the last place of 1.
        assert abs(found[(*head, row, q)] - math.fsum(between)) < 2e-14


def test_open_gates_count_tokens_however_large_a_product() -> None:
    assert cope_positions([[1e300] * 4]).tolist() == [[4.0, 3.0, 2.0, 1.0]]
    assert cope_positions([[-1e300] * 4]).tolist() == [[0.0] * 4]


@pytest.mark.parametrize("rows", [1, 2, 5])
@pytest.mark.parametrize("leading", [(), (2,), (2, 3)])
def test_bias_interpolates_between_two_rows(rows: int, leading: tuple[int, ...]) -> None:
    Q, table = draw(*leading, 4, 3), draw(rows, 3, seed=1)
    positions = np.abs(3 * draw(*leading, 4, 6, seed=2))
    positions[..., 0], positions[..., 1], positions[..., 2] = 0, 1, 1e9
    found = cope_bias(Q, table, positions)

    assert found.shape == positions.shape
    for *head, row, q in np.ndindex(found.shape):
        at = min(float(positions[(*head, row, q)]), rows - 1)
        low, high = math.floor(at), math.ceil(at)
        vector = (1 - at + low) * table[low] + (at - low) * table[high]
        # Three products of numbers below 6, and two roundings of a share.
        assert abs(found[(*head, row, q)] - Q[(*head, row)] @ vector) < 2e-13


Q, TABLE = np.zeros((2, 3)), np.zeros((4, 3))
