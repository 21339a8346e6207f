"""Queries and keys in PyTorch are turned as NumPy turns them, in every dtype and far away."""

import numpy as np
import pytest
import torch

import posenc
from posenc.torch import RotaryEmbedding, rotate_pairs
from tests.package.pytorch.exactly import turned

LAYOUTS = ("interleaved", "half")
FAR = torch.tensor([0, 1, 17, 4095, 131_071, 1_000_000])


def queries(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.randn(shape, dtype=torch.float64).to(dtype)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    # Relative to the length of a pair: one rounding of the result, two more of what it sums.
    ("dtype", "compute_dtype", "allowed"),
    [
        (torch.float64, None, 3e-10),  # of the angle: 2**-52 of a million
        (torch.float32, None, 3 * 2**-24),
        (torch.float16, None, 3 * 2**-11),
        (torch.bfloat16, None, 3 * 2**-8),
        (torch.float16, torch.float32, 2**-11 + 3 * 2**-24),
        (torch.bfloat16, torch.float32, 2**-8 + 3 * 2**-24),
    ],
)
def test_each_dtype_is_as_near_as_it_can_be_at_a_million(layout, dtype, compute_dtype, allowed):
    rope = RotaryEmbedding(64, layout=layout, seq_axis=-2, compute_dtype=compute_dtype)
    x = queries(2, 3, len(FAR), 64, dtype=dtype)

    found = rope(x, FAR)

    exact = turned(x.double().numpy(), FAR.tolist(), layout)
    channels = exact.reshape(*exact.shape[:-1], *((32, 2) if layout == "interleaved" else (2, 32)))
    axis = -1 if layout == "interleaved" else -2
    lengths = np.linalg.norm(channels, axis=axis, keepdims=True)
    lengths = np.broadcast_to(lengths, channels.shape).reshape(exact.shape)
    assert found.dtype == dtype
    assert (abs(found.double().numpy() - exact) <= allowed * lengths).all()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_float64_rotation_equals_the_numpy_function(layout):
    x = queries(2, 3, 5, 16, dtype=torch.float64)
    rope = RotaryEmbedding(
        16, layout=layout, seq_axis=-2, base=500.0, rotary_dim=8, attention_factor=1.25
    )
    positions = torch.tensor([[0, 1, 2, 3, 4], [7, 8, 9, 10, 11]])

    found = rope(x, positions).numpy()

    expected = posenc.apply_rotary(
        x.numpy(), positions.numpy(), layout=layout, base=500.0, rotary_dim=8, attention_factor=1.25
    )
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)
    assert (found[..., 8:] == x[..., 8:].numpy()).all()


def test_clockwise_rotation_is_the_other_way_round():
    x, p = queries(2, 3, 5, 8), torch.arange(5)
    settings = {"layout": "half", "seq_axis": -2, "rotary_dim": 4, "attention_factor": 1.25}
    clockwise = RotaryEmbedding(8, **settings, clockwise=True)

    assert (clockwise(x, p) == RotaryEmbedding(8, **settings)(x, -p)).all()
    assert "clockwise=True" in repr(clockwise)


def test_heads_may_be_on_the_axis_after_positions():
    x = queries(2, 5, 5, 8)  # as many heads as positions: only the argument tells
    ahead = RotaryEmbedding(8, layout="half", seq_axis=-2)
    behind = RotaryEmbedding(8, layout="half", seq_axis=-3)

    assert (behind(x) == ahead(x.transpose(1, 2)).transpose(1, 2)).all()
    assert (behind(x) != ahead(x)).any()


def test_without_positions_they_count_from_zero():
    rope = RotaryEmbedding(8, layout="half", seq_axis=-2)
    x = queries(2, 3, 7, 8)

    assert (rope(x) == rope(x, torch.arange(7))).all()
    assert (rope(x[0, 0]) == rope(x)[0, 0]).all()


def test_single_tokens_are_rotated_as_in_the_sequence():
    rope = RotaryEmbedding(8, layout="half", seq_axis=-2)
    x = queries(1, 2, 9, 8, dtype=torch.bfloat16)
    steps = [rope(x[:, :, p : p + 1], torch.tensor([p])) for p in range(9)]

    assert (torch.cat(steps, -2) == rope(x)).all()


def test_grouped_keys_share_the_tables_of_queries():
    rope = RotaryEmbedding(8, layout="half", seq_axis=-2)
    q, k = queries(2, 8, 5, 8), queries(2, 2, 5, 8)
    cos, sin = rope.cos_sin(torch.arange(5), torch.float32)

    assert (rotate_pairs(q, cos, sin, layout="half") == rope(q)).all()
    assert (rotate_pairs(k, cos, sin, layout="half") == rope(k)).all()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_tables_in_float32_round_16_bits_once(layout):
    rope = RotaryEmbedding(16, layout=layout, seq_axis=-2, compute_dtype=torch.float32)
    x = queries(2, 3, 5, 16, dtype=torch.bfloat16)
    tables = rope.cos_sin(torch.arange(5), torch.float32)

    found = rotate_pairs(x, *tables, layout=layout)

    once = rotate_pairs(x.float(), *tables, layout=layout).bfloat16()
    assert (found == once).all()
    assert (rope(x) == once).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("seq_axis", [-2, -3])
