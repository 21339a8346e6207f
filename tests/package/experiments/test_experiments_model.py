"""The model of the experiments against the same in NumPy, and what it cannot see."""

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from posenc.experiments import encodings, model
from posenc.experiments.encodings import Encoding, Encodings
from posenc.experiments.model import PositionInputs, Shape

SHAPE = Shape(vocabulary=7, classes=3, d_model=16, heads=2, layers=2)
WORDS = np.random.default_rng(3).integers(7, size=(4, 6))


def answers(
    encoding: Encodings, shape: Shape = SHAPE, words: Any = WORDS
) -> tuple[NDArray[np.float64], Any, Any]:
    rng = np.random.default_rng(0)
    weights = model.weights(rng, shape)
    learned = encodings.draw_learned(rng, encoding, shape)
    if "buckets" in learned:
        learned["buckets"] = rng.normal(size=(32, shape.heads)).astype(np.float32)
    inputs = encodings.make_encoder(encoding, shape, words.shape[1])(learned)
    return np.asarray(model.logits(weights, words, inputs, shape)), weights, inputs


def in_numpy(
    weights: Any, words: Any, given: Any, shape: Shape, layout: str
) -> NDArray[np.float64]:
    """The same model with NumPy, sentence by sentence and head by head."""

    def normed(x: Any, gain: Any) -> Any:
        return gain * x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-6)

    def gelu(x: Any) -> Any:
        return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))

    weights = {k: v for k, v in weights.items() if k != "learned"}
    every = [given] * shape.layers if isinstance(given, PositionInputs) else given
    out = []
    for sentence in words:
        x = np.hstack([np.asarray(weights["words"], float)[sentence], np.asarray(every[0].joined)])
        x = x + np.asarray(every[0].added)
        for layer, inputs in zip(weights["layers"], every, strict=True):
            rows = normed(x, np.asarray(layer["norm_a"])) @ np.asarray(layer["qkv"], float)
            heads = []
            for h in range(shape.heads):
                r = shape.head_dim
                q, k, v = (rows[:, (n * shape.heads + h) * r :][:, :r] for n in range(3))
                q, k = (
                    turned(part + np.asarray(inputs.projected), inputs, layout) for part in (q, k)
                )
                scores = q @ k.T / np.sqrt(r) + np.asarray(inputs.bias[h])
                if shape.causal:
                    scores[np.triu_indices(len(x), 1)] = -np.inf
                shares = np.exp(scores - scores.max(axis=1, keepdims=True))
                heads.append(shares / shares.sum(axis=1, keepdims=True) @ v)
            x = x + np.hstack(heads) @ np.asarray(layer["out"])
            hidden = gelu(normed(x, np.asarray(layer["norm_b"])) @ np.asarray(layer["wide"]))
            x = x + hidden @ np.asarray(layer["back"])
        x = normed(x, np.asarray(weights["norm"]))
        out.append((x.mean(axis=0) if shape.pooled else x) @ np.asarray(weights["answer"]))
    return np.array(out)


def turned(x: Any, inputs: Any, layout: str) -> Any:
    """By complex numbers: e^{i·angle} times each pair, whose channels have one angle."""
    half = x.shape[1] // 2
    first = slice(0, None, 2) if layout == "interleaved" else slice(0, half)
    second = slice(1, None, 2) if layout == "interleaved" else slice(half, None)
    for part in (inputs.cos, inputs.sin):
        assert np.array_equal(part[:, first], part[:, second])
    turn = np.asarray(inputs.cos)[:, first] + 1j * np.asarray(inputs.sin)[:, first]
    z = (x[:, first] + 1j * x[:, second]) * turn
    out = np.empty_like(x)
    out[:, first], out[:, second] = z.real, z.imag
    return out


ENCODINGS = [
    Encoding("none"),
    Encoding("sinusoidal"),
    Encoding("sinusoidal", place="projected", layout="half"),
    Encoding("learned", train_len=6),
    Encoding("hybrid", train_len=4),
    Encoding("rope", train_len=6),
    Encoding("rope", train_len=6, layout="half", rope_type="yarn", factor=4.0),
    Encoding("alibi"),
    Encoding("t5"),
    Encoding("wrong: mixed layouts"),
]


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("encoding", ENCODINGS, ids=str)
def test_model_agrees_with_the_same_model_in_numpy(encoding, causal):
    shape = SHAPE._replace(causal=causal, pooled=not causal)

    found, weights, inputs = answers(encoding, shape)

    # float32 against float64: 24 bits, some tens of additions deep
    layout = "half" if encoding.name == "wrong: mixed layouts" else encoding.layout
    assert found == pytest.approx(in_numpy(weights, WORDS, inputs, shape, layout), abs=2e-5)


def test_each_layer_gets_its_own_encoding():
    rope, none = Encoding("rope", train_len=6), Encoding("none")
    shape = SHAPE._replace(causal=True)

    found = {}
    for order in itertools.product((rope, none), repeat=2):
        found[order], weights, inputs = answers(order, shape)
        expected = in_numpy(weights, WORDS, inputs, shape, rope.layout)
        assert found[order] == pytest.approx(expected, abs=2e-5)

    assert np.array_equal(found[rope, rope], answers(rope, shape)[0])
    for one, other in itertools.combinations(found.values(), 2):
        assert abs(one - other).max() > 0.01
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        answers((rope,), shape)


def test_one_layer_has_no_encoding_that_is_added_or_trained():
    layers = (Encoding("none"), Encoding("learned", train_len=8))

    with pytest.raises(ValueError, match="learned is an encoding of all layers"):
        encodings.make_encoder(layers, Shape(vocabulary=5, classes=2), 8)


def test_joined_code_takes_channels_from_the_words():
    shape = SHAPE._replace(joined=4)

    found, weights, inputs = answers(Encoding("sinusoidal", place="joined"), shape)

    assert weights["words"].shape == (7, 12)
    assert found == pytest.approx(in_numpy(weights, WORDS, inputs, shape, "half"), abs=2e-5)
