"""The RoPE in PyTorch that the chapter on rotary embeddings shows, against the package."""

from typing import Any

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

import posenc
from check.fences import find_fences
from check.page_source import read_page
from check.paths import ROOT


@pytest.fixture(name="lines", scope="module")
def run_lines_of_page() -> dict[str, Any]:
    """Return the functions that the page defines after `import torch`."""
    page = read_page(ROOT / "docs/chapters/rotary.md")
    [code] = [fence.source for fence in find_fences(page) if "def rotate_half" in fence.source]
    names: dict[str, Any] = {"torch": torch}
    exec(compile(code, "rotary.md", "exec"), names)
    return names


@pytest.mark.parametrize("layout", ["interleaved", "half"])
@pytest.mark.parametrize(("dtype", "allowed"), [(torch.float32, 1e-4), (torch.bfloat16, 2**-6)])
def test_rotates_as_the_package_does(lines, layout, dtype, allowed):
    x = torch.randn(2, 3, 5, 64).to(dtype)
    positions = torch.tensor([0, 1, 2, 300, 1001])

    found = lines[layout](x, *lines["cos_sin"](positions, 64))

    exact = posenc.apply_rotary(x.double().numpy(), positions.numpy(), layout=layout)
    assert found.dtype == dtype
    assert np.abs(found.double().numpy() - exact).max() < allowed


def test_queries_enter_attention_beside_values_in_bfloat16(lines):
    q, k, v = torch.randn(3, 1, 2, 5, 64).to(torch.bfloat16)
    cos, sin = lines["cos_sin"](torch.arange(5), 64)

    result = scaled_dot_product_attention(lines["half"](q, cos, sin), lines["half"](k, cos, sin), v)

    assert result.dtype == torch.bfloat16


def test_tables_are_made_on_the_device_of_the_positions(lines):
    cos, sin = lines["cos_sin"](torch.arange(5, device="meta"), 64)

    assert cos.device.type == sin.device.type == "meta"
