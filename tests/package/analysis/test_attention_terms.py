"""attention_terms: four products, judged by plain sums over whole numbers."""

from typing import Any

import numpy as np

from posenc.analysis.attention_terms import score_terms

NAMES = ["content_content", "content_position", "position_content", "position_position"]


def whole(*shape: int, seed: int) -> Any:
    return np.random.default_rng(seed).integers(-9, 10, shape)


X, pe = whole(5, 6, seed=1), whole(5, 6, seed=2)
W_Q, W_K = whole(6, 3, seed=3), whole(6, 3, seed=4)


def plain(query: Any, key: Any) -> list[list[int]]:
    """Add up products of whole numbers, one score at a time: query · W_Q · W_K.T · key."""
    return [
        [
            sum(
                int(a[i]) * int(W_Q[i, c]) * int(W_K[j, c]) * int(b[j])
                for i in range(6)
                for j in range(6)
                for c in range(3)
            )
            for b in key
        ]
        for a in query
    ]


def test_each_term_is_the_sum_of_its_products() -> None:
    terms = score_terms(X, pe, W_Q, W_K)

    expected = [plain(X, X), plain(X, pe), plain(pe, X), plain(pe, pe)]
    assert list(terms) == NAMES
    assert [terms[name].tolist() for name in NAMES] == expected  # type: ignore[literal-required]
    assert {terms[name].dtype.name for name in NAMES} == {"float64"}  # type: ignore[literal-required]