def test_sequences_in_a_batch_have_positions_of_their_own(layout, seq_axis):
    rope = RotaryEmbedding(8, layout=layout, seq_axis=seq_axis, rotary_dim=6)
    x, positions = queries(2, 3, 3, 8), torch.tensor([[0, 1, 2], [5, 6, 7]])

    found = rope(x, positions)

    for b in range(2):
        assert (found[b] == rope(x[b], positions[b])).all()


def test_scaled_frequencies_of_a_config_fit():
    config = {
        "rope_type": "llama3", "rope_theta": 500000.0, "factor": 8.0, "low_freq_factor": 1.0,
        "high_freq_factor": 4.0, "original_max_position_embeddings": 8192, "head_dim": 64,
    }  # fmt: skip
    inv_freq, factor = posenc.rope_parameters(config)
    rope = RotaryEmbedding(
        64, layout="half", seq_axis=-2, inv_freq=inv_freq, attention_factor=factor
    )

    def turn(x, positions):
        return rope(torch.from_numpy(x), torch.from_numpy(positions))

    assert posenc.compare(turn, config)
    assert "llama3 scaling" in str(posenc.compare(turn, "llama3").explanation)


def test_gradients_are_rotated_backwards():
    rope = RotaryEmbedding(8, layout="interleaved", seq_axis=-2)
    x = queries(1, 1, 3, 8, dtype=torch.float64).requires_grad_()
    upstream = queries(1, 1, 3, 8, dtype=torch.float64)

    rope(x).backward(upstream)

    back = rope(upstream, -torch.arange(3))
    torch.testing.assert_close(x.grad, back, rtol=0, atol=1e-15)


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"layout": "halves"}, ValueError, "layout must be"),
        ({"seq_axis": 1}, ValueError, "seq_axis must be -2 or -3, got seq_axis=1"),
        ({"seq_axis": None}, TypeError, "seq_axis must be"),
        ({"rotary_dim": 10}, ValueError, "rotary_dim"),
        ({"rotary_dim": 4, "inv_freq": [1.0]}, ValueError, "inv_freq must have shape"),
        ({"base": 1.0}, ValueError, "base must"),
        ({"attention_factor": 0}, ValueError, "attention_factor must"),
        ({"clockwise": 1}, TypeError, "clockwise must"),
        ({"compute_dtype": "float32"}, TypeError, "compute_dtype must"),
        ({"compute_dtype": torch.int64}, TypeError, "compute_dtype must"),
    ],
)
def test_bad_settings_are_refused(change, error, said):
    with pytest.raises(error, match=said):
        RotaryEmbedding(8, **({"layout": "half", "seq_axis": -2} | change))


@pytest.mark.parametrize(
    ("x", "positions", "error", "said"),
    [
        (torch.ones(3, 8, dtype=torch.int64), None, TypeError, "x must hold floats"),
        (np.ones((3, 8)), None, TypeError, "x must be a tensor, got ndarray"),
        (torch.ones(3, 6), None, ValueError, r"x must have shape \(\.\.\., seq_len, 8\)"),
        (torch.ones(8), None, ValueError, "x must have shape"),
        (torch.ones(3, 8), torch.arange(4), ValueError, r"positions must have shape \(3,\)"),
        (torch.ones(2, 3, 4, 8), torch.arange(3), ValueError, "positions must have shape"),
        (torch.ones(3, 8), [0, 1, 2], TypeError, "positions must be a tensor, got list"),
        (torch.ones(3, 8), torch.ones(3).bfloat16(), TypeError, "fall together"),
        (torch.ones(3, 8), torch.ones(3) > 0, TypeError, "positions must hold real numbers"),
    ],
)
def test_bad_queries_and_positions_are_refused(x, positions, error, said):
    with pytest.raises(error, match=said):
        RotaryEmbedding(8, layout="half", seq_axis=-2)(x, positions)


@pytest.mark.parametrize(
    ("cos", "sin", "said"),
    [
        (torch.ones(3, 8), torch.ones(3, 8), "cos must have 1 to 4 numbers"),
        (torch.ones(3, 4), torch.ones(3, 2), "cos and sin must have one shape"),
        (torch.ones(2, 4), torch.ones(2, 4), "cos must have the axes of x"),
        (torch.ones(1, 1, 3, 4), torch.ones(1, 1, 3, 4), "cos must have the axes of x"),
    ],
)
def test_tables_that_do_not_fit_are_refused(cos, sin, said):
    with pytest.raises(ValueError, match=said):
        rotate_pairs(torch.ones(1, 3, 8), cos, sin, layout="half")
