"""axial_rotary: which pair turns by which coordinate, and scores that see offsets alone."""

import cmath
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc.rotary.axial import axial_cos_sin
from posenc.rotary.mrope import mrope_axes, mrope_cos_sin, mrope_points
from posenc.rotary.rotation import rotary_cos_sin
from tests.bits import assert_same_bits


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
def test_text_has_the_tables_of_one_coordinate_to_the_bit(assignment: str) -> None:
    positions = np.array([0, 1, 77, -3, 123_456, 2**53])
    points = np.repeat(positions[:, np.newaxis], 3, axis=1)

    tables = mrope_cos_sin(points, [24, 20, 20], assignment=assignment, base=5e6)

    for table, judge in zip(tables, rotary_cos_sin(positions, 128, base=5e6), strict=True):
        assert_same_bits(table, judge)


def test_frequencies_factor_and_dtype_are_passed_on() -> None:
    cos, sin = mrope_cos_sin(
        [[1, 2]], [2, 1], inv_freq=[0.5, 0.0, 3.0], attention_factor=2.0, dtype="float32"
    )

    assert cos.dtype == sin.dtype == np.float32
    expected = [2 * wave(angle) for angle in (0.5, 0, 6)]
    assert_allclose(cos[0] + 1j * sin[0], expected, rtol=0, atol=2e-7)  # float32 of up to 2


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
