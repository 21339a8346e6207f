"""What the words of figures say, of left and right, rising and falling, is what they draw."""

from collections.abc import Callable
from dataclasses import replace
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
from tests.opposites import turned

PAGES = [page for page in compared.pages() if not is_lab(page)]
Change = Callable[[Any], Any]
# Figures that are their own mirror image, and those whose words name no side, or of patches alone.
SAME_MIRRORED = {"fig-undone", "fig-penalties", "fig-induced", "fig-masks", "fig-gaps"}
SAME_UPSIDE_DOWN = {"fig-undone", "fig-diagonals", "fig-rotary-pair", "fig-gaps", "fig-poses"}


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


def upside_down(figure: Any) -> bool:
    """Turn what rises into what falls; return whether anything was there to turn."""
    return changed(figure, lambda heights: -heights, lambda cells: -cells)


def mirrored(figure: Any) -> bool:
    """Exchange left and right, the ends of curves and the columns of maps."""
    return changed(figure, lambda y: y[::-1] if len(y) > 2 else y, lambda cells: cells[:, ::-1])


def changed(figure: Any, heights: Change, cells: Change) -> bool:
    """Change the lines and the maps of a figure; return whether that makes it another."""
    others = []
    for axes in figure.axes:
        for line in axes.lines:
            before = np.asarray(line.get_ydata(), float)
            line.set_ydata(heights(before))
            others.append((heights(before) != before).any())
        for image in axes.images:
            before = np.ma.asarray(image.get_array(), float)
            image.set_data(cells(before))
            others.append((cells(before) != before).any())
    return any(others)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_words_of_a_figure_hold_of_what_it_draws_and_of_nothing_else(page):
    entries = pictured.listed()

    for fence in pictured.figures(read(page)):
        entry, figure = entries[fence.attributes["id"]], drawn(fence)
        assert not pictured.false(entry, figure), f"{entry.id}: its words do not hold"
        for holds in turned(entry.holds, asserted=True):
            opposite = replace(entry, holds=holds)
            assert fails(opposite, figure), f"{entry.id}: so does what is opposite: {holds}"
        for change, alike in ((upside_down, SAME_UPSIDE_DOWN), (mirrored, SAME_MIRRORED)):
            other = drawn(fence)
            if change(other) and entry.id not in alike:
                assert fails(entry, other), f"{entry.id}: its words hold {change.__name__}, too"
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
