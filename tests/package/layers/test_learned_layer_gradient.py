"""learned_layer: its gradient through attention, judged by autograd and by differences."""

from typing import Any

import autograd
import autograd.numpy as anp
import numpy as np
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from posenc.layers.learned import LearnedPositionalEncoding


def seeded(max_seq_len: int, d_model: int) -> LearnedPositionalEncoding:
    """Return a layer whose rows are as long as tokens, so that both matter to the loss."""
    return LearnedPositionalEncoding(max_seq_len, d_model, std=1, rng=np.random.default_rng(7))


def normal(*shape: int, seed: int = 3) -> NDArray[np.float64]:
    return np.random.default_rng(seed).normal(size=shape)


WEIGHTS = normal(3, 4, 4, seed=5)
TARGET = normal(3, 5, 4, seed=6)


def loss(H: Any) -> Any:
    """Attention with a causal mask, a nonlinearity, and the distance to a target."""
    Q, K, V = (anp.matmul(H, W) for W in WEIGHTS)
    logits = anp.matmul(Q, anp.swapaxes(K, 1, 2)) / 2 + np.triu(np.full((5, 5), -30.0), 1)
    weights = anp.exp(logits - anp.max(logits, axis=2, keepdims=True))
    out = anp.matmul(weights / anp.sum(weights, axis=2, keepdims=True), V)
    return anp.sum((anp.tanh(out) - TARGET) ** 2)


def gradients(encoder: LearnedPositionalEncoding, X: NDArray[Any]) -> tuple[Any, Any]:
    """Return what the layer says: the gradients of the loss by its table and by X."""
    upstream = autograd.grad(loss)(encoder.forward(X))
    dX = encoder.backward(upstream)
    return encoder.grad_embedding, dX


def test_the_gradient_is_that_of_autograd() -> None:
    encoder, X = seeded(8, 4), normal(3, 5, 4)

    table, dX = gradients(encoder, X)

    def through(table: Any, X: Any) -> Any:
        return loss(X + table[:5])

    expected = autograd.grad(through, 0)(encoder.embedding, X)
    assert abs(expected[:5]).min() > 1e-3  # there is something to compare
    assert not expected[5:].any()
    # Sums of three numbers of the size of 10, in another order.
    assert_allclose(table, expected, rtol=0, atol=1e-13)
    assert_allclose(dX, autograd.grad(through, 1)(encoder.embedding, X), rtol=0, atol=1e-13)
