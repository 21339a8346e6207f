"""axial_rotary: which pair turns by which coordinate, and scores that see offsets alone."""

import cmath
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc.positions.axial_rotary import (
    axial_cos_sin,
    mrope_axes,
    mrope_cos_sin,
    mrope_points,
)
from posenc.relative.rotary import rotary_cos_sin, rotate_pairs


def wave(angle: float) -> complex:
    return cmath.exp(1j * angle)


@pytest.mark.parametrize(
    ("widths", "order"), [([8, 8], [0, 1]), ([4, 10], [1, 0]), ([2, 6, 4], [2, 0, 1]), ([6], [0])]
)
def test_each_band_turns_by_its_own_coordinate(widths: list[int], order: list[int]) -> None:
    points = np.random.default_rng(0).uniform(-30, 30, size=(3, 5, len(widths)))

    cos, sin = axial_cos_sin(points, sum(widths), sections=widths, order=order, base=300.0)

    assert cos.shape == sin.shape == (3, 5, sum(widths) // 2)
    for cell in np.ndindex(3, 5):
        expected = [
            wave(points[cell][axis].item() * 300.0 ** (-2 * i / widths[axis]))
            for axis in order
            for i in range(widths[axis] // 2)
        ]
        # Angles up to 30 in the plain formula: a few roundings of 30 * 1.1e-16 each.
        assert_allclose(cos[cell] + 1j * sin[cell], expected, rtol=0, atol=3e-14)


def test_without_options_the_head_is_shared_out_evenly() -> None:
    cos, sin = axial_cos_sin([[0.5, 2]], 8)

    expected = [wave(angle) for angle in (0.5, 0.005, 2, 0.02)]
    assert_allclose(cos[0] + 1j * sin[0], expected, rtol=0, atol=1e-15)  # angles up to 2


def test_the_named_dtype() -> None:
    exact = axial_cos_sin([[0.5, 2]], 8)

    for name in ("float32", "float16"):
        for table, judge in zip(axial_cos_sin([[0.5, 2]], 8, dtype=name), exact, strict=True):
            assert table.dtype == name
            assert table.tobytes() == judge.astype(name).tobytes()


def chunked(counts: list[int]) -> list[int]:
    """Say it aloud: all of the first axis, then all of the second."""
    return [axis for axis, count in enumerate(counts) for _ in range(count)]


def dealt(counts: list[int]) -> list[int]:
    """The rule of Qwen3-VL for n axes: pair by pair, from its two conditions."""
    n = len(counts)
    return [i % n if i < n * counts[i % n] else 0 for i in range(sum(counts))]


@pytest.mark.parametrize(
    "counts", [[16, 24, 24], [24, 20, 20], [4, 4], [5], [2, 1, 1], [3, 2, 2, 1]]
)
def test_axes_of_pairs(counts: list[int]) -> None:
    assert mrope_axes(counts).tolist() == chunked(counts)
    if counts != [16, 24, 24]:
        axes = mrope_axes(counts, assignment="interleaved").tolist()
        assert axes == dealt(counts)
        assert [axes.count(axis) for axis in range(len(counts))] == counts


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4))
def test_every_axis_has_what_was_asked_for_or_it_is_refused(counts: list[int]) -> None:
    assert mrope_axes(counts).tolist() == chunked(counts)
    fits = dealt(counts)
    if all(fits.count(axis) == count for axis, count in enumerate(counts)):
        assert mrope_axes(counts, assignment="interleaved").tolist() == fits
    else:
        with pytest.raises(ValueError, match="if interleaved"):
            mrope_axes(counts, assignment="interleaved")


@pytest.mark.parametrize("assignment", ["contiguous", "interleaved"])
def test_one_set_of_frequencies_for_all_axes(assignment: str) -> None:
    points = np.random.default_rng(1).uniform(-30, 30, size=(7, 3))
    counts = [4, 3, 2]
    axes = chunked(counts) if assignment == "contiguous" else dealt(counts)

    cos, sin = mrope_cos_sin(points, counts, assignment=assignment, base=5e5)

    for row, point in enumerate(points.tolist()):
        expected = [wave(point[axis] * 5e5 ** (-i / 9)) for i, axis in enumerate(axes)]
        # Angles up to 30 in the plain formula: a few roundings of 30 * 1.1e-16 each.
        assert_allclose(cos[row] + 1j * sin[row], expected, rtol=0, atol=3e-14)


