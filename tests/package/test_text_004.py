"""What source text 004 promises of its functions and classes, held by the public package.

Names, arguments, shapes, errors and tolerances are those of the text. Where the text is wrong,
or says two things, the truth is tested, and a comment says what the text has.
"""

import inspect
import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

import posenc

PE = posenc.sinusoidal_positional_encoding(100, 64)


def draws(*shape: int, seed: int = 0) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (posenc.sinusoidal_positional_encoding, ["seq_len", "d_model"]),
        (posenc.SinusoidalPositionalEncoding, ["max_seq_len", "d_model"]),
        (posenc.SinusoidalPositionalEncoding.forward, ["self", "X"]),
        (posenc.SinusoidalPositionalEncoding.get_encoding, ["self", "seq_len"]),
        (posenc.LearnedPositionalEncoding, ["max_seq_len", "d_model"]),
        (posenc.LearnedPositionalEncoding.forward, ["self", "X"]),
        (posenc.LearnedPositionalEncoding.backward, ["self", "grad_output"]),
        (posenc.relative_position_matrix, ["pe", "offset"]),
        (posenc.dot_product_distance, ["pe"]),
        (posenc.encoding_statistics, ["pe"]),
        (posenc.pe_similarity_by_distance, ["pe"]),
    ],
)
def test_names_and_arguments(function: Any, arguments: list[str]) -> None:
    parameters = list(inspect.signature(function).parameters.values())

    assert [p.name for p in parameters[: len(arguments)]] == arguments
    # What the package adds has a default and is named in the call.
    added = parameters[len(arguments) :]
    assert all(p.kind is p.KEYWORD_ONLY and p.default is not p.empty for p in added)


