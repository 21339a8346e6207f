"""Read what each layer of a model does with positions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from typing import Any

from posenc.core.layouts import Layout
from posenc.core.underflow import ignore_underflow
from posenc.scaling.completing import complete, find_mapping, has_kinds
from posenc.scaling.each_layer import pick_layer
from posenc.scaling.encodings import find_other_encoding
from posenc.scaling.files import find_facts, find_part, open_config
from posenc.scaling.parameters import HasToDict, RopeParameters, rope_parameters
from posenc.scaling.patterns import CHUNKED, SLIDING, is_attention, list_kinds, list_rotating
from posenc.scaling.reading import read_config
from posenc.scaling.scales import describe_query_scale, find_softmax_scale
from posenc.scaling.settings import Settings
from posenc.scaling.translating import translate


@dataclass(frozen=True, eq=False)
class LayerPositions:
    """What one layer of a model does with positions.

    Attributes:
        index: Number of the layer, from 0.
        kind: Such as `"full_attention"`, `"sliding_attention"` or `"linear_attention"`.
        rotates: Whether queries and keys are rotated.
        parameters: Frequencies and attention factor; None if the layer doesn't rotate.
        base: The base of its frequencies, before scaling; None if it doesn't rotate.
        rope_type: The rule that scales them, such as `"yarn"`; None if it doesn't rotate.
        head_dim: Channels of a head, or of its part with positions where that has a width of
            its own; None if it doesn't rotate.
        max_positions: The context length, `max_position_embeddings`, of the config or of its
            class; None if neither has one or the layer doesn't rotate.
        original_positions: The training length that the rule reads; None if it reads none.
        window: How many keys a query sees, itself included; None: all of them.
        softmax_scale: What the products of queries and keys are multiplied by before the
            softmax; None if it isn't known for this model.
        query_scale: How queries at large positions are scaled, as a formula in the position
            p, or None.
    """

    index: int
    kind: str
    rotates: bool
    parameters: RopeParameters | None
    base: float | None
    rope_type: str | None
    head_dim: int | None
    max_positions: int | None
    original_positions: int | None
    window: int | None
    softmax_scale: float | None
    query_scale: str | None

    @property
    def rotary_dim(self) -> int:
        """The number of rotated channels of a head."""
        return 0 if self.parameters is None else 2 * len(self.parameters.inv_freq)


@dataclass(frozen=True, eq=False)
class ModelPositions:
    """What a model does with positions, layer by layer; `str()` prints it as a table.

    Attributes:
        model_type: As the config says, or None.
        source: The class of transformers that the facts are from, or None.
        encoding: `"rotary"`, `"alibi"` or `"none"`.
        layout: Which channels are a pair, `"half"` or `"interleaved"`; None: not known.
        sign: 1, or -1 where angles run backwards.
        layers: One `LayerPositions` for each layer.
    """

    model_type: str | None
    source: str | None
    encoding: str
    layout: Layout | None
    sign: int
    layers: tuple[LayerPositions, ...]

    def __str__(self) -> str:
        """Return a line for the model, and two for each group of layers that do the same."""
        name = self.model_type or "model without model_type"
        kind = {"none": "no", "alibi": "ALiBi"}.get(self.encoding, self.encoding)
        head = f"{name}: {len(self.layers)} layers, {kind} positions"
        if self.encoding == "rotary":
            head += f", {self.layout or 'unknown'} layout"
            head += ", angles run backwards" if self.sign < 0 else ""
        return "\n".join([head, *_describe_groups(self.layers)])


@ignore_underflow
def model_positions(
    config: Mapping[str, Any] | str | PathLike[str] | HasToDict,
    seq_len: int | None = None,
    *,
    part: str | None = None,
) -> ModelPositions:
    """Return what each layer of a model does with positions, from its config.

    Args:
        config: The config of a model, in one of the forms that `rope_parameters` reads.
        seq_len: L, the current number of positions, as in `rope_parameters`.
        part: The part of a multimodal config, as in `rope_parameters`.

    Returns:
        A `ModelPositions`, whose `layers` hold the kind of each layer, whether it rotates,
        with which frequencies, its window, and the scales of its scores.

    Raises:
        TypeError: `config` is none of these forms, or a value has the wrong type.
        ValueError: As `rope_parameters`, or `num_hidden_layers` or `layer_types` is missing
            or they contradict each other.
        OSError: A path cannot be read.

    Source:
        transformers 5.24.0: layouts are measured on its modules; patterns of layers and
        scales are read from its classes. Deviation: softmax scales of models that it
        doesn't have are None.

    Examples:
        >>> from posenc import model_positions
        >>> config = {"model_type": "smollm3", "num_hidden_layers": 4, "rope_theta": 5e6}
        >>> config |= {"hidden_size": 2048, "num_attention_heads": 16}
        >>> print(model_positions(config))
        smollm3: 4 layers, rotary positions, half layout
        full_attention, 128 channels rotate, base 5e+06, score scale 0.08839
            layers 0-2
        full_attention, no positions, score scale 0.08839
            layer 3
    """
    whole = find_part(translate(open_config(config)), part)
    facts = find_facts(whole)
    kinds = list_kinds(whole, facts)
    encoding = find_other_encoding(whole)
    rotates = [False] * len(kinds)
    if encoding is None:
        rotates = list_rotating(whole, kinds, facts)
    picked = [pick_layer(whole, index) for index in range(len(kinds))]
    first = picked[0][0]
    _, rope = find_mapping(first if facts is None or encoding else complete(first, facts))
    several = has_kinds(rope)
    rotates = [
        rotating and picked[index][1] and not (several and rope.get(kinds[index], {}) is None)
        for index, rotating in enumerate(rotates)  # None instead of a mapping: no positions
    ]
    names = [kind if several else None for kind in kinds]
    layers = []
    for index, (settings, parameters) in enumerate(_read_layers(picked, names, rotates, seq_len)):
        layers.append(
            LayerPositions(
                index,
                kinds[index],
                rotates[index],
                parameters,
                None if settings is None else settings.base,
                None if settings is None else settings.rope_type,
                None if settings is None else settings.head_dim(),
                None if settings is None else settings.length("max_position_embeddings"),
                None if settings is None else settings.trained_length(),
                _find_window(whole, kinds[index], facts),
                find_softmax_scale(whole, settings, facts) if is_attention(kinds[index]) else None,
                describe_query_scale(whole, rotates[index], facts),
            )
        )
    return ModelPositions(
        whole.get("model_type"),
        None if facts is None else facts.source,
        encoding or "rotary",
        None if facts is None else facts.layout,  # type: ignore[arg-type]
        1 if facts is None else facts.sign,
        tuple(layers),
    )


def _read_layers(
    picked: list[tuple[dict[str, Any], bool]],
    names: list[str | None],
    rotates: list[bool],
    seq_len: int | None,
) -> Iterator[tuple[Settings, RopeParameters] | tuple[None, None]]:
    """Yield the settings and frequencies of each layer; equal layers are read once."""
    read: list[tuple[Any, tuple[Settings, RopeParameters]]] = []
    for (config, _), name, rotating in zip(picked, names, rotates, strict=True):
        if not rotating:
            yield None, None
            continue
        known = [found for key, found in read if key == (config, name)]
        if not known:
            parameters = rope_parameters(config, seq_len, layer_type=name)
            known = [(read_config(config, name), parameters)]
            read.append(((config, name), known[0]))
        yield known[0]


def _find_window(config: Mapping[str, Any], kind: str, facts: Any) -> int | None:
    """Return how many keys a query sees."""
    defaults = {} if facts is None else facts.defaults
    key = {SLIDING: "sliding_window", CHUNKED: "attention_chunk_size"}.get(kind)
    if key is None:
        return None
    value = config.get(key, defaults.get(key))
    return int(value) if isinstance(value, int) else None


def _describe_groups(layers: tuple[LayerPositions, ...]) -> Iterator[str]:
    """Yield what each group of layers does, and which layers these are."""
    groups: dict[str, list[int]] = {}
    for layer in layers:
        groups.setdefault(_describe_layer(layer), []).append(layer.index)
    for text, numbers in groups.items():
        yield text
        yield f"    {'layers' if len(numbers) > 1 else 'layer'} {_describe_numbers(numbers)}"


def _describe_numbers(numbers: list[int]) -> str:
    """Return numbers with runs shortened: 0-4, 6-10."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in runs)


def _describe_layer(layer: LayerPositions) -> str:
    words = [layer.kind, "no positions"]
    if layer.parameters is not None:
        words[1] = f"{layer.rotary_dim} channels rotate, base {layer.base:g}"
        if layer.rope_type != "default":
            words[1] += f", {layer.rope_type}"
        if layer.parameters.attention_factor != 1:
            words[1] += f", attention factor {layer.parameters.attention_factor:.6g}"
    if layer.window is not None:
        words.append(f"window {layer.window}")
    if layer.softmax_scale is not None:
        words.append(f"score scale {layer.softmax_scale:.4g}")
    if layer.query_scale is not None:
        words.append(f"queries times {layer.query_scale}")
    return ", ".join(words)
