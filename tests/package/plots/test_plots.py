"""posenc.plots: what all drawings have in common."""

import functools
import subprocess
import sys
from typing import Any

import matplotlib
import numpy as np
import pytest
from cycler import cycler
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import BboxBase

from posenc import plots
from tests.package.plots.drawings import DRAWINGS, PE, in_ink, shown, svg, written


def each_drawing(test: Any) -> Any:
    """Give a test each drawing, a third a day: what the pages of the book draw is seen daily."""
    return pytest.mark.turns(3)(pytest.mark.parametrize("name", DRAWINGS)(test))


# As in the book on light pages, and larger on dark ones: what is too tight shows there first.
LOOKS = [("#24292f", 11), ("#d7dae0", 12)]
each_look = pytest.mark.parametrize("look", LOOKS, ids=["light", "dark"])


@functools.cache
def drawn(name: str, ink: str, size: int) -> tuple[Figure, BboxBase]:
    """One figure for all tests that only look at it, and the box around all that it shows."""
    with in_ink(ink), matplotlib.rc_context({"font.size": size}):
        figure = DRAWINGS[name]()
        figure.draw_without_rendering()  # settles layout and labels
        return figure, figure.get_tightbbox().frozen()  # inches


def test_every_function_is_drawn_here() -> None:
    assert sorted(DRAWINGS) == plots.__all__


@each_drawing
def test_is_the_same_bytes_twice_and_changes_no_setting(name: str) -> None:
    with matplotlib.rc_context():
        matplotlib.rcdefaults()  # so that what an earlier drawing left behind is no excuse
        matplotlib.rcParams["svg.hashsalt"] = "posenc"
        before = dict(matplotlib.rcParams)
        first = svg(DRAWINGS[name]())
        assert dict(matplotlib.rcParams) == before
        assert svg(DRAWINGS[name]()) == first
        assert len(first) > 5000


@each_drawing
@each_look
def test_draws_without_a_warning(name: str, look: tuple[str, int]) -> None:
    assert drawn(name, *look)[0].axes  # a warning would be an error, as in all tests


@each_drawing
@each_look
def test_writes_in_the_colour_of_the_page(name: str, look: tuple[str, int]) -> None:
    for text in shown(drawn(name, *look)[0]):
        assert to_rgba(text.get_color()) == to_rgba(look[0]), text.get_text()


@each_drawing
@pytest.mark.parametrize("ink", [ink for ink, _ in LOOKS])
def test_strokes_have_the_colours_of_the_settings(name: str, ink: str) -> None:
    colours = {ink, "#0072b2", "#d55e00", "#009e73"}
    with in_ink(ink), matplotlib.rc_context({"axes.prop_cycle": cycler(color=sorted(colours))}):
        for axes in DRAWINGS[name]().axes:
            strokes = [line.get_color() for line in axes.lines]
            strokes += [patch.get_edgecolor() for patch in axes.patches]
            assert {to_hex(stroke) for stroke in strokes} <= colours


@each_drawing
@each_look
def test_writes_nothing_smaller_than_the_settings_say(name: str, look: tuple[str, int]) -> None:
    for text in shown(drawn(name, *look)[0]):
        assert float(text.get_fontsize()) >= look[1], text.get_text()
        assert "mathdefault" not in text.get_text(), "raised exponents are smaller"


@each_drawing
@each_look
def test_nothing_is_cut_at_the_border(name: str, look: tuple[str, int]) -> None:
    figure, box = drawn(name, *look)
    width, height = figure.get_size_inches()
    assert min(box.x0, box.y0) >= 0
    assert box.x1 <= width
    assert box.y1 <= height


@each_drawing
def test_no_two_annotations_overlap(name: str) -> None:
    for axes in drawn(name, *LOOKS[0])[0].axes:
        # The words alone: the box of an annotation would include its arrow.
        boxes = [Text.get_window_extent(text) for text in axes.texts]
        for index, box in enumerate(boxes):
            for other in boxes[index + 1 :]:
                assert not box.overlaps(other), written(axes)


@each_drawing
def test_every_panel_says_what_its_axes_are(name: str) -> None:
    figure, _ = drawn(name, *LOOKS[0])
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
