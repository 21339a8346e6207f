"""The names that readers know from elsewhere keep their arguments."""

import inspect
from typing import Any

import pytest

import posenc


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (posenc.sinusoidal_positional_encoding, "seq_len d_model"),
        (posenc.SinusoidalPositionalEncoding, "max_seq_len d_model"),
        (posenc.SinusoidalPositionalEncoding.forward, "self X"),
        (posenc.SinusoidalPositionalEncoding.get_encoding, "self seq_len"),
        (posenc.LearnedPositionalEncoding, "max_seq_len d_model"),
        (posenc.LearnedPositionalEncoding.forward, "self X"),
        (posenc.LearnedPositionalEncoding.backward, "self grad_output"),
        (posenc.PositionalEmbedding, "vocab_size max_seq_len d_model"),
        (posenc.PositionalEmbedding.forward, "self token_ids"),
        (posenc.PositionalEmbedding.backward, "self grad_output"),
        (posenc.relative_position_matrix, "pe offset"),
        (posenc.rotation_matrix, "offset d_model"),
        (posenc.dot_product_distance, "pe"),
        (posenc.encoding_statistics, "pe"),
        (posenc.pe_similarity_by_distance, "pe"),
    ],
    ids=lambda value: getattr(value, "__qualname__", None),
)
def test_positional_arguments_come_first_and_the_rest_has_defaults(
    function: Any, arguments: str
) -> None:
    parameters = list(inspect.signature(function).parameters.values())
    required = [p.name for p in parameters if p.default is p.empty]
    others = parameters[len(required) :]

    assert required == arguments.split()
    assert all(p.kind is p.KEYWORD_ONLY for p in others)
