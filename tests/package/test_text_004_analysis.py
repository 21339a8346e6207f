"""What source text 004 promises of its analysis functions, held by the public package.

Where the text is wrong, the truth is tested, and a comment says what the text has.
"""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import posenc

PE = posenc.sinusoidal_positional_encoding(100, 64)


@pytest.mark.parametrize("k", [1, 5, 10, 50])
def test_relative_position_matrix(k: int) -> None:
    M, max_error = posenc.relative_position_matrix(PE, k)
    assert M.shape == (64, 64)
    assert isinstance(max_error, float)
    assert max_error < 1e-10
    for p in range(100 - k):
        assert np.linalg.norm(M @ PE[p] - PE[p + k]) < 1e-10
    for i in range(32):
        angle = k / 10000 ** (2 * i / 64)
        block = [[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]
        assert_allclose(M[2 * i : 2 * i + 2, 2 * i : 2 * i + 2], block, rtol=0, atol=1e-12)
    assert np.count_nonzero(M) == 4 * 32


def test_concatenated_waves_need_their_own_matrix() -> None:
    # The text calls this layout wrong. It is the same table with its columns in another
    # order: what the easy exercise sees fail is the matrix of the other layout, no more.
    half = np.concatenate([PE[:, 0::2], PE[:, 1::2]], axis=1)
    assert posenc.relative_position_matrix(half, 5)[1] > 1
    assert posenc.relative_position_matrix(half, 5, layout="half")[1] < 1e-10
    assert_allclose(half @ half.T, PE @ PE.T, rtol=0, atol=1e-12)


def test_dot_product_distance() -> None:
    D = posenc.dot_product_distance(PE)
    assert D.shape == (100, 100)
    assert_allclose(D, PE @ PE.T, rtol=0, atol=1e-12)
    for k in (1, 3, 5, 10):
        assert abs(D[0, k] - D[10, 10 + k]) < 1e-10
    # The text says "approximately" constant along diagonals; it is so up to rounding.
    assert max(np.ptp(np.diagonal(D, k)) for k in range(100)) < 1e-10
    assert_allclose(np.diagonal(D), 64 / 2, rtol=0, atol=1e-10)
    # The text prints 31.2, 29.1, 26.0.
    assert D[0, :4].round(1).tolist() == [32.0, 30.9, 28.3, 25.6]


def test_encoding_statistics() -> None:
    found = posenc.encoding_statistics(PE)
    assert list(found) == [
        "position_norms",
        "mean_per_dim",
        "var_per_dim",
        "min_val",
        "max_val",
    ]
    assert_allclose(found["position_norms"], [math.sqrt(64 / 2)] * 100, rtol=1e-12)
    assert_allclose(found["mean_per_dim"], [sum(c) / 100 for c in PE.T.tolist()], atol=1e-12)
    assert_allclose(found["var_per_dim"], [np.var(c) for c in PE.T], atol=1e-12)
    assert -1 <= found["min_val"] == PE.min() < found["max_val"] == PE.max() <= 1


def test_pe_similarity_by_distance() -> None:
    similarity = posenc.pe_similarity_by_distance(PE)
    for k in range(100):
        products = [PE[p] @ PE[p + k] for p in range(100 - k)]
        assert abs(similarity[k] - sum(products) / len(products)) < 1e-10
    # The text asks to verify that it decreases. It does not: it rises from 5 to 6.
    assert similarity[6] > similarity[5]
    assert (similarity[1:] < similarity[0]).all()
