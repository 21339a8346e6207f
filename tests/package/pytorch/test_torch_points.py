"""M-RoPE and axial rotation in PyTorch are those of NumPy, and those of the models."""

import numpy as np
import pytest
import torch

import posenc
from posenc.torch import AxialRotaryEmbedding, MRotaryEmbedding, rotate_pairs

VIDEO = torch.from_numpy(posenc.mrope_points([3, (2, 4, 5), 2, (1, 2, 3)]))


def queries(*shape: int) -> torch.Tensor:
    return torch.randn(shape, dtype=torch.float64)


def expected(x, tables, layout):
    return posenc.rotate_pairs(x.numpy(), *tables, layout=layout)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize(
    ("assignment", "sections"),
    [("contiguous", (2, 3, 3)), ("interleaved", (4, 2, 2)), ("contiguous", (1, 4)),
     ("interleaved", (2, 2))],
)  # fmt: skip
def test_mrope_equals_the_numpy_function(layout, assignment, sections):
    points = VIDEO[:, : len(sections)] - 1
    x = queries(2, 3, len(points), 18)
    settings = {"assignment": assignment, "base": 500.0, "attention_factor": 1.25}
    rope = MRotaryEmbedding(18, sections, layout=layout, seq_axis=-2, **settings)

    tables = posenc.mrope_cos_sin(points.numpy(), sections, **settings)
    np.testing.assert_allclose(
        rope(x, points).numpy(), expected(x, tables, layout), rtol=0, atol=1e-14
    )


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize(
    ("n", "settings"),
    [(1, {}), (2, {}), (2, {"order": (1, 0), "base": 100.0}), (3, {"sections": (8, 2, 2)}),
     (2, {"sections": (8, 4), "order": (1, 0)}), (3, {"inv_freq": [1, 0.5, 3, 0.25, 2, 0.1]})],
)  # fmt: skip
def test_axial_rotation_equals_the_numpy_function(layout, n, settings):
    points = VIDEO[:, :n] - 1.25
    x = queries(2, 3, len(points), 14)
    rope = AxialRotaryEmbedding(14, n, layout=layout, seq_axis=-2, rotary_dim=12, **settings)

    tables = posenc.axial_cos_sin(points.numpy(), 12, **settings)
    np.testing.assert_allclose(
        rope(x, points).numpy(), expected(x, tables, layout), rtol=0, atol=1e-14
    )


def make_mrope(seq_axis=-2):
    return MRotaryEmbedding(8, (2, 1, 1), assignment="contiguous", layout="half", seq_axis=seq_axis)


def test_sequences_and_heads_have_points_of_their_own():
    rope, points = make_mrope(), VIDEO[:4]
    x, batch = queries(2, 3, 4, 8), torch.stack([points, points + 5])

    found = rope(x, batch)

    for b in range(2):
        assert (found[b] == rope(x[b], batch[b])).all()
    assert (rope(x, batch[:, None].expand(2, 3, 4, 3)) == found).all()
    assert (make_mrope(-3)(x.transpose(1, 2), batch).transpose(1, 2) == found).all()


def test_tables_are_shared_by_queries_and_keys():
    rope, x = make_mrope(), queries(2, 3, 4, 8).float()
    tables = rope.cos_sin(VIDEO[:4], torch.float32)

    assert (rotate_pairs(x, *tables, layout="half") == rope(x, VIDEO[:4])).all()
    assert rope.cos_sin(VIDEO[0], torch.float32)[0].shape == (4,)


def test_a_class_token_at_the_origin_stays():
    rope, x = AxialRotaryEmbedding(8, 2, layout="half", seq_axis=-2), queries(1, 2, 5, 8)
    points = torch.cat([torch.zeros(1, 2), torch.rand(4, 2)])

    assert (rope(x, points)[:, :, 0] == x[:, :, 0]).all()


@pytest.mark.parametrize(
    ("points", "error", "said"),
    [
        (VIDEO[:3], ValueError, r"points must have shape \(4, 3\), \(2, 4, 3\)"),
        (torch.arange(4), ValueError, r"got shape \(4,\)"),
        (VIDEO[:4].T, ValueError, r"got shape \(3, 4\); .* pass points\.movedim\(0, -1\)"),
        (VIDEO[:4].T[:, None].expand(3, 2, 4), ValueError, r"points\.movedim\(0, -1\)"),
        (VIDEO[:4].half(), TypeError, "points must be integers, float32 or float64"),
        (VIDEO[:4] > 0, TypeError, "points must hold real numbers"),
        (None, TypeError, "points must be a tensor, got NoneType"),
    ],
)
def test_bad_points_are_refused(points, error, said):
    with pytest.raises(error, match=said):
        make_mrope()(torch.ones(2, 3, 4, 8), points)


@pytest.mark.parametrize("points", [torch.zeros(3, 4), torch.zeros(()), torch.zeros(4).half()])
def test_bad_points_of_tables_are_refused(points):
    with pytest.raises((ValueError, TypeError), match="points must"):
        make_mrope().cos_sin(points, torch.float32)


MROPE = {"mrope_section": (2, 1, 1), "assignment": "contiguous"}


@pytest.mark.parametrize(
    ("module", "settings", "error", "said"),
    [
        (MRotaryEmbedding, {"mrope_section": (3, 1, 1)}, ValueError, r"at most head_dim/2 = 4"),
        (MRotaryEmbedding, {"mrope_section": (0, 4)}, ValueError, r"mrope_section\[0\] must"),
        (MRotaryEmbedding, {"assignment": "half"}, ValueError, "assignment must be"),
        (MRotaryEmbedding, {"layout": "contiguous"}, ValueError, "layout must be"),
        (MRotaryEmbedding, {"seq_axis": 0}, ValueError, "seq_axis must be"),
        (MRotaryEmbedding, {"inv_freq": [1.0]}, ValueError, "inv_freq must have shape"),
        (MRotaryEmbedding, {"attention_factor": -1}, ValueError, "attention_factor must"),
        (AxialRotaryEmbedding, {"n_axes": 0}, ValueError, "n_axes must be"),
        (AxialRotaryEmbedding, {"n_axes": 3}, ValueError, "head_dim must be a multiple of 6"),
        (AxialRotaryEmbedding, {"n_axes": 3, "rotary_dim": 4}, ValueError, "rotary_dim must be"),
        (AxialRotaryEmbedding, {"sections": (6, 4)}, ValueError, "sum head_dim=8"),
        (AxialRotaryEmbedding, {"order": (0, 0)}, ValueError, "order must have each"),
        (AxialRotaryEmbedding, {"inv_freq": [1.0]}, ValueError, "inv_freq must have shape"),
        (AxialRotaryEmbedding, {"compute_dtype": "float32"}, TypeError, "compute_dtype must"),
    ],
)
def test_bad_settings_are_refused(module, settings, error, said):
    of_module = MROPE if module is MRotaryEmbedding else {"n_axes": 2}
    with pytest.raises(error, match=said):
        module(8, **({"layout": "half", "seq_axis": -2} | of_module | settings))
