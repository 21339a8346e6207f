"""Training a small model on a task, and its accuracy at any length.

Everything random comes from one seed: weights, then batches, in this order. The tests are
drawn from a seed of their own, the same for all models.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from numpy.typing import NDArray
from tqdm import tqdm

from posenc.experiments import encodings, model
from posenc.experiments.encodings import Encoding
from posenc.experiments.model import Shape
from posenc.experiments.tasks import Batch

Task = Callable[[np.random.Generator, int, int], Batch]
TEST_SEED = 10_000  # no seed of a training
CHUNK = 50  # steps between two signs of life


class Plan(NamedTuple):
    """How long and how fast to train."""

    steps: int = 1000  # a multiple of CHUNK
    batch: int = 32
    seq_len: int = 32
    rate: float = 4e-3  # of Adam at its height, after a tenth of the steps


class Trained(NamedTuple):
    """A model after training."""

    weights: dict[str, Any]  # of the model, and "learned" of the encoding
    losses: NDArray[np.float64]  # mean of each CHUNK steps


def train(
    task: Task,
    encoding: Encoding,
    shape: Shape,
    plan: Plan,
    seed: int,
    *,
    start: Trained | None = None,
    quiet: bool = True,
) -> Trained:
    """Return a model trained from a seed.

    Args:
        task: What is learned, one of `tasks` or the like.
        encoding: What the model is told of positions.
        shape: Of the model.
        plan: Of the training.
        seed: Of weights and batches.
        start: A model to go on from, in place of new weights.
        quiet: False shows progress on stderr.
    """
    rng = np.random.default_rng(seed)
    if start is None:
        weights = model.weights(rng, shape)
        weights["learned"] = encodings.learned(rng, encoding, shape)
    else:
        weights = start.weights
    state = _optimiser(plan).init(weights)
    losses = []
    for _ in tqdm(range(plan.steps // CHUNK), disable=quiet, desc=encoding.name, unit_scale=CHUNK):
        batches = [task(rng, plan.batch, plan.seq_len) for _ in range(CHUNK)]
        words, labels = (np.stack(part) for part in zip(*batches, strict=True))
        weights, state, loss = _steps(weights, state, words, labels, encoding, shape, plan)
        losses.append(float(loss))
    return Trained(weights, np.array(losses))


def accuracy(
    trained: Trained,
    task: Task,
    encoding: Encoding,
    shape: Shape,
    seq_len: int,
    *,
    last: int | None = None,
    sentences: int = 512,
) -> float:
    """Return the share of right answers on new sentences of a length, from 0 to 1.

    Args:
        trained: What `train` returned.
        task: Usually the one of training.
        encoding: The one of training, or one that takes its weights, such as a stretched RoPE.
        shape: Of the model.
        seq_len: Words of a sentence.
        last: How many places at the end are asked, all by default.
        sentences: How many, a multiple of 64; they go through the model 64 at a time.
    """
    words, labels = task(np.random.default_rng(TEST_SEED), sentences, seq_len)
    if last is not None:
        labels[:, : seq_len - last] = -1
    right = [
        np.asarray(_answers(trained.weights, words[start : start + 64], encoding, shape))
        for start in range(0, sentences, 64)
    ]
    asked = labels >= 0
    return float((np.concatenate(right) == labels)[asked].mean())


def _optimiser(plan: Plan) -> optax.GradientTransformation:
    rate = optax.warmup_cosine_decay_schedule(0.0, plan.rate, plan.steps // 10, plan.steps)
    return optax.chain(optax.clip_by_global_norm(1.0), optax.adam(rate))


@partial(jax.jit, static_argnames=("encoding", "shape"))
def _answers(weights: Any, words: Any, encoding: Encoding, shape: Shape) -> jax.Array:
    told = encodings.told(weights["learned"], encoding, shape, words.shape[-1])
    return jnp.argmax(model.logits(weights, words, told, shape), axis=-1)


@partial(jax.jit, static_argnames=("encoding", "shape", "plan"))
def _steps(
    weights: Any, state: Any, words: Any, labels: Any, encoding: Encoding, shape: Shape, plan: Plan
) -> tuple[Any, Any, jax.Array]:
    """Take a step for each batch of a chunk; return the mean of their losses."""
    optimiser = _optimiser(plan)

    def loss_of(weights: Any, words: Any, labels: Any) -> jax.Array:
        told = encodings.told(weights["learned"], encoding, shape, words.shape[-1])
        answers = model.logits(weights, words, told, shape)
        losses = optax.softmax_cross_entropy_with_integer_labels(answers, jnp.maximum(labels, 0))
        return jnp.sum(losses * (labels >= 0)) / jnp.sum(labels >= 0)

    def step(carried: Any, batch: Any) -> tuple[Any, jax.Array]:
        weights, state = carried
        loss, gradient = jax.value_and_grad(loss_of)(weights, *batch)
        updates, state = optimiser.update(gradient, state, weights)
        return (optax.apply_updates(weights, updates), state), loss

    (weights, state), losses = jax.lax.scan(step, (weights, state), (words, labels))
    return weights, state, losses.mean()
