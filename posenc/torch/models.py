"""The rotary module of a model, from its config."""

from collections.abc import Mapping
from os import PathLike
from typing import Any, Literal

import torch

from posenc.core import checks
from posenc.core.layouts import LAYOUTS, Layout
from posenc.scaling import rope_parameters
from posenc.scaling.facts import ModelFacts
from posenc.scaling.files import find_facts, find_part, open_config
from posenc.scaling.parameters import HasToDict
from posenc.scaling.reading import read_config
from posenc.scaling.settings import Settings
from posenc.scaling.translating import translate
from posenc.torch.multimodal import find_sections
from posenc.torch.points import MRotaryEmbedding
from posenc.torch.rotary import RotaryEmbedding

# What depends on the length of the sequence, and the key that says from where on.
BY_LENGTH = {
    "dynamic": "max_position_embeddings",
    "longrope": "original_max_position_embeddings",
}


def from_config(
    config: Mapping[str, Any] | str | PathLike[str] | HasToDict,
    *,
    seq_axis: Literal[-2, -3],
    layer_type: str | None = None,
    part: str | None = None,
    seq_len: int | None = None,
    layout: Layout | None = None,
    compute_dtype: torch.dtype | None = None,
) -> RotaryEmbedding | MRotaryEmbedding:
    """Return the module that rotates queries and keys as a model does.

    Args:
        config: A config of Hugging Face, as for `posenc.rope_parameters`.
        seq_axis: -2 or -3, as in `RotaryEmbedding`.
        layer_type: The kind of layer, such as `"sliding_attention"`, where a config holds
            several. None: the config describes only one kind.
        part: The part of a multimodal config to read, such as `"audio_config"`. None: the
            text model. Vision models rotate by two coordinates and are refused: build an
            `AxialRotaryEmbedding`.
        seq_len: The length L that the module is for, where frequencies depend on it, as
            with `"dynamic"` and `"longrope"`: it must be given there. A module has one list
            of frequencies and never changes it on its own. When a text grows beyond, make
            another module and move the cached keys to it with `rerotate_keys`.
        layout: `"interleaved"` or `"half"`, which channels make a pair, where it is not
            that of the model: weights were converted, or the model is unknown. None: as the
            model's class in transformers has it.
        compute_dtype: As in `RotaryEmbedding`.

    Returns:
        A `RotaryEmbedding`, or an `MRotaryEmbedding` where the model has several coordinates,
        such as Qwen2-VL.
        Its `head_dim` is that of the config, and with latent attention, as in DeepSeek, it
        is `qk_rope_head_dim`: the part of queries and keys that is rotated.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `layout` or `seq_len` is missing, or the config is refused as in
            `posenc.rope_parameters`: also where the model has no rotary embedding, or
            rotates by two coordinates.
        OSError: A path cannot be read.

    Source:
        transformers 5.24.0, whose modules it was compared with. Deviations: those of
        `posenc.rope_parameters`; interleaved pairs stay where they are, where DeepSeek's
        code also reorders the channels of queries and keys by halves, which no score sees.

    Examples:
        >>> from posenc.torch import from_config
        >>> config = {"model_type": "glm4", "head_dim": 128, "rope_theta": 10000.0,
        ...           "partial_rotary_factor": 0.5}
        >>> from_config(config, seq_axis=-2)
        RotaryEmbedding(128, layout='interleaved', seq_axis=-2, rotary_dim=64)
    """
    settings = read_config(config, layer_type, part)
    _require_length(settings, seq_len)
    rope = rope_parameters(config, seq_len, layer_type=layer_type, part=part)
    model = find_part(translate(open_config(config)), part)
    facts = find_facts(model)
    model_type = model.get("model_type") if facts is None else facts.model_type
    head_dim = _find_head_dim(settings)
    shared: dict[str, Any] = {
        "layout": _find_layout(facts, model_type, layout),
        "seq_axis": seq_axis,
        "inv_freq": rope.inv_freq,
        "attention_factor": rope.attention_factor,
        "compute_dtype": compute_dtype,
    }
    found = find_sections(model_type, settings.given, len(rope.inv_freq))
    if found is not None:
        sections, assignment = found
        return MRotaryEmbedding(head_dim, sections, assignment=assignment, **shared)
    clockwise = facts is not None and facts.sign == -1
    return RotaryEmbedding(head_dim, clockwise=clockwise, **shared)


def _require_length(settings: Settings, seq_len: int | None) -> None:
    key = BY_LENGTH.get(settings.rope_type)
    if key is not None and seq_len is None:
        raise ValueError(
            f"seq_len must be given: rope_type={settings.rope_type!r} has other frequencies"
            f" beyond {key}={settings.length(key)}"
        )


def _find_layout(facts: ModelFacts | None, model_type: object, layout: Layout | None) -> Layout:
    if layout is None and (facts is None or facts.layout is None):
        raise ValueError(
            f"layout must be given, 'interleaved' or 'half': model_type={model_type!r} does not"
            " tell it"
        )
    known = None if facts is None else facts.layout
    return checks.choice("layout", layout or known, LAYOUTS)


def _find_head_dim(settings: Settings) -> int:
    """Return the channels of the vectors that are rotated."""
    given = settings.given
    for key in ("qk_rope_head_dim", "head_dim", "kv_channels"):
        if given.get(key) is not None:
            return checks.integer(key, given[key])
    if given.get("hidden_size") is None or given.get("num_attention_heads") is None:
        return settings.dim  # rotary_dim is all that is known
    return int(given["hidden_size"]) // int(given["num_attention_heads"])
