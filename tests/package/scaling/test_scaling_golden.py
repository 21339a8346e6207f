"""scaling against what other libraries return.

Every array of the family is compared: the last test counts them.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from posenc import ntk_base, rope_parameters, rotary_cos_sin
from tests.goldens import Case, load_cases

FAMILY = {case.name: case for case in load_cases("rope_params")}
Array = NDArray[Any]

# These fields are no config: they name a class and a width, and the form beside them is taken.
NOT_A_CONFIG = {"gemma4_default_full_proportional"}

# dynamic_state_a: positions 0 to L-1 are asked for, L = 50, 300, 200, 100, 129. The module keeps
# the longest length, and forgets it where a text is shorter than 128.
HELD = [50, 300, 300, 100, 129]


def whole(case: Case) -> Iterator[Any]:
    """Yield the model config of a case, where it is one, with what no model_type fills in."""
    if case.name not in NOT_A_CONFIG and "published_config_fields" in case.arguments:
        fields = case.arguments["published_config_fields"]
        if not fields.keys() & {"rotary_pct", "qk_rope_head_dim"}:
            width = fields["hidden_size"] // fields["num_attention_heads"]
            fields = {"head_dim": width, "partial_rotary_factor": 1.0} | fields
        yield fields


def flat(case: Case) -> Iterator[dict[str, Any]]:
    """Yield the rope mapping of a case, with the width and the length beside it."""
    keys = dict(case.arguments.get("rope_parameters", {}))
    if not keys:
        return
    width = case.arguments["rotary_dim"]
    if keys["rope_type"] != "proportional":
        width = round(width / keys.get("partial_rotary_factor", 1))
    keys["max_position_embeddings"] = case.arguments["max_position_embeddings"]
    yield keys | {"head_dim": width}
    yield keys | {"rotary_dim": case.arguments["rotary_dim"]}


def elsewhere(case: Case) -> Iterator[dict[str, Any]]:
    """Yield the arguments of modules outside transformers, in the words of a config."""
    said = case.arguments
    if case.name == "authors_yarn_scale16":
        yield {
            "rope_type": "yarn",
            "factor": said["scale"],
            "rope_theta": said["base"],
            "head_dim": said["dim"],
            "original_max_position_embeddings": said["original_max_position_embeddings"],
        }
    elif case.name == "authors_ntk_alpha4":
        base = ntk_base(10000, said["alpha"], said["dim"])
        yield {"rope_theta": base, "head_dim": said["dim"]}
    elif case.name == "deepseek_own_freqs_cis_scaled":
        yield {
            "rope_type": "yarn",
            "factor": said["rope_factor"],
            "beta_fast": said["beta_fast"],
            "beta_slow": said["beta_slow"],
            "rope_theta": said["rope_theta"],
            "qk_rope_head_dim": said["qk_rope_head_dim"],
            "original_max_position_embeddings": said["original_seq_len"],
            "attention_factor": 1.0,  # theirs is on the softmax
        }
    elif case.name == "kerashub_linear2":
        yield {
            "rope_type": "linear",
            "factor": said["scaling_factor"],
            "rope_theta": said["max_wavelength"],
            "rotary_dim": said["rotary_dim"],
        }


FORMS: list[Callable[[Case], Iterator[Any]]] = [whole, flat, elsewhere]
ARRAYS = [(case.name, array) for case in FAMILY.values() for array in case.outputs]


def length(array: str) -> int | None:
    """Return the length that the name of an array tells, as inv_freq_seq4097 does."""
    if "after_call" in array:
        return HELD[int(array[-1])]
    return int(array.partition("_seq")[2]) if "_seq" in array else None


def tables(case: Case, config: Any) -> dict[str, Array]:
    """Return cosines and sines as transformers has them: both halves alike."""
    at = case["rows"] if "rows" in case.inputs else case["position_ids"]
    inv_freq, factor = rope_parameters(config, at.max().item() + 1)
    cos, sin = rotary_cos_sin(at, 2 * len(inv_freq), inv_freq=inv_freq, attention_factor=factor)
    if case["cos"].shape == cos.shape:
        return {"cos": cos, "sin": sin}
    return {"cos": np.concatenate([cos, cos], -1), "sin": np.concatenate([sin, sin], -1)}


@pytest.mark.parametrize(("name", "array"), ARRAYS)
def test_scaled_frequencies_agree_with_libraries(name: str, array: str) -> None:
    case = FAMILY[name]
    configs = [config for form in FORMS for config in form(case)]
    assert configs
    for config in configs:
        if array in ("cos", "sin"):
            found = tables(case, config)[array]
        else:
            found = rope_parameters(config, length(array)).inv_freq
        assert found.shape == case[array].shape
        # How far the library lies from its own formula, which has three digits. Ours is within
        # 1e-11: positions of up to 2**17 times frequencies that are off by a few 1e-17.
        deviation = case.deviation(array)
        assert deviation is not None
        assert_allclose(found, case[array], rtol=0, atol=1.005 * deviation + 1e-11)
        # The slowest frequencies are smaller than that: each must agree in its own digits.
        # Theirs are float32, 6e-8; the deviation has three digits.
        if (relative := case.relative(array)) is not None:
            assert_allclose(found, case[array], rtol=1.005 * relative + 1e-12, atol=0)


@pytest.mark.parametrize("name", [name for name, case in FAMILY.items() if case.scalars])
def test_attention_factors(name: str) -> None:
    case = FAMILY[name]
    for form in FORMS:
        for config in form(case):
            for scalar, expected in case.scalars.items():
                found = rope_parameters(config, length(scalar)).attention_factor
                # Computed by them in float64, too: a logarithm, a product, a sum.
                assert_allclose(found, expected, rtol=1e-15)


def test_both_forms_of_every_config_of_transformers_are_tried() -> None:
    theirs = {name for name, case in FAMILY.items() if case.library.startswith("transformers")}
    assert {name for name in theirs if any(whole(FAMILY[name]))} == theirs - NOT_A_CONFIG
    # dynamic_state_a calls a module, which has no rope_parameters of its own.
    assert {n for n in theirs if any(flat(FAMILY[n]))} == theirs - {"dynamic_state_a"}
    others = set(FAMILY) - theirs
    assert {name for name in FAMILY if any(elsewhere(FAMILY[name]))} == others


def test_every_array_is_compared() -> None:
    assert len(FAMILY) == 26
    assert sum(len(case.listed) for case in FAMILY.values()) == len(ARRAYS) + sum(
        len(case.inputs) for case in FAMILY.values()
    )
