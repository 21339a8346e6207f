"""grids: cells in reading order, a block of channels for each axis, in every layout."""

import math
from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc.positions.grids import axial_encoding, grid_points


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


def test_points_in_reading_order() -> None:
    expected = [[y, x] for y in range(3) for x in range(5)]

    assert grid_points([3, 5]).reshape(-1, 2).tolist() == expected


def test_points_belong_to_the_caller() -> None:
    points = grid_points((2, 3))
    points[0, 0] = 9

    assert points.flags.owndata
    assert points.flags.c_contiguous
    assert points[0, 1].tolist() == [0, 1]
    assert grid_points((2, 3))[0, 0].tolist() == [0, 0]


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


def test_without_sections_and_order_all_is_even_and_in_place() -> None:
    table = axial_encoding([[2, 0.5, -1]], 12)

    row = by_hand([2, 0.5, -1], [4, 4, 4], [0, 1, 2], "interleaved")
    assert_allclose(table[0], row, rtol=0, atol=1e-15)  # angles up to 2


def test_one_point_without_further_axes() -> None:
    assert axial_encoding([0, 0], 8).tolist() == [0, 1] * 4


@pytest.mark.parametrize(("axis", "channels"), [(0, slice(0, 12)), (1, slice(12, 20))])
def test_moving_along_an_axis_changes_its_block_alone(axis: int, channels: slice) -> None:
    table = axial_encoding(grid_points((4, 7)), 20, sections=(12, 8))
    changed = np.diff(table, axis=axis) != 0

    assert not np.delete(changed, channels, axis=-1).any()
    assert changed[..., channels].all(axis=-1).any()
    assert changed[..., channels].any(axis=-1).all()


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2),
    st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=2),
)
def test_a_shift_turns_each_pair_by_the_shift_along_its_axis(
    point: list[float], shift: list[float]
) -> None:
    here = axial_encoding([point], 16)[0]
    moved = [p + k for p, k in zip(point, shift, strict=True)]
    there = axial_encoding([moved], 16)[0]

    angles = [(moved[a] - point[a]) / 10000 ** (i / 4) for a in (0, 1) for i in range(4)]
    z_here = [complex(c, s) for s, c in zip(here[::2], here[1::2], strict=True)]
    z_there = [complex(c, s) for s, c in zip(there[::2], there[1::2], strict=True)]
    for u, v, angle in zip(z_here, z_there, angles, strict=True):
        # The angle is at most 2000, off by a few of its roundings (2.3e-13), and so is the
        # subtraction that it comes from, at most 1.2e-10 for sums of a million.
        assert abs(u * complex(math.cos(angle), math.sin(angle)) - v) < 1e-9


@pytest.mark.parametrize(("dtype", "ulp"), [("float32", 2**-24), ("float16", 2**-11)])
def test_smaller_dtypes_are_the_float64_table_rounded(dtype: str, ulp: float) -> None:
    points = grid_points((5, 4))
    exact = axial_encoding(points, 16)

    table = axial_encoding(points, 16, dtype=dtype)

    assert table.dtype == dtype
    assert table.tobytes() == exact.astype(dtype).tobytes()
    assert abs(table.astype(float) - exact).max() <= ulp


def test_points_stay_as_they_are() -> None:
    points = grid_points((2, 2))
    points.flags.writeable = False

    table = axial_encoding(points, 8)
    table[:] = 7

    assert points.tolist() == [[[0, 0], [0, 1]], [[1, 0], [1, 1]]]


def test_integers_and_floats_are_the_same_points() -> None:
    points: Any = [[3, -200], [2**53, 0]]

    whole = axial_encoding(points, 8)

    assert_array_equal(whole, axial_encoding(np.array(points, dtype=float), 8))
