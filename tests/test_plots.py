"""posenc.plots: what each drawing must show, judged by plain NumPy and math."""

import io
import math
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib
import numpy as np
import pytest
from cycler import cycler
from matplotlib.axes import Axes
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch
from matplotlib.text import Text
from numpy.testing import assert_allclose, assert_array_equal

from posenc import plots

POSITIONS = np.arange(40)


def paper(length: int, d: int) -> np.ndarray[Any, Any]:
    """Section 3.5 of the paper read aloud, for tables that the drawings receive."""
    row = [[p / 10000 ** (2 * i / d) for i in range(d // 2)] for p in range(length)]
    return np.array([[f(x) for x in angles for f in (math.sin, math.cos)] for angles in row])


PE = paper(40, 16)

# One call of each function, for what all of them must do.
DRAWINGS: dict[str, Callable[[], Figure]] = {
    "errors": lambda: plots.errors([1, 10, 100], {"a": [1e-9, 1e-8, 1e-7], "b": [1e-9, 0, 2e-9]}),
    "gram": lambda: plots.gram(PE @ PE.T),
    "heatmap": lambda: plots.heatmap(PE),
    "matrix": lambda: plots.matrix(np.eye(16)),
    "regression": lambda: plots.regression([1, 2, 4], [[1, 2, 3], [4, 2, 1]], ["a", "b"]),
    "rotation": lambda: plots.rotation([0, 3, 7], 2, 0.5),
    "similarity": lambda: plots.similarity(PE, [0, 20, 39]),
    "similarity_by_distance": lambda: plots.similarity_by_distance(PE @ PE[0]),
    "spectrum": lambda: plots.spectrum(16),
    "waves": lambda: plots.waves(16, 40, [0, 2]),
}
each_drawing = pytest.mark.parametrize("draw", DRAWINGS.values(), ids=DRAWINGS.keys())
each_ink = pytest.mark.parametrize("ink", ["#24292f", "#d7dae0"])


def in_ink(ink: str) -> Any:
    """Return settings as the book has them, with everything written in one colour."""
    names = ("text.color", "axes.labelcolor", "axes.edgecolor", "xtick.color", "ytick.color")
    settings: Any = dict.fromkeys(names, ink)
    return matplotlib.rc_context(settings)


def svg(figure: Figure) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def texts(figure: Figure) -> Iterator[Text]:
    """Yield all that is written on the figure and is not empty."""
    figure.draw_without_rendering()
    for text in figure.findobj(Text):
        if isinstance(text, Text) and text.get_text() and text.get_visible():
            yield text


def written(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def xy(line: Any) -> Any:
    return np.array(line.get_data())


# What all drawings have in common.


def test_every_function_is_drawn_here() -> None:
    assert sorted(DRAWINGS) == plots.__all__


@each_drawing
@each_ink
def test_draws_without_a_warning(draw: Callable[[], Figure], ink: str) -> None:
    with warnings.catch_warnings(), in_ink(ink):
        warnings.simplefilter("error")
        assert len(svg(draw())) > 5000


@each_drawing
def test_is_the_same_bytes_twice(draw: Callable[[], Figure]) -> None:
    with matplotlib.rc_context({"svg.hashsalt": "posenc"}):
        assert svg(draw()) == svg(draw())


@each_drawing
def test_changes_no_setting(draw: Callable[[], Figure]) -> None:
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # so that what an earlier drawing left behind is no excuse
        before = dict(matplotlib.rcParams)
        svg(draw())
        assert dict(matplotlib.rcParams) == before


@each_drawing
@each_ink
def test_writes_in_the_colour_of_the_page(draw: Callable[[], Figure], ink: str) -> None:
    with in_ink(ink):
        for text in texts(draw()):
            assert to_rgba(text.get_color()) == to_rgba(ink), text.get_text()


@each_drawing
@each_ink
def test_strokes_have_the_colours_of_the_settings(draw: Callable[[], Figure], ink: str) -> None:
    colours = {ink, "#0072b2", "#d55e00", "#009e73"}
    with in_ink(ink), matplotlib.rc_context({"axes.prop_cycle": cycler(color=sorted(colours))}):
        for axes in draw().axes:
            strokes = [line.get_color() for line in axes.lines]
            strokes += [patch.get_edgecolor() for patch in axes.patches]
            assert {to_hex(stroke) for stroke in strokes} <= colours


@each_drawing
@pytest.mark.parametrize("size", [10, 12])
def test_writes_nothing_smaller_than_the_settings_say(
    draw: Callable[[], Figure], size: int
) -> None:
    with matplotlib.rc_context({"font.size": size}):
        for text in texts(draw()):
            assert float(text.get_fontsize()) >= size, text.get_text()
            assert "mathdefault" not in text.get_text(), "raised exponents are smaller"


@each_drawing
@pytest.mark.parametrize("size", [10, 11, 12])
def test_nothing_is_cut_at_the_border(draw: Callable[[], Figure], size: int) -> None:
    with matplotlib.rc_context({"font.size": size}):
        figure = draw()
        figure.draw_without_rendering()
        box = figure.get_tightbbox()  # inches, around all that is drawn
    width, height = figure.get_size_inches()
    assert min(box.x0, box.y0) >= 0
    assert box.x1 <= width
    assert box.y1 <= height


@each_drawing
def test_no_two_annotations_overlap(draw: Callable[[], Figure]) -> None:
    figure = draw()
    figure.draw_without_rendering()
    for axes in figure.axes:
        # The words alone: the box of an annotation would include its arrow.
        boxes = [Text.get_window_extent(text) for text in axes.texts]
        for index, box in enumerate(boxes):
            for other in boxes[index + 1 :]:
                assert not box.overlaps(other), written(axes)


@each_drawing
def test_every_panel_says_what_its_axes_are(draw: Callable[[], Figure]) -> None:
    figure = draw()
    panels = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
    assert panels[-1].get_xlabel()
    assert panels[0].get_ylabel() or figure.get_supylabel()
    for bar in set(figure.axes) - set(panels):
        assert bar.get_ylabel()


@pytest.mark.parametrize("name", ["errors", "spectrum", "waves", "regression", "similarity"])
def test_curves_have_no_border_at_the_top_and_right(name: str) -> None:
    for axes in DRAWINGS[name]().axes:
        visible = {side for side, spine in axes.spines.items() if spine.get_visible()}
        assert visible == {"left", "bottom"}


@pytest.mark.parametrize(
    "figure",
    [
        plots.gram(np.eye(3)),
        plots.heatmap(PE[:3, :4]),
        plots.matrix(np.eye(4)),
        plots.similarity(PE[:3], [0]),
        plots.similarity_by_distance([3, 2, 1]),
        plots.spectrum(6),
        plots.waves(4, 3, [1]),
    ],
)
def test_positions_channels_and_pairs_have_whole_ticks(figure: Figure) -> None:
    axes = figure.axes[0]
    for axis in [axes.xaxis, axes.yaxis] if axes.images else [axes.xaxis]:
        low, high = sorted(axis.get_view_interval())
        ticks = [tick for tick in axis.get_major_locator()() if low <= tick <= high]
        assert ticks in ([0, 1, 2], [0, 1, 2, 3])


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter, where nothing is imported yet."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_posenc_alone_does_not_import_matplotlib() -> None:
    result = python("import sys, posenc; print('matplotlib' in sys.modules)")
    assert result.stdout == "False\n", result.stderr


def test_drawing_does_not_import_pyplot() -> None:
    result = python(
        "import io, sys\n"
        "from posenc import plots\n"
        "plots.heatmap([[0, 1]]).savefig(io.BytesIO(), format='svg')\n"
        "plots.waves(4, 8, [0, 1]).savefig(io.BytesIO(), format='png')\n"
        "print('matplotlib' in sys.modules, 'matplotlib.pyplot' in sys.modules)"
    )
    assert result.stdout == "True False\n", result.stderr


def test_importing_changes_no_setting() -> None:
    result = python(
        "from matplotlib import rcParams\n"
        "before = dict(rcParams)\n"
        "import posenc.plots\n"
        "print(dict(rcParams) == before)"
    )
    assert result.stdout == "True\n", result.stderr


def test_without_matplotlib_the_error_says_what_to_install() -> None:
    result = python("import sys; sys.modules['matplotlib'] = None; import posenc.plots")
    assert result.returncode == 1
    last = result.stderr.splitlines()[-1]
    assert last == "ImportError: posenc.plots needs Matplotlib: pip install posenc[plots]"


# Tables as images.


def image(figure: Figure) -> Any:
    (only,) = figure.axes[0].images
    return only


def test_heatmap_shows_the_table() -> None:
    figure = plots.heatmap(PE, channels_label="sines and cosines")
    assert_array_equal(image(figure).get_array(), PE)
    assert image(figure).get_clim() == (-1, 1)
    assert figure.axes[0].get_xlabel() == "sines and cosines"
    assert figure.axes[0].get_ylabel() == "position"
    assert figure.axes[1].get_ylabel() == "value"


def test_heatmap_centres_a_cell_on_each_position() -> None:
    figure = plots.heatmap(PE[:5], start=1000)
    assert image(figure).get_extent() == [-0.5, 15.5, 1004.5, 999.5]
    assert figure.axes[0].get_ylim() == (1004.5, 999.5)  # downwards, no cell cut
    assert "1002" in [text.get_text() for text in texts(figure)]


def test_heatmap_of_small_entries_has_the_limit_asked_for() -> None:
    assert image(plots.heatmap(PE / 50, limit=0.02)).get_clim() == (-0.02, 0.02)


@pytest.mark.parametrize("name", ["heatmap", "gram", "matrix"])
def test_images_are_small_and_sharp_in_svg(name: str) -> None:
    drawing = svg(DRAWINGS[name]())
    assert drawing.count(b"<image") == 2  # the table and its colour bar
    assert b"image-rendering:pixelated" in drawing
    assert len(drawing) < 50_000


@pytest.mark.parametrize("name", ["heatmap", "matrix"])
@pytest.mark.parametrize(("ink", "light_page"), [("#24292f", True), ("#d7dae0", False)])
def test_the_colour_of_zero_is_close_to_the_page(name: str, ink: str, light_page: bool) -> None:
    with in_ink(ink):
        colours = image(DRAWINGS[name]()).get_cmap()
    if light_page:
        assert min(colours(0.5)[:3]) > 0.9
    else:
        assert max(colours(0.5)[:3]) < 0.15
    blue, red = colours(0.0), colours(1.0)
    assert blue[2] > blue[0]
    assert red[0] > red[2]


def test_gram_without_negative_entries_spans_what_is_there() -> None:
    D = paper(40, 64) @ paper(40, 64).T
    assert D.min() > 0
    figure = plots.gram(D)
    assert_array_equal(image(figure).get_array(), D)
    assert image(figure).get_clim() == (D.min(), D.max())
    assert figure.axes[0].get_aspect() == 1
    assert figure.axes[1].get_ylabel() == "dot product"


def test_gram_with_negative_entries_has_zero_in_the_middle() -> None:
    D = np.array([[2.0, -3.0], [-3.0, 2.0]])
    assert image(plots.gram(D)).get_clim() == (-3, 3)
    assert image(plots.gram(-D)).get_clim() == (-3, 3)


def test_matrix_shows_the_entries_with_lines_between_the_blocks() -> None:
    M = np.arange(36).reshape(6, 6) / 36
    figure = plots.matrix(M)
    assert_array_equal(image(figure).get_array(), M)
    assert image(figure).get_clim() == (-1, 1)
    edges = [xy(line) for line in figure.axes[0].lines]
    assert [y[0] for _, y in edges[0::2]] == [1.5, 3.5]
    assert [x[0] for x, _ in edges[1::2]] == [1.5, 3.5]
    assert figure.axes[0].get_aspect() == 1


def test_matrix_shows_entries_beyond_one() -> None:
    assert image(plots.matrix([[0, -2], [1, 0]])).get_clim() == (-2, 2)


# Curves.


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


# Points.


def test_rotation_turns_every_position_by_the_same_angle() -> None:
    axes = plots.rotation([0, 3, 7], 2, 0.5).axes[0]
    arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    assert len(arrows) == 3
    for arrow, p in zip(arrows, [0, 3, 7], strict=True):
        path = arrow._path_original  # type: ignore[attr-defined]  # get_path() trims it
        x, y = np.asarray(path.vertices).T
        angles = np.unwrap(np.arctan2(x, y))  # clockwise from the top
        assert math.remainder(angles[0] - 0.5 * p, 2 * math.pi) == pytest.approx(0, abs=1e-12)
        assert angles[-1] - angles[0] == pytest.approx(0.5 * 2, abs=1e-12)
    assert "ω·2 = 1.00 rad" in written(axes)[0]


def test_rotation_puts_the_points_on_the_unit_circle() -> None:
    axes = plots.rotation([0, 3, 7], 2, 0.5).axes[0]
    dots = [xy(line)[:, 0] for line in axes.lines if line.get_marker() == "o"]
    expected = [(math.sin(0.5 * p), math.cos(0.5 * p)) for p in (0, 2, 3, 5, 7, 9)]
    assert_allclose(dots, expected, rtol=0, atol=1e-14)
    (circle,) = (patch for patch in axes.patches if isinstance(patch, Circle))
    assert (circle.center, circle.radius) == ((0, 0), 1)
    assert axes.get_aspect() == 1
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("sin(ωp)", "cos(ωp)")
    assert written(axes)[1:] == ["p = 0", "p = 2", "p = 3", "p = 5", "p = 7", "p = 9"]


def test_rotation_writes_positions_at_the_same_place_together() -> None:
    # 4 positions and a turn of 3π/2: 0 and 8 differ by three turns, 4 is half a turn on.
    axes = plots.rotation([0, 4], 4, 0.75 * math.pi).axes[0]
    assert written(axes)[1:] == ["p = 0, 8", "p = 4"]


def test_regression_shows_each_model_and_its_share_of_the_variance() -> None:
    true = [1.0, 2.0, 3.0, 6.0]
    models = [[1.1, 1.9, 3.2, 5.8], [6.0, 3.0, 2.0, 1.0]]
    figure = plots.regression(true, models, ["good", "bad"])
    assert len(figure.axes) == 2
    for axes, label, predicted in zip(figure.axes, ["good", "bad"], models, strict=True):
        rest = np.mean((np.array(true) - predicted) ** 2)
        r2 = 1 - rest / np.var(true)
        name, share = axes.get_title(loc="left").split("\n")
        assert name == label
        assert float(share.removeprefix("R² = ").replace("−", "-")) == pytest.approx(r2, abs=6e-4)
        diagonal, points = (xy(line) for line in axes.lines)
        assert_array_equal(diagonal[0], diagonal[1])
        assert_array_equal(points, [true, predicted])
        assert axes.get_xlim() == figure.axes[0].get_xlim()
    assert "−" in figure.axes[1].get_title(loc="left")


# Refusals.

REFUSED: list[tuple[Callable[[], Figure], type[Exception], str]] = [
    (lambda: plots.heatmap([1.0]), ValueError, "pe must have 2 axes, got shape (1,)"),
    (
        lambda: plots.heatmap(np.ones((0, 4))),
        ValueError,
        "pe must have a shape of at least (1, 1), got shape (0, 4)",
    ),
    (lambda: plots.heatmap([["a"]]), TypeError, "pe must hold real numbers, got dtype <U1"),
    (lambda: plots.heatmap([[math.nan]]), ValueError, "pe must be finite, got nan"),
    (lambda: plots.heatmap([[-1.5]]), ValueError, "pe must lie within ±1.0, got 1.5 in it"),
    (lambda: plots.heatmap(PE, limit=0), ValueError, "limit must be above 0, got limit=0.0"),
    (
        lambda: plots.heatmap(PE, limit=math.inf),
        ValueError,
        "limit must be finite, got limit=inf",
    ),
    (
        lambda: plots.heatmap(PE, start=0.5),  # type: ignore[arg-type]
        TypeError,
        "start must be an integer, got start=0.5",
    ),
    (
        lambda: plots.heatmap(PE, start=2**41),
        ValueError,
        "start must lie within ±2**40, got start=2199023255552",
    ),
    (lambda: plots.gram([[1, 2]]), ValueError, "D must be square, got shape (1, 2)"),
    (
        lambda: plots.gram(np.ones((0, 0))),
        ValueError,
        "D must not be empty, got shape (0, 0)",
    ),
    (lambda: plots.matrix([[1, 2]]), ValueError, "M must be square, got shape (1, 2)"),
    (
        lambda: plots.matrix(np.eye(3)),
        ValueError,
        "rows of M must be even and at least 2, got rows of M=3",
    ),
    (lambda: plots.waves(5, 8, [0]), ValueError, "dim must be even and at least 2, got dim=5"),
    (lambda: plots.waves(4, 1, [0]), ValueError, "seq_len must be at least 2, got seq_len=1"),
    (lambda: plots.waves(4, 8, []), ValueError, "pairs must not be empty"),
    (lambda: plots.waves(4, 8, [2]), ValueError, "pairs must lie within 0..1, got 2"),
    (lambda: plots.waves(4, 8, [-1]), ValueError, "pairs must lie within 0..1, got -1"),
    (
        lambda: plots.waves(4, 8, 1),  # type: ignore[arg-type]
        TypeError,
        "pairs must hold integers, got pairs=1",
    ),
    (
        lambda: plots.waves(4, 8, [0.0]),  # type: ignore[list-item]
        TypeError,
        "pairs must be an integer, got pairs=0.0",
    ),
    (
        lambda: plots.waves(4, 8, [0], base=1.0),
        ValueError,
        "base must be above 1, got base=1.0",
    ),
    (lambda: plots.spectrum(2), ValueError, "d_model must be at least 4, got d_model=2"),
    (
        lambda: plots.spectrum(7),
        ValueError,
        "d_model must be even and at least 2, got d_model=7",
    ),
    (lambda: plots.spectrum(8, base=0.5), ValueError, "base must be above 1, got base=0.5"),
    (
        lambda: plots.similarity(PE, [40]),
        ValueError,
        "anchors must lie within 0..39, got 40",
    ),
    (lambda: plots.similarity(PE, []), ValueError, "anchors must not be empty"),
    (
        lambda: plots.similarity_by_distance([1]),
        ValueError,
        "curve must have at least 2 entries, got 1",
    ),
    (
        lambda: plots.similarity_by_distance([[1, 2]]),
        ValueError,
        "curve must have 1 axes, got shape (1, 2)",
    ),
    (
        lambda: plots.errors([0, 1], {"a": [1, 1]}),
        ValueError,
        "positions must be above 0 and rising",
    ),
    (
        lambda: plots.errors([2, 1], {"a": [1, 1]}),
        ValueError,
        "positions must be above 0 and rising",
    ),
    (lambda: plots.errors([1, 2], {}), ValueError, "curves must not be empty"),
    (
        lambda: plots.errors([1, 2], [[1, 1]]),  # type: ignore[arg-type]
        TypeError,
        "curves must map names to errors, got list",
    ),
    (
        lambda: plots.errors([1, 2], {"a": [1]}),
        ValueError,
        "curves['a'] must have shape (2,), got shape (1,)",
    ),
    (
        lambda: plots.errors([1, 2], {"a": [1, -1]}),
        ValueError,
        "curves['a'] must be at least 0 and somewhere above it",
    ),
    (
        lambda: plots.errors([1, 2], {"a": [0, 0]}),
        ValueError,
        "curves['a'] must be at least 0 and somewhere above it",
    ),
    (lambda: plots.rotation([], 1, 1), ValueError, "positions must not be empty, got shape (0,)"),
    (lambda: plots.rotation(3, 1, 1), ValueError, "positions must have 1 axes, got shape ()"),
    (
        lambda: plots.rotation([1], math.nan, 1),
        ValueError,
        "offset must be finite, got offset=nan",
    ),
    (
        lambda: plots.rotation([1], 1, "1"),  # type: ignore[arg-type]
        TypeError,
        "omega must be a real number, got omega='1'",
    ),
    (
        lambda: plots.regression([1, 2], [[1, 2]], ["a", "b"]),
        ValueError,
        "predictions must have shape (labels, targets) = (2, 2) "
        "with at least one label, got shape (1, 2)",
    ),
    (
        lambda: plots.regression([1, 2], np.ones((0, 2)), []),
        ValueError,
        "predictions must have shape (labels, targets) = (0, 2) "
        "with at least one label, got shape (0, 2)",
    ),
    (
        lambda: plots.regression([2, 2], [[1, 2]], ["a"]),
        ValueError,
        "targets must not be all equal",
    ),
]


@pytest.mark.parametrize(("draw", "kind", "complaint"), REFUSED, ids=[r[2] for r in REFUSED])
def test_refuses(draw: Callable[[], Figure], kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind) as refusal:
        draw()
    assert str(refusal.value) == complaint
