"""The layers that the page shows: what is decoded step by step is what is read at once."""

import json
import re

import pytest
import torch

import posenc
from check.page_source import read_page
from check.paths import ROOT
from posenc.torch import RotaryEmbedding

BLOCK = re.compile(r'^(`{3,})\{\.python \.not-run title="(\w+)\.py"\}\n(.*?)^\1$', re.M | re.S)
CODE = {name: code for _, name, code in BLOCK.findall(read_page(ROOT / "docs/reference/torch.md"))}


def shown(file: str, name: str):
    """Return what a file on the page defines."""
    names: dict[str, object] = {}
    exec(compile(CODE[file], f"{file}.py", "exec"), names)
    return names[name]


def test_the_page_shows_three_files():
    assert [*CODE] == ["attention", "scaled", "shared"]


@pytest.mark.parametrize(
    # Sums in another order; in bfloat16 outputs near 1 are 2**-8 apart.
    ("dtype", "allowed"),
    [(torch.float64, 1e-14), (torch.float32, 1e-6), (torch.bfloat16, 2**-6)],
)
def test_a_cache_changes_nothing(dtype, allowed):
    layer = shown("attention", "Attention")(32, n_heads=4, n_kv_heads=2).to(dtype)
    x = torch.randn(2, 6, 32, dtype=torch.float64).to(dtype)

    whole, _ = layer(x)
    step, cache = layer(x[:, :3])
    steps = [step]
    for p in range(3, 6):
        step, cache = layer(x[:, p : p + 1], cache)
        steps.append(step)

    assert abs(torch.cat(steps, 1) - whole).max().item() <= allowed


def test_scores_depend_on_offsets_alone():
    layer = shown("attention", "Attention")(32, n_heads=4, n_kv_heads=2).double()
    x = torch.randn(1, 1, 32, dtype=torch.float64)
    nothing = torch.zeros(1, 2, 1000, 8, dtype=torch.float64)

    _, (near, _) = layer(x)
    _, (far, _) = layer(x, (nothing, nothing))

    expected = posenc.apply_rotary(near.detach().numpy(), [1000], layout="half")
    assert abs(far[:, :, -1:].detach().numpy() - expected).max() < 1e-14


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_layers_share_tables(dtype):
    rope = RotaryEmbedding(8, layout="half", seq_axis=-2)
    positions = torch.arange(5) + 1000
    layers = [(torch.randn(1, 4, 5, 8).to(dtype), torch.randn(1, 2, 5, 8).to(dtype))] * 3

    for q, k in shown("shared", "rotate_layers")(rope, layers, positions):
        assert (q == rope(layers[0][0], positions)).all()
        assert (k == rope(layers[0][1], positions)).all()


def test_frequencies_come_from_a_config(tmp_path):
    config = {
        "rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 10000.0},
        "head_dim": 8,
    }
    (tmp_path / "config.json").write_text(json.dumps(config), "utf-8")

    rope = shown("scaled", "rotary")(tmp_path / "config.json", 8)

    assert rope.inv_freq.tolist() == (posenc.inv_freq(8) / 4).tolist()
