"""relative_position against the defining property of M_k and loops in plain Python."""

import math
import tracemalloc
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc.tables import relative_position
from posenc.tables.relative_position import (
    dot_product_distance,
    pe_similarity_by_distance,
    relative_position_matrix,
    rotation_matrix,
)

Table = list[list[float]]
LAYOUTS = ["interleaved", "half"]
EXPONENTS = ["paper", "tensor2tensor"]

entries = st.integers(-9, 9)
tables = st.tuples(st.integers(1, 7), st.integers(1, 5)).flatmap(
    lambda shape: st.lists(
        st.lists(entries, min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


def frequencies(d: int, base: float, exponent: str) -> list[float]:
    steps = d // 2 if exponent == "paper" else max(d // 2 - 1, 1)
    return [base ** (-i / steps) for i in range(d // 2)]


def code(
    p: float, d: int, base: float = 10000.0, layout: str = "interleaved", exponent: str = "paper"
) -> list[float]:
    """Encode one position, one number at a time."""
    angles = [p * omega for omega in frequencies(d, base, exponent)]
    if layout == "half":
        return [math.sin(a) for a in angles] + [math.cos(a) for a in angles]
    return [value for a in angles for value in (math.sin(a), math.cos(a))]


def times(matrix: Table, vector: list[float]) -> list[float]:
    return [math.fsum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix]


@pytest.mark.parametrize("k", [-40, -0.75, 0, 1, 2.5, 300])
@pytest.mark.parametrize("base", [2.0, 10000.0])
@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("d", [2, 4, 10])
def test_moves_every_code_by_the_offset(
    d: int, layout: str, exponent: str, base: float, k: float
) -> None:
    matrix = rotation_matrix(k, d, base=base, layout=layout, exponent=exponent)
    assert matrix.shape == (d, d)
    assert matrix.dtype == np.float64
    for p in [-3.5, 0.0, 1.0, 200.0]:
        moved = times(matrix.tolist(), code(p, d, base, layout, exponent))
        # The judge's angles reach 500 rad and are off by 500 * 2 * eps = 2e-13 at most.
        assert_allclose(moved, code(p + k, d, base, layout, exponent), rtol=0, atol=1e-12)


@pytest.mark.parametrize("k", [1e6 + 0.125, -123456789.75, 2**40 + 1, 2**53, -(2**53)])
@pytest.mark.parametrize("exponent", EXPONENTS)
def test_exact_at_large_offsets(k: float, exponent: str) -> None:
    matrix = rotation_matrix(k, 6, exponent=exponent)
    with mpmath.workdps(60):
        for i in range(3):
            steps = 3 if exponent == "paper" else 2
            angle = mpmath.mpf(k) * mpmath.mpf(10000) ** (-mpmath.mpf(i) / steps)
            sine, cosine = float(mpmath.sin(angle)), float(mpmath.cos(angle))
            block = matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2]
            # The documented bound; a plain float64 product is off by 1e-10 at the first k.
            assert_allclose(block, [[cosine, sine], [-sine, cosine]], rtol=0, atol=2.3e-16)


def test_entries_are_clipped_to_one(monkeypatch: pytest.MonkeyPatch) -> None:
    above = np.array([1.0 + 2.0**-52])  # allowed by the roundings, and too rare to be met
    monkeypatch.setattr(
        relative_position, "sin_cos", lambda positions, frequencies: (-above, above)
    )
    assert rotation_matrix(1, 2).tolist() == [[1, -1], [1, 1]]


@pytest.mark.parametrize("k", [-19, -3, 0, 1, 19])
@pytest.mark.parametrize("exponent", EXPONENTS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_sinusoidal_table_has_no_error_wherever_it_starts(
    layout: str, exponent: str, k: int
) -> None:
    pe = [code(p, 8, 500.0, layout, exponent) for p in range(90, 110)]
    matrix, error = relative_position_matrix(pe, k, base=500.0, layout=layout, exponent=exponent)
    moved = times(matrix.tolist(), code(7, 8, 500.0, layout, exponent))
    # Angles below 110 rad: the judge is off by 110 * 2 * eps = 5e-14 at most.
    assert_allclose(moved, code(7 + k, 8, 500.0, layout, exponent), rtol=0, atol=1e-13)
    assert type(error) is float
    assert error < 2e-13


@given(pe=tables)
def test_dot_products_agree_with_the_loop(pe: list[list[int]]) -> None:
    expected = [[sum(x * y for x, y in zip(a, b, strict=True)) for b in pe] for a in pe]
    gram = dot_product_distance(pe)
    assert gram.dtype == np.float64
    assert gram.tolist() == expected  # small integers: every sum is exact


@given(pe=tables)
def test_similarity_is_the_mean_over_all_pairs(pe: list[list[int]]) -> None:
    expected = []
    for k in range(len(pe)):
        pairs = [(pe[r], pe[r + k]) for r in range(len(pe) - k)]
        total = sum(x * y for a, b in pairs for x, y in zip(a, b, strict=True))
        expected.append(float(Fraction(total, len(pairs))))
    similarity = pe_similarity_by_distance(pe)
    assert similarity.dtype == np.float64
    assert similarity.tolist() == expected  # exact sums, and one rounded division


def test_similarity_needs_no_square_matrix() -> None:
    pe = np.ones((3000, 2))
    tracemalloc.start()
    similarity = pe_similarity_by_distance(pe)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (similarity == 2).all()
    # A (3000, 3000) matrix takes 72 MB, the table 48 kB.
    assert peak < 1_000_000