@pytest.mark.parametrize("d_model", [4, 64, 512])
def test_frequencies(d_model: int) -> None:
    pe = posenc.sinusoidal_positional_encoding(100, d_model)

    # The text states ω_i = 10000^(-2i/d) and computes exp(-2i/d · ln 10000): equal to 1e-12.
    # It calls them identical and the power liable to overflow: neither holds, since most
    # entries differ in their last bits and no exponent reaches 1.
    i = np.arange(d_model // 2)
    logarithmic = np.exp(-2.0 * i / d_model * np.log(10000.0))
    direct = 1.0 / 10000.0 ** (2.0 * i / d_model)
    assert_allclose(logarithmic, direct, rtol=1e-12)
    assert_allclose(posenc.inv_freq(d_model), direct, rtol=1e-12)
    assert (10000.0 ** (2.0 * i / d_model) < 10000).all()
    for omega in (logarithmic, direct):
        angles = np.arange(100)[:, np.newaxis] * omega
        assert_allclose(pe[:, 0::2], np.sin(angles), rtol=0, atol=1e-12)
        assert_allclose(pe[:, 1::2], np.cos(angles), rtol=0, atol=1e-12)


def test_the_worked_example() -> None:
    expected = [[0, 1, 0, 1], [0.8415, 0.5403, 0.01, 0.99995], [0.9093, -0.4161, 0.02, 0.9998]]
    assert abs(posenc.sinusoidal_positional_encoding(3, 4) - np.array(expected)).max() < 5.1e-5
    assert posenc.inv_freq(4).tolist() == [1, 0.01]


def test_the_slowest_wave() -> None:
    # The text says about 1/10000, so 62 832 positions, for the last pair of any width, and
    # 0.01 for pair 1; both are so in the limit, or at d = 4, alone.
    assert [round(posenc.wavelengths(d)[-1]) for d in (4, 64, 512)] == [628, 47117, 60611]
    assert round(posenc.inv_freq(64)[1], 3) == 0.75


@pytest.mark.parametrize("d_model", [2, 4, 64, 512])
def test_position_zero(d_model: int) -> None:
    row = posenc.sinusoidal_positional_encoding(1, d_model)[0]
    assert_allclose(row[0::2], 0, rtol=0, atol=1e-15)
    assert_allclose(row[1::2], 1, rtol=0, atol=1e-15)


@pytest.mark.parametrize(("seq_len", "d_model"), [(1, 2), (3, 4), (100, 64), (100, 512)])
def test_shape_type_bounds_and_lengths(seq_len: int, d_model: int) -> None:
    pe = posenc.sinusoidal_positional_encoding(seq_len, d_model)
    assert pe.shape == (seq_len, d_model)
    assert pe.dtype == np.float64
    assert abs(pe).max() <= 1
    assert_allclose(np.linalg.norm(pe, axis=1), math.sqrt(d_model / 2), rtol=1e-12)


def test_no_two_positions_share_a_row() -> None:
    # The text says that its tests verify this, and shows none. Its reason is too strong:
    # two positions with one code lose their own order, not that of all the others.
    assert len(np.unique(PE, axis=0)) == 100
    assert posenc.separation(PE) > 1


@pytest.mark.parametrize("d_model", [1, 3, 63])
@pytest.mark.parametrize(
    "make", [posenc.sinusoidal_positional_encoding, posenc.SinusoidalPositionalEncoding]
)
def test_an_odd_width_is_refused(make: Any, d_model: int) -> None:
    with pytest.raises(ValueError, match=f"must be even.* got d_model={d_model}$"):
        make(10, d_model)


def test_float32_angles_would_not_do() -> None:
    # The text expects errors of 1e-7. That is the rounding of a result; that of an angle
    # grows with the position, to several 1e-6 within 100 positions.
    omega = np.exp(np.float32(-2 / 64) * np.arange(32, dtype=np.float32) * np.log(np.float32(1e4)))
    angles = np.arange(100, dtype=np.float32)[:, np.newaxis] * omega
    assert 1e-6 < abs(np.sin(angles) - PE[:, 0::2]).max() < 2e-5
    assert abs(PE.astype(np.float32) - PE).max() < 3.1e-8


def test_sinusoidal_forward_adds_the_first_rows_to_every_sequence() -> None:
    encoder = posenc.SinusoidalPositionalEncoding(200, 64)
    X = draws(3, 100, 64)
    out = encoder.forward(X)
    assert out.shape == (3, 100, 64)
    assert np.array_equal(out, X + PE)
    assert (encoder.max_seq_len, encoder.d_model) == (200, 64)
    assert np.array_equal(encoder.pe[:100, :], PE)
    assert np.array_equal(encoder.pe[:100], encoder.pe[:100, :])  # readability alone


def test_get_encoding() -> None:
    encoder = posenc.SinusoidalPositionalEncoding(200, 64)
    assert np.array_equal(encoder.get_encoding(100), PE)


def test_there_is_nothing_to_train() -> None:
    encoder = posenc.SinusoidalPositionalEncoding(4, 8)
    assert not [name for name in dir(encoder) if "grad" in name or name == "backward"]


def test_too_long_for_a_sinusoidal_table() -> None:
    # In the text's class NumPy complains of shapes, fewer rows come back in silence, and a
    # table of one row is added everywhere.
    for max_seq_len in (1, 4):
        encoder = posenc.SinusoidalPositionalEncoding(max_seq_len, 8)
        with pytest.raises(ValueError, match=f"max_seq_len={max_seq_len} positions, got L=6"):
            encoder.forward(np.zeros((1, 6, 8)))
        with pytest.raises(ValueError, match=f"max_seq_len={max_seq_len}, got seq_len=6"):
            encoder.get_encoding(6)


def test_the_learned_table() -> None:
    encoder = posenc.LearnedPositionalEncoding(512, 64, rng=np.random.default_rng(0))
    assert encoder.embedding.shape == encoder.grad_embedding.shape == (512, 64)
    assert encoder.embedding.dtype == encoder.grad_embedding.dtype == np.float64
    assert not encoder.grad_embedding.any()
    # The exercises call this N(0, 0.02): 0.02 is the standard deviation, not the variance.
    # 32 768 draws know it to 0.4 %; five times that is allowed.
    assert abs(encoder.embedding.std() / 0.02 - 1) < 0.02
    assert abs(encoder.embedding.mean()) < 0.0006


def test_learned_forward_adds_the_first_rows_to_every_sequence() -> None:
    encoder = posenc.LearnedPositionalEncoding(16, 8)
    X = draws(3, 10, 8)
    assert np.array_equal(encoder.forward(X), X + encoder.embedding[:10, :])


def test_too_long_for_a_learned_table() -> None:
    encoder = posenc.LearnedPositionalEncoding(2048, 4)
    assert encoder.forward(np.zeros((1, 2048, 4))).shape == (1, 2048, 4)
    # Counted from 0, the first position without a row is 2048, not 2049.
    with pytest.raises(ValueError, match="max_seq_len=2048 positions, got L=2049"):
        encoder.forward(np.zeros((1, 2049, 4)))
    with pytest.raises(IndexError):
        encoder.embedding[2048]


def test_learned_backward() -> None:
    encoder, upstream = posenc.LearnedPositionalEncoding(16, 8), draws(3, 10, 8)
    encoder.forward(draws(3, 10, 8, seed=1))
    dX = encoder.backward(upstream)
    summed = upstream[0] + upstream[1] + upstream[2]
    assert_allclose(encoder.grad_embedding[:10], summed, rtol=0, atol=1e-12)
    assert (encoder.grad_embedding[10:] == 0).all()
    assert np.array_equal(dX, upstream)
    assert not np.shares_memory(dX, upstream)
    # Pitfall 4: the first sequence alone is another gradient.
    assert abs(encoder.grad_embedding[:10] - upstream[0]).max() > 1


@pytest.mark.parametrize("B", [1, 2, 7])
def test_gradient_accumulation_across_a_batch(B: int) -> None:
    # One encoder for both, as the text's class allows: it starts each gradient from 0.
    encoder, single = posenc.LearnedPositionalEncoding(16, 8), draws(1, 10, 8)
    encoder.forward(np.zeros((1, 10, 8)))
    encoder.backward(single)
    grad_single = encoder.grad_embedding
    encoder.forward(np.zeros((B, 10, 8)))
    encoder.backward(np.repeat(single, B, axis=0))
    grad_batch = encoder.grad_embedding
    assert_allclose(grad_batch[:10], B * grad_single[:10], rtol=0, atol=1e-12)
    assert grad_single[:10].all()


def test_started_from_sinusoids() -> None:
    # The hard exercise. The 2017 paper did not do this; it compared learned with sinusoidal.
    encoder = posenc.LearnedPositionalEncoding(100, 64, init="sinusoidal")
    assert np.array_equal(encoder.embedding, PE)
    encoder.embedding[0] += 1
    assert np.array_equal(posenc.sinusoidal_positional_encoding(100, 64), PE)
