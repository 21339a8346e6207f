"""learned_layer: the table, the sum, and the gradient, judged by loops."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from posenc.layers.learned import LearnedPositionalEncoding


def seeded(max_seq_len: int, d_model: int, **options: Any) -> LearnedPositionalEncoding:
    return LearnedPositionalEncoding(
        max_seq_len, d_model, **{"rng": np.random.default_rng(7), **options}
    )


def normal(*shape: int, seed: int = 3) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize("std", [0.02, 1.5])
def test_entries_are_normal_with_std_as_standard_deviation(std: float) -> None:
    entries = seeded(1000, 200, std=std).embedding / std  # 200 000 of them

    # Standard errors of the first four moments: 1, √2, √15 and √96 over √200 000.
    for power, (moment, width) in {1: (0, 1), 2: (1, 2), 3: (0, 15), 4: (3, 96)}.items():
        assert abs((entries**power).mean() - moment) < 5 * math.sqrt(width / 200_000)
    # No two rows, and no two channels, go together.
    assert abs(np.corrcoef(entries[:50]) - np.eye(50)).max() < 6 / math.sqrt(200)
    assert abs(np.corrcoef(entries.T[:50]) - np.eye(50)).max() < 6 / math.sqrt(1000)


def test_a_seed_decides_the_table_and_no_seed_is_fresh() -> None:
    assert seeded(5, 4).embedding.tolist() == seeded(5, 4).embedding.tolist()
    np.random.seed(0)  # noqa: NPY002
    first = LearnedPositionalEncoding(5, 4).embedding
    np.random.seed(0)  # noqa: NPY002
    assert first.tolist() != LearnedPositionalEncoding(5, 4).embedding.tolist()


@pytest.mark.parametrize("init", ["normal", "sinusoidal"])
def test_a_table_in_short_floats_is_that_in_float64_rounded_once(init: str) -> None:
    exact = seeded(9, 4, init=init)
    for dtype in (np.float32, np.float16):
        encoder = seeded(9, 4, init=init, dtype=dtype)
        assert encoder.embedding.tolist() == exact.embedding.astype(dtype).tolist()
        assert encoder.embedding.dtype == encoder.grad_embedding.dtype == dtype
    assert exact.embedding.dtype == exact.grad_embedding.dtype == np.float64


def test_forward_adds_the_row_of_each_place() -> None:
    encoder, X = seeded(5, 3), normal(2, 4, 3)
    before, table = X.copy(), encoder.embedding.tolist()

    result = encoder.forward(X)

    for b, p, c in np.ndindex(2, 4, 3):
        assert result[b, p, c] == before[b, p, c] + table[p][c]
    assert np.array_equal(X, before)
    assert encoder.embedding.tolist() == table
    assert not np.shares_memory(result, X)


@pytest.mark.parametrize("shape", [(0, 3, 4), (2, 0, 4), (0, 0, 4), (1, 5, 4)])
def test_empty_and_full_batches_go_forth_and_back(shape: tuple[int, ...]) -> None:
    encoder = seeded(5, 4)

    assert encoder.forward(np.ones(shape)).shape == shape
    assert encoder.backward(np.ones(shape)).shape == shape
    expected = [[float(shape[0])] * 4] * shape[1] + [[0.0] * 4] * (5 - shape[1])
    assert encoder.grad_embedding.tolist() == expected


@pytest.mark.parametrize(
    ("embedding", "table", "result"),
    [
        ("float32", "float64", "float64"),
        ("float64", "float32", "float64"),
        ("float32", "float32", "float32"),
        ("float16", "float32", "float32"),
        ("float16", "float16", "float16"),
    ],
)
def test_the_wider_dtype_wins(embedding: str, table: str, result: str) -> None:
    encoder = seeded(2, 4, dtype=table)
    X = np.ones((1, 2, 4), dtype=embedding)

    assert encoder.forward(X).dtype == result
    assert encoder.backward(X).dtype == embedding
    assert encoder.grad_embedding.dtype == table


def test_backward_sums_over_the_batch_and_leaves_later_rows_at_zero() -> None:
    encoder, upstream = seeded(6, 3), normal(4, 2, 3)
    before = upstream.copy()
    encoder.forward(normal(4, 2, 3, seed=4))

    result = encoder.backward(upstream)

    expected = [[math.fsum(before[:, p, c]) for c in range(3)] for p in range(2)]
    # Three sums of numbers below 4, each rounded by at most 4.4e-16.
    assert_allclose(encoder.grad_embedding[:2], expected, rtol=0, atol=2e-15)
    assert encoder.grad_embedding[2:].tolist() == [[0.0] * 3] * 4
    assert result.tolist() == upstream.tolist() == before.tolist()
    assert not np.shares_memory(result, upstream)


def test_a_gradient_in_short_floats_is_summed_in_float64() -> None:
    encoder = seeded(1, 2, dtype=np.float16)
    encoder.forward(np.zeros((4096, 1, 2), dtype=np.float16))
    encoder.backward(np.ones((4096, 1, 2), dtype=np.float16))  # 2048 + 1 is 2048 in float16
    assert encoder.grad_embedding.tolist() == [[4096, 4096]]


def test_backward_replaces_the_gradient_unless_accumulate() -> None:
    encoder, parts = seeded(4, 2), [np.full((1, 3, 2), 2.0), np.full((5, 1, 2), 1.0)]

    kept = []
    for accumulate in (False, True):
        encoder.zero_grad()
        for part in parts:
            encoder.forward(part)
            encoder.backward(part, accumulate=accumulate)
            kept.append(encoder.grad_embedding)

    # The second part has length 1: replaced, the gradient of rows 1 and 2 is 0 again.
    columns = [table[:, 0].tolist() for table in kept]
    assert columns == [[2, 2, 2, 0], [5, 0, 0, 0], [2, 2, 2, 0], [7, 2, 2, 0]]
    encoder.zero_grad()
    assert not encoder.grad_embedding.any()
    assert kept[3][:, 0].tolist() == [7, 2, 2, 0]  # what was kept does not change


GRADIENT = np.ones((2, 3, 4))


def test_after_a_refused_forward_there_is_no_backward() -> None:
    encoder = LearnedPositionalEncoding(5, 4)
    encoder.forward(GRADIENT)

    with pytest.raises(ValueError, match="X must have d_model=4 channels"):
        encoder.forward(np.ones((1, 2, 6)))
    with pytest.raises(RuntimeError):
        encoder.backward(GRADIENT)


def test_a_refused_backward_changes_nothing() -> None:
    encoder = LearnedPositionalEncoding(5, 4)
    encoder.forward(GRADIENT)

    with pytest.raises(ValueError, match="of the latest forward, got shape"):
        encoder.backward(np.ones((1, 3, 4)))
    assert not encoder.grad_embedding.any()
    encoder.backward(GRADIENT)  # the forward still waits for its backward
    assert encoder.grad_embedding[:3].tolist() == [[2.0] * 4] * 3


def test_each_backward_needs_a_forward_of_its_own() -> None:
    encoder = LearnedPositionalEncoding(5, 4)
    encoder.forward(GRADIENT)
    encoder.backward(GRADIENT)
    expected = encoder.grad_embedding.tolist()

    with pytest.raises(
        RuntimeError, match="backward must follow a forward pass, one for each call"
    ):
        encoder.backward(GRADIENT)
    assert encoder.grad_embedding.tolist() == expected


def test_backward_belongs_to_the_latest_forward() -> None:
    encoder = LearnedPositionalEncoding(5, 4)
    encoder.forward(GRADIENT)
    encoder.forward(np.ones((1, 5, 4)))

    with pytest.raises(ValueError, match=r"the shape \(1, 5, 4\) of the latest forward"):
        encoder.backward(GRADIENT)


@pytest.mark.parametrize("name", ["embedding", "grad_embedding"])
def test_a_refused_table_changes_nothing(name: str) -> None:
    encoder = LearnedPositionalEncoding(5, 4)
    before = getattr(encoder, name).tolist()

    with pytest.raises(ValueError, match=rf"{name} must have shape \(5, 4\)"):
        setattr(encoder, name, np.ones((4, 5)))
    assert getattr(encoder, name).tolist() == before
