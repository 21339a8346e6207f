"""embedding_layer: the gradient of the token table, judged by autograd and by counting."""

import math
from typing import Any

import numpy as np
import pytest
from autograd import grad
from autograd import numpy as anp
from numpy.testing import assert_allclose

from posenc.layers.embedding import PositionalEmbedding


def paper(p: int, d: int, base: float = 10_000.0) -> list[float]:
    """Section 3.5 for one position, channel by channel."""
    angles = [p / base ** (2 * i / d) for i in range(d // 2)]
    return [f(angle) for angle in angles for f in (math.sin, math.cos)]


def layer(**options: Any) -> PositionalEmbedding:
    """Return a layer of 7 tokens, 5 positions and 4 channels that is the same every time."""
    return PositionalEmbedding(7, 5, 4, **{"rng": np.random.default_rng(1), **options})


IDS = [[3, 0, 3], [6, 3, 1]]


def loss(table: Any, ids: Any, scale: float, keep: Any, rate: float, weights: Any) -> Any:
    """Compute a loss from the token table as the layer's description says, for autograd."""
    codes = anp.array([paper(p, 4) for p in range(len(ids[0]))])
    one_hot = anp.eye(7)[anp.array(ids)]
    out = (scale * anp.dot(one_hot, table) + codes) * keep / (1 - rate)
    return anp.sum(weights * out**3)


@pytest.mark.parametrize("scale", [1.0, 2.5])
@pytest.mark.parametrize("rate", [0.0, 0.25])
def test_backward_agrees_with_autograd(scale: float, rate: float) -> None:
    embed = layer(scale=scale, dropout=rate)
    weights = np.random.default_rng(5).normal(size=(2, 3, 4))
    out = embed.forward(IDS, training=True, rng=np.random.default_rng(6))
    keep = out != 0
    assert keep.all() == (rate == 0)

    embed.backward(3 * weights * out**2)

    expected = grad(loss)(embed.embedding, IDS, scale, keep, rate, weights)
    assert_allclose(embed.grad_embedding, expected, rtol=1e-12, atol=1e-12)
    assert not embed.grad_embedding[[2, 4, 5]].any()  # tokens that do not occur


def test_gradients_of_parts_add_up_where_asked_for() -> None:
    embed = layer()
    embed.forward([[1]])
    embed.backward([[[1.0, 2.0, 3.0, 4.0]]])
    first = embed.grad_embedding
    embed.forward([1, 1])
    embed.backward([[9.0, 9.0, 9.0, 9.0], [0.0, 1.0, 0.0, 0.0]], accumulate=True)
    assert embed.grad_embedding[1].tolist() == [10, 12, 12, 13]
    assert first[1].tolist() == [1, 2, 3, 4]

    embed.forward([2])
    embed.backward([[9.0, 9.0, 9.0, 9.0]])
    assert embed.grad_embedding.sum(axis=1).tolist() == [0, 0, 36, 0, 0, 0, 0]
    embed.zero_grad()
    assert not embed.grad_embedding.any()


def test_a_gradient_is_summed_before_it_is_rounded() -> None:
    embed = PositionalEmbedding(2, 3000, 2, dtype=np.float16)
    embed.forward([1] * 3000)

    embed.backward(np.ones((3000, 2)))  # from 2048 on, adding 1 in float16 changes nothing

    assert embed.grad_embedding[1].tolist() == [3000, 3000]


def test_backward_belongs_to_the_last_forward() -> None:
    embed = layer(dropout=0.5)
    ids = np.array([1, 2])
    embed.forward([5, 5, 5], training=True)
    embed.forward(ids)
    ids[:] = 6  # what the caller does with his array later is his affair

    embed.backward(np.ones((2, 4)))

    assert embed.grad_embedding.sum(axis=1).tolist() == [0, 4, 4, 0, 0, 0, 0]
