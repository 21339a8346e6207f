"""Training a small model on a task, and its accuracy, or its loss, at any length.

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
from jax.flatten_util import ravel_pytree
from numpy.typing import NDArray
from tqdm import tqdm

from posenc.experiments import encodings, model
from posenc.experiments.encodings import Encoding, Encodings, LayersCode
from posenc.experiments.model import Shape
from posenc.experiments.tasks import Batch

Task = Callable[[np.random.Generator, int, int], Batch]
TEST_SEED = 10_000  # no seed of a training
CHUNK = 50  # steps between two signs of life
OPTIMISER = optax.chain(optax.clip_by_global_norm(1.0), optax.scale_by_adam())


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
    encoding: Encodings,
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
        encoding: What the model gets about positions, in all layers or in each.
        shape: Of the model.
        plan: Of the training.
        seed: Of weights and batches.
        start: A model to go on from, instead of new weights.
        quiet: False shows progress on stderr.
    """
    rng = np.random.default_rng(seed)
    if start is None:
        weights = model.weights(rng, shape)
        weights["learned"] = encodings.draw_learned(rng, encoding, shape)
    else:
        weights = start.weights
    code = encodings.make_encoder(encoding, shape, plan.seq_len)
    state, losses = _state(weights), []
    chunks = _rates(plan).reshape(-1, CHUNK)
    for rates in tqdm(chunks, disable=quiet, desc=_name(encoding), unit_scale=CHUNK):
        batches = [task(rng, plan.batch, plan.seq_len) for _ in range(CHUNK)]
        words, labels = (np.stack(part) for part in zip(*batches, strict=True))
        weights, state, loss = _steps(weights, state, words, labels, rates, code, shape)
        losses.append(float(loss))
    return Trained(jax.device_get(weights), np.array(losses))


def accuracy(
    trained: Trained,
    task: Task,
    encoding: Encodings,
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
    code = encodings.make_encoder(encoding, shape, seq_len)
    right = [
        np.asarray(_answers(trained.weights, words[start : start + 64], code, shape))
        for start in range(0, sentences, 64)
    ]
    asked = labels >= 0
    return float((np.concatenate(right) == labels)[asked].mean())


def nats(
    trained: Trained, encoding: Encodings, shape: Shape, asked: Batch, places: int
) -> NDArray[np.float64]:
    """Return the mean loss at the first `places` places, at the next, and so on.

    Args:
        trained: What `train` returned.
        encoding: The one of training, or one that takes its weights, such as a stretched RoPE.
        shape: Of the model.
        asked: Words and labels, shape (B, L) each; 16 rows at a time go through the model.
        places: How many have their losses in one mean; it divides L.
    """
    words, labels = asked
    code = encodings.make_encoder(encoding, shape, words.shape[1])
    full = ((0, -len(words) % 16), (0, 0))
    words, labels = np.pad(words, full), np.pad(labels, full, constant_values=-1)
    batches = (slice(start, start + 16) for start in range(0, len(words), 16))
    losses = np.concatenate(
        [_losses(trained.weights, words[rows], labels[rows], code, shape) for rows in batches]
    )
    total, count = (
        part.sum(axis=0, dtype=np.float64).reshape(-1, places).sum(axis=1)
        for part in (losses, labels >= 0)
    )
    means: NDArray[np.float64] = total / count
    return means


def _name(encoding: Encodings) -> str:
    layers = (encoding,) if isinstance(encoding, Encoding) else encoding
    return ", ".join(one.name for one in layers)


def _rates(plan: Plan) -> NDArray[np.float32]:
    """Return the rate of each step: it rises for a tenth of them, then falls as a cosine to 0."""
    step, warm = np.arange(plan.steps), plan.steps // 10
    falling = (1 + np.cos(np.pi * (step - warm) / (plan.steps - warm))) / 2
    return np.asarray(plan.rate * np.where(step < warm, step / warm, falling), np.float32)


@partial(jax.jit, static_argnames="shape")
def _answers(weights: Any, words: Any, code: LayersCode, shape: Shape) -> jax.Array:
    return jnp.argmax(model.logits(weights, words, code(weights["learned"]), shape), axis=-1)


@partial(jax.jit, static_argnames="shape")
def _losses(weights: Any, words: Any, labels: Any, code: LayersCode, shape: Shape) -> jax.Array:
    """Return the loss of each answer, in nats, and zero where nothing is asked."""
    answers = model.logits(weights, words, code(weights["learned"]), shape)
    losses = optax.softmax_cross_entropy_with_integer_labels(answers, jnp.maximum(labels, 0))
    found: jax.Array = losses * (labels >= 0)
    return found


@jax.jit
def _state(weights: Any) -> Any:
    return OPTIMISER.init(ravel_pytree(weights)[0])


@partial(jax.jit, static_argnames="shape")
def _steps(
    weights: Any, state: Any, words: Any, labels: Any, rates: Any, code: LayersCode, shape: Shape
) -> tuple[Any, Any, jax.Array]:
    """Take a step for each batch of a chunk; return the mean of their losses.

    Adam sees all weights as one long vector, which is compiled faster than one update for each.
    """
    start, tree = ravel_pytree(weights)

    def loss_of(flat: jax.Array, words: Any, labels: Any) -> jax.Array:
        return jnp.sum(_losses(tree(flat), words, labels, code, shape)) / jnp.sum(labels >= 0)

    def step(carried: Any, batch: Any) -> tuple[Any, jax.Array]:
        flat, state = carried
        words, labels, rate = batch
        loss, gradient = jax.value_and_grad(loss_of)(flat, words, labels)
        update, state = OPTIMISER.update(gradient, state)
        return (flat - rate * update, state), loss

    (flat, state), losses = jax.lax.scan(step, (start, state), (words, labels, rates))
    return tree(flat), state, losses.mean()
