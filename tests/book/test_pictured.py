"""What the words of figures say, of left and right, rising and falling, is what they draw."""

from typing import Any

import numpy as np
import pytest
from matplotlib import style
from sybil import Document

from engine import figures
from engine.fences import Fence
from engine.places import DOCS
from engine.scripts import is_lab
from engine.texts import read
from pages import compared, pictured
from pages.pictured import Pictured

PAGES = [page for page in compared.pages() if not is_lab(page)]


def drawn(fence: Fence) -> Any:
    """Return the figure that a fence draws."""
    with style.context(["default", figures.THEMES["light"]]):
        return figures.runs(fence.source)()


def another(figure: Any) -> None:
    """Turn the lines of a figure round, make its maps count, and give its panels other names."""
    for axes in figure.axes:
        for line in axes.lines:
            line.set_data(*-np.array(line.get_data(), float)[:, ::-1])
        for image in axes.images:
            rows, columns = image.get_array().shape
            image.set_data(np.arange(float(rows * columns)).reshape(rows, columns) ** 2)
        for bar in (bar for bars in axes.containers for bar in bars):
            bar.set_height(1)
        for text in (*axes.texts, axes.xaxis.label, axes.yaxis.label, axes.title):
            text.set_text(f"not {text.get_text()}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_words_of_a_figure_hold_of_what_it_draws_and_of_nothing_else(page):
    entries = pictured.listed()

    for fence in pictured.figures(read(page)):
        entry, figure = entries[fence.attributes["id"]], drawn(fence)
        assert not pictured.false(entry, figure), f"{entry.id}: its words do not hold"
        another(figure)
        assert fails(entry, figure), f"{entry.id}: its words hold of another figure, too"


def fails(entry: Pictured, figure: Any) -> bool:
    """Return whether the words of a figure do not hold; what cannot be computed does not."""
    try:
        return pictured.false(entry, figure)
    except (ArithmeticError, LookupError, TypeError, ValueError):
        return True


def test_each_entry_is_of_a_figure_of_a_page():
    there = [f.attributes["id"] for page in PAGES for f in pictured.figures(read(page))]

    assert sorted(pictured.listed()) == sorted(there)


@pytest.mark.parametrize(
    ("chapter", "was", "now"),
    [
        ("counting", "and the next one to the left.", "and the next one to the right."),
        ("grids", "A step to the right turns the hands of the column", "A step down turns them"),
        ("biases", "in the lower left corner", "in the upper right corner"),
        ("requirements", "it climbs from about a thousand", "it falls from about a thousand"),
    ],
)
def test_another_word_in_a_caption_or_an_alternative_text_is_refused(chapter, was, now):
    page = DOCS / f"chapters/{chapter}.md"
    text = read(page)
    assert text.count(was) == 1

    assert [*pictured.parse(Document(text, str(page)))] == []
    (said,) = pictured.parse(Document(text.replace(was, now), str(page)))
    assert "hold the figure against it" in said.parsed


@pytest.mark.parametrize(
    ("holds", "false"),
    [("y(0)[0] < y(0)[1]", False), ("y(0)[0] > y(0)[1]", True), ("x(0, 0)[1] == 5", False)],
)
def test_an_entry_is_computed_from_the_lines_of_a_figure(holds, false):
    from matplotlib.figure import Figure

    figure = Figure()
    figure.subplots().plot([3, 5], [1, 2])

    assert pictured.false(Pictured(holds=holds), figure) is false
