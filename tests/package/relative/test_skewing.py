"""skewing: each entry against its place, for text and for several heads, and refusals."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from posenc import relative_scores, skew


@pytest.mark.parametrize(("q_len", "k_len"), [(1, 1), (1, 6), (2, 2), (5, 5), (3, 8)])
@pytest.mark.parametrize("leading", [(), (3,), (2, 3)])
def test_each_offset_goes_to_its_key(q_len: int, k_len: int, leading: tuple[int, ...]) -> None:
    n = q_len + k_len - 1
    products = np.random.default_rng(0).normal(size=(*leading, q_len, n))
    column_of = {offset: column for column, offset in enumerate(range(1 - k_len, q_len))}

    found = skew(products)

    assert found.shape == (*leading, q_len, k_len)
    for row in range(q_len):
        p = row + k_len - q_len
        for q in range(k_len):
            assert_array_equal(found[..., row, q], products[..., row, column_of[q - p]])


def test_it_is_the_lookup_without_a_lookup() -> None:
    rng = np.random.default_rng(0)
    Q, A = rng.normal(size=(2, 7, 4)), rng.normal(size=(13, 4))

    looked_up = relative_scores(Q, np.zeros((2, 7, 4)), A)
    # The same products over 2; a matrix product may add up in another order.
    assert abs(skew(Q @ A.T) / 2 - looked_up).max() < 1e-13


COLUMNS = "products must have a row and, for L_q rows, at least 2 L_q - 1 columns, got shape "


@pytest.mark.parametrize(
    ("products", "kind", "complaint"),
    [
        (np.zeros((3, 4)), ValueError, COLUMNS + "(3, 4)"),
        (np.zeros((0, 4)), ValueError, COLUMNS + "(0, 4)"),
        (np.zeros((1, 0)), ValueError, COLUMNS + "(1, 0)"),
        (np.zeros(3), ValueError, "products must have at least 2 axes, got shape (3,)"),
        ([[np.nan]], ValueError, "products must be finite, got nan"),
        ([[True]], TypeError, "products must hold real numbers, got dtype bool"),
    ],
)
def test_refuses(products: Any, kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind) as refusal:
        skew(products)
    assert str(refusal.value) == complaint
