"""Look up what a model of transformers does with positions, by its model_type.

The facts are measured by `benchmarks/model_facts` and ship as `model_facts.json`, which is read at
the first look-up.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

__all__ = ["ModelFacts", "get_facts", "list_model_types"]


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
        base: The base b of the frequencies where no key sets it, otherwise None.
        drops_base: Whether a rule without `rope_theta` has another base than the default.
        refused: Why `rope_parameters` can't describe the model, or None.
        one_base: Whether `layer_rope_theta` says only which layers rotate.
        axes: The axis of each pair in M-RoPE, 0 for time, 1 for height and 2 for width, such
            as `"000111222"`; a dash for pairs that don't rotate. None for one axis.
        mrope_section: How many pairs each axis has, by default; these may not fit the default
            width of the class. None for one axis.
        kinds: One period of the kinds of layers, by default. Empty: they follow no pattern.
            None: all layers are of one kind.
        last_kind: The kind of the last layer, where it isn't that of the period.
        period_key: The key that sets the length of the period, or None.
        no_rope_interval: n, where every nth layer has no positions by default, or None.
        rotates: Whether layers rotate, by kind, or for each of the first layers where their
            number decides. None: all do, or the attention could not be called.
        window: The sliding window by kind, or for each of the first layers. None: no window.
        softcap: The bound of scores, in the same form. None: no bound.
        softmax_scale: The factor on scores as a multiple of 1/√d in a model with heads of
            d = 64 channels, or as few as the class allows. None: 1.
        unscaled: Whether scores are taken as they are, whatever d is.
        softmax_keys: The keys that set the softmax scale, with their defaults.
        query_scale: The factor on queries at position 1 000 001, if it isn't 1.
        query_keys: The keys that scale queries by their position, with their defaults.
        measured_layers: How many layers were measured; 0 if their attention can't be called.
    """

    model_type: str
    source: str
    module: str
    layout: str | None
    sign: int
    pairs: Mapping[str, int]
    reads: Mapping[str, list[str]]
    defaults: Mapping[str, Any]
    base: float | None = None
    drops_base: bool = False
    refused: str | None = None
    one_base: bool = False
    axes: str | None = None
    mrope_section: list[int] | None = None
    kinds: list[str] | None = None
    last_kind: str | None = None
    period_key: str | None = None
    no_rope_interval: int | None = None
    rotates: Mapping[str, bool] | list[bool] | None = None
    window: Mapping[str, int | None] | list[int | None] | None = None
    softcap: Mapping[str, float | None] | list[float | None] | None = None
    softmax_scale: float | None = None
    unscaled: bool = False
    softmax_keys: Mapping[str, float | None] | None = None
    query_scale: float | None = None
    query_keys: Mapping[str, Any] | None = None
    measured_layers: int = 0

    @property
    def layer_types(self) -> tuple[str, ...]:
        """The kinds of layers that have parameters of their own; empty for only one kind."""
        return tuple(kind for kind in self.pairs if kind)


def get_facts(model_type: str) -> ModelFacts | None:
    """Return what a model of transformers does with positions.

    Args:
        model_type: As in a config, such as `"llama"` or `"gemma3_text"`; for a model with
            several parts, the type of one part.

    Returns:
        The facts, or None if transformers has no rotary embedding for this type.

    Source:
        Measured on transformers 5.24.0 by `benchmarks/model_facts`.

    Examples:
        >>> from posenc.scaling import get_facts
        >>> facts = get_facts("cohere")
        >>> facts.layout, facts.sign, facts.source
        ('interleaved', 1, 'CohereConfig')
        >>> get_facts("gemma3_text").defaults["head_dim"]
        256
        >>> get_facts("bert") is None
        True
    """
    found = _load()["models"].get(model_type)
    return None if found is None else ModelFacts(model_type, **found)


def list_model_types() -> tuple[str, ...]:
    """Return the models that have facts, sorted.

    Returns:
        Each `model_type` for which `get_facts` returns facts.

    Source:
        The model types of transformers 5.24.0 whose rotary embeddings were measured.

    Examples:
        >>> from posenc.scaling import list_model_types
        >>> "llama" in list_model_types(), "bert" in list_model_types()
        (True, False)
    """
    return tuple(sorted(_load()["models"]))


def get_plain_facts(model_type: str) -> dict[str, Any] | None:
    """Return the encodings of a model without rotary embedding, their defaults and their class."""
    found: dict[str, Any] | None = _load()["tables"].get(model_type)
    return found


@cache
def _load() -> dict[str, Any]:
    from importlib.resources import files  # 10 ms that `import posenc` should not cost

    found: dict[str, Any] = json.loads(
        files("posenc.scaling").joinpath("model_facts.json").read_text("utf-8")
    )
    return found
