"""What each encoding passes to a model, computed with `posenc`.

An `Encoding` is data: a name and its settings. `draw_learned` draws what it trains,
`make_encoder` returns the function from that to what the model gets at one length, and
`encode_positions` calls it.

Letters in this module
    L  positions (seq_len)    d  channels (d_model)    H  heads    r  channels of a head
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import ArrayLike, NDArray

import posenc
from posenc.biases.alibi import Form
from posenc.core.layouts import Layout
from posenc.experiments.model import PositionInputs, Shape, nothing

Learned = dict[str, Any]
Code = Callable[[Learned], PositionInputs]
LayersCode = Callable[[Learned], PositionInputs | list[PositionInputs]]
Way = Callable[["Encoding", Shape, int], Code]


class Encoding(NamedTuple):
    """An encoding and its settings; the same fields give the same encoding."""

    name: str
    train_len: int = 0  # rows of a learned table
    layout: Layout = "interleaved"
    base: float = 10000.0
    place: str = "added"  # "joined", or "projected" on queries and keys: for sinusoids
    start: str = "random"  # or "sinusoidal": for a learned table
    rope_type: str = "default"
    factor: float = 1.0  # by which `rope_type` stretches


Encodings = Encoding | tuple[Encoding, ...]  # of all layers, or of each layer
FOR_ALL_LAYERS = ("sinusoidal", "learned", "hybrid", "t5")  # added to the words, or trained


def draw_learned(rng: np.random.Generator, encoding: Encodings, shape: Shape) -> Learned:
    """Return what the encoding trains, as drawn; with an encoding for each layer, nothing."""
    if not isinstance(encoding, Encoding):
        return {}
    rows, d = encoding.train_len, shape.d_model
    if encoding.name == "learned" and encoding.start == "sinusoidal":
        return {"table": np.asarray(posenc.sinusoidal_positional_encoding(rows, d), np.float32)}
    if encoding.name == "learned":
        return {"table": np.asarray(rng.normal(size=(rows, d)), np.float32)}
    if encoding.name == "hybrid":
        return {"table": np.asarray(rng.normal(size=(rows, d // 2)), np.float32)}
    if encoding.name == "t5":
        return {"buckets": np.zeros((32, shape.heads), np.float32)}
    return {}


def encode_positions(
    learned: Learned, encoding: Encoding, shape: Shape, seq_len: int
) -> PositionInputs:
    """Return what the model gets about positions 0, …, seq_len - 1."""
    return WAYS[encoding.name](encoding, shape, seq_len)(learned)


def make_encoder(encoding: Encodings, shape: Shape, seq_len: int) -> LayersCode:
    """Return the function from learned parameters to the inputs at positions 0, …, seq_len - 1."""
    if isinstance(encoding, Encoding):
        return WAYS[encoding.name](encoding, shape, seq_len)
    for one in encoding:
        if one.name in FOR_ALL_LAYERS:
            raise ValueError(
                f"{one.name} is an encoding of all layers, not of one; use none, rope or alibi"
            )
    return _with(_each_layer, [WAYS[one.name](one, shape, seq_len) for one in encoding])


def _each_layer(codes: list[Code], learned: Learned) -> list[PositionInputs]:
    return [code(learned) for code in codes]


def rotary(shape: Shape, angles: ArrayLike, layout: str, factor: float = 1.0) -> PositionInputs:
    """Return inputs that rotate pair i at position p by `angles[p, i]`, times `factor`."""
    angles, r = np.asarray(angles), shape.head_dim
    i = np.arange(r // 2)
    first, second = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, i + r // 2)
    of_channels = np.empty((len(angles), r))
    of_channels[:, first] = of_channels[:, second] = angles
    quarter = np.zeros((r, r), np.float32)
    quarter[first, second], quarter[second, first] = 1, -1  # (a, b) becomes (-b, a)
    cos, sin = (np.asarray(factor * part(of_channels), np.float32) for part in (np.cos, np.sin))
    return nothing(shape, len(angles))._replace(cos=cos, sin=sin, quarter=quarter)


def _with(function: Callable[..., Any], *numbers: Any) -> Callable[[Learned], Any]:
    """Return a function with its first arguments, as data to JAX.

    They are arguments of what is compiled, too, and no part of it: codes of one function, such
    as sinusoids, RoPE and ALiBi, share one program.
    """
    encode: Callable[[Learned], Any]
    encode = jax.tree_util.Partial(function, *numbers)  # type: ignore[no-untyped-call]
    return encode


def _as_it_is(inputs: PositionInputs, learned: Learned) -> PositionInputs:
    return inputs


def _fixed(shape: Shape, seq_len: int, **parts: NDArray[np.float64]) -> Code:
    """Return a code of which nothing is learned."""
    given = {name: np.asarray(part, np.float32) for name, part in parts.items()}
    return _with(_as_it_is, nothing(shape, seq_len)._replace(**given))


def _none(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
    return _fixed(shape, seq_len)


def _sinusoidal(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
    width = {"added": shape.d_model, "joined": shape.joined, "projected": shape.head_dim}
    table = posenc.sinusoidal_positional_encoding(
        seq_len, width[encoding.place], base=encoding.base, layout=encoding.layout
    )
    return _fixed(shape, seq_len, **{encoding.place: table})


def _learned(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
    """Beyond its rows, the last one is taken again and again."""
    rows = np.minimum(np.arange(seq_len), encoding.train_len - 1)
    return _with(_looked_up, nothing(shape, seq_len), rows)


def _looked_up(inputs: PositionInputs, rows: NDArray[np.int64], learned: Learned) -> PositionInputs:
    return inputs._replace(added=learned["table"][rows])


def _hybrid(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
    """Sinusoids in half of the channels, a table in the others, which is zero beyond its rows."""
    waves = posenc.sinusoidal_positional_encoding(seq_len, shape.d_model // 2)
    return _with(_beside_waves, nothing(shape, seq_len), np.asarray(waves, np.float32))


def _beside_waves(
    inputs: PositionInputs, waves: NDArray[np.float32], learned: Learned
) -> PositionInputs:
    table = learned["table"][: len(waves)]
    table = jnp.pad(table, ((0, len(waves) - len(table)), (0, 0)))
    return inputs._replace(added=jnp.concatenate([waves, table], axis=1))


def _rope(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
    return _with(_as_it_is, _rotate_all(encoding, shape, seq_len))


def _rotate_all(encoding: Encoding, shape: Shape, seq_len: int) -> PositionInputs:
    """Return the inputs of RoPE: the angles of each pair at each position."""
    config: dict[str, Any] = {
        "rope_type": encoding.rope_type,
        "rope_theta": encoding.base,
        "head_dim": shape.head_dim,
        "max_position_embeddings": encoding.train_len,
    }
    if encoding.rope_type != "default":
        config["factor"] = encoding.factor
    if encoding.rope_type == "yarn":
        config["original_max_position_embeddings"] = encoding.train_len
    frequencies, factor = posenc.rope_parameters(config)
    angles = np.outer(np.arange(seq_len), frequencies)
    return rotary(shape, angles, encoding.layout, factor)


def _alibi(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
    form: Form = "causal" if shape.causal else "symmetric"
    bias = np.maximum(posenc.alibi_bias(shape.heads, seq_len, form=form), -1e9)
    return _fixed(shape, seq_len, bias=bias)


def _window(keys: int) -> Way:
    """Return a way in which each query sees as many keys, its own the last, and no positions."""

    def encode(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
        return _fixed(shape, seq_len, bias=_hide_far(shape, seq_len, keys))

    return encode


def _rope_in_window(keys: int) -> Way:
    """Return RoPE, with as many keys for each query."""

    def encode(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
        inputs = _rotate_all(encoding, shape, seq_len)
        bias = np.asarray(_hide_far(shape, seq_len, keys), np.float32)
        return _with(_as_it_is, inputs._replace(bias=bias))

    return encode


def _hide_far(shape: Shape, seq_len: int, keys: int) -> NDArray[np.float64]:
    """Return the bias of a causal window: 0 for the last keys, and almost -inf before them."""
    far = np.tri(seq_len, k=-keys, dtype=bool)
    return np.broadcast_to(np.where(far, -1e9, 0), (shape.heads, seq_len, seq_len))


def _t5(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
    offsets = np.arange(seq_len) - np.arange(seq_len)[:, None]  # key minus query
    rows = posenc.relative_position_bucket(offsets, bidirectional=not shape.causal)
    return _with(_in_buckets, nothing(shape, seq_len), rows)


def _in_buckets(
    inputs: PositionInputs, rows: NDArray[np.int64], learned: Learned
) -> PositionInputs:
    return inputs._replace(bias=learned["buckets"][rows].transpose(2, 0, 1))


def _swapped_exponent(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
    """Wrong: 10000 ** (-2i) / d, as an exponent without its parentheses gives."""
    i = np.arange(shape.d_model // 2)
    angles = np.outer(np.arange(seq_len), 10000.0 ** (-2.0 * i) / shape.d_model)
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return _fixed(shape, seq_len, added=pairs.reshape(seq_len, -1))


def _own_exponent(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
    """Wrong: each cosine has an exponent of its own, 2i + 1 instead of 2i."""
    c = np.arange(shape.d_model)
    angles = np.arange(seq_len)[:, None] * 10000.0 ** (-c / shape.d_model)
    return _fixed(shape, seq_len, added=np.where(c % 2, np.cos(angles), np.sin(angles)))


def _noise(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
    """No code at all: a row of fixed random numbers for each position."""
    rows = np.random.default_rng(2017).normal(size=(seq_len, shape.d_model))
    return _fixed(shape, seq_len, added=rows)


def _mixed(encoding: Encoding, shape: Shape, seq_len: int) -> Code:
    """Wrong: each frequency twice in a row, as interleaved pairs need it, rotated as halves."""
    frequencies = posenc.inv_freq(shape.head_dim)
    twice = np.repeat(frequencies, 2)[: len(frequencies)]
    return _with(_as_it_is, rotary(shape, np.outer(np.arange(seq_len), twice), "half"))


WAYS: dict[str, Way] = {
    "none": _none,
    "sinusoidal": _sinusoidal,
    "learned": _learned,
    "hybrid": _hybrid,
    "rope": _rope,
    "alibi": _alibi,
    "t5": _t5,
    "window of 16": _window(16),
    "rope, window of 16": _rope_in_window(16),
    "rope, window of 64": _rope_in_window(64),
    "wrong: precedence": _swapped_exponent,
    "wrong: own exponents": _own_exponent,
    "wrong: noise": _noise,
    "wrong: mixed layouts": _mixed,
}
