"""posenc.laws: each measure against plain loops, limits, and what scale and memory do."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from posenc import laws

Rows = list[list[float]]


def rows(length: int, width: int, seed: int) -> Rows:
    table: Rows = np.random.default_rng(seed).normal(size=(length, width)).tolist()
    return table


def given(table: Any) -> Callable[[int], Any]:
    """Return the function that gives the first rows of a table."""
    return lambda seq_len: table[:seq_len]


def line(*values: float) -> Callable[[int], Any]:
    """Return the function that gives one channel."""
    return given([[value] for value in values])


def size(x: list[float]) -> float:
    return math.hypot(*x)


def apart(x: list[float], y: list[float]) -> float:
    return math.dist(x, y)


def dot(x: list[float], y: list[float]) -> float:
    return math.fsum(a * b for a, b in zip(x, y, strict=True))


def agrees(finding: laws.Finding, measured: float, where: tuple[int, ...]) -> bool:
    # A distance or product of a few numbers below 5 is within some roundings of 1e-15.
    return math.isclose(finding.measured, measured, rel_tol=1e-12) and finding.where == where


@pytest.mark.parametrize("seed", range(5))
def test_unique_is_the_closest_pair_for_its_length(seed: int) -> None:
    x = rows(20, 3, seed)
    pairs = [(p, q) for p in range(20) for q in range(p + 1, 20)]
    found = [(2 * apart(x[p], x[q]) / (size(x[p]) + size(x[q])), (p, q)) for p, q in pairs]

    assert agrees(laws.unique(given(x), 20), *min(found))


def test_unique_needs_more_than_its_limit() -> None:
    ramp = line(*range(1, 17))  # rows 15 and 16 are 1 apart, 15.5 long
    assert laws.unique(ramp, 16) == ("unique", True, 1 / 15.5, 2**-10, (14, 15))
    assert not laws.unique(ramp, 16, limit=1 / 15.5).holds
    assert laws.unique(ramp, 16, limit=1 / 15.6).holds


def test_rows_that_half_precision_may_join_are_not_unique() -> None:
    for gap, holds in ((1 + 2**-10, True), (1 + 2**-12, False)):
        table = np.array([gap if p == 9 else 2.0**p for p in range(16)])[:, None]
        table[0] = 1  # rows 0 and 9
        finding = laws.unique(given(table), 16, limit=2**-10 - 2**-20)
        assert (finding.holds, finding.where) == (holds, (0, 9))


@pytest.mark.parametrize("seed", range(5))
def test_even_steps_compares_the_shortest_with_the_longest(seed: int) -> None:
    x = rows(20, 3, seed)
    steps = [(apart(x[p], x[p + 1]), p) for p in range(19)]
    (short, p), (long, q) = min(steps), max(steps)

    assert agrees(laws.even_steps(given(x), 20), (long - short) / long, (p, q))


@pytest.mark.parametrize("seed", range(5))
def test_smooth_is_the_worst_position(seed: int) -> None:
    x = rows(20, 3, seed)
    found = []
    for p in range(20):
        beside = max(apart(x[p], x[q]) for q in (p - 1, p + 1) if 0 <= q < 20)
        other, q = min((apart(x[p], x[q]), q) for q in range(20) if abs(p - q) > 1)
        found.append((beside / other, (p, q)))

    assert agrees(laws.smooth(given(x), 20), *max(found))


def test_smooth_asks_for_less_than_its_limit() -> None:
    corners = np.eye(16)  # all rows equally far apart
    assert not laws.smooth(given(corners), 16).holds
    assert laws.smooth(given(corners), 16, limit=1.001).holds
    assert laws.smooth(line(*range(16)), 16) == ("smooth", True, 0.5, 1, (0, 2))


@pytest.mark.parametrize("seed", range(5))
def test_dot_by_offset_is_the_widest_diagonal(seed: int) -> None:
    x = rows(20, 3, seed)
    found = []
    for k in range(20):
        products = [(dot(x[p], x[p + k]), p) for p in range(20 - k)]
        (low, p), (high, q) = min(products), max(products)
        found.append((high - low, (p, p + k, q, q + k)))
    spread, where = max(found)

    measured = spread / max(size(row) ** 2 for row in x)
    assert agrees(laws.dot_by_offset(given(x), 20), measured, where)


@pytest.mark.parametrize(("length", "width", "k"), [(40, 3, 1), (40, 3, 7), (20, 30, 1)])
def test_shift_linear_leaves_rows_out_and_judges_all(length: int, width: int, k: int) -> None:
    x = np.array(rows(length, width, 3))
    rng, count = np.random.default_rng(0), length - k
    out = {int(rng.integers(p, min(p + 16, count))) for p in range(0, count, 16)}
    kept = [p for p in range(count) if p not in out]
    assert len(kept) == count - math.ceil(count / 16)
    M = (np.linalg.pinv(x[kept]) @ x[[p + k for p in kept]]).T
    errors = [apart((M @ x[p]).tolist(), x[p + k].tolist()) for p in range(length - k)]
    moves = [apart(x[p].tolist(), x[p + k].tolist()) for p in range(length - k)]

    finding = laws.shift_linear(given(x), length, offset=k)
    # The pseudoinverse and the least squares agree to the digits that the fit leaves.
    assert math.isclose(finding.measured, max(errors) / max(moves), rel_tol=1e-9)
    assert finding.where == (errors.index(max(errors)),)
    assert not finding.holds  # with more channels than rows, too


def test_bounded_compares_tables_of_four_lengths() -> None:
    lengths: list[int] = []

    def encode(seq_len: int) -> Rows:
        lengths.append(seq_len)
        return [[1, -3 if (seq_len, p) == (8, 5) else 0.5] for p in range(seq_len)]

    finding = laws.bounded(encode, 32)
    assert lengths == [4, 8, 16, 32]
    assert tuple(finding) == ("bounded", False, 3, 2, (5,))
    assert laws.bounded(encode, 32, limit=3.01).holds


@pytest.mark.parametrize("broken", [4, 8, 16, 31])
def test_same_at_every_length_looks_at_four_shorter_tables(broken: int) -> None:
    def encode(seq_len: int) -> Rows:
        return [[3, 4.5 if (seq_len, p) == (broken, 2) else 4] for p in range(seq_len)]

    finding = laws.same_at_every_length(encode, 32)
    assert agrees(finding, 0.5 / math.hypot(3, 4.5), (2,))
    assert not finding.holds
    assert laws.same_at_every_length(encode, 32, limit=0.1).holds


def test_a_function_may_use_its_memory_again() -> None:
    memory = np.zeros((512, 1))

    def fraction(seq_len: int) -> Any:
        memory[:seq_len, 0] = np.arange(seq_len) / seq_len
        return memory[:seq_len]

    assert not laws.same_at_every_length(fraction).holds


@pytest.mark.parametrize(
    ("answer", "measured", "where"),
    [
        (lambda n: [[1.0]] * n, 32, 31),
        (lambda n: [[1.0]] * min(n, 20), 20, 20),
        (lambda n: [[1.0]] * (n if n == 16 else n + 1), 33, 31),
        (lambda n: [[1.0]] * n if n == 16 else 1 / 0, 0, 31),
        (lambda n: [[1.0] * n] * n, 0, 31),
        (lambda n: [[1.0]] * n if n == 16 else [[math.nan]] * n, 0, 31),
        (lambda n: [[1.0]] * n if n == 16 else None, 0, 31),
    ],
)
def test_extends_counts_the_rows(answer: Any, measured: int, where: int) -> None:
    assert laws.extends(answer, 16) == ("extends", measured == 32, measured, 32, (where,))


def test_a_finding_is_one_line() -> None:
    assert str(laws.Finding("smooth", True, 0.54321, 1.0, (3, 5))) == (
        "smooth: yes, 0.543 at 3, 5 (limit 1)"
    )
    assert str(laws.Finding("smooth", False, math.inf, 1.0, (3, 5))) == (
        "smooth: no, inf at 3, 5 (limit 1)"
    )
    assert str(laws.Finding("extends", True, 1024, 1024, (1023,))) == (
        "extends: yes, 1024 at 1023 (limit 1024)"
    )
    assert "\n" not in repr(laws.Finding("smooth", False, math.inf, 1.0, (3, 5)))
