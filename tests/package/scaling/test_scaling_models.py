"""scaling on every config class of transformers: the frequencies of its module, or a refusal.

The numbers are those of the rotary modules, each built by its own class from its own config.
`test_scaling_transformers` asks the classes of the installed transformers as well.
"""

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from posenc import rope_parameters
from tests.goldens import GOLDEN

KEPT: dict[str, Any] = json.loads((GOLDEN / "rope_models.json").read_text("utf-8"))["classes"]
ARRAYS = np.load(GOLDEN / "rope_models.npz")

# A frequency b^(-2i/d) in float32: its exponent is off by a share of 2^-24, which moves it by
# ln b of that, at most 19 for the bases there are; a power, a quotient and a blend round besides.
CLOSE = 30 * 2.0**-24

# What the refusals of the others say: most turn by several coordinates, or tell no key of it.
REFUSED = (
    "by two coordinates: use axial_cos_sin",
    "config has no key of a rotary embedding",
    "head_dim is missing",
    "is missing, and no default is known for model_type=",
    "computes it differently: pass head_dim",
    "computes the rotated share from several sizes",
    "hidden_size must be a multiple of num_attention_heads",
    "means that this model has no rotary embedding",
    "leave out model_type",
    "partial_rotary_factor must lie within 0..1",  # 4.0, for two coordinates
    "write rope_theta",
)


def expected(name: str) -> Iterator[tuple[str | None, Any, float]]:
    """Yield what a class is to give: a kind of layer or None, frequencies, and the factor."""
    for layer, factor in KEPT[name]["attention_factor"].items():
        yield layer or None, ARRAYS[f"{name}.{layer}" if layer else name], factor


def read_or_refusal(config: Any, layer: str | None) -> Any:
    """Return the answer, or the words of a refusal; anything else is an error."""
    try:
        return rope_parameters(config, layer_type=layer)
    except (ValueError, TypeError) as refusal:
        return str(refusal)


def agrees(name: str, config: Any) -> bool:
    """Whether a class agrees with its module for each kind of layer; False where refused."""
    answers = [(read_or_refusal(config, layer), layer, *rest) for layer, *rest in expected(name)]
    for answer, layer, frequencies, factor in answers:
        if isinstance(answer, str):
            continue
        assert answer.inv_freq.shape == frequencies.shape, (name, layer)
        assert_allclose(answer.inv_freq, frequencies, rtol=CLOSE, err_msg=name)
        assert_allclose(answer.attention_factor, factor, rtol=1e-15, err_msg=name)
    return not any(isinstance(answer, str) for answer, *_ in answers)


@pytest.mark.parametrize("name", KEPT)
def test_config_class_agrees_with_its_module_or_is_refused(name: str) -> None:
    config = KEPT[name]["config"]
    if not agrees(name, config):
        for layer, *_ in expected(name):
            assert any(words in str(read_or_refusal(config, layer)) for words in REFUSED), name


SEVERAL = [n for n in KEPT if "" not in KEPT[n]["attention_factor"] and not n.startswith("Dots3")]


@pytest.mark.parametrize("name", SEVERAL)
def test_several_kinds_of_layers_are_asked_for_one(name: str) -> None:
    complaint = read_or_refusal(KEPT[name]["config"], None)
    for layer, *_ in expected(name):
        assert f"layer_type='{layer}'" in complaint
