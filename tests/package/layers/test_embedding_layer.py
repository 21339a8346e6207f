"""embedding_layer: tokens plus positions, dropout and padding."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from posenc.layers.embedding import PositionalEmbedding


def paper(p: int, d: int, base: float = 10_000.0) -> list[float]:
    """Section 3.5 for one position, channel by channel."""
    angles = [p / base ** (2 * i / d) for i in range(d // 2)]
    return [f(angle) for angle in angles for f in (math.sin, math.cos)]


def layer(**options: Any) -> PositionalEmbedding:
    """Return a layer of 7 tokens, 5 positions and 4 channels that is the same every time."""
    return PositionalEmbedding(7, 5, 4, **{"rng": np.random.default_rng(1), **options})


IDS = [[3, 0, 3], [6, 3, 1]]


def test_forward_adds_to_each_token_the_code_of_its_place() -> None:
    embed = layer()
    rows = embed.embedding.tolist()

    result = embed.forward(IDS)

    assert result.shape == (2, 3, 4)
    for b in range(2):
        for p in range(3):
            expected = [x + y for x, y in zip(rows[IDS[b][p]], paper(p, 4), strict=True)]
            # Sums below 4 round by 2.2e-16; the plain sines are off by as much.
            assert_allclose(result[b, p], expected, rtol=0, atol=1e-15)


def test_the_scale_is_for_tokens_alone() -> None:
    embed = layer(scale=2.5)
    embed.embedding[:] = 8

    # At position 0 the sines are 0 and the cosines 1, so the sum is exact.
    assert embed.forward([[4]]).tolist() == [[[20.0, 21.0, 20.0, 21.0]]]


def test_every_option_reaches_the_table_of_positions() -> None:
    embed = layer(base=100.0, layout="half", exponent="tensor2tensor", dtype="float32")

    # Two pairs: frequencies 1 and 1/100, sines before cosines.
    expected = [[math.sin(p), math.sin(p / 100), math.cos(p), math.cos(p / 100)] for p in range(5)]
    assert embed.pe.tolist() == np.array(expected, dtype=np.float32).tolist()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_dtype_is_that_of_tables_results_and_gradient(dtype: str) -> None:
    embed = layer(dtype=dtype, dropout=0.5, scale=2)
    result = embed.forward(IDS, training=True)
    embed.backward(result)

    assert embed.embedding.dtype == embed.pe.dtype == result.dtype == dtype
    assert embed.forward(IDS).dtype == embed.grad_embedding.dtype == dtype


def test_the_token_table_is_normal_with_the_std_asked_for() -> None:
    table = PositionalEmbedding(500, 1, 100, std=0.02, rng=np.random.default_rng(3)).embedding

    count = table.size  # 50 000
    assert abs(table.mean()) < 4 * 0.02 / math.sqrt(count)
    assert abs(table.std() / 0.02 - 1) < 4 / math.sqrt(2 * count)
    assert 0.66 < (abs(table) < 0.02).mean() < 0.70  # 68 % lie within one std


def test_dropout_acts_in_training_alone() -> None:
    embed = layer(dropout=0.5)

    assert embed.forward(IDS).tolist() == layer().forward(IDS).tolist()
    assert embed.forward(IDS, training=True).tolist() != embed.forward(IDS).tolist()
    assert layer().forward(IDS, training=True).tolist() == layer().forward(IDS).tolist()


@pytest.mark.parametrize("rate", [0.1, 0.75])
def test_dropped_entries_are_0_and_the_others_divided(rate: float) -> None:
    embed = PositionalEmbedding(7, 20, 8, dropout=rate, scale=3, rng=np.random.default_rng(1))
    ids = np.random.default_rng(2).integers(7, size=(500, 20))
    whole = embed.forward(ids)

    dropped = embed.forward(ids, training=True, rng=np.random.default_rng(4))

    zero = dropped == 0
    # Of 80 000 entries; 4 standard deviations of a binomial share.
    assert abs(zero.mean() - rate) < 4 * math.sqrt(rate * (1 - rate) / zero.size)
    assert_allclose(dropped[~zero], whole[~zero] / (1 - rate), rtol=1e-15)
    for axes in [(0, 1), (0, 2), (1, 2)]:  # each channel, place and sequence on its own
        share = zero.mean(axis=axes)
        assert (abs(share - rate) < 5 * math.sqrt(rate * (1 - rate) * share.size / zero.size)).all()


def test_the_seed_decides_what_is_dropped() -> None:
    embed = layer(dropout=0.5)

    def dropped(seed: int) -> Any:
        return embed.forward(IDS, training=True, rng=np.random.default_rng(seed)).tolist()

    assert dropped(1) == dropped(1) != dropped(2)
    assert embed.forward(IDS, training=True).tolist() != embed.forward(IDS, training=True).tolist()


def test_padding_starts_at_0_gets_its_place_and_no_gradient() -> None:
    embed = layer(padding_id=3)
    out = embed.forward(IDS)
    embed.backward(np.ones_like(out))

    assert not embed.embedding[3].any()
    assert embed.embedding[[0, 1, 2, 4, 5, 6]].all()
    assert_allclose(out[1, 1], paper(1, 4), rtol=0, atol=1e-15)
    assert embed.grad_embedding.sum(axis=1).tolist() == [4, 4, 0, 0, 0, 0, 4]


def test_short_floats_are_rounded_once_at_the_end() -> None:
    embed = layer(dtype=np.float16, scale=2.0**-30, dropout=1 - 2.0**-27)
    embed.embedding[:] = 2.0**10

    # 2**-20 at the sine of place 0; in float16, the scale and 1 - dropout are both 0.
    assert embed.forward([4])[0, 0] == 2.0**-20
    with np.errstate(over="ignore"):  # what is kept is 2**27 times as large
        assert not np.isnan(embed.forward([4] * 5, training=True)).any()


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint64"])
def test_short_integers_are_tokens_of_a_large_vocabulary(dtype: str) -> None:
    layer = PositionalEmbedding(vocab_size=1000, max_seq_len=4, d_model=2)
    ids = np.asfortranarray(np.arange(24).reshape(6, 4).astype(dtype))[::2]

    assert (layer.forward(ids) == layer.forward(ids.tolist())).all()


def test_backward_needs_a_forward_of_its_own() -> None:
    embed, gradient = layer(), np.ones((2, 4))
    embed.forward([1, 2])
    embed.backward(gradient)
    with pytest.raises(RuntimeError):
        embed.backward(gradient)

    embed.forward([1, 2])
    with pytest.raises(ValueError, match="got 9"):
        embed.forward([9])
    with pytest.raises(RuntimeError):
        embed.backward(gradient)
