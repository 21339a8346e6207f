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


@pytest.mark.parametrize(
    ("function", "defaults"),
    [
        (posenc.alibi_slopes, {"bias_max": 8}),
        (posenc.alibi_bias, {"bias_max": 8, "form": "causal"}),
        (posenc.alibi_bias_at, {"bias_max": 8, "form": "causal"}),
        (
            posenc.relative_position_bucket,
            {"bidirectional": True, "num_buckets": 32, "max_distance": 128},
        ),
        (posenc.t5_bias, {"bidirectional": True, "max_distance": 128}),
        (posenc.xpos_scale, {"scale_base": 512, "gamma": 0.4}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_defaults_are_those_of_the_published_code(function: Any, defaults: dict[str, Any]) -> None:
    parameters = inspect.signature(function).parameters
    assert {name: parameters[name].default for name in defaults} == defaults
