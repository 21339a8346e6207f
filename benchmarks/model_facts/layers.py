"""Measure which layers of a model rotate, how far they look, and by what they scale scores.

The attention of a layer is called with random vectors and weights, and what it hands to the
function that computes attention is caught.
"""

import inspect
from typing import Any

import torch
from transformers import AttentionInterface  # type: ignore[import-not-found]

from benchmarks.model_facts.classes import import_modeling

CAUGHT: list[dict[str, Any]] = []
PERIOD = 12  # at least the longest period of layers of several kinds
ALIKE = 4  # layers to measure where a config knows only one kind
FAR = 1_000_001
SMALL = {"hidden_size": 256, "num_attention_heads": 4, "num_key_value_heads": 4}


def _catch(module: Any, query: Any, key: Any, value: Any, mask: Any, **options: Any) -> Any:
    CAUGHT.append({"query": query, "key": key, **options})
    return torch.zeros_like(value).transpose(1, 2), None


AttentionInterface.register("caught", _catch)


def measure_layers(
    config_class: type[Any], rotary_class: type[Any], keys: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """Return what the first layers do, an empty list where their attention can't be called."""
    for kept in _list_attention_classes(config_class):
        for sizes in (SMALL, {}):
            try:
                return _measure_all(
                    kept, rotary_class, config_class.from_dict({**sizes, **(keys or {})})
                )
            except Exception:  # of sizes that don't fit, or of another kind of attention
                continue
    return []


def _measure_all(
    attention: type[Any], rotary_class: type[Any], config: Any
) -> list[dict[str, Any]]:
    """Return what the first layers do, of each number and kind."""
    rotary = rotary_class(config)
    kinds = getattr(config, "layer_types", None)
    several = kinds or any(key.startswith("no_rope_layer") for key in config.to_dict())
    found: list[dict[str, Any]] = []
    for number in range(min(config.num_hidden_layers, PERIOD if several else ALIKE)):
        kind = kinds[number] if kinds else None
        found.append({"kind": kind, **_measure_layer(attention, rotary, config, number, kind)})
    return found


def _list_attention_classes(config_class: type[Any]) -> list[type[Any]]:
    """Return the attention modules that are annotated with a config class."""
    found = []
    for module in import_modeling(config_class):
        for name, kept in inspect.getmembers(module, inspect.isclass):
            if kept.__module__ != module.__name__ or not name.endswith("Attention"):
                continue
            parameters = inspect.signature(kept.__init__).parameters
            annotation = parameters["config"].annotation if "config" in parameters else None
            if config_class in getattr(annotation, "__args__", (annotation,)):
                found.append(kept)
    return found


def _measure_layer(
    attention: type[Any], rotary: Any, config: Any, number: int, kind: str | None
) -> dict[str, Any]:
    """Return whether one layer rotates, its window, its softmax scale, and its query scale."""
    layer = _build_layer(attention, config, number)
    hidden = torch.rand(1, 4, config.hidden_size)
    takes = inspect.signature(rotary.forward).parameters
    more = {"layer_type": kind} if "layer_type" in takes and kind else {}
    CAUGHT.clear()
    for start in (1, FAR):
        places = torch.arange(start, start + 4)[None]
        options = {
            "hidden_states": hidden,
            "attention_mask": None,
            "position_embeddings": rotary(hidden, places, **more),
            "position_ids": places,
            "cache_position": places[0],
        }
        with torch.no_grad():
            layer(**_fit_arguments(layer, options))
    near, far = CAUGHT
    width = near["query"].shape[-1]
    longer = far["query"].norm(dim=-1) / near["query"].norm(dim=-1)
    return {
        "rotates": not torch.allclose(near["key"], far["key"]),
        "window": near.get("sliding_window"),
        "scaling": near.get("scaling"),
        "softmax_scale": round((near.get("scaling") or width**-0.5) * width**0.5, 4),
        "softcap": near.get("softcap"),
        "query_scale": round(float(longer.mean()), 3),
    }


def _build_layer(attention: type[Any], config: Any, number: int) -> Any:
    """Build the attention of a layer with random weights, without its slow initialization."""
    config._attn_implementation = "caught"
    parameters = inspect.signature(attention.__init__).parameters
    more = {"layer_idx": number} if "layer_idx" in parameters else {}
    with torch.device("meta"):
        layer = attention(config, **more)
    layer = layer.to_empty(device="cpu").eval()
    torch.manual_seed(0)
    for weight in layer.parameters():
        weight.data = torch.rand_like(weight) / weight.shape[-1] ** 0.5
    for buffer in layer.buffers():
        buffer.data.zero_()
    return layer


def _fit_arguments(layer: Any, options: dict[str, Any]) -> dict[str, Any]:
    takes = inspect.signature(layer.forward).parameters
    if any(p.kind == p.VAR_KEYWORD for p in takes.values()):
        return options
    return {key: value for key, value in options.items() if key in takes}
