"""Figures for dark pages: what becomes of a drawing is what drawing it anew would give.

Each figure of the book is drawn once more here, for dark pages. So the two themes are
compared, and the second drawing has to show the numbers of the first.
"""

import io
import re
from collections.abc import Callable

import pytest
from matplotlib import style
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine, TightLayoutEngine

from check.fences import find_fences
from check.figures import (
    DARKER,
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
from tests.checking import cache

FIGURES = {
    path: [fence.source for fence in find_fences(read_page(path)) if "figure" in fence.classes]
    for path in sorted(DOCS.rglob("*.md"))
}
# Names that Matplotlib makes of what a thing looks like, its colour among it.
NAMES = re.compile(r'(?<=["#])(?:m|p|h|image)[0-9a-f]{10}\b')


def named_in_order(svg: str) -> str:
    """Return a drawing whose parts are named by where they come first."""
    order = {name: f"name-{place}" for place, name in enumerate(dict.fromkeys(NAMES.findall(svg)))}
    return NAMES.sub(lambda name: order[name[0]], svg)


@pytest.mark.nightly  # figures are drawn once more
@pytest.mark.parametrize(
    "path", [path for path in FIGURES if FIGURES[path]], ids=lambda path: path.stem
)
def test_figures_on_dark_ground_are_what_their_code_draws_there(path):
    wrong = []
    for source in FIGURES[path]:
        had = cache().find_drawing(source) or draw(source, str(path), 0)
        _, dark, data = draw_theme(compile_figure(source), "dark")
        if named_in_order(had.svg["dark"]) != named_in_order(dark):
            wrong.append(f"it looks otherwise:\n{source}")
        if had.data != data:
            wrong.append(f"it shows other numbers the second time:\n{source}")

    assert wrong == []


def line() -> Figure:
    figure = Figure(figsize=(2, 2))
    figure.subplots().plot([1, 2], [3, 4], "C1o-")
    return figure


def test_a_drawing_is_made_once_and_recoloured():
    calls = []

    def run() -> Figure:
        calls.append(1)
        return line()

    made = draw_themes(run)

    assert len(calls) == 1
    assert made.svg["dark"] == recolour_for_dark(made.svg["light"])
    assert made.svg["dark"] != made.svg["light"]
    assert not [light for light in DARKER if light in made.svg["dark"]]


def test_a_drawing_with_an_image_is_made_for_each_theme():
    """The colours of an image are in its pixels."""
    themes = []

    def image() -> Figure:
        from matplotlib import rcParams

        themes.append(rcParams["text.color"])
        figure = Figure(figsize=(2, 2))
        figure.subplots().imshow([[1, 2]])
        return figure

    made = draw_themes(image)

    assert themes == [THEMES[name]["text.color"] for name in ("light", "dark")]
    assert IMAGE in made.svg["light"]


@pytest.mark.parametrize("layout", ["constrained", "compressed", "tight", None])
def test_the_second_drawing_takes_the_layout_of_the_first(layout, monkeypatch):
    def run() -> Figure:
        return boxes(layout)

    anew = draw_theme(run, "dark")[1]
    laid_out: list[object] = []
    for engine in (ConstrainedLayoutEngine, TightLayoutEngine):
        monkeypatch.setattr(engine, "execute", counted(engine.execute, laid_out))

    assert draw_themes(run).svg["dark"] == anew
    assert len(laid_out) == (layout is not None)


def test_a_second_drawing_with_other_axes_is_one_with_other_numbers():
    figures = [boxes("constrained"), boxes("constrained")]
    figures[1].add_subplot().imshow([[1]])

    with pytest.raises(ValueError, match="other numbers"):
        draw_themes(iter(figures).__next__)


def counted(method: Callable[..., object], calls: list[object]) -> Callable[..., object]:
    def call(engine: object, figure: object) -> object:
        calls.append(figure)
        return method(engine, figure)

    return call


def boxes(layout: str | None) -> Figure:
    # On a page, the ground is that of the page.
    figure = Figure(figsize=(3, 2), layout=layout, facecolor="red", dpi=150)
    left, right = figure.subplots(1, 2)
    right.set(title="one of two", ylabel="a label\nof two lines")
    figure.colorbar(left.imshow([[1, 2], [3, 4]]), ax=left)
    right.plot([1, 1000], [3, 4])
    return figure


@pytest.mark.parametrize("layout", ["constrained", "compressed", "tight", None])
def test_a_drawing_is_what_matplotlib_saves(layout):
    with style.context(["default", THEMES["light"]]):
        file = io.StringIO()
        boxes(layout).savefig(file, format="svg", metadata=NO_METADATA)

    figures = []

    def run() -> Figure:
        figures.append(boxes(layout))
        return figures[0]

    _, made, _ = draw_theme(run, "light")
    assert made == file.getvalue()
    assert figures[0].dpi == 150
    assert "#ff0000" not in made


def test_names_are_told_apart_by_their_order_alone():
    one = '<path id="m0123456789"/><use href="#m0123456789"/><use href="#p0123456789"/>'

    assert named_in_order(one) == named_in_order(one.replace("m0123456789", "mabcdefabcd"))
    assert named_in_order(one) != named_in_order(one.replace("p0123456789", "m0123456789"))
    assert "#0b62a4" in named_in_order("fill: #0b62a4")
