"""posenc.plots: what each table drawn as an image must show, judged by plain NumPy."""

from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_array_equal

from posenc import plots
from tests.package.plots.drawings import DRAWINGS, PE, in_ink, paper, svg, texts, xy


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
