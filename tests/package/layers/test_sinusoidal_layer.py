"""sinusoidal_layer: the sum, and the table that nobody can change."""

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from posenc.layers.sinusoidal import SinusoidalPositionalEncoding


def paper(p: int, d: int, base: float = 10_000.0) -> list[float]:
    """Section 3.5 for one position, channel by channel."""
    return [
        math.sin(p / base ** (j / d)) if j % 2 == 0 else math.cos(p / base ** ((j - 1) / d))
        for j in range(d)
    ]


def embeddings(*shape: int) -> NDArray[np.float64]:
    return np.random.default_rng(7).normal(size=shape)


def test_every_option_reaches_the_table() -> None:
    encoder = SinusoidalPositionalEncoding(
        3, 4, base=100.0, layout="half", exponent="tensor2tensor", dtype="float32"
    )

    # Two pairs: frequencies 1 and 1/100, sines before cosines.
    expected = [[math.sin(p), math.sin(p / 100), math.cos(p), math.cos(p / 100)] for p in (0, 1, 2)]
    assert encoder.pe.tolist() == np.array(expected, dtype=np.float32).tolist()
    assert encoder.pe.dtype == np.float32


def test_forward_adds_the_row_of_each_place() -> None:
    X = embeddings(2, 3, 4)
    before = X.copy()

    result = SinusoidalPositionalEncoding(5, 4).forward(X)

    for b in range(2):
        for p in range(3):
            expected = [x + y for x, y in zip(before[b, p].tolist(), paper(p, 4), strict=True)]
            # Sums below 4 round by 2.2e-16; the plain sines are off by as much.
            assert_allclose(result[b, p], expected, rtol=0, atol=1e-15)
    assert np.array_equal(X, before)
    assert not np.shares_memory(result, X)


@pytest.mark.parametrize(
    ("embedding", "table", "result"),
    [
        ("float32", "float64", "float64"),
        ("float64", "float32", "float64"),
        ("float32", "float32", "float32"),
        ("float16", "float32", "float32"),
        ("float16", "float16", "float16"),
    ],
)
def test_the_wider_dtype_wins(embedding: str, table: str, result: str) -> None:
    encoder = SinusoidalPositionalEncoding(2, 4, dtype=table)

    assert encoder.forward(np.ones((1, 2, 4), dtype=embedding)).dtype == result


@pytest.mark.parametrize("seq_len", [0, 1, 4, np.int8(3), np.array(2)])
def test_get_encoding_returns_the_first_rows(seq_len: Any) -> None:
    encoder = SinusoidalPositionalEncoding(4, 6)

    rows = encoder.get_encoding(seq_len)

    expected = np.reshape([paper(p, 6) for p in range(int(seq_len))], (int(seq_len), 6))
    # Angles of up to 3, rounded in the plain formula by at most 4.4e-16.
    assert_allclose(rows, expected, rtol=0, atol=1e-15)


def owners(array: Any) -> list[NDArray[Any]]:
    """Follow an array to the memory that it looks at."""
    found = []
    while isinstance(array, np.ndarray):
        found.append(array)
        array = array.base
    return found


@pytest.mark.parametrize("duplicate", [lambda encoder: encoder, copy.deepcopy, copy.copy])
def test_table_is_read_only(duplicate: Any) -> None:
    encoder = duplicate(SinusoidalPositionalEncoding(4, 6))
    before = encoder.pe.tolist()

    for array in [*owners(encoder.pe), *owners(encoder.get_encoding(3))]:
        with pytest.raises(ValueError, match="read-only"):
            array[..., 0] = 7
        with pytest.raises(ValueError, match="cannot set WRITEABLE flag"):
            array.flags.writeable = True
    with pytest.raises(AttributeError):
        encoder.pe = np.zeros((4, 6))

    assert encoder.pe.tolist() == before


def test_a_pickled_encoder_is_the_same() -> None:
    encoder = SinusoidalPositionalEncoding(4, 6, dtype=np.float16)

    again = pickle.loads(pickle.dumps(encoder))

    assert again.pe.tolist() == encoder.pe.tolist()
    assert again.pe.dtype == np.float16
    assert not again.pe.flags.writeable
