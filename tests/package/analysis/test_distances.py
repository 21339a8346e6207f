"""analysis against loops in plain Python and known aliases."""

import math
import statistics
import tracemalloc
from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc.analysis import distances
from posenc.analysis.distances import distance_by_offset, nearest_alias, separation
from posenc.tables.statistics import encoding_statistics

tables = st.tuples(st.integers(2, 6), st.integers(1, 4)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(-9, 9), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


def distance(k: int, d: int, base: float, exponent: str) -> float:
    """Subtract the code of position 0 from the code of position k."""
    steps = d // 2 if exponent == "paper" else max(d // 2 - 1, 1)
    angles = [k / base ** (i / steps) for i in range(d // 2)]
    return math.hypot(*(x for a in angles for x in (math.sin(a), math.cos(a) - 1)))


@given(pe=tables)
def test_statistics_agree_with_the_loop(pe: list[list[int]]) -> None:
    found = encoding_statistics(pe)
    columns = list(zip(*pe, strict=True))
    assert list(found) == [
        "position_norms",
        "mean_per_dim",
        "var_per_dim",
        "min_val",
        "max_val",
    ]
    norms = [math.hypot(*row) for row in pe]
    means = [statistics.fmean(column) for column in columns]
    variances = [float(statistics.pvariance(column)) for column in columns]
    # Numbers up to 81 after a handful of roundings.
    assert_allclose(found["position_norms"], norms, rtol=0, atol=1e-13)
    assert_allclose(found["mean_per_dim"], means, rtol=0, atol=1e-13)
    assert_allclose(found["var_per_dim"], variances, rtol=0, atol=1e-13)
    assert found["min_val"] == min(min(row) for row in pe)
    assert found["max_val"] == max(max(row) for row in pe)


def test_separation_keeps_its_digits_where_rows_are_long() -> None:
    # Squared lengths of 1e16 would hide a distance of 2**-20 under their last digit.
    assert separation([[1e8, 1.0], [1e8, 1.0 + 2.0**-20]]) == 2.0**-20
    assert separation([[1e8, 1.0], [3.0, 4.0], [1e8, 1.0]]) == 0.0


def test_separation_needs_no_square_matrix() -> None:
    pe = np.arange(6000.0).reshape(3000, 2)
    tracemalloc.start()
    found = separation(pe)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found == math.sqrt(8)
    # A (3000, 3000) matrix takes 72 MB, the table 48 kB.
    assert peak < 1_000_000


@given(
    d=st.sampled_from([2, 4, 6, 8]),
    base=st.sampled_from([1.5, 10.0, 10000.0]),
    exponent=st.sampled_from(["paper", "tensor2tensor"]),
    first=st.integers(1, 60),
    more=st.integers(0, 200),
)
def test_alias_agrees_with_the_loop(
    d: int, base: float, exponent: str, first: int, more: int
) -> None:
    found, value = nearest_alias(d, first + more, min_offset=first, base=base, exponent=exponent)
    distances = {k: distance(k, d, base, exponent) for k in range(first, first + more + 1)}
    # Angles below 260 rad: the judge is off by 260 * 3 * eps = 2e-13 at most.
    assert value == pytest.approx(min(distances.values()), abs=1e-12)
    assert value == pytest.approx(distances[found], abs=1e-12)


@pytest.mark.parametrize("chunk", [1, 7, 44, 45, 88])
def test_alias_is_found_at_the_seam_of_two_chunks(
    monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(distances, "CHUNK", chunk)
    # 44 is 7 turns and 0.0177 rad, the best return of the fastest pair before 355.
    assert nearest_alias(2, 44)[0] == 44
    assert nearest_alias(2, 100)[0] == 44
    assert nearest_alias(2, 60, min_offset=44)[0] == 44
    assert nearest_alias(2, 45, min_offset=45)[0] == 45
    assert nearest_alias(4, 3)[0] == 1  # two pairs, more than a chunk of one sine


def test_alias_of_equal_distances_is_the_smallest_offset(monkeypatch: pytest.MonkeyPatch) -> None:
    def same(halves: Any, frequencies: Any) -> Any:
        return np.full((len(halves), 1), 0.5), None

    monkeypatch.setattr(distances, "CHUNK", 4)
    monkeypatch.setattr(distances, "sin_cos", same)
    assert nearest_alias(2, 20, min_offset=3) == (3, 1.0)


def test_alias_is_exact_at_the_largest_offsets() -> None:
    first = 2**53 - 40
    with mpmath.workdps(60):
        omegas = [mpmath.mpf(1), mpmath.mpf(10000) ** -0.5]
        distances = [
            float(2 * mpmath.sqrt(sum(mpmath.sin(w * k / 2) ** 2 for w in omegas)))
            for k in range(first, 2**53 + 1)
        ]
    found, value = nearest_alias(4, 2**53, min_offset=first)
    assert found == first + distances.index(min(distances))
    # Two sines, each within 2.3e-16, added as squares, and a root.
    assert value == pytest.approx(min(distances), abs=2e-15)


@pytest.mark.parametrize("d", [2, 64, 512])
def test_distances_are_exact_near_and_far(d: int) -> None:
    offsets = [2**-40, 0.5, 1.0, 710.0, 1e9 + 0.5, -(2.0**53)]
    with mpmath.workdps(60):
        omegas = [mpmath.mpf(10000) ** (-mpmath.mpf(2 * i) / d) for i in range(d // 2)]
        exact = [
            float(2 * mpmath.sqrt(sum(mpmath.sin(w * k / 2) ** 2 for w in omegas))) for k in offsets
        ]
    found = distance_by_offset(offsets, d)
    assert_allclose(found, exact, rtol=0, atol=1e-15 * math.sqrt(d))
    assert found[0] == pytest.approx(exact[0], rel=1e-14)  # no digit lost where rows are near
    assert distance_by_offset(0, d) == 0


def test_separation_at_the_ends_of_float64() -> None:
    assert separation([[1e155], [0.0]]) == math.inf
    assert separation([[1e154], [0.0]]) == pytest.approx(1e154, rel=1e-15)
    assert separation([[1e-163], [0.0]]) == 0
