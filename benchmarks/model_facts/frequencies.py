"""Read the frequencies of a config from the rotary module that transformers builds from it."""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

Frequencies = dict[str, tuple[NDArray[np.float64], float]]
ONLY = ""  # the kind of layer where there is only one


def read_frequencies(rotary_class: type[Any], config: Any) -> Frequencies:
    """Return inverse frequencies and attention factor for each kind of layer."""
    with torch.no_grad():
        module = rotary_class(config).eval()
    if hasattr(module, "embed_positions"):  # GPT-J: a table of sines and cosines
        sin, cos = module.embed_positions[1].double().chunk(2, dim=-1)
        return {ONLY: (torch.atan2(sin, cos).numpy(), 1.0)}
    found = {}
    for name, buffer in module.named_buffers():
        if name.endswith("inv_freq") and "original" not in name:
            kind = name.removesuffix("inv_freq").removesuffix("_")
            prefix = kind + "_" if kind else ""
            factor = getattr(module, f"{prefix}attention_scaling", 1.0)
            found[kind] = (buffer.double().numpy(), float(factor))
    return found


def list_changed(one: Frequencies, other: Frequencies) -> list[str]:
    """Return the kinds of layers whose frequencies or factors differ."""
    return [kind for kind in one if kind not in other or not _are_same(one[kind], other[kind])]


def _are_same(one: Any, other: Any) -> bool:
    return np.array_equal(one[0], other[0]) and one[1] == other[1]
