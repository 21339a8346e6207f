"""Published configs: frequencies as transformers computed them, or a refusal with its reason.

`benchmarks/published_configs.py` renews the numbers.
"""

import json
import re
from typing import Any

import pytest
from numpy.testing import assert_allclose

from posenc import rope_parameters
from tests.goldens import GOLDEN
from tests.package.scaling.published import AGREES, REFUSED

KEPT: dict[str, Any] = json.loads((GOLDEN / "rope_published.json").read_text("utf-8"))["configs"]

# Theirs are float32: a power, a quotient and a blend, of bases up to 10^11.
CLOSE = 30 * 2.0**-24


@pytest.mark.parametrize("name", AGREES)
def test_published_config_is_read_as_transformers_reads_it(name: str) -> None:
    config, kinds = AGREES[name]
    assert len(KEPT[name]) == len(kinds)
    for kind in kinds:
        found = rope_parameters(config, layer_type=kind)
        pairs, second, middle, last, factor = KEPT[name][kind or ""]
        assert len(found.inv_freq) == pairs
        numbers = found.inv_freq[[1, pairs // 2, -1]]
        assert_allclose(numbers, [second, middle, last], rtol=CLOSE)
        assert_allclose(found.attention_factor, factor, rtol=1e-15)


@pytest.mark.parametrize("name", REFUSED)
def test_published_config_is_refused_with_a_reason(name: str) -> None:
    config, words = REFUSED[name]
    with pytest.raises(ValueError, match=f"^{re.escape(words)}"):
        rope_parameters(config)


def test_width_of_a_kind_of_layer_is_asked_for() -> None:
    config, _ = REFUSED["gemma-4 without the wide heads"]
    with pytest.raises(ValueError, match=r"pass global_head_dim$"):
        rope_parameters(config, layer_type="full_attention")
