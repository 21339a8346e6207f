"""What models of the experiments are told of positions, against `posenc` and plain Python."""

import math
from typing import Any

import numpy as np
import pytest

import posenc
from posenc.experiments import encodings
from posenc.experiments.encodings import Encoding
from posenc.experiments.model import Shape, nothing

SHAPE = Shape(vocabulary=7, classes=3, d_model=16, heads=2)


def told(encoding: Encoding, seq_len: int = 9, shape: Shape = SHAPE) -> tuple[Any, Any]:
    learned = encodings.draw_learned(np.random.default_rng(0), encoding, shape)
    return learned, encodings.encode_positions(learned, encoding, shape, seq_len)


@pytest.mark.parametrize("layout", ["interleaved", "half"])
def test_sinusoids_are_those_of_posenc(layout):
    table = posenc.sinusoidal_positional_encoding(9, 16, layout=layout)

    assert told(Encoding("sinusoidal", layout=layout))[1].added == pytest.approx(table, abs=1e-6)


def test_a_learned_table_repeats_its_last_row_beyond():
    learned, found = told(Encoding("learned", train_len=5))
    table = np.asarray(learned["table"])

    assert np.array_equal(found.added, [*table, *[table[-1]] * 4])


def test_the_table_of_a_hybrid_ends_and_its_waves_do_not():
    learned, found = told(Encoding("hybrid", train_len=5))

    assert np.array_equal(found.added[:5, 8:], learned["table"])
    assert np.array_equal(found.added[5:, 8:], np.zeros((4, 8)))
    waves = posenc.sinusoidal_positional_encoding(9, 8)
    assert found.added[:, :8] == pytest.approx(waves, abs=1e-6)


@pytest.mark.parametrize(
    ("kind", "factor", "slowest"), [("default", 1.0, 1.0), ("linear", 4.0, 4.0), ("yarn", 4.0, 4.0)]
)
def test_scaled_rope_slows_its_slowest_pair(kind, factor, slowest):
    encoding = Encoding("rope", train_len=32, rope_type=kind, factor=factor)

    found = told(encoding)[1]
    cos, sin = (np.asarray(part[:, ::2], float) for part in (found.cos, found.sin))

    angles = np.arctan2(sin, cos)[1]  # of position 1
    assert angles[-1] == pytest.approx(10000.0 ** (-6 / 8) / slowest, rel=1e-5)
    fastest = 1 / factor if kind == "linear" else 1.0
    assert angles[0] == pytest.approx(fastest, rel=1e-5)
    length = 0.1 * math.log(4) + 1 if kind == "yarn" else 1.0
    assert np.hypot(cos, sin) == pytest.approx(length, rel=1e-5)


@pytest.mark.parametrize("causal", [False, True])
def test_alibi_falls_with_the_distance(causal):
    bias = np.asarray(told(Encoding("alibi"), shape=SHAPE._replace(causal=causal))[1].bias)

    assert bias[0, 5, 2] == pytest.approx(-3 / 16)
    assert bias[1, 5, 2] == pytest.approx(-3 / 256)
    assert bias[0, 2, 5] < -1e6 if causal else bias[0, 2, 5] == pytest.approx(-3 / 16)


@pytest.mark.parametrize(
    ("name", "keys"), [("window of 16", 16), ("rope, window of 16", 16), ("rope, window of 64", 64)]
)
def test_a_window_shows_the_last_keys_and_leaves_the_rotation_alone(name, keys):
    shape = SHAPE._replace(causal=True)

    found = told(Encoding(name, train_len=64), 99, shape)[1]

    distances = np.subtract.outer(np.arange(99), np.arange(99))
    hidden = np.asarray(found.bias) < -1e8
    assert all(np.array_equal(head, distances >= keys) for head in hidden)
    assert np.array_equal(found.bias[~hidden], np.zeros((~hidden).sum()))
    rotation = Encoding("rope", train_len=64) if name.startswith("rope") else Encoding("none")
    assert np.array_equal(found.sin, told(rotation, 99, shape)[1].sin)


def test_t5_bias_is_looked_up_by_distance():
    shape = SHAPE._replace(causal=True)
    numbers = np.random.default_rng(1).normal(size=(32, 2)).astype(np.float32)

    found = np.asarray(
        encodings.encode_positions({"buckets": numbers}, Encoding("t5"), shape, 9).bias
    )

    for p, q in ((8, 8), (8, 5), (4, 0)):  # up to 15, a bucket for each distance
        assert np.array_equal(found[:, p, q], numbers[p - q])


def test_wrong_encodings_have_their_named_mistake():
    """Their channels, in plain Python; and none is the right code."""
    right = told(Encoding("sinusoidal"))[1].added
    precedence, own, noise = (
        np.asarray(told(Encoding(f"wrong: {name}"))[1].added, float)
        for name in ("precedence", "own exponents", "noise")
    )

    assert precedence[7, 2] == pytest.approx(math.sin(7 * 10000.0**-2 / 16), abs=1e-6)
    assert precedence[7, 0] == pytest.approx(math.sin(7 / 16), abs=1e-6)
    assert own[7, 3] == pytest.approx(math.cos(7 * 10000.0 ** (-3 / 16)), abs=1e-6)
    assert own[:, ::2] == pytest.approx(np.asarray(right[:, ::2], float), abs=1e-6)
    for wrong in (precedence, own, noise):
        assert abs(wrong - right).max() > 0.5
    assert told(Encoding("wrong: noise"), 20)[1].added[:9] == pytest.approx(noise)


def test_encoding_leaves_other_inputs_neutral():
    """Each tells in one way alone; the rest are the numbers that change nothing."""
    own = {
        "sinusoidal": {"added"},
        "learned": {"added"},
        "hybrid": {"added"},
        "rope": {"cos", "sin", "quarter"},
        "alibi": {"bias"},
    }
    least = nothing(SHAPE, 9)

    for name, parts in own.items():
        found = told(Encoding(name, train_len=9))[1]
        changed = {
            part
            for part in found._fields
            if not np.array_equal(getattr(found, part), getattr(least, part))
        }
        assert changed == parts, name
