"""Sinusoidal and learned encodings in PyTorch are those of NumPy, at any position."""

import numpy as np
import pytest
import torch
from torch import nn

import posenc
from posenc.torch import LearnedPositionalEncoding, SinusoidalPositionalEncoding
from tests.package.pytorch.exactly import encoded

FAR = torch.tensor([0, 1, 17, 4095, 131_071, 1_000_000])


@pytest.mark.parametrize(
    ("dtype", "allowed"),
    [
        (torch.float64, 3e-10),  # of the angle: 2**-52 of a million
        (torch.float32, 2**-24),
        (torch.float16, 2**-12 + 2**-24),
        (torch.bfloat16, 2**-9 + 2**-24),
    ],
)
def test_each_dtype_is_as_near_as_it_can_be_at_a_million(dtype, allowed):
    encoder = SinusoidalPositionalEncoding(64)

    found = encoder(torch.zeros(1, len(FAR), 64, dtype=dtype), FAR)[0]

    assert found.dtype == dtype
    assert abs(found.double().numpy() - encoded(FAR.tolist(), 64)).max() <= allowed


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("exponent", ["paper", "tensor2tensor"])
def test_table_equals_the_numpy_function(layout, exponent):
    encoder = SinusoidalPositionalEncoding(16, base=500.0, layout=layout, exponent=exponent)

    found = encoder(torch.zeros(50, 16))

    expected = posenc.sinusoidal_positional_encoding(
        50, 16, base=500.0, layout=layout, exponent=exponent, dtype=np.float32
    )
    assert (found.numpy() == expected).all()
    identity = posenc.identify(found)
    assert (identity.layout, identity.base, identity.exponent) == (layout, 500.0, exponent)


def test_the_sum_is_rounded_once():
    x = torch.full((1, 1, 2), 256.0, dtype=torch.bfloat16)  # its neighbours are 2 apart
    encoder = SinusoidalPositionalEncoding(2)

    found = encoder(x, torch.tensor([1]))

    rounded_twice = x + encoder(torch.zeros_like(x), torch.tensor([1]))
    exact = 256 + encoded([1], 2)
    assert abs(found.double().numpy() - exact).max() <= 1
    assert found.shape == rounded_twice.shape


def test_left_padding_is_handled_by_positions():
    encoder = SinusoidalPositionalEncoding(8)
    x = torch.zeros(2, 4, 8)
    positions = torch.tensor([[0, 0, 0, 1], [0, 1, 2, 3]])

    found = encoder(x, positions)

    assert (found[0, 2:] == encoder(x)[0, :2]).all()
    assert (found[1] == encoder(x)[1]).all()


def test_a_learned_table_is_looked_up_and_trained():
    encoder = LearnedPositionalEncoding(5, 4)
    x = torch.zeros(2, 3, 4)

    encoder(x, torch.tensor([0, 4, 4])).sum().backward()

    assert (encoder(x)[1] == encoder.weight[:3]).all()
    assert encoder.weight.grad.tolist() == [[2.0] * 4, [0.0] * 4, [0.0] * 4, [0.0] * 4, [4.0] * 4]


def test_a_learned_table_is_drawn_as_told():
    narrow, wide = (LearnedPositionalEncoding(512, 64, std=std).weight for std in (0.02, 1.0))
    table = LearnedPositionalEncoding(512, 64, init="sinusoidal").weight

    # The standard deviation of 32 768 numbers is off by more than 2 % once in 10^6.
    assert narrow.std().item() == pytest.approx(0.02, rel=0.02)
    assert wide.std().item() == pytest.approx(1.0, rel=0.02)
    expected = posenc.sinusoidal_positional_encoding(512, 64, dtype=np.float32)
    assert (table.detach().numpy() == expected).all()


def test_checkpoints_of_an_embedding_fit():
    rows = nn.Embedding(5, 4)
    encoder = LearnedPositionalEncoding(5, 4)

    encoder.load_state_dict(rows.state_dict())

    assert (encoder(torch.zeros(1, 5, 4))[0] == rows(torch.arange(5))).all()


@pytest.mark.parametrize(
    ("module", "x", "positions", "error", "said"),
    [
        (SinusoidalPositionalEncoding(4), torch.ones(3, 6), None, ValueError, "x must have shape"),
        (SinusoidalPositionalEncoding(4), [[1.0]], None, TypeError, "x must be a tensor, got list"),
        (
            SinusoidalPositionalEncoding(4), torch.ones(3, 4), torch.ones(3).half(),
            TypeError, "fall together",
        ),
        (
            LearnedPositionalEncoding(3, 4), torch.ones(4, 4), None,
            ValueError, "x must have at most max_seq_len=3 positions",
        ),
        (
            LearnedPositionalEncoding(3, 4), torch.ones(1, 4), torch.tensor([-1]),
            IndexError, "index out of range",
        ),
        (
            LearnedPositionalEncoding(3, 4), torch.ones(1, 4), torch.tensor([3]),
            IndexError, "index out of range",
        ),
        (
            LearnedPositionalEncoding(3, 4), torch.ones(1, 4), torch.tensor([0.0]),
            TypeError, "positions must hold integers",
        ),
    ],
)  # fmt: skip
def test_bad_input_is_refused(module, x, positions, error, said):
    with pytest.raises(error, match=said):
        module(x, positions)


@pytest.mark.parametrize(
    ("module", "settings", "said"),
    [
        (SinusoidalPositionalEncoding, {"d_model": 5}, "even"),
        (SinusoidalPositionalEncoding, {"layout": "halves"}, "layout must be"),
        (SinusoidalPositionalEncoding, {"exponent": "fairseq"}, "exponent must be"),
        (LearnedPositionalEncoding, {"max_seq_len": 0}, "max_seq_len must be"),
        (LearnedPositionalEncoding, {"d_model": 5, "init": "sinusoidal"}, "even"),
        (LearnedPositionalEncoding, {"init": "zeros"}, "init must be"),
        (LearnedPositionalEncoding, {"std": -1}, "std must be"),
    ],
)
def test_bad_settings_are_refused(module, settings, said):
    right = {"max_seq_len": 3} if module is LearnedPositionalEncoding else {}
    with pytest.raises(ValueError, match=said):
        module(**({"d_model": 4} | right | settings))
