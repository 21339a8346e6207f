"""posenc.plots: what each drawing of curves must show, judged by plain NumPy and math."""

import math

import numpy as np
import pytest
from matplotlib.text import Text
from numpy.testing import assert_allclose, assert_array_equal

from posenc import plots
from tests.package.plots.drawings import PE, written, xy

POSITIONS = np.arange(40)


def test_waves_has_a_panel_for_each_pair() -> None:
    figure = plots.waves(16, 40, [0, 2, 7])
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    lengths = [f"{2 * math.pi * 10000 ** (2 * i / 16):.6g}" for i in (0, 2, 7)]
    assert lengths == ["6.28319", "62.8319", "19869.2"]
    assert titles == [
        "pair 0, wavelength 6.28 positions",
        "pair 2, wavelength 62.8 positions",
        "pair 7, wavelength 19,869 positions",
    ]
    assert all(sorted(written(axes)) == ["cos", "sin"] for axes in figure.axes)
    assert figure.axes[-1].get_xlabel() == "position"


def test_waves_are_the_sine_and_cosine_of_the_pair() -> None:
    axes = plots.waves(16, 40, [1], base=100.0).axes[0]
    omega = 100.0 ** (-2 / 16)
    sin, sin_dots, cos, cos_dots = (xy(line) for line in axes.lines)
    for line, dots, wave in ((sin, sin_dots, math.sin), (cos, cos_dots, math.cos)):
        assert_allclose(line[1], [wave(omega * p) for p in line[0]], rtol=0, atol=1e-13)
        assert_array_equal(dots[0], POSITIONS)
        assert_allclose(dots[1], [wave(omega * p) for p in POSITIONS], rtol=0, atol=1e-13)
        assert (line[0][0], line[0][-1]) == (0, 39)
        assert np.diff(line[0]).max() * omega < 2 * math.pi / 29  # it looks smooth


def test_waves_of_many_positions_have_no_dots() -> None:
    assert len(plots.waves(16, 64, [0]).axes[0].lines) == 4
    assert len(plots.waves(16, 65, [0]).axes[0].lines) == 2


@pytest.mark.parametrize(("d", "base"), [(16, 10000.0), (4, 50.0), (256, 500000.0)])
def test_spectrum_shows_that_the_paper_stops_short(d: int, base: float) -> None:
    axes = plots.spectrum(d, base=base).axes[0]
    first, last, in_paper, in_code = (xy(line)[1] for line in axes.lines)
    pairs = np.arange(d // 2)
    assert_allclose(in_paper, 2 * math.pi * base ** (2 * pairs / d), rtol=1e-13)
    assert_allclose(in_code, 2 * math.pi * base ** (pairs / (d / 2 - 1)), rtol=1e-13)
    assert_allclose(first, 2 * math.pi)
    assert_allclose(last, 2 * math.pi * base)
    assert axes.get_yscale() == "log"
    low, high = axes.get_ylim()
    assert low < 2 * math.pi
    assert high > 2 * math.pi * base
    assert written(axes)[1] == f"2π·{base:,.0f}"
    assert sorted(written(axes)[2:]) == ["paper", "tensor2tensor"]


def test_similarity_shows_every_anchor_against_the_offset() -> None:
    axes = plots.similarity(PE, [0, 20]).axes[0]
    for line, anchor in zip(axes.lines, [0, 20], strict=False):
        offsets, dots = xy(line)
        assert_array_equal(offsets, POSITIONS - anchor)
        expected = [math.fsum(a * b for a, b in zip(row, PE[anchor], strict=True)) for row in PE]
        assert_allclose(dots, expected, rtol=0, atol=1e-13)


def test_similarity_keeps_lines_on_each_other_visible() -> None:
    lines = plots.similarity(PE, [0, 20, 39]).axes[0].lines[:3]
    widths = [line.get_linewidth() for line in lines]
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == len({line.get_linestyle() for line in lines}) == 3


def test_similarity_marks_each_squared_norm_once() -> None:
    axes = plots.similarity(PE, [0, 20, 39]).axes[0]
    (norm,) = axes.lines[3:]
    assert_allclose(xy(norm)[1], 8, rtol=1e-14)  # d/2, as for every position
    assert written(axes) == ["norm² 8"]

    axes = plots.similarity([[3, 4], [1, 0]], [0, 1]).axes[0]
    assert [xy(line)[1, 0] for line in axes.lines[2:]] == [25, 1]
    assert sorted(written(axes)) == ["norm² 1", "norm² 25"]


def test_similarity_names_the_anchors() -> None:
    (legend,) = plots.similarity(PE, [5, 20]).legends
    assert [text.get_text() for text in legend.get_texts()] == ["anchor 5", "anchor 20"]


def test_similarity_by_distance_marks_the_steps_that_rise() -> None:
    curve = [9, 5, 6, 6, 7, 3]
    axes = plots.similarity_by_distance(curve).axes[0]
    whole, *rises = (xy(line).tolist() for line in axes.lines)
    assert whole == [[0, 1, 2, 3, 4, 5], curve]
    assert rises == [[[1, 2], [5, 6]], [[3, 4], [6, 7]]]
    assert written(axes) == ["first rise: to offset 2"]
    assert axes.texts[0].xy == (2, 6)  # type: ignore[attr-defined]


def test_similarity_by_distance_can_be_left_unmarked() -> None:
    for figure in (
        plots.similarity_by_distance([9, 5, 6], rises=False),
        plots.similarity_by_distance([9, 5, 5, 1]),  # nothing rises
    ):
        assert len(figure.axes[0].lines) == 1
        assert written(figure.axes[0]) == []


def test_errors_shows_each_method_and_its_name() -> None:
    curves = {"plain": [1e-9, 1e-7, 1e-5], "exact": [2e-16, 0, 1e-16]}
    axes = plots.errors([1, 100, 10000], curves).axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("position", "largest error")
    plain, exact = (xy(line) for line in axes.lines)
    assert_array_equal(plain, [[1, 100, 10000], [1e-9, 1e-7, 1e-5]])
    assert_array_equal(exact[1], [2e-16, np.nan, 1e-16])  # a gap, since there is no log of 0
    assert written(axes) == ["exact", "plain"]  # upwards


def test_names_at_line_ends_keep_the_order_of_the_lines() -> None:
    curves = {
        name: [1.0, height] for name, height in zip("abcde", [9, 8.9, 1, 9.1, 8], strict=True)
    }
    figure = plots.errors([1, 2], curves)
    figure.draw_without_rendering()
    heights = {text.get_text(): Text.get_window_extent(text).y0 for text in figure.axes[0].texts}
    assert sorted(heights, key=heights.__getitem__) == ["c", "e", "b", "a", "d"]


def test_tick_labels_of_powers_are_plain_text() -> None:
    figure = plots.errors([1, 1e6], {"a": [1e-12, 1e-3]})
    figure.draw_without_rendering()
    below = [text.get_text() for text in figure.axes[0].get_xticklabels()]
    beside = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert {"1", "1,000", "10,000", "1e5", "1e6"} <= set(below)
    assert {"1e-12", "1e-6", "0.001"} & set(beside)
    assert not [text for text in beside if "-0" in text]
