"""The rotary module of a model, from its config."""

from collections.abc import Mapping
from os import PathLike
from typing import Any, Literal

import torch

from posenc.core import checks
from posenc.core.layouts import LAYOUTS, Layout
from posenc.scaling.completing import complete, find_mapping, has_kinds
from posenc.scaling.facts import ModelFacts
from posenc.scaling.files import find_facts, find_part, open_config
from posenc.scaling.models import model_positions
from posenc.scaling.parameters import HasToDict, rope_parameters
from posenc.scaling.patterns import is_attention
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
    layer: int | None = None,
    layer_type: str | None = None,
    part: str | None = None,
    seq_len: int | None = None,
    layout: Layout | None = None,
    compute_dtype: torch.dtype | None = None,
) -> RotaryEmbedding | MRotaryEmbedding | None:
    """Return the module that rotates queries and keys as a model does, or None.

    Args:
        config: A config of Hugging Face, as for `posenc.rope_parameters`.
        seq_axis: -2 or -3, as in `RotaryEmbedding`.
        layer: The number of a layer, from 0, where layers differ: see
            `posenc.model_positions`. It must be given where some layers rotate and others
            have no positions. None: all layers are alike, or `layer_type` is given.
        layer_type: The kind of layer, such as `"sliding_attention"`, where a config holds
            several. None: the config describes only one kind, or `layer` is given.
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
        such as Qwen2-VL. None where `layer` has no positions, as every fourth one of
        SmolLM3: leave its queries and keys as they are.
        Its `head_dim` is that of the config, and with latent attention, as in DeepSeek, it
        is `qk_rope_head_dim`: the part of queries and keys that is rotated.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `layout` or `seq_len` is missing, `layer` is not a layer of the model or
            given together with `layer_type`, or the config is refused as in
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
    model = find_part(translate(open_config(config)), part)
    facts = find_facts(model)
    if layer is not None:
        if layer_type is not None:
            raise ValueError(f"layer_type must be None where layer is given, got {layer_type=}")
        rotates, layer_type = _find_layer(model, facts, layer)
        if not rotates:
            return None
    elif layer_type is None:
        _refuse_mixed_layers(model)
    settings = read_config(model, layer_type)
    _require_length(settings, seq_len)
    rope = rope_parameters(model, seq_len, layer_type=layer_type)
    model_type = model.get("model_type") if facts is None else facts.model_type
    head_dim = settings.head_dim()
    shared: dict[str, Any] = {
        "layout": _find_layout(facts, model_type, layout),
        "seq_axis": seq_axis,
        "inv_freq": rope.inv_freq,
        "attention_factor": rope.attention_factor,
        "compute_dtype": compute_dtype,
    }
    found = find_sections(model_type, facts, settings.given, len(rope.inv_freq))
    if found is not None:
        sections, assignment = found
        return MRotaryEmbedding(head_dim, sections, assignment=assignment, **shared)
    clockwise = facts is not None and facts.sign == -1
    return RotaryEmbedding(head_dim, clockwise=clockwise, **shared)


def _find_layer(
    model: dict[str, Any], facts: ModelFacts | None, layer: int
) -> tuple[bool, str | None]:
    """Return whether a layer rotates, and its kind where the kinds have keys of their own."""
    layers = model_positions(model).layers
    number = checks.integer("layer", layer, least=0)
    if number >= len(layers):
        raise ValueError(f"layer must be below {len(layers)}, the number of layers, got {layer=}")
    found = layers[number]
    _, rope = find_mapping(model if facts is None else complete(model, facts))
    return found.rotates, found.kind if has_kinds(rope) else None


def _refuse_mixed_layers(model: dict[str, Any]) -> None:
    """Refuse to build one module where some layers with attention have no positions."""
    if not {"num_hidden_layers", "layer_types"} & model.keys():
        return
    try:
        every = model_positions(model).layers
    except ValueError:  # unknown which layers have attention, as in Bamba; all of those rotate
        return
    layers = [one for one in every if is_attention(one.kind)]
    still = [one.index for one in layers if not one.rotates]
    if still and len(still) < len(layers):
        raise ValueError(f"layer must be given: layer {still[0]} has no positions, and others have")


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
