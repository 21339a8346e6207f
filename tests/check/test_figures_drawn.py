"""Figures for dark pages: recolouring a drawing gives the same as drawing it in the dark theme."""

import io
import re
from collections.abc import Callable

import pytest
from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine, TightLayoutEngine

from check.fences import find_fences
from check.figures import (
    DARK_FOR_LIGHT,
    IMAGE,
    NO_METADATA,
    THEMES,
    compile_figure,
    draw,
    draw_theme,
    draw_themes,
    recolour_for_dark,
)
from check.page_source import read_page
from check.paths import DOCS
from tests.checking import open_test_cache

FIGURES = {
    path: [fence.source for fence in find_fences(read_page(path)) if "figure" in fence.classes]
    for path in sorted(DOCS.rglob("*.md"))
}
# Ids that Matplotlib derives from the appearance of a part, such as its colour.
IDS = re.compile(r'(?<=["#])(?:m|p|h|image)[0-9a-f]{10}\b')


def number_ids(svg: str) -> str:
    """Return a drawing with its ids replaced by numbers, in order of appearance."""
    new = {name: f"id-{number}" for number, name in enumerate(dict.fromkeys(IDS.findall(svg)))}
    return IDS.sub(lambda name: new[name[0]], svg)


@pytest.mark.nightly  # draws all figures
@pytest.mark.parametrize(
    "path", [path for path in FIGURES if FIGURES[path]], ids=lambda path: path.stem
)
def test_recoloured_figures_equal_figures_drawn_in_the_dark_theme(path):
    differences = []
    for source in FIGURES[path]:
        drawing = open_test_cache().find_drawing(source) or draw(source, str(path), 0)
        _, dark, data = draw_theme(compile_figure(source), "dark")
        if number_ids(drawing.svg["dark"]) != number_ids(dark):
            differences.append(f"it looks different:\n{source}")
        if drawing.data != data:
            differences.append(f"it shows different numbers the second time:\n{source}")

    assert differences == []


def plot_line() -> Figure:
    figure = Figure(figsize=(2, 2))
    figure.subplots().plot([1, 2], [3, 4], "C1o-")
    return figure


def test_a_figure_without_images_is_drawn_once():
    calls = []

    def run() -> Figure:
        calls.append(1)
        return plot_line()

    drawing = draw_themes(run)

    assert len(calls) == 1
    assert drawing.svg["dark"] == recolour_for_dark(drawing.svg["light"])
    assert drawing.svg["dark"] != drawing.svg["light"]
    assert not [light for light in DARK_FOR_LIGHT if light in drawing.svg["dark"]]


def test_a_figure_with_an_image_is_drawn_for_each_theme():
    themes = []

    def plot_image() -> Figure:
        from matplotlib import rcParams

        themes.append(rcParams["text.color"])
        figure = Figure(figsize=(2, 2))
        figure.subplots().imshow([[1, 2]])
        return figure

    drawing = draw_themes(plot_image)

    assert themes == [THEMES[name]["text.color"] for name in ("light", "dark")]
    assert IMAGE in drawing.svg["light"]


@pytest.mark.parametrize("layout", ["constrained", "compressed", "tight", None])
def test_a_figure_is_laid_out_only_once(layout, monkeypatch):
    def run() -> Figure:
        return plot_two_axes(layout)

    dark = draw_theme(run, "dark")[1]
    laid_out: list[object] = []
    for engine in (ConstrainedLayoutEngine, TightLayoutEngine):
        monkeypatch.setattr(engine, "execute", count_calls(engine.execute, laid_out))

    assert draw_themes(run).svg["dark"] == dark
    assert len(laid_out) == (layout is not None)


def test_a_figure_with_other_axes_the_second_time_is_refused():
    figures = [plot_two_axes("constrained"), plot_two_axes("constrained")]
    figures[1].add_subplot().imshow([[1]])

    with pytest.raises(ValueError, match="different numbers"):
        draw_themes(iter(figures).__next__)


def count_calls(method: Callable[..., object], calls: list[object]) -> Callable[..., object]:
    def call(engine: object, figure: object) -> object:
        calls.append(figure)
        return method(engine, figure)

    return call


def plot_two_axes(layout: str | None) -> Figure:
    # The red background must not be drawn: figures are transparent.
    figure = Figure(figsize=(3, 2), layout=layout, facecolor="red", dpi=150)
    left, right = figure.subplots(1, 2)
    right.set(title="one of two", ylabel="a label\nof two lines")
    figure.colorbar(left.imshow([[1, 2], [3, 4]]), ax=left)
    right.plot([1, 1000], [3, 4])
    return figure


@pytest.mark.parametrize("layout", ["constrained", "compressed", "tight", None])
def test_a_drawing_equals_the_output_of_savefig(layout):
    with style.context(["default", THEMES["light"]]):
        file = io.StringIO()
        plot_two_axes(layout).savefig(file, format="svg", metadata=NO_METADATA)

    figures = []

    def run() -> Figure:
        figures.append(plot_two_axes(layout))
        return figures[0]

    _, svg, _ = draw_theme(run, "light")
    assert svg == file.getvalue()
    assert figures[0].dpi == 150
    assert "#ff0000" not in svg
