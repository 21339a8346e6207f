"""grids: cells in reading order, a block of channels for each axis, in every layout."""

import math
from itertools import chain
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from posenc.tables.grids import axial_encoding, grid_points
from tests.bits import assert_same_bits


def by_hand(
    point: list[float],
    widths: list[int],
    order: list[int],
    layout: str,
    base: float = 10000.0,
    exponent: str = "paper",
) -> list[float]:
    """Write down one row: for each axis its angles, then what the layout does with them."""
    sines, cosines = [], []
    for axis in order:
        pairs = widths[axis] // 2
        steps = pairs if exponent == "paper" else max(pairs - 1, 1)
        angles = [point[axis] / base ** (i / steps) for i in range(pairs)]
        sines.append([math.sin(angle) for angle in angles])
        cosines.append([math.cos(angle) for angle in angles])
    if layout == "half":
        return [*chain.from_iterable(sines), *chain.from_iterable(cosines)]
    row: list[float] = []
    for s, c in zip(sines, cosines, strict=True):
        row += s + c if layout == "blocks" else [x for pair in zip(s, c, strict=True) for x in pair]
    return row


@pytest.mark.parametrize("shape", [(5,), (2, 3), (3, 2), (1, 4), (2, 3, 4), (0, 3), (2, 1, 2, 3)])
def test_points_count_the_cells_as_nested_loops_do(shape: tuple[int, ...]) -> None:
    points = grid_points(shape)

    assert points.shape == (*shape, len(shape))
    assert points.dtype == np.int64
    for cell in np.ndindex(shape):
        assert tuple(points[cell].tolist()) == cell


@pytest.mark.parametrize("layout", ["interleaved", "half", "blocks"])
@pytest.mark.parametrize("exponent", ["paper", "tensor2tensor"])
@pytest.mark.parametrize(
    ("widths", "order"),
    [
        ([12], [0]),
        ([8, 8], [0, 1]),
        ([8, 8], [1, 0]),
        ([4, 8], [0, 1]),
        ([4, 10], [1, 0]),
        ([2, 6, 4], [0, 1, 2]),
        ([2, 6, 4], [2, 0, 1]),
    ],
)
def test_rows_by_hand(widths: list[int], order: list[int], layout: str, exponent: str) -> None:
    points = np.random.default_rng(0).uniform(-30, 30, size=(4, 3, len(widths)))

    table = axial_encoding(
        points,
        sum(widths),
        sections=widths,
        order=order,
        base=500.0,
        layout=layout,
        exponent=exponent,
    )

    assert table.shape == (4, 3, sum(widths))
    for cell in np.ndindex(4, 3):
        row = by_hand(points[cell].tolist(), widths, order, layout, 500.0, exponent)
        # Angles up to 30 in the plain formula: a few roundings of 30 * 1.1e-16 each.
        assert_allclose(table[cell], row, rtol=0, atol=3e-14)


def test_one_point_without_further_axes() -> None:
    assert axial_encoding([0, 0], 8).tolist() == [0, 1] * 4


@pytest.mark.parametrize(("dtype", "ulp"), [("float32", 2**-24), ("float16", 2**-11)])
def test_smaller_dtypes_are_the_float64_table_rounded(dtype: str, ulp: float) -> None:
    points = grid_points((5, 4))
    exact = axial_encoding(points, 16)

    table = axial_encoding(points, 16, dtype=dtype)

    assert table.dtype == dtype
    assert_same_bits(table, exact.astype(dtype))
    assert abs(table.astype(float) - exact).max() <= ulp


def test_integers_and_floats_are_the_same_points() -> None:
    points: Any = [[3, -200], [2**53, 0]]

    whole = axial_encoding(points, 8)

    assert_array_equal(whole, axial_encoding(np.array(points, dtype=float), 8))