@pytest.mark.parametrize("assignment", ["contiguous", "interleaved"])
def test_text_has_the_tables_of_one_coordinate_to_the_bit(assignment: str) -> None:
    positions = np.array([0, 1, 77, -3, 123_456, 2**53])
    points = np.repeat(positions[:, np.newaxis], 3, axis=1)

    tables = mrope_cos_sin(points, [24, 20, 20], assignment=assignment, base=5e6)

    for table, judge in zip(tables, rotary_cos_sin(positions, 128, base=5e6), strict=True):
        assert table.tobytes() == judge.tobytes()


def test_frequencies_factor_and_dtype_are_passed_on() -> None:
    cos, sin = mrope_cos_sin(
        [[1, 2]], [2, 1], inv_freq=[0.5, 0.0, 3.0], attention_factor=2.0, dtype="float32"
    )

    assert cos.dtype == sin.dtype == np.float32
    expected = [2 * wave(angle) for angle in (0.5, 0, 6)]
    assert_allclose(cos[0] + 1j * sin[0], expected, rtol=0, atol=2e-7)  # float32 of up to 2


@pytest.mark.parametrize("kind", ["axial", "contiguous", "interleaved"])
def test_a_score_depends_on_the_offsets_alone(kind: str) -> None:
    x, y = np.random.default_rng(2).normal(size=(2, 1, 16))

    def turned(v: Any, point: list[float]) -> Any:
        if kind == "axial":
            return rotate_pairs(v, *axial_cos_sin([point], 16))[0]
        return rotate_pairs(v, *mrope_cos_sin([point], [5, 3], assignment=kind))[0]

    scores = [
        float(turned(x, [p, q]) @ turned(y, [p + 3, q - 8]))
        for p, q in [(0, 0), (5, 900), (-40, 0.25), (1e6, 1e6)]
    ]
    assert max(scores) - min(scores) < 1e-13  # 16 products of about 1, rounded
    other = float(turned(x, [0, 0]) @ turned(y, [-8, 3]))
    assert abs(other - scores[0]) > 0.1  # the two offsets are not exchangeable


def test_a_point_of_one_coordinate_is_rotary_as_it_was() -> None:
    points = np.array([[7], [0.5]])
    for tables in (axial_cos_sin(points, 12), mrope_cos_sin(points, [6])):
        for table, judge in zip(tables, rotary_cos_sin([7, 0.5], 12), strict=True):
            assert table.tobytes() == judge.tobytes()


def test_points_stay_as_they_are() -> None:
    points = np.array([[1, 2], [3, 4]])
    points.flags.writeable = False

    for tables in (axial_cos_sin(points, 8), mrope_cos_sin(points, [2, 2])):
        tables[0][:] = 7
        assert not math.isclose(tables[1][0, 0], 7)
    assert points.tolist() == [[1, 2], [3, 4]]


grids = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4))


@given(st.lists(st.integers(0, 5) | grids, max_size=6))
def test_each_part_begins_one_past_the_largest_number_before_it(parts: Any) -> None:
    expected: list[list[int]] = []
    for part in parts:
        start = 1 + max((number for point in expected for number in point), default=-1)
        if isinstance(part, int):
            expected += [[start + i] * 3 for i in range(part)]
        else:
            frames, rows, columns = map(range, part)
            expected += [
                [start + t, start + h, start + w] for t in frames for h in rows for w in columns
            ]

    points = mrope_points(parts)

    assert points.dtype == np.int64
    assert points.shape == (len(expected), 3)
    assert points.tolist() == expected


def test_text_alone_is_counted() -> None:
    assert mrope_points([3, 0, 2]).tolist() == [[p] * 3 for p in range(5)]
    assert mrope_points(iter([])).shape == (0, 3)


def test_an_image_takes_as_many_numbers_as_its_longer_side() -> None:
    points = mrope_points([4, (1, 32, 20), 1])

    assert len(points) == 4 + 640 + 1
    assert points[-1].tolist() == [4 + 32] * 3


def test_a_grid_may_be_an_array() -> None:
    assert mrope_points([np.array([2, 1, 1])]).tolist() == [[0, 0, 0], [1, 0, 0]]
