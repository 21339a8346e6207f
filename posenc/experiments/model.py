"""A small transformer in JAX, in which positions may enter at every place known.

Pre-norm layers of attention and an MLP with one hidden layer. Everything that depends on positions
comes in as `PositionInputs` (see `encodings`); with `nothing`, the model is blind to order.

Letters in this module
    B  sequences of a batch    L  positions (seq_len)    d  channels (d_model)
    H  heads                   r  channels of a head     V  words    C  classes
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

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


class PositionInputs(NamedTuple):
    """What a model gets about positions, for one length L; `nothing` has the least of each.

    All of it is numbers, so that one compiled program serves every encoding.
    """

    joined: Any  # (L, shape.joined), beside the words
    added: Any  # (L, d), to the words
    projected: Any  # (L, r), to queries and keys, after their projection
    cos: Any  # (L, r), of the angles that rotate the channels of queries and keys
    sin: Any  # (L, r)
    quarter: Any  # (r, r), rotates each pair of channels by a right angle
    bias: Any  # (H, L, L), to the logits


def nothing(shape: Shape, seq_len: int) -> PositionInputs:
    """Return what changes nothing: zeros to be added, and angles of zero."""
    r = shape.head_dim

    def zeros(*size: int) -> NDArray[np.float32]:
        return np.zeros(size, np.float32)

    return PositionInputs(
        joined=zeros(seq_len, shape.joined),
        added=zeros(seq_len, shape.d_model),
        projected=zeros(seq_len, r),
        cos=np.ones((seq_len, r), np.float32),
        sin=zeros(seq_len, r),
        quarter=zeros(r, r),
        bias=zeros(shape.heads, seq_len, seq_len),
    )


def weights(rng: np.random.Generator, shape: Shape) -> Weights:
    """Draw the weights: words with entries of variance 1, matrices of variance 1/rows."""
    d = shape.d_model

    def matrix(rows: int, columns: int) -> NDArray[np.float32]:
        return np.asarray(rng.normal(size=(rows, columns)) / np.sqrt(rows), np.float32)

    def gain() -> NDArray[np.float32]:
        return np.ones(d, np.float32)

    def layer() -> Weights:
        return {
            "qkv": matrix(d, 3 * d),
            "out": matrix(d, d),
            "wide": matrix(d, 4 * d),
            "back": matrix(4 * d, d),
            "norm_a": gain(),
            "norm_b": gain(),
        }

    return {
        "words": np.asarray(rng.normal(size=(shape.vocabulary, d - shape.joined)), np.float32),
        "layers": [layer() for _ in range(shape.layers)],
        "norm": gain(),
        "answer": matrix(d, shape.classes),
    }


def logits(
    weights: Weights,
    tokens: jax.Array,
    inputs: PositionInputs | Sequence[PositionInputs],
    shape: Shape,
) -> jax.Array:
    """Return the logits of the answers: (B, L, C), or (B, C) where rows are pooled.

    `inputs` are those of all layers, or of each layer; the first layer's are added to the words.
    """
    layers = [inputs] * shape.layers if isinstance(inputs, PositionInputs) else inputs
    beside = jnp.broadcast_to(layers[0].joined, (*tokens.shape, shape.joined))
    x = jnp.concatenate([weights["words"][tokens], beside], axis=-1) + layers[0].added
    for layer, own in zip(weights["layers"], layers, strict=True):
        x = x + _attention(layer, normalise(x, layer["norm_a"]), own, shape)
        hidden = jax.nn.gelu(normalise(x, layer["norm_b"]) @ layer["wide"])
        x = x + hidden @ layer["back"]
    x = normalise(x, weights["norm"])
    answers: jax.Array = (x.mean(axis=1) if shape.pooled else x) @ weights["answer"]
    return answers


def normalise(x: jax.Array, gain: jax.Array) -> jax.Array:
    """Divide each row by its root mean square and multiply it by the gain."""
    return gain * x / jnp.sqrt((x * x).mean(axis=-1, keepdims=True) + 1e-6)


def _attention(layer: Weights, x: jax.Array, inputs: PositionInputs, shape: Shape) -> jax.Array:
    batch, seq_len, d = x.shape
    heads = (x @ layer["qkv"]).reshape(batch, seq_len, 3, shape.heads, shape.head_dim)
    q, k, v = heads.transpose(2, 0, 3, 1, 4)  # each (B, H, L, r)
    q, k = (rotate(part + inputs.projected, inputs) for part in (q, k))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(shape.head_dim) + inputs.bias
    if shape.causal:
        scores = jnp.where(np.tri(seq_len, dtype=bool), scores, -1e9)
    mixed = jax.nn.softmax(scores, axis=-1) @ v
    out: jax.Array = mixed.swapaxes(1, 2).reshape(batch, seq_len, d) @ layer["out"]
    return out


def rotate(x: jax.Array, inputs: PositionInputs) -> jax.Array:
    """Rotate the pairs of channels of the last axis, as `posenc.apply_rotary` does for NumPy.

    A vector rotated by an angle is its cosine times the vector, plus its sine times the vector
    rotated by a right angle.
    """
    out: jax.Array = x * inputs.cos + (x @ inputs.quarter) * inputs.sin
    return out
