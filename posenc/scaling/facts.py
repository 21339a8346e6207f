"""Look up what a model of transformers does with positions, by its model_type.

The facts are measured by `benchmarks/model_facts` and ship as `model_facts.json`, which is read at
the first look-up.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["ModelFacts", "get_facts"]


@dataclass(frozen=True)
class ModelFacts:
    """What a model does with positions.

    Attributes:
        model_type: The name of the model in its config.
        source: The config class of transformers, such as `"LlamaConfig"`.
        module: The class that computes its frequencies there.
        layout: `"half"` or `"interleaved"`: which channels are a pair. None: not measured.
        sign: 1, or -1 if angles have the opposite sign.
        pairs: The number of pairs of each kind of layer, with all defaults.
        reads: Which keys of a config change the frequencies, each with the kinds of layers
            where it does. Keys that are absent here have no effect in transformers.
        defaults: What the class fills in for absent keys. A key is absent here if its value
            is computed, as `head_dim` is from `hidden_size` and `num_attention_heads`.
    """

    model_type: str
    source: str
    module: str
    layout: str | None
    sign: int
    pairs: Mapping[str, int]
    reads: Mapping[str, list[str]]
    defaults: Mapping[str, Any]
    refused: str | None = None

    @property
    def layer_types(self) -> tuple[str, ...]:
        """The kinds of layers that have parameters of their own; empty for only one kind."""
        return tuple(kind for kind in self.pairs if kind)


def get_facts(model_type: str) -> ModelFacts | None:
    """Return the facts of a model type, or None if transformers has none."""
    found = _load()["models"].get(model_type)
    return None if found is None else ModelFacts(model_type, **found)


@cache
def _load() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        files("posenc.scaling").joinpath("model_facts.json").read_text("utf-8")
    )
    return found
