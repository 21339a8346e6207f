"""What each encoding tells a model of positions, taken from `posenc`.

An `Encoding` is data: a name and its settings. `learned` draws what it trains, `told` puts
together what the model gets at one length.

Letters in this module
    L  positions (seq_len)    d  channels (d_model)    H  heads    r  channels of a head
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

import posenc
from posenc.experiments.model import Shape, Told

Learned = dict[str, Any]


class Encoding(NamedTuple):
    """An encoding and its settings; the same fields give the same encoding."""

    name: str
    train_len: int = 0  # rows of a learned table
    layout: str = "interleaved"
    base: float = 10000.0
    place: str = "added"  # "joined", or "projected" on queries and keys: for sinusoids
    start: str = "random"  # or "sinusoidal": for a learned table
    rope_type: str = "default"
    factor: float = 1.0  # by which `rope_type` stretches


def learned(rng: np.random.Generator, encoding: Encoding, shape: Shape) -> Learned:
    """Return what the encoding trains, as drawn."""
    rows, d = encoding.train_len, shape.d_model
    if encoding.name == "learned" and encoding.start == "sinusoidal":
        return {"table": jnp.asarray(posenc.sinusoidal_positional_encoding(rows, d), jnp.float32)}
    if encoding.name == "learned":
        return {"table": jnp.asarray(rng.normal(size=(rows, d)), jnp.float32)}
    if encoding.name == "hybrid":
        return {"table": jnp.asarray(rng.normal(size=(rows, d // 2)), jnp.float32)}
    if encoding.name == "t5":
        return {"buckets": jnp.zeros((32, shape.heads))}
    return {}


def told(learned: Learned, encoding: Encoding, shape: Shape, seq_len: int) -> Told:
    """Return what the model is told of the positions 0, …, seq_len - 1."""
    return WAYS[encoding.name](learned, encoding, shape, seq_len)


def _none(learned: Learned, encoding: Encoding, shape: Shape, seq_len: int) -> Told:
    return Told()


def _sinusoidal(learned: Learned, encoding: Encoding, shape: Shape, seq_len: int) -> Told:
    width = {"added": shape.d_model, "joined": shape.joined, "projected": shape.head_dim}
    table = posenc.sinusoidal_positional_encoding(
        seq_len, width[encoding.place], base=encoding.base, layout=encoding.layout
    )
    code = jnp.asarray(table, jnp.float32)
    if encoding.place == "joined":
        return Told(joined=code)
    return Told(added=code) if encoding.place == "added" else Told(projected=code)


def _learned(learned: Learned, encoding: Encoding, shape: Shape, seq_len: int) -> Told:
    """Beyond its rows, the last one is taken again and again."""
    rows = np.minimum(np.arange(seq_len), encoding.train_len - 1)
    return Told(added=learned["table"][rows])


def _hybrid(learned: Learned, encoding: Encoding, shape: Shape, seq_len: int) -> Told:
    """Sinusoids in half of the channels, a table in the others, which is zero beyond its rows."""
    waves = posenc.sinusoidal_positional_encoding(seq_len, shape.d_model // 2)
    beyond = max(0, seq_len - encoding.train_len)
    table = jnp.pad(learned["table"][:seq_len], ((0, beyond), (0, 0)))
    return Told(added=jnp.concatenate([jnp.asarray(waves, jnp.float32), table], axis=1))


def _rope(learned: Learned, encoding: Encoding, shape: Shape, seq_len: int) -> Told:
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
    return Told(cos_sin=_angles(frequencies, seq_len, factor), layout=encoding.layout)


def _angles(
    frequencies: NDArray[np.float64], seq_len: int, factor: float = 1.0
) -> tuple[jax.Array, jax.Array]:
    angles = np.outer(np.arange(seq_len), frequencies)
    cos, sin = (
        jnp.asarray(factor * part, jnp.float32) for part in (np.cos(angles), np.sin(angles))
    )
    return cos, sin


def _alibi(learned: Learned, encoding: Encoding, shape: Shape, seq_len: int) -> Told:
    form = "causal" if shape.causal else "symmetric"
    bias = posenc.alibi_bias(shape.heads, seq_len, form=form)
    return Told(bias=jnp.asarray(np.maximum(bias, -1e9), jnp.float32))


def _t5(learned: Learned, encoding: Encoding, shape: Shape, seq_len: int) -> Told:
    offsets = np.arange(seq_len) - np.arange(seq_len)[:, None]  # key minus query
    rows = posenc.relative_position_bucket(offsets, bidirectional=not shape.causal)
    return Told(bias=learned["buckets"][rows].transpose(2, 0, 1))


def _swapped_exponent(learned: Learned, encoding: Encoding, shape: Shape, seq_len: int) -> Told:
    """Wrong: 10000 ** (-2i) / d, as an exponent without its parentheses gives."""
    i = np.arange(shape.d_model // 2)
    return Told(added=_waves(np.arange(seq_len), 10000.0 ** (-2.0 * i) / shape.d_model))


def _own_exponent(learned: Learned, encoding: Encoding, shape: Shape, seq_len: int) -> Told:
    """Wrong: each cosine has an exponent of its own, 2i + 1 in place of 2i."""
    c = np.arange(shape.d_model)
    angles = np.arange(seq_len)[:, None] * 10000.0 ** (-c / shape.d_model)
    table = np.where(c % 2, np.cos(angles), np.sin(angles))
    return Told(added=jnp.asarray(table, jnp.float32))


def _noise(learned: Learned, encoding: Encoding, shape: Shape, seq_len: int) -> Told:
    """No code at all: a row of fixed random numbers for each position."""
    rows = np.random.default_rng(2017).normal(size=(seq_len, shape.d_model))
    return Told(added=jnp.asarray(rows, jnp.float32))


def _mixed(learned: Learned, encoding: Encoding, shape: Shape, seq_len: int) -> Told:
    """Wrong: each frequency twice in a row, as interleaved pairs want it, turned as halves."""
    frequencies = posenc.inv_freq(shape.head_dim)
    cos, sin = _angles(np.repeat(frequencies, 2)[: len(frequencies)], seq_len)
    return Told(cos_sin=(cos, sin), layout="half")


def _waves(positions: NDArray[Any], frequencies: NDArray[np.float64]) -> jax.Array:
    angles = positions[:, None] * frequencies
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return jnp.asarray(pairs.reshape(len(positions), -1), jnp.float32)


WAYS: dict[str, Callable[[Learned, Encoding, Shape, int], Told]] = {
    "none": _none,
    "sinusoidal": _sinusoidal,
    "learned": _learned,
    "hybrid": _hybrid,
    "rope": _rope,
    "alibi": _alibi,
    "t5": _t5,
    "wrong: precedence": _swapped_exponent,
    "wrong: own exponents": _own_exponent,
    "wrong: noise": _noise,
    "wrong: mixed layouts": _mixed,
}
