"""Learned biases in PyTorch are those of NumPy, and train."""

import copy

import numpy as np
import pytest
import torch

import posenc
from posenc.torch import CopeBias, DebertaBias, FireBias, KerpleBias, SwinBias
from tests.package.pytorch.library import get_transformers_module

LENGTHS = ((5, None), (1, 9), (0, 3), (30, 70))


def numbers(parameter):
    return parameter.detach().double().numpy()


@pytest.mark.parametrize("form", ["causal", "symmetric"])
@pytest.mark.parametrize("kind", ["log", "power"])
def test_kerple_equals_the_numpy_function(kind, form):
    module = KerpleBias(6, kind=kind, form=form).double()
    for q_len, k_len in LENGTHS:
        expected = posenc.kerple_bias(
            numbers(module.r1), numbers(module.r2), q_len, k_len, kind=kind, form=form
        )
        np.testing.assert_allclose(numbers(module(q_len, k_len)), expected, rtol=1e-14)


def test_fire_equals_the_numpy_function():
    module = FireBias(3, c=0.5, threshold=8.0).double()

    def network(z):
        return numbers(module.mlp(torch.from_numpy(z)[..., None]).permute(2, 0, 1))

    for q_len, k_len in LENGTHS:
        expected = posenc.fire_bias(network, q_len, k_len, c=0.5, threshold=8.0)
        np.testing.assert_allclose(numbers(module(q_len, k_len)), expected, rtol=1e-12)


def test_swin_looks_up_the_numbers_of_window_index():
    module = SwinBias(2, 3, 4)
    table = numbers(module.relative_position_bias_table)

    assert (numbers(module()) == table.T[:, posenc.window_index(3, 4)]).all()


def cope():
    module = CopeBias(8, 4).double()
    torch.nn.init.normal_(module.pos_emb)
    return module, *torch.randn(2, 2, 3, 6, 8, dtype=torch.float64)


@pytest.mark.parametrize("q_len", [6, 1])
def test_cope_equals_the_numpy_functions(q_len):
    module, q, k = cope()
    q = q[..., -q_len:, :]
    products = q @ k.mT

    found = numbers(module(q, products))

    places = posenc.cope_positions(products.numpy())
    expected = posenc.cope_bias(q.numpy(), numbers(module.pos_emb), places)
    np.testing.assert_allclose(found, expected, atol=1e-13)


def test_cope_equals_x_transformers():
    theirs = pytest.importorskip("x_transformers.x_transformers").CoPE(8, 3, 4).double()
    module, q, k = cope()
    theirs.load_state_dict(module.state_dict())
    later = torch.ones(6, 6, dtype=torch.bool).triu(1)
    products = (q @ k.mT).masked_fill(later, -torch.inf)

    torch.testing.assert_close(module(q, products), theirs(q, products))


def call_cope(module):
    q = torch.ones(1, 3, 5, 8, dtype=module.pos_emb.dtype, device=module.pos_emb.device)
    return module(q, q @ q.mT)


MODULES = {
    "kerple-log": (lambda: KerpleBias(6), lambda m: m(3, 5)),
    "kerple-power": (lambda: KerpleBias(6, kind="power"), lambda m: m(3, 5)),
    "fire": (lambda: FireBias(6), lambda m: m(3, 5)),
    "swin": (lambda: SwinBias(6, 3), lambda m: m()),
    "cope": (lambda: CopeBias(8, 4), call_cope),
}
every = pytest.mark.parametrize(("make", "call"), MODULES.values(), ids=MODULES)


@every
def test_all_parameters_get_finite_gradients(make, call):
    module = make()
    bias = call(module)

    bias[bias.isfinite()].sum().backward()

    for name, parameter in module.named_parameters():
        assert parameter.grad.isfinite().all(), name


@every
def test_module_built_on_the_meta_device_loads_a_checkpoint(make, call):
    module = make()
    with torch.device("meta"):
        again = make()
    assert call(again).is_meta

    again.to_empty(device="cpu").load_state_dict(module.state_dict())

    assert torch.equal(call(again), call(module))


