"""Positions that rounding makes equal, against tables rounded by ml_dtypes and NumPy."""

import ml_dtypes
import numpy as np
import pytest

import posenc
from posenc.analysis import first_equal_neighbours, first_equal_rows

DTYPES = {"bfloat16": ml_dtypes.bfloat16, "float16": np.float16}
FREQUENCIES = {
    "16 channels": posenc.inv_freq(16),
    "Llama 3": posenc.inv_freq(128, 500_000),
    "near the fastest that can be equal": np.geomspace(2.0**-9, 2.0**-5, 200),
    "one that doesn't rotate": [0.3, 0.0],
}


def round_table(inv_freq, seq_len, dtype, factor=1.0):
    angles = np.outer(np.arange(seq_len), inv_freq)
    table = factor * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    return table.astype(np.float32).astype(DTYPES[dtype]).astype(float)


@pytest.mark.parametrize("factor", [1.0, 1.3])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", FREQUENCIES)
def test_neighbours_are_those_of_the_whole_table(name, dtype, factor):
    table = round_table(FREQUENCIES[name], 10_000, dtype, factor)
    equal = (table[1:] == table[:-1]).all(axis=-1)
    expected = np.where(equal.any(axis=0), equal.argmax(axis=0) + 1, -1)

    found = first_equal_neighbours(FREQUENCIES[name], 10_000, dtype, attention_factor=factor)

    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("inv_freq", [[0.01], [0.5], [1.0, 0.1], [0.3, 0.0], [0.0]])
def test_rows_are_the_first_that_repeat(inv_freq):
    seen: dict[tuple[float, ...], int] = {}
    expected = None
    for p, row in enumerate(round_table(inv_freq, 5000, "bfloat16").reshape(5000, -1)):
        if expected is None and tuple(row) in seen:
            expected = seen[tuple(row)], p
        seen.setdefault(tuple(row), p)

    assert first_equal_rows(inv_freq, 5000) == expected


@pytest.mark.parametrize("seq_len", [0, 1])
def test_fewer_than_two_positions_are_all_different(seq_len):
    assert first_equal_rows([1.0], seq_len) is None
    assert first_equal_neighbours([0.0], seq_len).tolist() == [-1]
