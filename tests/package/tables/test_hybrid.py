"""hybrid: sines and rows of a table, position by position."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

from posenc.tables.hybrid import hybrid_encoding

TABLE = [[7.0, 8.0, 9.0], [-1.0, -2.0, -3.0]]


def by_hand(p: int, d: int, base: float) -> list[float]:
    angles = [p * base ** (-2 * i / d) for i in range(d // 2)]
    waves = [f(a) for a in angles for f in (math.sin, math.cos)]
    return waves + (TABLE[p] if p in (0, 1) else [0.0, 0.0, 0.0])


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16"])
def test_each_position_has_its_sines_and_its_row_or_zeros(dtype: str) -> None:
    positions = np.array([[1, 0, 2], [3, 100, 1]], dtype=dtype)
    code = hybrid_encoding(positions, 6, TABLE, base=50.0)
    assert code.shape == (2, 3, 9)
    assert code.dtype == np.float64
    for place in np.ndindex(2, 3):
        # Angles of up to 100 in the plain formula: 3 roundings of 1.1e-16 each.
        expected = by_hand(int(positions[place]), 6, 50.0)
        assert_allclose(code[place], expected, rtol=0, atol=4e-14)
        assert code[place][6:].tolist() == expected[6:]


def test_a_table_without_rows_or_channels() -> None:
    assert hybrid_encoding([0, 5], 2, np.empty((0, 3)))[:, 2:].tolist() == [[0, 0, 0]] * 2
    assert hybrid_encoding([0, 5], 2, np.empty((4, 0))).shape == (2, 2)
    assert hybrid_encoding(np.empty((0, 2), int), 2, TABLE).shape == (0, 2, 5)
