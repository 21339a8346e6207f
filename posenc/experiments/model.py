"""A small transformer in JAX, in which positions may enter at every place known.

Pre-norm layers of attention and a perceptron with one hidden layer. All that a model is
told of positions comes in as `Told` (see `encodings`); without it, the model is blind.

Letters in this module
    B  sequences of a batch    L  positions (seq_len)    d  channels (d_model)
    H  heads                   r  channels of a head     V  words    C  classes
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

Weights = dict[str, Any]


class Shape(NamedTuple):
    """The size of a model, and how it reads and answers."""

    vocabulary: int
    classes: int
    d_model: int = 32
    heads: int = 4
    layers: int = 2
    causal: bool = False  # each row sees itself and those before
    pooled: bool = False  # one answer for the mean of all rows, else one for each row
    joined: int = 0  # channels of d_model that are kept free for a code beside the words

    @property
    def head_dim(self) -> int:
        """Channels of one head."""
        return self.d_model // self.heads


class Told(NamedTuple):
    """What a model is told of positions, for one length L."""

    added: jax.Array | None = None  # (L, d), to the words
    joined: jax.Array | None = None  # (L, shape.joined), beside the words
    projected: jax.Array | None = None  # (L, r), to queries and keys, after their projection
    cos_sin: tuple[jax.Array, jax.Array] | None = None  # each (L, r/2), turns queries and keys
    layout: str = "half"  # which channels are turned as pairs
    bias: jax.Array | None = None  # (H, L, L), to the logits


def weights(rng: np.random.Generator, shape: Shape) -> Weights:
    """Draw the weights: words with entries of variance 1, matrices of variance 1/rows."""
    d = shape.d_model

    def matrix(rows: int, columns: int) -> jax.Array:
        return jnp.asarray(rng.normal(size=(rows, columns)) / np.sqrt(rows), jnp.float32)

    def layer() -> Weights:
        return {
            "qkv": matrix(d, 3 * d),
            "out": matrix(d, d),
            "wide": matrix(d, 4 * d),
            "back": matrix(4 * d, d),
            "norm_a": jnp.ones(d),
            "norm_b": jnp.ones(d),
        }

    return {
        "words": jnp.asarray(rng.normal(size=(shape.vocabulary, d - shape.joined)), jnp.float32),
        "layers": [layer() for _ in range(shape.layers)],
        "norm": jnp.ones(d),
        "answer": matrix(d, shape.classes),
    }


def logits(weights: Weights, tokens: jax.Array, told: Told, shape: Shape) -> jax.Array:
    """Return the logits of the answers: (B, L, C), or (B, C) where rows are pooled."""
    x = weights["words"][tokens]
    if told.joined is not None:
        beside = jnp.broadcast_to(told.joined, (*tokens.shape, told.joined.shape[-1]))
        x = jnp.concatenate([x, beside], axis=-1)
    if told.added is not None:
        x = x + told.added
    for layer in weights["layers"]:
        x = x + _attention(layer, _normed(x, layer["norm_a"]), told, shape)
        hidden = jax.nn.gelu(_normed(x, layer["norm_b"]) @ layer["wide"])
        x = x + hidden @ layer["back"]
    x = _normed(x, weights["norm"])
    answers: jax.Array = (x.mean(axis=1) if shape.pooled else x) @ weights["answer"]
    return answers


def _normed(x: jax.Array, gain: jax.Array) -> jax.Array:
    return gain * x / jnp.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-6)


def _attention(layer: Weights, x: jax.Array, told: Told, shape: Shape) -> jax.Array:
    batch, seq_len, d = x.shape
    heads = (x @ layer["qkv"]).reshape(batch, seq_len, 3, shape.heads, shape.head_dim)
    q, k, v = heads.transpose(2, 0, 3, 1, 4)  # each (B, H, L, r)
    if told.projected is not None:
        q, k = q + told.projected, k + told.projected
    if told.cos_sin is not None:
        q, k = (turned(part, *told.cos_sin, told.layout) for part in (q, k))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(shape.head_dim)
    if told.bias is not None:
        scores = scores + told.bias
    if shape.causal:
        scores = jnp.where(np.tri(seq_len, dtype=bool), scores, -1e9)
    mixed = jax.nn.softmax(scores, axis=-1) @ v
    out: jax.Array = mixed.swapaxes(1, 2).reshape(batch, seq_len, d) @ layer["out"]
    return out


def turned(x: jax.Array, cos: jax.Array, sin: jax.Array, layout: str) -> jax.Array:
    """Turn the pairs of channels of the last axis, as `posenc.apply_rotary` does for NumPy."""
    if layout == "interleaved":
        first, second = x[..., ::2], x[..., 1::2]
        pairs = (first * cos - second * sin, first * sin + second * cos)
        return jnp.stack(pairs, axis=-1).reshape(x.shape)
    first, second = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([first * cos - second * sin, first * sin + second * cos], axis=-1)
