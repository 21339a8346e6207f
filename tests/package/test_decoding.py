"""Cached decoding, token by token, equals the full pass for every encoding that claims it.

The judge is a loop in plain NumPy: no part of the attention of this package. Keys and values
go into the cache as they were encoded on arrival and are never touched again.
"""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

import posenc

Array = NDArray[Any]

L, D = 40, 16  # positions, and channels of a head

# What an encoding does to tokens from the position `start` on, with `length` tokens known.
# (tokens, start, length) -> (what queries and keys are made of)
Add = Callable[[Array, int, int], Array]
# (queries or keys, start, length) -> the same, turned
Turn = Callable[[Array, int, int], Array]
# (positions of queries, positions of keys, length) -> what is added to the scores
Bias = Callable[[Array, Array, int], Array]


def same(x: Array, start: int, length: int) -> Array:
    return x


def no_bias(rows: Array, columns: Array, length: int) -> Array:
    return np.zeros((len(rows), len(columns)))


def softmax(scores: Array) -> Array:
    weights = np.exp(scores - scores.max())
    return np.asarray(weights / weights.sum())


def sequence() -> tuple[Array, Array, Array, Array]:
    rng = np.random.default_rng(2104)
    W_Q, W_K, W_V = rng.normal(size=(3, D, D)) / 4
    return rng.normal(size=(L, D)), W_Q, W_K, W_V


def full_pass(add: Add, turn: Turn, bias: Bias) -> Array:
    """All rows at once, each token attending to itself and to those before it."""
    tokens, W_Q, W_K, W_V = sequence()
    x = add(tokens, 0, L)
    Q, K, V = turn(x @ W_Q, 0, L), turn(x @ W_K, 0, L), x @ W_V
    at = np.arange(L)
    scores = Q @ K.T / np.sqrt(D) + bias(at, at, L)
    return np.array([softmax(scores[p, : p + 1]) @ V[: p + 1] for p in range(L)])


def step_by_step(add: Add, turn: Turn, bias: Bias, prompt: int) -> Array:
    """The first tokens at once, then one at a time, with a cache of keys and values."""
    tokens, W_Q, W_K, W_V = sequence()
    keys, values = np.zeros((0, D)), np.zeros((0, D))
    rows = []
    for start, stop in [(0, prompt), *((p, p + 1) for p in range(prompt, L))]:
        x = add(tokens[start:stop], start, stop)
        Q = turn(x @ W_Q, start, stop)
        keys = np.concatenate([keys, turn(x @ W_K, start, stop)])
        values = np.concatenate([values, x @ W_V])
        scores = Q @ keys.T / np.sqrt(D) + bias(np.arange(start, stop), np.arange(stop), stop)
        for row, p in enumerate(range(start, stop)):
            rows.append(softmax(scores[row, : p + 1]) @ values[: p + 1])
    return np.array(rows)


def sinusoidal(**options: Any) -> Add:
    return lambda x, start, length: (
        x + posenc.sinusoidal_positional_encoding(len(x), D, start=start, **options)
    )


def learned() -> Add:
    table = posenc.LearnedPositionalEncoding(L, D, rng=np.random.default_rng(1)).embedding
    return lambda x, start, length: x + table[start : start + len(x)]


def rotary(**options: Any) -> Turn:
    return lambda x, start, length: posenc.apply_rotary(
        x, np.arange(start, start + len(x)), **options
    )


def scaled(rope_type: str, **options: Any) -> Turn:
    """Frequencies by a configuration, for as many tokens as are known at that time."""
    config = {
        "rope_type": rope_type,
        "rope_theta": 10_000.0,
        "head_dim": D,
        "max_position_embeddings": L if "factor" not in options else 16,
        **options,
    }

    def turn(x: Array, start: int, length: int) -> Array:
        found = posenc.rope_parameters(config, seq_len=length)
        at = np.arange(start, start + len(x))
        factor = found.attention_factor
        return posenc.apply_rotary(x, at, inv_freq=found.inv_freq, attention_factor=factor)

    return turn


def gaussian(x: Array, start: int, length: int) -> Array:
    at = np.arange(start, start + len(x))
    return np.asarray(x + posenc.gaussian_encoding(at, np.linspace(0, L, D), 3.0))


