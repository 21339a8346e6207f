"""The numbers of a figure are those that were drawn, and those that posenc computes."""

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


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def drawn(page: str, name: str) -> list[dict[str, str]]:
    """Return the numbers of a figure of the book, drawn by the code of its page."""
    path = ROOT / "docs" / page
    for fence in find_fences(read_page(path)):
        if fence.attributes.get("id") == name:
            return rows(draw(fence.source, str(path), 0).data)
    raise AssertionError(f"{page} has no figure {name}")


def column(found: list[dict[str, str]], name: str, **fixed: str) -> np.ndarray:
    kept = [row for row in found if all(row[key] == value for key, value in fixed.items())]
    return np.array([float(row[name]) for row in kept])


def near(found: np.ndarray, expected: np.ndarray) -> bool:
    """Return whether numbers agree, to the digits that are written."""
    return bool((abs(found - expected) <= 1e-9 * (1 + abs(expected))).all())


def test_a_heat_map_has_each_dot_product_at_its_place():
    found = drawn("chapters/relative.md", "fig-gram")
    gram = posenc.dot_product_distance(posenc.sinusoidal_positional_encoding(128, 64))
    p, q = column(found, "y").astype(int), column(found, "x").astype(int)

    assert near(column(found, "value"), gram[p, q])
    assert set(zip(p, q, strict=True)) == set(np.ndindex(gram.shape))


def test_curves_are_told_apart_by_the_names_that_readers_see():
    found = drawn("chapters/relative.md", "fig-similarity")
    gram = posenc.dot_product_distance(posenc.sinusoidal_positional_encoding(201, 64))

    for anchor in (30, 100, 170):
        series = {"kind": "line", "series": f"anchor {anchor}"}
        assert near(column(found, "y", **series), gram[anchor])
        assert near(column(found, "x", **series), np.arange(201) - anchor)


def test_a_curve_is_named_by_the_stroke_that_points_at_it():
    found = drawn("chapters/sinusoidal.md", "fig-spectrum")

    for exponent in ("paper", "tensor2tensor"):
        waves = posenc.wavelengths(64, exponent=exponent)
        assert near(column(found, "y", kind="line", series=exponent), waves)


@pytest.fixture
def axes():
    return Figure().subplots()


def said(axes) -> list[tuple[str, ...]]:
    return [tuple(row.values()) for row in rows(figures_csv.write_csv(axes.figure))]


def test_a_guide_has_one_coordinate(axes):
    axes.axhline(2.5)
    axes.axvline(7)

    assert said(axes) == [
        ("1", "guide", "line 1", "", "2.5", ""),
        ("1", "guide", "line 2", "7", "", ""),
    ]


def test_a_bar_has_its_name_its_end_and_its_length(axes):
    axes.set_title("costs")
    axes.bar(["a", "b"], [2, -3], bottom=1)

    assert said(axes) == [
        ("costs", "bar", "a", "0", "3", "2"),
        ("costs", "bar", "b", "1", "-2", "-3"),
    ]


def test_a_bar_that_lies_has_its_length_along_x(axes):
    axes.barh([0, 1], [2, 5], label="many")

    assert said(axes)[1] == ("1", "bar", "many", "5", "1", "5")


def test_a_coloured_point_has_its_value_and_a_gap_has_none(axes):
    axes.scatter([1, 2], [3, 4], c=[0.25, 1e-12])
    axes.plot([1, 2], [np.nan, -0.0], label="gap")

    assert said(axes) == [
        ("1", "line", "gap", "1", "", ""),
        ("1", "line", "gap", "2", "0", ""),
        ("1", "point", "points 1", "1", "3", "0.25"),
        ("1", "point", "points 1", "2", "4", "1e-12"),
    ]


def test_an_image_is_read_where_its_pixels_are(axes):
    axes.imshow([[1, 2], [3, 4]], origin="lower", extent=(0, 4, 10, 20), aspect="auto")

    assert said(axes)[1:3] == [
        ("1", "pixel", "image 1", "3", "12.5", "2"),
        ("1", "pixel", "image 1", "1", "17.5", "3"),
    ]


def test_shapes_say_where_they_are(axes):
    axes.add_patch(Circle((1, 2), 3))
    axes.fill_between([0, 1], [0, 0], [1, 2], label="band")
    found = said(axes)

    assert ("1", "circle", "shape 1", "1", "2", "3") in found
    assert ("1", "area", "band.1", "1", "2", "") in found


def test_the_scale_of_colours_is_no_panel(axes):
    axes.figure.colorbar(axes.imshow([[0, 1]]))

    assert {row[0] for row in said(axes)} == {"1"}


def test_every_kind_of_drawing_gives_the_same_numbers_again(tmp_path: Path):
    for page in ("chapters/padding.md", "chapters/rotary.md"):
        fence = next(
            f for f in find_fences(read_page(ROOT / "docs" / page)) if "figure" in f.classes
        )
        first, again = (draw(fence.source, page, 0).data for _ in range(2))
        assert first == again
        assert len(rows(first)) > 3
