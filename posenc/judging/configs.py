"""Read the rotation that a model's config specifies, with the pairing of that model."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from posenc.core.layouts import LAYOUTS
from posenc.judging.references import Rotation
from posenc.scaling.files import find_facts, find_part, open_config
from posenc.scaling.parameters import rope_parameters
from posenc.scaling.reading import read_config
from posenc.scaling.translating import translate


def is_config(reference: Any) -> bool:
    """Return whether a reference is a config: a mapping, an object with to_dict(), or a path."""
    if isinstance(reference, str):
        return reference.endswith(".json") or Path(reference).exists()
    if isinstance(reference, Mapping | os.PathLike):
        return True
    return callable(getattr(reference, "to_dict", None)) and not hasattr(reference, "__array__")


def read_rotation(
    config: Any, seq_len: int, layout: str | None, layer_type: str | None
) -> tuple[Rotation, int]:
    """Return the rotation of a config, and how many channels the heads have.

    Models pair channels differently, so a layout must be given if the model is unknown. Without a
    model_type it is "half", as most models have it. Models with latent attention rotate a part
    without weights of its own order: transformers writes its neighbours as halves, the authors of
    DeepSeek-V3 don't, and scores are the same.
    """
    if isinstance(config, str | os.PathLike) and Path(config).is_dir():
        config = Path(config) / "config.json"
    keys = open_config(config)
    found = rope_parameters(keys, layer_type=layer_type)
    longer = rope_parameters(keys, seq_len, layer_type=layer_type)
    grows = found.inv_freq.tolist() != longer.inv_freq.tolist()
    model_layout, sign = _find_pairing(keys, layout)
    settings = read_config(keys, layer_type)
    latent = settings.given.get("qk_rope_head_dim") is not None and model_layout == "interleaved"
    rotation = Rotation(model_layout, None, *longer, sign, grows, latent, settings, seq_len)
    return rotation, max(settings.head_dim(), 2 * len(longer.inv_freq))


def _find_pairing(config: dict[str, Any], layout: str | None) -> tuple[str, int]:
    """Return the layout of a model, and 1, or -1 where its angles run backwards."""
    text_model = find_part(translate(config), None)
    model = text_model.get("model_type")
    if model is None:
        return layout or "half", 1
    facts = find_facts(text_model)
    chosen = layout or (facts.layout if facts is not None else None)
    if layout is None and text_model.get("rope_interleave") is False:
        chosen = "half"
    if chosen is None:
        options = " or ".join(f"layout={name!r}" for name in LAYOUTS)
        raise ValueError(f"how model_type={model!r} pairs channels is not known: pass {options}")
    return chosen, 1 if facts is None else facts.sign
