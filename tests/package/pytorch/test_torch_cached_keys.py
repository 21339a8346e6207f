"""Keys that are rotated again in PyTorch are those that would have been rotated only once."""

import numpy as np
import pytest
import torch

import posenc
from posenc.torch import AxialRotaryEmbedding, MRotaryEmbedding, RotaryEmbedding, rerotate_keys

OLD = torch.arange(5) + 300
SLOW = posenc.inv_freq(16) / 8


def keys(*shape: int) -> torch.Tensor:
    return torch.randn(shape, dtype=torch.float64)


def rotary(**settings) -> RotaryEmbedding:
    return RotaryEmbedding(18, **({"layout": "half", "seq_axis": -2, "rotary_dim": 16} | settings))


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize("shift", [0, -300, 7])
def test_keys_are_those_of_the_numpy_function(layout, shift):
    old = rotary(layout=layout, attention_factor=1.25)
    new = rotary(layout=layout, attention_factor=0.75, inv_freq=SLOW)
    cache = old(keys(2, 3, 5, 18), OLD)

    found = rerotate_keys(cache, old, OLD, OLD + shift, new_rope=new)

    expected = posenc.rerotate_keys(
        cache.numpy(), OLD.numpy(), OLD.numpy() + shift, layout=layout, new_inv_freq=SLOW,
        rotary_dim=16, attention_factor=1.25, new_attention_factor=0.75,
    )  # fmt: skip
    np.testing.assert_allclose(found.numpy(), expected, rtol=0, atol=5e-13)


@pytest.mark.parametrize("positions", [OLD, torch.stack([OLD, OLD - 40])])
@pytest.mark.parametrize("clockwise", [False, True])
@pytest.mark.parametrize("seq_axis", [-2, -3])
def test_a_shift_gives_keys_at_their_new_positions(seq_axis, clockwise, positions):
    rope = rotary(seq_axis=seq_axis, clockwise=clockwise)
    k = keys(2, 5, 5, 18)

    found = rerotate_keys(rope(k, positions), rope, positions, positions - 250)

    torch.testing.assert_close(found, rope(k, positions - 250), rtol=0, atol=5e-13)


def test_longer_frequencies_alone_are_enough():
    old, new, k = rotary(), rotary(inv_freq=SLOW), keys(2, 5, 18)

    found = rerotate_keys(old(k, OLD), old, OLD, new_rope=new)

    torch.testing.assert_close(found, new(k, OLD), rtol=0, atol=5e-13)


@pytest.mark.parametrize(
    "rope",
    [
        MRotaryEmbedding(18, (4, 2, 2), assignment="interleaved", layout="half", seq_axis=-2),
        AxialRotaryEmbedding(18, 3, layout="half", seq_axis=-2),
    ],
)
def test_points_may_move_too(rope):
    k, points = keys(2, 5, 18), torch.from_numpy(posenc.mrope_points([2, (1, 1, 3)]))

    found = rerotate_keys(rope(k, points), rope, points, points + torch.tensor([3, 0, -1]))

    torch.testing.assert_close(
        found, rope(k, points + torch.tensor([3, 0, -1])), rtol=0, atol=5e-13
    )


@pytest.mark.parametrize(
    ("dtype", "allowed"),
    [
        (torch.float32, 3 * 2**-24),
        (torch.float16, 2**-11 + 3 * 2**-24),
        (torch.bfloat16, 2**-8 + 3 * 2**-24),
    ],
)
def test_each_call_adds_so_many_roundings(dtype, allowed):
    rope, positions = rotary(rotary_dim=18), torch.arange(500) + 100_000
    cache = (1 + torch.rand(4, 500, 18, dtype=torch.float64)).to(dtype)

    found = rerotate_keys(cache, rope, positions, positions - 100_000)

    exact = rerotate_keys(cache.double(), rope, positions, positions - 100_000)
    of_pairs = exact.unflatten(-1, (2, 9)).norm(dim=-2)
    assert found.dtype == dtype
    assert (abs(found.double() - exact) <= allowed * torch.cat([of_pairs, of_pairs], -1)).all()


def test_rerotation_is_one_graph():
    rope, k = rotary(), keys(2, 5, 18).float()
    compiled = torch.compile(
        lambda k, p, q: rerotate_keys(k, rope, p, q), fullgraph=True, dynamic=True
    )

    torch.testing.assert_close(
        compiled(k, OLD, OLD - 3), rerotate_keys(k, rope, OLD, OLD - 3), rtol=2**-22, atol=2**-22
    )


def test_modules_on_the_meta_device_are_refused():
    with torch.device("meta"):
        empty = rotary()
    x = torch.ones(5, 18)

    with pytest.raises(RuntimeError, match="on the meta device"):
        rerotate_keys(x, empty, OLD, OLD)
    with pytest.raises(RuntimeError, match="on the meta device"):
        rerotate_keys(x, rotary(), OLD, new_rope=empty)
    assert rerotate_keys(x.to("meta"), empty, OLD.to("meta"), OLD.to("meta")).is_meta


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"new_positions": None}, ValueError, "new_positions or new_rope must be given"),
        ({"positions": None}, TypeError, "^positions must be a tensor, got NoneType"),
        ({"positions": OLD[:4]}, ValueError, r"^positions must have shape \(5,\)"),
        ({"new_positions": OLD[:4]}, ValueError, r"^new_positions must have shape \(5,\)"),
        ({"new_positions": [1]}, TypeError, "^new_positions must be a tensor, got list"),
        ({"new_positions": OLD.half()}, TypeError, "^new_positions must be integers"),
        ({"x": torch.ones(5, 16)}, ValueError, "x must have shape"),
        ({"x": torch.ones(5, 18).long()}, TypeError, "x must hold floats"),
        ({"rope": SLOW}, TypeError, "rope must be a rotary module of posenc.torch, got ndarray"),
        ({"new_rope": torch.nn.Identity()}, TypeError, "new_rope must be a rotary module"),
        (
            {"new_rope": rotary(layout="interleaved")}, ValueError,
            "new_rope must have the layout of rope, 'half', got 'interleaved'",
        ),
        ({"new_rope": rotary(rotary_dim=18)}, ValueError, "rotary_dim of rope, 16, got 18"),
        ({"new_rope": rotary(clockwise=True)}, ValueError, "clockwise of rope, False"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(change, error, said):
    right = {"x": torch.ones(5, 18), "rope": rotary(), "positions": OLD, "new_positions": OLD}
    with pytest.raises(error, match=said):
        rerotate_keys(**(right | change))
