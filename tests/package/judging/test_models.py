"""Rotations of transformers are equal to their own configs, and wrong ports of them are not.

Skipped unless the environment variable POSENC_TRANSFORMERS is 1. Then it needs torch and
transformers 5.24.0.
"""

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pytest

import posenc
from posenc.scaling.facts import get_facts

pytestmark = [pytest.mark.thorough, pytest.mark.filterwarnings("ignore")]

SEQ_LEN = 16
Rotate = Callable[[Any, Any], Any]


@pytest.fixture(autouse=True, scope="module")
def _asked() -> None:
    if os.environ.get("POSENC_TRANSFORMERS") != "1":
        pytest.skip("POSENC_TRANSFORMERS is not 1: no rotation of transformers was compared")


@dataclass(frozen=True)
class Model:
    """A rotation of transformers, with the config and the kind of layer that it is for."""

    name: str
    config: Any
    layer_type: str | None
    rotate: Rotate
    head_dim: int


CALLS: tuple[Callable[[Any, Any, Any], Any], ...] = (
    lambda apply, x, tables: apply(x, x, *tables)[0],
    lambda apply, x, tables: apply(x, *tables),
    lambda apply, x, tables: apply(x, x, tables)[0],
    lambda apply, x, tables: apply(x.transpose(1, 2), x.transpose(1, 2), tables)[0].transpose(1, 2),
    lambda apply, x, tables: apply(x.transpose(1, 2), *tables.chunk(2, -1)).transpose(1, 2),
    lambda apply, x, tables: apply(x.transpose(1, 2), *tables).transpose(1, 2),
)


def find_rotation(
    rotary_class: Any, config: Any, layer_type: str | None
) -> tuple[Rotate, int] | None:
    """Return a function of x (L, d) and positions (L,), and d, or None."""
    from benchmarks.model_facts.rotations import list_functions

    module = rotary_class(config).eval()
    kind = f"{layer_type}_" if layer_type else ""
    more = {"layer_type": layer_type} if layer_type else {}
    width = 2 * getattr(module, f"{kind}inv_freq").numel()
    for apply in list_functions(rotary_class, config):
        for call in CALLS:

            def rotate(x: Any, positions: Any, apply: Any = apply, call: Any = call) -> Any:
                tables = module(x[None, None], positions[None], **more)
                return call(apply, x[None, None], tables)[0, 0].detach()

            if rotates(rotate, width):
                return rotate, width
    return None


def rotates(rotate: Rotate, width: int) -> bool:
    """Return whether vectors keep their lengths, up to a factor, and don't stay the same."""
    import torch

    x = torch.randn(5, width, generator=torch.Generator().manual_seed(0))
    try:
        y = rotate(x, torch.arange(5))
        ratios = y.norm(dim=-1) / x.norm(dim=-1)
    except Exception:  # of a function with other arguments
        return False
    return y.shape == x.shape and bool((abs(ratios - ratios[0]) < 1e-5).all() and (y != x).any())


@cache
def find_models() -> list[Model]:
    """Return all rotations of transformers that take one position for each token."""
    from benchmarks.model_facts.classes import find_config_classes, find_rotary_classes

    models = []
    for name, config_class in sorted(find_config_classes().items()):
        for rotary_class in find_rotary_classes(config_class):
            try:
                config = config_class()
                module = rotary_class(config)
                kinds = [
                    buffer.removesuffix("inv_freq").removesuffix("_") or None
                    for buffer, _ in module.named_buffers()
                    if buffer.endswith("inv_freq") and "original" not in buffer
                ]
                found = [(kind, find_rotation(rotary_class, config, kind)) for kind in kinds]
            except Exception:  # of a module for another part of the model
                continue
            models += [Model(name, config, kind, *rotation) for kind, rotation in found if rotation]
            if found:
                break
    return models


# Configs that rope_parameters refuses, each with a part of its message.
REFUSED = {
    "dots3_note_text": "computes the rotated share from several sizes",
    "ernie4_5_vl_moe_text": "orders its frequencies differently",
    "esm": "means that this model has no rotary embedding",
    "glm4_moe": "computes it differently: pass head_dim",
    "granitemoehybrid": "means that this model has no rotary embedding",
    "minimax_m3_vl_text": "rotates all channels of a head, whatever rotary_dim is",
    "moonshine": "computes it differently: pass head_dim",
    "pixtral": "rotates by two coordinates",
    "qwen3_omni_moe_text": "computes it differently: pass head_dim",
    "zamba2": "means that this model has no rotary embedding",
}


def compare_with_config(model: Model, rotate: Rotate) -> posenc.judging.Comparison:
    return posenc.compare(
        rotate,
        model.config,
        layer_type=model.layer_type,
        arrays="torch",
        seq_len=SEQ_LEN,
        head_dim=model.head_dim,
    )


def test_rotations_of_transformers_are_equal_to_their_configs():
    wrong = {}
    for model in find_models():
        try:
            verdict = compare_with_config(model, model.rotate)
        except ValueError as refusal:
            if REFUSED.get(model.name, "\0") not in str(refusal):
                wrong[model.name, model.layer_type] = str(refusal)
            continue
        if not verdict:
            wrong[model.name, model.layer_type] = str(verdict)

    assert not wrong
    assert len(find_models()) > 160


def exchange_layouts(model: Model, layout: str) -> Rotate:
    """Return a port that pairs halves where the model pairs neighbours, and the other way round."""
    order = [*range(0, model.head_dim, 2), *range(1, model.head_dim, 2)]
    back = [order.index(channel) for channel in range(model.head_dim)]
    first, then = (order, back) if layout == "half" else (back, order)
    return lambda x, p: model.rotate(x[:, first], p)[:, then]


def reverse(model: Model, layout: str) -> Rotate:
    """Return a port that rotates in the other direction."""
    return lambda x, p: model.rotate(x, -p)


def halve_share(model: Model, layout: str) -> Rotate:
    """Return a port that rotates only every second pair."""
    channels = np.arange(model.head_dim)
    kept = channels[(channels if layout == "half" else channels // 2) % 2 == 0]

    def rotate(x: Any, positions: Any) -> Any:
        y = x.clone()
        y[:, kept] = model.rotate(x, positions)[:, kept]
        return y

    return rotate


PORTS = [(exchange_layouts, "layout instead of"), (reverse, "direction"), (halve_share, "")]


def test_wrong_ports_of_transformers_are_different():
    """Each model has one of the ports, in turn: most models rotate as many others do."""
    accepted = []
    for model, (port, cause) in zip(find_models(), itertools.cycle(PORTS), strict=False):
        facts = get_facts(model.name)
        assert facts is not None
        try:
            verdict = compare_with_config(model, port(model, facts.layout or "half"))
        except ValueError:  # refused, as in the test above
            continue
        if verdict or (cause and cause not in str(verdict)):
            accepted.append((model.name, model.layer_type, port.__name__))

    assert not accepted
