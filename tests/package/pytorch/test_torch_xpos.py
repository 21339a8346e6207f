"""xPos in PyTorch is that of NumPy."""

import numpy as np
import pytest
import torch

import posenc
from posenc.torch import XPosEmbedding

X = torch.randn(2, 3, 5, 12, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
P = torch.tensor([0, 1, 7, 512, 3000])


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("rotary_dim", [12, 8])
@pytest.mark.parametrize("role", ["query", "key"])
def test_equals_the_numpy_functions(layout, rotary_dim, role):
    options = {"layout": layout, "rotary_dim": rotary_dim}
    cos, sin = posenc.rotary_cos_sin(P.numpy(), rotary_dim)
    s = posenc.xpos_scale(P.numpy(), rotary_dim) ** (1 if role == "query" else -1)
    expected = posenc.rotate_pairs(X.numpy(), cos * s, sin * s, layout=layout)

    # Angles in float64 are off by up to 7e-13 at position 3000, relative to the vectors' length.
    tolerance = {"rtol": 1e-12, "atol": 1e-12 * s.max()}
    module = XPosEmbedding(12, seq_axis=-2, **options)
    np.testing.assert_allclose(module(X, P, role=role).numpy(), expected, **tolerance)
    other = XPosEmbedding(12, seq_axis=-3, **options).half()
    found = other(X.transpose(1, 2), P, role=role).transpose(1, 2)
    np.testing.assert_allclose(found.numpy(), expected, **tolerance)


def test_constants_survive_the_meta_device_and_compilation():
    with torch.device("meta"):
        module = XPosEmbedding(12, layout="half", seq_axis=-2)
    module.to_empty(device="cpu").bfloat16()
    expected = XPosEmbedding(12, layout="half", seq_axis=-2)(X, P, role="key")

    assert torch.equal(module(X, P, role="key"), expected)
    compiled = torch.compile(module, fullgraph=True)
    torch.testing.assert_close(compiled(X, P, role="key"), expected)
    assert not module.state_dict()


def test_unknown_role_is_refused():
    with pytest.raises(ValueError, match="role must be 'query' or 'key'"):
        XPosEmbedding(12, layout="half", seq_axis=-2)(X, role="value")
