"""dna_strands against plain strings and single entries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.geometry.dna_strands import mirror_pairs, reverse_complement

dna = st.text("ACGTN", max_size=30)


@given(dna)
def test_reverse_complement_pairs_letters_in_reverse(sequence: str) -> None:
    other = reverse_complement(sequence)
    L = len(sequence)
    assert len(other) == L
    for p in range(L):
        assert other[p] + sequence[L - 1 - p] in ("AT", "TA", "CG", "GC", "NN")


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_mirrored_pairs_are_exchanged(dtype: str) -> None:
    x = np.random.default_rng(2).normal(size=(2, 3, 8)).astype(dtype)
    paired, halves = mirror_pairs(x), mirror_pairs(x, layout="half")
    assert paired.dtype == halves.dtype == x.dtype
    for at in np.ndindex(2, 3):
        for i in range(4):
            assert [*paired[at][2 * i : 2 * i + 2]] == [x[at][2 * i + 1], x[at][2 * i]]
            assert [halves[at][i], halves[at][4 + i]] == [x[at][4 + i], x[at][i]]