def hybrid(x: Array, start: int, length: int) -> Array:
    table = np.random.default_rng(2).normal(size=(L // 2, D // 2))
    at = np.arange(start, start + len(x))
    return np.asarray(x + posenc.hybrid_encoding(at, D // 2, table))


def grid(x: Array, start: int, length: int) -> Array:
    """Rows of 8 patches, in reading order."""
    points = posenc.grid_points((L // 8, 8)).reshape(L, 2)
    return np.asarray(x + posenc.axial_encoding(points[start : start + len(x)], D))


def alibi(rows: Array, columns: Array, length: int) -> Array:
    return np.asarray(posenc.alibi_bias(4, len(rows), len(columns))[1])


def t5(rows: Array, columns: Array, length: int) -> Array:
    table = np.random.default_rng(3).normal(size=(8, 1))
    bias = posenc.t5_bias(table, len(rows), len(columns), bidirectional=False, max_distance=20)
    return np.asarray(bias[0])


NOTHING = {"add": same, "turn": same, "bias": no_bias}

CLAIMS: dict[str, Mapping[str, Any]] = {
    "no positions": {},
    "sinusoidal": {"add": sinusoidal()},
    "sinusoidal, half": {"add": sinusoidal(layout="half", exponent="tensor2tensor")},
    "learned": {"add": learned()},
    "rotary": {"turn": rotary()},
    "rotary, half": {"turn": rotary(layout="half")},
    "rotary, partial": {"turn": rotary(rotary_dim=6, layout="half")},
    "rotary, given frequencies": {
        "turn": rotary(inv_freq=[1.0, 0.5, 0.25, 0.0], attention_factor=1.1)
    },
    "sinusoidal and rotary": {"add": sinusoidal(), "turn": rotary()},
    "default": {"turn": scaled("default")},
    "linear": {"turn": scaled("linear", factor=4.0)},
    "yarn": {"turn": scaled("yarn", factor=4.0, original_max_position_embeddings=16)},
    "llama3": {
        "turn": scaled(
            "llama3",
            factor=4.0,
            original_max_position_embeddings=16,
            low_freq_factor=1.0,
            high_freq_factor=4.0,
        )
    },
    "proportional": {"turn": scaled("proportional", partial_rotary_factor=0.5)},
    "NTK, static": {"turn": rotary(inv_freq=posenc.inv_freq(D, posenc.ntk_base(1e4, 4, D)))},
    "yarn, partial": {
        "turn": scaled(
            "yarn", factor=4.0, original_max_position_embeddings=16, partial_rotary_factor=0.5
        )
    },
    "longrope, within its length": {
        "turn": scaled(
            "longrope",
            factor=4.0,
            max_position_embeddings=4 * L,
            original_max_position_embeddings=L,
            short_factor=[1.0, 2.0] * (D // 4),
            long_factor=[4.0] * (D // 2),
        )
    },
    "gaussian": {"add": gaussian},
    "hybrid": {"add": hybrid},
    "grid": {"add": grid},
    "alibi": {"bias": alibi},
    "t5": {"bias": t5},
    "rotary and alibi": {"turn": rotary(), "bias": alibi},
}


@pytest.mark.parametrize("prompt", [0, 1, 7, L])
@pytest.mark.parametrize("name", CLAIMS)
def test_step_by_step_equals_the_full_pass(name: str, prompt: int) -> None:
    encoding: dict[str, Any] = {**NOTHING, **CLAIMS[name]}
    # Products of 16 and sums of 40 numbers of about 1, in another order.
    result = step_by_step(prompt=prompt, **encoding)
    assert_allclose(result, full_pass(**encoding), rtol=0, atol=1e-13)


def from_zero(x: Array, start: int, length: int) -> Array:
    return posenc.apply_rotary(x, np.arange(len(x)))


def one_late(x: Array, start: int, length: int) -> Array:
    return posenc.apply_rotary(x, np.arange(start, start + len(x)) + (start > 0))


# Its frequencies depend on how many tokens are there: the keys in the cache are stale.
dynamic = scaled("dynamic", factor=4.0)
long_or_short = scaled(
    "longrope",
    factor=4.0,
    original_max_position_embeddings=16,
    short_factor=[1.0] * (D // 2),
    long_factor=[4.0] * (D // 2),
)


@pytest.mark.parametrize("turn", [from_zero, one_late, dynamic, long_or_short])
def test_encodings_that_move_cached_keys_differ_from_the_full_pass(turn: Turn) -> None:
    rows = step_by_step(same, turn, no_bias, prompt=7)
    assert abs(rows - full_pass(same, turn, no_bias)).max() > 1e-2
