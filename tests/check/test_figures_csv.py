"""The numbers of figures as CSV."""

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Circle

import posenc
from check import figures_csv
from check.fences import find_fences
from check.figures import draw
from check.page_source import read_page
from check.paths import ROOT


def parse_rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def draw_figure(page: str, name: str) -> list[dict[str, str]]:
    """Return the rows of a figure of the book."""
    path = ROOT / "docs" / page
    for fence in find_fences(read_page(path)):
        if fence.attributes.get("id") == name:
            return parse_rows(draw(fence.source, str(path), 0).data)
    raise AssertionError(f"{page} has no figure {name}")


def column(rows: list[dict[str, str]], name: str, **fixed: str) -> np.ndarray:
    """Return a column of the rows that have the fixed values."""
    chosen = [row for row in rows if all(row[key] == value for key, value in fixed.items())]
    return np.array([float(row[name]) for row in chosen])


def is_close(actual: np.ndarray, expected: np.ndarray) -> bool:
    """Return whether numbers agree to the digits of the CSV."""
    return bool((abs(actual - expected) <= 1e-9 * (1 + abs(expected))).all())


def test_pixels_of_a_heat_map_are_the_dot_products():
    rows = draw_figure("chapters/relative.md", "fig-gram")
    gram = posenc.dot_product_distance(posenc.sinusoidal_positional_encoding(128, 64))
    p, q = column(rows, "y").astype(int), column(rows, "x").astype(int)

    assert is_close(column(rows, "value"), gram[p, q])
    assert set(zip(p, q, strict=True)) == set(np.ndindex(gram.shape))


def test_curves_have_their_legend_labels():
    rows = draw_figure("chapters/relative.md", "fig-similarity")
    gram = posenc.dot_product_distance(posenc.sinusoidal_positional_encoding(201, 64))

    for anchor in (30, 100, 170):
        series = {"kind": "line", "series": f"anchor {anchor}"}
        assert is_close(column(rows, "y", **series), gram[anchor])
        assert is_close(column(rows, "x", **series), np.arange(201) - anchor)


def test_a_curve_has_the_label_whose_arrow_points_at_it():
    rows = draw_figure("chapters/sinusoidal.md", "fig-spectrum")

    for exponent in ("paper", "tensor2tensor"):
        waves = posenc.wavelengths(64, exponent=exponent)
        assert is_close(column(rows, "y", kind="line", series=exponent), waves)


@pytest.fixture
def axes():
    return Figure().subplots()


def list_rows(axes) -> list[tuple[str, ...]]:
    return [tuple(row.values()) for row in parse_rows(figures_csv.write_csv(axes.figure))]


def test_a_guide_has_one_coordinate(axes):
    axes.axhline(2.5)
    axes.axvline(7)

    assert list_rows(axes) == [
        ("1", "guide", "line 1", "", "2.5", ""),
        ("1", "guide", "line 2", "7", "", ""),
    ]


def test_a_bar_has_its_tick_label_end_and_length(axes):
    axes.set_title("costs")
    axes.bar(["a", "b"], [2, -3], bottom=1)

    assert list_rows(axes) == [
        ("costs", "bar", "a", "0", "3", "2"),
        ("costs", "bar", "b", "1", "-2", "-3"),
    ]


def test_a_horizontal_bar_has_its_length_along_x(axes):
    axes.barh([0, 1], [2, 5], label="many")

    assert list_rows(axes)[1] == ("1", "bar", "many", "5", "1", "5")


def test_coloured_points_have_values_and_nan_is_empty(axes):
    axes.scatter([1, 2], [3, 4], c=[0.25, 1e-12])
    axes.plot([1, 2], [np.nan, -0.0], label="gap")

    assert list_rows(axes) == [
        ("1", "line", "gap", "1", "", ""),
        ("1", "line", "gap", "2", "0", ""),
        ("1", "point", "points 1", "1", "3", "0.25"),
        ("1", "point", "points 1", "2", "4", "1e-12"),
    ]


def test_pixels_have_the_coordinates_of_their_centres(axes):
    axes.imshow([[1, 2], [3, 4]], origin="lower", extent=(0, 4, 10, 20), aspect="auto")

    assert list_rows(axes)[1:3] == [
        ("1", "pixel", "image 1", "3", "12.5", "2"),
        ("1", "pixel", "image 1", "1", "17.5", "3"),
    ]


def test_shapes_have_their_coordinates(axes):
    axes.add_patch(Circle((1, 2), 3))
    axes.fill_between([0, 1], [0, 0], [1, 2], label="band")
    rows = list_rows(axes)

    assert ("1", "circle", "shape 1", "1", "2", "3") in rows
    assert ("1", "area", "band.1", "1", "2", "") in rows


def test_a_colour_bar_is_not_a_panel(axes):
    axes.figure.colorbar(axes.imshow([[0, 1]]))

    assert {row[0] for row in list_rows(axes)} == {"1"}


def test_drawing_twice_gives_the_same_numbers(tmp_path: Path):
    for page in ("chapters/padding.md", "chapters/rotary.md"):
        fence = next(
            f for f in find_fences(read_page(ROOT / "docs" / page)) if "figure" in f.classes
        )
        first, again = (draw(fence.source, page, 0).data for _ in range(2))
        assert first == again
        assert len(parse_rows(first)) > 3
