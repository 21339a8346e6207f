"""attention_terms: four products, judged by plain sums over whole numbers."""

from typing import Any

import numpy as np
import pytest

from posenc.added.attention_terms import score_terms

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


def test_together_they_are_the_score_of_the_sum() -> None:
    terms = score_terms(X, pe, W_Q, W_K)

    total = np.sum([terms[name] for name in NAMES], axis=0)  # type: ignore[literal-required]
    assert total.tolist() == plain(X + pe, X + pe)


@pytest.mark.parametrize("length", [0, 1])
def test_short_sequences(length: int) -> None:
    terms = score_terms(X[:length], pe[:length], W_Q, W_K)

    assert {terms[name].shape for name in NAMES} == {(length, length)}  # type: ignore[literal-required]


def test_arguments_of_any_kind_are_read_and_never_written() -> None:
    expected = score_terms(X, pe, W_Q, W_K)["position_content"].tolist()
    for dtype in ["int8", "int64", "float16", "float32", "float64"]:
        arrays = [np.asfortranarray(a.astype(dtype)) for a in (X, pe, W_Q, W_K)]
        for array in arrays:
            array.flags.writeable = False  # a write raises
        assert score_terms(*arrays)["position_content"].tolist() == expected
    assert (
        score_terms(*(a.tolist() for a in (X, pe, W_Q, W_K)))["position_content"].tolist()
        == expected
    )
