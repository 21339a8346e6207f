"""Axial rotations with the settings on the page are those of vision models."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import posenc
from tests.package.pytorch.library import get_transformers_module
from tests.package.pytorch.test_torch_recipe import FILES

VISION: dict[str, Any] = {}
exec(compile(FILES["vision.py"], "vision.py", "exec"), VISION)

GRID = torch.from_numpy(posenc.grid_points((5, 7)).reshape(-1, 2))  # (row, column)


def make(name: str, *arguments: int):
    return VISION[name](*arguments)


@pytest.mark.parametrize(
    ("model", "config", "module", "function", "head_dim"),
    [
        ("qwen2_vl", "Qwen2VLVisionConfig", "Qwen2VLVisionRotaryEmbedding", "qwen2_vl_vision", 80),
        ("qwen2_5_vl", "Qwen2_5_VLVisionConfig", "Qwen2_5_VLVisionRotaryEmbedding",
         "qwen2_vl_vision", 224),
        ("qwen3_vl", "Qwen3VLVisionConfig", "Qwen3VLVisionRotaryEmbedding", "qwen2_vl_vision", 72),
        ("pixtral", "PixtralVisionConfig", "PixtralVisionRotaryEmbedding", "pixtral", 64),
    ],
)  # fmt: skip
def test_encoders_of_rows_and_columns(model, config, module, function, head_dim):
    modeling = get_transformers_module(model)
    x = torch.randn(1, 2, len(GRID), head_dim)
    theirs = getattr(modeling, module)(getattr(modeling, config)())
    cos, sin = (table[:, None] for table in theirs(x, GRID.T[None]))

    expected = x * cos + modeling.rotate_half(x) * sin
    assert_close(make(function, head_dim)(x, GRID), expected, rtol=0, atol=2e-5)


def test_dinov3():
    modeling = get_transformers_module("dinov3_vit")
    theirs = modeling.DINOv3ViTRopePositionEmbedding(modeling.DINOv3ViTConfig()).eval()
    x = torch.randn(1, 6, 5 + 35, 64)  # a class token, four registers, and patches
    tables = theirs(torch.zeros(1, 3, 5 * 16, 7 * 16))
    expected, _ = modeling.apply_rotary_pos_emb(x, x, *tables)

    centers = 2 * (GRID + 0.5) / torch.tensor([5, 7]) - 1
    points = torch.cat([torch.zeros(5, 2), 2 * math.pi * centers])
    assert_close(make("dinov3", 64)(x, points), expected, rtol=0, atol=2e-5)


def test_llama4():
    modeling = get_transformers_module("llama4")
    config = modeling.Llama4VisionConfig(image_size=4 * 14, patch_size=14)
    freqs_ci = modeling.Llama4VisionRotaryEmbedding(config)(torch.zeros(1))
    x = torch.randn(1, 4 * 4 + 1, 16, 48)  # the class token is the last
    expected, _ = modeling.vision_apply_rotary_emb(x, x, freqs_ci)

    points = posenc.grid_points((4, 4)).reshape(-1, 2) + 1
    points = torch.from_numpy(np.concatenate([points, [[0, 0]]]))
    assert_close(make("llama4_vision", 48)(x, points), expected, rtol=0, atol=2e-5)


@pytest.mark.parametrize(
    ("function", "widths"), [("flux", (16, 56, 56)), ("wan", (128 - 2 * 42, 42, 42))]
)
def test_diffusion_transformers(function, widths):
    """Each axis has a table of complex numbers, and neighbors are one number."""
    points = torch.from_numpy(posenc.grid_points((3, 4, 5)).reshape(-1, 3))
    angles = [
        points[:, axis : axis + 1] / 10000.0 ** (torch.arange(0, width, 2).double() / width)
        for axis, width in enumerate(widths)
    ]
    x = torch.randn(1, 2, len(points), 128, dtype=torch.float64)
    turned = torch.view_as_complex(x.unflatten(-1, (64, 2))) * torch.exp(1j * torch.cat(angles, -1))

    expected = torch.view_as_real(turned).flatten(-2)
    assert_close(make(function)(x, points), expected, rtol=0, atol=1e-13)
