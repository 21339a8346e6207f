"""posenc.plots: what holds for every drawing."""

import functools
import subprocess
import sys

import matplotlib
import pytest
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import BboxBase

from posenc import plots
from tests.package.plots.drawings import DRAWINGS, in_ink, svg, visible_texts

each_drawing = pytest.mark.parametrize("name", DRAWINGS)

# As on dark pages, where the text is largest and what is too tight shows first.
INK, SIZE = "#d7dae0", 12


@functools.cache
def drawn(name: str) -> tuple[Figure, BboxBase]:
    """Return a drawing and the box around all that it shows, in inches."""
    with in_ink(INK), matplotlib.rc_context({"font.size": SIZE}):
        figure = DRAWINGS[name]()
        figure.draw_without_rendering()  # a warning is an error
        return figure, figure.get_tightbbox().frozen()


def test_every_function_has_a_drawing() -> None:
    assert sorted(DRAWINGS) == plots.__all__


@each_drawing
def test_second_drawing_has_the_same_bytes_and_settings_stay(name: str) -> None:
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams["svg.hashsalt"] = "posenc"
        before = dict(matplotlib.rcParams)
        first = svg(DRAWINGS[name]())
        assert dict(matplotlib.rcParams) == before
        assert svg(DRAWINGS[name]()) == first


@each_drawing
def test_text_has_the_colour_and_size_of_the_page(name: str) -> None:
    for text in visible_texts(drawn(name)[0]):
        assert to_rgba(text.get_color()) == to_rgba(INK), text.get_text()
        assert float(text.get_fontsize()) >= SIZE, text.get_text()
        assert "mathdefault" not in text.get_text(), "raised exponents are smaller"


@each_drawing
def test_nothing_is_cut_at_the_border(name: str) -> None:
    figure, box = drawn(name)
    width, height = figure.get_size_inches()
    assert min(box.x0, box.y0) >= 0
    assert box.x1 <= width
    assert box.y1 <= height


@each_drawing
def test_annotations_do_not_overlap(name: str) -> None:
    for axes in drawn(name)[0].axes:
        # Only the words: the box of an annotation would include its arrow.
        boxes = [Text.get_window_extent(text) for text in axes.texts]
        for index, box in enumerate(boxes):
            assert not any(box.overlaps(other) for other in boxes[index + 1 :])


@each_drawing
def test_axes_are_labelled(name: str) -> None:
    figure, _ = drawn(name)
    panels = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
    assert panels[-1].get_xlabel()
    assert panels[0].get_ylabel() or figure.get_supylabel()
    for bar in set(figure.axes) - set(panels):
        assert bar.get_ylabel()


def python(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter, where nothing is imported yet."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)


def test_posenc_does_not_import_matplotlib() -> None:
    result = python("import sys, posenc; print('matplotlib' in sys.modules)")
    assert result.stdout == "False\n", result.stderr


def test_drawing_does_not_import_pyplot() -> None:
    result = python(
        "import io, sys\n"
        "from posenc import plots\n"
        "plots.heatmap([[0, 1]]).savefig(io.BytesIO(), format='svg')\n"
        "plots.waves(4, 8, [0, 1]).savefig(io.BytesIO(), format='png')\n"
        "print('matplotlib.pyplot' in sys.modules)"
    )
    assert result.stdout == "False\n", result.stderr


def test_missing_matplotlib_names_the_extra_to_install() -> None:
    result = python("import sys; sys.modules['matplotlib'] = None; import posenc.plots")
    assert result.returncode == 1
    last = result.stderr.splitlines()[-1]
    assert last == "ImportError: posenc.plots needs Matplotlib: pip install matplotlib"