@every
def test_to_empty_and_a_reset_complete_a_module(make, call):
    with torch.device("meta"):
        module = make()

    module.to_empty(device="cpu").reset_parameters()

    assert not call(module).isnan().any()
    assert {name: p.shape for name, p in module.named_parameters()} == {
        name: p.shape for name, p in make().named_parameters()
    }


@every
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_narrow_modules_are_near_the_wide_one(make, call, dtype):
    module = make()
    narrow = copy.deepcopy(module).to(dtype)

    found = call(narrow)

    assert found.dtype == dtype
    torch.testing.assert_close(found.float(), call(module), rtol=0.05, atol=0.05)


@every
def test_compiled_module_is_one_graph(make, call):
    module = make()

    found = call(torch.compile(module, fullgraph=True))

    torch.testing.assert_close(found, call(module), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: KerpleBias(0), ValueError, "n_heads must be"),
        (lambda: KerpleBias(2, kind="logs"), ValueError, "kind must be"),
        (lambda: KerpleBias(2)(3, 2), ValueError, "k_len must be"),
        (lambda: FireBias(2, c=0), ValueError, "c must be above 0"),
        (lambda: SwinBias(2, 0), ValueError, "height must be"),
        (lambda: CopeBias(8, 0), ValueError, "max_pos must be"),
        (lambda: CopeBias(8, 2)(torch.ones(3, 8), torch.ones(3, 2)), ValueError, "products must"),
        (lambda: CopeBias(8, 2)(torch.ones(3, 4), torch.ones(3, 3)), ValueError, "q must have"),
        (lambda: DebertaBias(0), ValueError, "max_position must be"),
        (lambda: DebertaBias(8, convention="code"), ValueError, "convention must be"),
        (lambda: DebertaBias(8, num_buckets=7), ValueError, "num_buckets must be"),
        (lambda: DebertaBias(2)(*torch.ones(4, 3, 5)), ValueError, "relative_q must have 4 rows"),
    ],
)
def test_bad_input_is_refused(make, error, said):
    with pytest.raises(error, match=said):
        make()


@pytest.mark.parametrize(("q_len", "k_len"), [(9, 9), (2, 9)])
def test_deberta_bias_is_that_of_the_scores(q_len, k_len):
    q, k = torch.randn(2, k_len, 8, dtype=torch.float64)
    q = q[-q_len:]
    of_queries, of_keys = torch.randn(2, 6, 8, dtype=torch.float64)
    bias = DebertaBias(3, convention="paper")(q, k, of_queries, of_keys)

    expected = posenc.deberta_scores(*(x.numpy() for x in (q, k, of_queries, of_keys)))
    found = (q @ k.mT + bias) / (3 * 8) ** 0.5
    torch.testing.assert_close(found.numpy(), expected, rtol=1e-13, atol=1e-13)


def test_deberta_bias_has_the_buckets_of_transformers():
    modeling = get_transformers_module("deberta_v2")
    config = modeling.DebertaV2Config(
        hidden_size=16, num_attention_heads=2, relative_attention=True, position_buckets=8,
        max_relative_positions=32, pos_att_type=["c2p", "p2c"], share_att_key=True,
    )  # fmt: skip
    layer = modeling.DisentangledSelfAttention(config).eval()
    q, k = torch.randn(2, 2, 50, 8)
    table = torch.randn(16, 16)
    with torch.no_grad():
        theirs = layer.disentangled_attention_bias(q, k, None, table, 3)
        rows = [
            project(table).view(16, 2, 8).transpose(0, 1)
            for project in (layer.query_proj, layer.key_proj)
        ]
    bias = DebertaBias(32, num_buckets=8)(q, k, *rows)

    torch.testing.assert_close(bias / (3 * 8) ** 0.5, theirs, rtol=1e-5, atol=1e-5)
