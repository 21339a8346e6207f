"""skewing: each entry against its place, for text and for several heads, and refusals."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from posenc.biases.skewing import skew_scores


@pytest.mark.parametrize(("q_len", "k_len"), [(1, 1), (1, 6), (2, 2), (5, 5), (3, 8)])
@pytest.mark.parametrize("leading", [(), (3,), (2, 3)])
def test_skew_moves_each_offset_to_its_key(
    q_len: int, k_len: int, leading: tuple[int, ...]
) -> None:
    n = q_len + k_len - 1
    products = np.random.default_rng(0).normal(size=(*leading, q_len, n))
    column_of = {offset: column for column, offset in enumerate(range(1 - k_len, q_len))}

    found = skew_scores(products)

    assert found.shape == (*leading, q_len, k_len)
    for row in range(q_len):
        p = row + k_len - q_len
        for q in range(k_len):
            assert_array_equal(found[..., row, q], products[..., row, column_of[q - p]])
