"""Biases in PyTorch are those of NumPy: exact slopes, and buckets told by whole numbers."""

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

import posenc
from posenc.torch import AlibiBias, T5Bias

LENGTHS = ((5, None), (1, 9), (0, 3), (130, 300))


@pytest.mark.parametrize("form", ["causal", "symmetric"])
@pytest.mark.parametrize("n_heads", [1, 6, 8])
def test_alibi_equals_the_numpy_function(form, n_heads):
    for q_len, k_len in LENGTHS:
        for bias_max in (8.0, 16.0):
            module = AlibiBias(n_heads, form=form, bias_max=bias_max)

            found = module(q_len, k_len, dtype=torch.float64).numpy()

            expected = posenc.alibi_bias(n_heads, q_len, k_len, form=form, bias_max=bias_max)
            assert (found == expected).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_alibi_is_rounded_once_in_narrow_modules(dtype):
    exact = posenc.alibi_bias(12, 3, 3000)
    for module in (AlibiBias(12), AlibiBias(12).to(dtype)):
        found = module(3, 3000, dtype=dtype)

        assert found.dtype == dtype
        assert (found == torch.from_numpy(exact).to(dtype)).all()


def test_alibi_is_a_mask_of_attention():
    q, k, v = torch.randn(3, 2, 8, 6, 16, dtype=torch.float64)

    found = scaled_dot_product_attention(q, k, v, attn_mask=AlibiBias(8)(6, dtype=q.dtype))

    for sequence in range(2):
        expected = posenc.attention(
            *(t[sequence].numpy() for t in (q, k, v)), bias=posenc.alibi_bias(8, 6)
        )
        np.testing.assert_allclose(found[sequence].numpy(), expected, atol=1e-14)


@pytest.mark.parametrize("bidirectional", [True, False])
@pytest.mark.parametrize(("num_buckets", "max_distance"), [(32, 128), (4, 3), (36, 392)])
def test_t5_equals_the_numpy_function(bidirectional, num_buckets, max_distance):
    module = T5Bias(
        3, num_buckets=num_buckets, max_distance=max_distance, bidirectional=bidirectional
    ).double()
    table = module.relative_attention_bias.weight.detach().numpy()
    for q_len, k_len in (*LENGTHS, (900, 900)):
        found = module(q_len, k_len).detach().numpy()

        expected = posenc.t5_bias(
            table, q_len, k_len, bidirectional=bidirectional, max_distance=max_distance
        )
        assert (found == expected).all()


def test_t5_trains_each_bucket_as_often_as_it_is_looked_up():
    module = T5Bias(1)

    module(3).sum().backward()

    grad = module.relative_attention_bias.weight.grad[:, 0]
    assert {b: int(n) for b, n in enumerate(grad) if n} == {0: 3, 1: 2, 2: 1, 17: 2, 18: 1}


@pytest.mark.parametrize(
    ("module", "settings", "lengths", "error", "said"),
    [
        (AlibiBias, {"n_heads": 0}, (3,), ValueError, "n_heads must be"),
        (AlibiBias, {"form": "both"}, (3,), ValueError, "form must be"),
        (AlibiBias, {}, (-1,), ValueError, "q_len must be"),
        (AlibiBias, {}, (3, 2), ValueError, "k_len must be"),
        (T5Bias, {"n_heads": 0}, (3,), ValueError, "n_heads must be"),
        (T5Bias, {"num_buckets": 5}, (3,), ValueError, "num_buckets must be"),
        (T5Bias, {"max_distance": 8}, (3,), ValueError, "max_distance must be"),
        (T5Bias, {"bidirectional": 1}, (3,), TypeError, "bidirectional must be"),
        (T5Bias, {}, (3, 2), ValueError, "k_len must be"),
    ],
)
def test_bad_input_is_refused(module, settings, lengths, error, said):
    with pytest.raises(error, match=said):
        module(**({"n_heads": 8} | settings))(*lengths)


@pytest.mark.parametrize("dtype", [torch.int64, "float32", None])
def test_bias_has_a_float_dtype(dtype):
    with pytest.raises(TypeError, match=r"dtype must be a floating torch\.dtype"):
        AlibiBias(8)(3, dtype=dtype)
