"""embedding_layer: bad input."""

import math
from typing import Any

import numpy as np
import pytest

from posenc.added.embedding_layer import PositionalEmbedding


def layer() -> PositionalEmbedding:
    return PositionalEmbedding(vocab_size=7, max_seq_len=5, d_model=4)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"vocab_size": 0}, ValueError, "vocab_size must be at least 1, got vocab_size=0"),
        ({"vocab_size": 7.0}, TypeError, "vocab_size must be an integer, got vocab_size=7.0"),
        ({"max_seq_len": 0}, ValueError, "max_seq_len must be at least 1, got max_seq_len=0"),
        ({"max_seq_len": True}, TypeError, "max_seq_len must be an integer, got max_seq_len=True"),
        ({"d_model": 5}, ValueError, "d_model must be even and at least 2, got d_model=5"),
        ({"base": 1}, ValueError, "base must be above 1, got base=1"),
        (
            {"layout": "halves"},
            ValueError,
            "layout must be 'interleaved' or 'half', got layout='halves'",
        ),
        ({"scale": 0}, ValueError, "scale must be above 0, got scale=0"),
        ({"scale": math.inf}, ValueError, "scale must be finite, got scale=inf"),
        ({"scale": "1"}, TypeError, "scale must be a real number, got scale='1'"),
        ({"std": -1}, ValueError, "std must be at least 0, got std=-1.0"),
        ({"std": math.nan}, ValueError, "std must be finite, got std=nan"),
        ({"dropout": 1}, ValueError, "dropout must be at least 0 and below 1, got dropout=1"),
        ({"dropout": -0.1}, ValueError, "dropout must be at least 0 and below 1, got dropout=-0.1"),
        ({"padding_id": 7}, ValueError, "padding_id must be below 7, got padding_id=7"),
        ({"padding_id": -1}, ValueError, "padding_id must be at least 0, got padding_id=-1"),
        ({"padding_id": 0.0}, TypeError, "padding_id must be an integer, got padding_id=0.0"),
        ({"rng": 3}, TypeError, "rng must be a numpy.random.Generator or None, got rng=3"),
        ({"dtype": int}, ValueError, "dtype must be float16, float32 or float64, got dtype=int64"),
    ],
)
def test_refuses_to_be_made(
    arguments: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as refusal:
        PositionalEmbedding(**{"vocab_size": 7, "max_seq_len": 5, "d_model": 4, **arguments})

    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("ids", "error", "message"),
    [
        ([[0, 7]], ValueError, "token_ids must lie within 0..6, got 7"),
        ([[0, -1]], ValueError, "token_ids must lie within 0..6, got -1"),
        ([2**63], ValueError, "token_ids must lie within 0..6, got 9223372036854775808"),
        ([0.0, 1.0], TypeError, "token_ids must hold integers, got dtype float64"),
        ([], TypeError, "token_ids must hold integers, got dtype float64"),
        ([True], TypeError, "token_ids must hold integers, got dtype bool"),
        (["cat"], TypeError, "token_ids must hold integers, got dtype <U3"),
        (3, ValueError, "token_ids must have shape (B, L) or (L,), got shape ()"),
        ([[[3]]], ValueError, "token_ids must have shape (B, L) or (L,), got shape (1, 1, 1)"),
        ([0] * 6, ValueError, "token_ids must have at most max_seq_len=5 positions, got L=6"),
        ([[0] * 6], ValueError, "token_ids must have at most max_seq_len=5 positions, got L=6"),
    ],
)
def test_forward_refuses(ids: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as refusal:
        layer().forward(ids)

    assert str(refusal.value) == message


def test_one_row_is_not_spread_over_all_positions() -> None:
    """A slice of a table with one row would broadcast, and every place would be place 0."""
    embed = PositionalEmbedding(vocab_size=7, max_seq_len=1, d_model=4)

    with pytest.raises(ValueError, match="at most max_seq_len=1 positions, got L=5"):
        embed.forward([[3] * 5])


def test_forward_refuses_other_options() -> None:
    with pytest.raises(TypeError) as refusal:
        layer().forward([0], training="no")
    assert str(refusal.value) == "training must be a bool, got training='no'"
    with pytest.raises(TypeError) as refusal:
        layer().forward([0], rng=1)
    assert str(refusal.value) == "rng must be a numpy.random.Generator or None, got rng=1"


@pytest.mark.parametrize(
    ("gradient", "error", "message"),
    [
        (
            np.ones((2, 3)),
            ValueError,
            "grad_output must have the shape (2, 3, 4) of the latest forward, got shape (2, 3)",
        ),
        (
            np.ones((1, 3, 4)),
            ValueError,
            "grad_output must have the shape (2, 3, 4) of the latest forward, got shape (1, 3, 4)",
        ),
        (np.ones((2, 3, 4), bool), TypeError, "grad_output must hold floats, got dtype bool"),
        (np.ones((2, 3, 4), int), TypeError, "grad_output must hold floats, got dtype int64"),
    ],
)
def test_backward_refuses(gradient: Any, error: type[Exception], message: str) -> None:
    embed = layer()
    embed.forward(np.zeros((2, 3), dtype=int))

    with pytest.raises(error) as refusal:
        embed.backward(gradient)

    assert str(refusal.value) == message
    assert not embed.grad_embedding.any()


def test_backward_needs_a_forward_of_its_own() -> None:
    embed, gradient = layer(), np.ones((2, 4))
    with pytest.raises(RuntimeError) as refusal:
        embed.backward(gradient)
    assert str(refusal.value) == "backward must follow a forward of its own"

    embed.forward([1, 2])
    embed.backward(gradient)
    with pytest.raises(RuntimeError):
        embed.backward(gradient)

    embed.forward([1, 2])
    with pytest.raises(ValueError, match="got 9"):
        embed.forward([9])
    with pytest.raises(RuntimeError):
        embed.backward(gradient)


def test_backward_refuses_other_options() -> None:
    embed = layer()
    embed.forward([0])
    with pytest.raises(TypeError) as refusal:
        embed.backward(np.ones((1, 4)), accumulate=1)
    assert str(refusal.value) == "accumulate must be a bool, got accumulate=1"


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        (np.ones((7, 1)), ValueError, "embedding must have shape (7, 4), got shape (7, 1)"),
        (np.ones((7, 4), int), TypeError, "embedding must hold floats, got dtype int64"),
    ],
)
def test_the_table_refuses(value: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as refusal:
        layer().embedding = value

    assert str(refusal.value) == message
