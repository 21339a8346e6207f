"""The layer in PyTorch that the chapter on adding shows, against the package's in NumPy."""

from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

import posenc
from check.fences import find_fences
from check.page_source import read_page
from check.paths import ROOT

FILE = "token_and_position.py"


@pytest.fixture(name="layer")
def make_layer() -> nn.Module:
    """Return the layer of the page, for 7 tokens, 12 positions and 8 channels."""
    page = read_page(ROOT / "docs/chapters/adding.md")
    [code] = [fence.source for fence in find_fences(page) if fence.attributes.get("title") == FILE]
    names: dict[str, Any] = {"torch": torch, "nn": nn}
    exec(compile(code, FILE, "exec"), names)
    layer: nn.Module = names["TokenAndPosition"](7, 12, 8)
    return layer


def test_vectors_are_those_of_the_package(layer):
    ids = [[3, 1, 4], [6, 3, 0]]
    ours = posenc.PositionalEmbedding(7, 12, 8, scale=8**0.5)
    ours.embedding = layer.tokens.weight.detach().numpy().astype(float)

    found = layer.eval()(torch.tensor(ids)).detach().numpy()

    assert abs(found - ours.forward(ids)).max() < 1e-6


def test_tokens_start_with_a_norm_of_one(layer):
    assert layer.tokens.weight.norm(dim=1).mean().item() == pytest.approx(1, abs=0.3)


def test_the_table_is_a_buffer_and_nothing_else(layer):
    assert [name for name, _ in layer.named_parameters()] == ["tokens.weight"]
    assert list(layer.state_dict()) == ["tokens.weight"]
    assert layer.to("meta").pe.device.type == "meta"  # it follows the module


def test_the_table_is_rounded_once(layer):
    exact = posenc.sinusoidal_positional_encoding(12, 8)

    assert layer.pe.dtype == torch.float32
    assert (layer.pe.numpy() == exact.astype(np.float32)).all()


def test_the_gradient_adds_up_occurrences(layer):
    layer.eval()(torch.tensor([[2, 2, 5]])).sum().backward()

    gradient = layer.tokens.weight.grad / 8**0.5
    assert [row.max().round(decimals=4).item() for row in gradient] == [0, 0, 2, 0, 0, 1, 0]


def test_too_many_tokens_are_an_error(layer):
    with pytest.raises(ValueError, match="at most 12 tokens, got 13"):
        layer(torch.zeros(1, 13, dtype=torch.int64))
