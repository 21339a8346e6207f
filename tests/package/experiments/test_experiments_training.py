"""Training: what the seed decides, what is asked, and that learning happens."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from posenc.experiments import encodings, model, tasks, training
from posenc.experiments.encodings import Encoding
from posenc.experiments.model import Shape
from posenc.experiments.training import Plan, accuracy, train

SHAPE = Shape(vocabulary=8, classes=8, d_model=16, heads=2, layers=1, causal=True)
PLAN = Plan(steps=100, batch=16, seq_len=8, rate=1e-2)
CODE = Encoding("learned", train_len=8)


@pytest.fixture(scope="module")
def trained():
    return train(tasks.look_back, CODE, SHAPE, PLAN, 0)


def test_the_seed_decides_all(trained):
    same, other = (train(tasks.look_back, CODE, SHAPE, PLAN, seed) for seed in (0, 1))

    assert trained.losses.tolist() == same.losses.tolist()
    assert trained.losses.tolist() != other.losses.tolist()


def test_training_step_agrees_with_optax_adam():
    """The chunk against optax, matrix by matrix, step by step."""
    rng = np.random.default_rng(0)
    weights = model.weights(rng, SHAPE)
    weights["learned"] = encodings.draw_learned(rng, CODE, SHAPE)
    trained = train(tasks.look_back, CODE, SHAPE, PLAN._replace(steps=50), 0)
    adam = optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.adam(optax.warmup_cosine_decay_schedule(0.0, PLAN.rate, 5, 50)),
    )

    @jax.value_and_grad
    def loss_of(weights, words, labels):
        told = encodings.encode_positions(weights["learned"], CODE, SHAPE, PLAN.seq_len)
        shares = jax.nn.log_softmax(model.logits(weights, words, told, SHAPE))
        return -jnp.take_along_axis(shares, labels[..., None], -1)[:, tasks.BACK :].mean()

    @jax.jit
    def step(weights, state, words, labels):
        loss, gradient = loss_of(weights, words, labels)
        update, state = adam.update(gradient, state)
        return optax.apply_updates(weights, update), state, loss

    state, losses = adam.init(weights), []
    for _ in range(50):
        weights, state, loss = step(weights, state, *tasks.look_back(rng, PLAN.batch, PLAN.seq_len))
        losses.append(float(loss))

    assert trained.losses == pytest.approx([np.mean(losses)], rel=1e-5)
    found, expected = (jax.tree.leaves(part) for part in (trained.weights, weights))
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(np.asarray(other), abs=1e-5)


def test_training_continues_from_given_weights(trained):
    more = train(tasks.look_back, CODE, SHAPE, PLAN, 1, start=trained)

    assert more.losses[-1] < trained.losses[-1]


def test_accuracy_counts_only_labelled_positions(trained):
    """A task that asks for the answers of the model itself, at every second place."""

    def own(rng, batch, seq_len):
        words, _ = tasks.look_back(rng, batch, seq_len)
        told = encodings.encode_positions(trained.weights["learned"], CODE, SHAPE, seq_len)
        answers = model.logits(trained.weights, jnp.asarray(words), told, SHAPE)
        labels = np.array(answers.argmax(axis=-1))
        labels[:, ::2] = -1
        labels[:, 1] = (labels[:, 1] + 1) % 8  # wrong
        return words, labels

    def share(last: int | None) -> float:
        return accuracy(trained, own, CODE, SHAPE, 8, last=last, sentences=64)

    assert share(None) == pytest.approx(3 / 4)
    assert share(6) == 1.0
    assert share(7) == pytest.approx(3 / 4)


def test_all_sentences_count(trained):
    """Also those after the first 64."""

    def last_is_wrong(rng, batch, seq_len):
        words, labels = tasks.look_back(rng, batch, seq_len)
        labels[:64], labels[64:] = -1, 8  # no answer
        labels[0, 0] = 8
        return words, labels

    assert accuracy(trained, last_is_wrong, CODE, SHAPE, 8, sentences=128) == 0


@pytest.mark.parametrize("rows", [16, 37])
def test_losses_are_the_mean_of_what_is_asked_by_place(trained, rows):
    """Against probabilities in float64, place by place; 37 rows do not fill the last 16."""
    words, labels = tasks.look_back(np.random.default_rng(9), rows, 8)
    labels[::3, 5] = -1
    told = encodings.encode_positions(trained.weights["learned"], CODE, SHAPE, 8)
    answers = np.asarray(model.logits(trained.weights, jnp.asarray(words), told, SHAPE), float)
    shares = np.exp(answers) / np.exp(answers).sum(axis=-1, keepdims=True)

    found = training.nats(trained, CODE, SHAPE, (words, labels), 4)

    for place, loss in zip((0, 4), found, strict=True):
        lost = [
            -np.log(shares[row, p, labels[row, p]])
            for row in range(rows)
            for p in range(place, place + 4)
            if labels[row, p] >= 0
        ]
        assert loss == pytest.approx(np.mean(lost), rel=1e-5)


def test_progress_is_shown_where_it_is_wanted(capsys):
    train(tasks.look_back, CODE, SHAPE, PLAN._replace(steps=50), 0, quiet=False)

    assert "learned: 100%" in capsys.readouterr().err
