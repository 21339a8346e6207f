"""scaling against the transformers that is installed: nothing may be silently different.

POSENC_VARIANTS is the number of random variants of each class, 3 if it isn't set.
"""

import copy
import importlib
import importlib.util
import inspect
import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from posenc.scaling.facts import get_facts
from posenc.scaling.files import find_facts, find_part
from posenc.scaling.patterns import list_kinds
from tests.package.scaling.published import AGREES
from tests.package.scaling.test_scaling_models import read_or_refusal
from tests.package.scaling.variants import (
    Frequencies,
    compute_frequencies,
    compute_published,
    find_classes,
    follow_refusal,
    make_variants,
)

if (
    importlib.util.find_spec("transformers") is None
    and os.environ.get("POSENC_TRANSFORMERS") is None
):
    pytest.skip("transformers is not installed", allow_module_level=True)

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.filterwarnings("ignore"),  # of transformers, about itself
]
STEPS = 4  # of what refusals ask for, one after the other
VARIANTS = int(os.environ.get("POSENC_VARIANTS", "3"))


def is_same(config: Any, kind: str | None, theirs: Frequencies | None) -> bool | str | None:
    """Return whether both agree, or the words of our refusal; None where transformers refuses."""
    found = read_or_refusal(config, kind)
    if isinstance(found, str):
        return found
    if theirs is None:
        return None
    if kind not in theirs:
        return False
    frequencies, factor = theirs[kind]
    return (
        found.inv_freq.shape == frequencies.shape
        and np.allclose(found.inv_freq, frequencies, rtol=3e-6, atol=0)
        and abs(found.attention_factor / factor - 1) < 1e-9
    )


def compute(model_type: str, config: Any) -> Frequencies | None:
    """Return what transformers computes, or None where it refuses a config."""
    try:
        return compute_frequencies(*find_classes()[model_type], copy.deepcopy(config))
    except Exception:
        return None


def list_variants(config_class: Any, model_type: str) -> list[dict[str, Any]]:
    """Return a config without keys, that of the class, and random variants of it."""
    keys = json.loads(json.dumps(config_class().to_dict(), default=str))
    inside = ("rope_parameters", "per_layer_config")
    config = {k: v for k, v in keys.items() if k in inside or not isinstance(v, dict)}
    config.pop("layer_rope_theta", None)  # for modules of single layers, which are not built here
    terse = {"model_type": model_type}
    return [terse, config, *make_variants(config, VARIANTS, model_type)]


def test_no_variant_is_silently_different() -> None:
    different: list[Any] = []
    counts: Counter[str] = Counter()
    for model_type, (config_class, rotary_class) in find_classes().items():
        facts = get_facts(model_type)
        assert facts is not None
        assert rotary_class is not None
        for config in list_variants(config_class, model_type):
            theirs = compute(model_type, config)
            for kind in theirs or [kind or None for kind in facts.pairs]:
                tried, verdict = config, is_same(config, kind, theirs)
                counts["refused"] += isinstance(verdict, str)
                for _ in range(STEPS):
                    if not isinstance(verdict, str):
                        break
                    tried = follow_refusal(tried, verdict)
                    verdict = is_same(tried, kind, compute(model_type, tried))
                counts[str(verdict) if verdict in (True, False) else "other"] += 1
                if verdict is False:
                    different.append((model_type, kind, tried))
    assert not different
    assert counts["True"] > 600
    print(counts)


def test_published_configs_are_read_as_the_installed_transformers_reads_them() -> None:
    for name, (config, kinds) in AGREES.items():
        theirs = compute_published(config)
        for kind in kinds:
            assert is_same(config, kind, theirs) is True, name


@pytest.mark.parametrize("count", [24, 17])
def test_patterns_of_layers_are_those_of_the_config_classes(count: int) -> None:
    wrong = []
    for model_type, (config_class, _) in find_classes().items():
        try:
            kept = config_class.from_dict({"num_hidden_layers": count}).to_dict()
        except Exception:
            continue  # of a class that needs other keys
        if not kept.get("layer_types"):
            continue
        left = {key: value for key, value in kept.items() if key != "layer_types"}
        facts = get_facts(model_type)
        assert facts is not None
        if facts.kinds != [] and list_kinds(left, facts) != kept["layer_types"]:
            wrong.append(model_type)
    assert not wrong


def list_config_classes() -> Iterator[Any]:
    """Yield all config classes of the installed transformers that name a model."""
    from transformers import PreTrainedConfig  # type: ignore[import-not-found]

    root = Path(importlib.import_module("transformers").__file__ or "").parent / "models"
    for file in sorted(root.glob("*/configuration_*.py")):
        module = importlib.import_module(f"transformers.models.{file.parent.name}.{file.stem}")
        members: list[tuple[str, Any]] = inspect.getmembers(module, inspect.isclass)
        for _, found in members:
            named = issubclass(found, PreTrainedConfig) and found.__module__ == module.__name__
            if named and file.parent.name != "auto" and found.model_type:
                yield found


def test_classes_without_facts_are_refused() -> None:
    answered, seen = [], 0
    for found in list_config_classes():
        try:
            config = found().to_dict()
        except Exception:
            continue
        seen += 1
        if find_facts(find_part(config, None)) is None and not isinstance(
            read_or_refusal(config, None), str
        ):
            answered.append(found.__name__)
    assert set(answered) <= {"SarvamMLAConfig", "SarvamMoEConfig"}  # which state every key
    assert seen > 700
