"""posenc.plots: what the drawings of masks and padding must show."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from posenc import plots
from tests.package.plots.drawings import written, xy

TRIANGLE = [[True, False, False], [True, True, False], [True, True, True]]
HOLE = [[False, False, True, True], [False, False, False, False]]


def centres(patches: Iterable[Any]) -> list[tuple[float, float]]:
    """Return column and row of the cells that are drawn."""
    found = []
    for patch in patches:
        assert isinstance(patch, Rectangle)
        x = patch.get_x() + patch.get_width() / 2
        y = patch.get_y() + patch.get_height() / 2
        found.append((round(x, 6), round(y, 6)))
    return found


def test_masks_fill_the_cells_where_a_query_may_attend() -> None:
    figure = plots.masks({"past": TRIANGLE, "hole": HOLE})
    past, hole = figure.axes
    assert centres(past.patches) == [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)]
    assert centres(hole.patches) == [(2, 0), (3, 0)]
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["past", "hole"]
    assert (past.get_xlabel(), past.get_ylabel(), hole.get_ylabel()) == ("key", "query", "")
    assert past.get_ylim() == (2.5, -0.5)  # the first query on top
    assert past.get_xlim() == (-0.5, 2.5)


def test_masks_cross_out_the_rows_of_queries_without_keys() -> None:
    past, hole = plots.masks({"past": TRIANGLE, "hole": HOLE}).axes
    assert [line for line in past.lines if line.get_marker() == "x"] == []
    (cross,) = hole.lines
    assert cross.get_marker() == "x"
    assert xy(cross).tolist() == [[0, 1, 2, 3], [1, 1, 1, 1]]


@pytest.mark.parametrize(("columns", "shape"), [(1, (5, 1)), (2, (3, 2)), (3, (2, 3)), (4, (2, 4))])
def test_masks_stand_in_rows(columns: int, shape: tuple[int, int]) -> None:
    figure = plots.masks(dict.fromkeys("abcde", TRIANGLE), columns=columns)
    grid = figure.axes[0].get_subplotspec().get_gridspec()  # type: ignore[union-attr]
    assert (grid.nrows, grid.ncols) == shape
    assert len(figure.axes) == 5
    labels = [bool(axes.get_xlabel()) for axes in figure.axes]
    assert labels == [place + columns >= 5 for place in range(5)]  # the lowest of its column


def test_batches_write_positions_in_the_colours_of_their_sequences() -> None:
    owners = np.array([[-1, 0, 0], [1, 1, 2]], dtype=np.int8)
    figure = plots.batches({"left": (owners, [[7, 0, 1], [0, 1, 5]]), "one": ([[0]], [[3]])})
    left, one = figure.axes
    assert written(left) == ["0", "1", "0", "1", "5"]
    assert written(one) == ["3"]
    places = [text.get_position() for text in left.texts]
    assert places == [(1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    filled = [patch for patch in left.patches if patch.get_fill()]
    assert centres(filled) == places  # padding is empty
    fills = [to_hex(patch.get_facecolor()) for patch in filled]
    assert fills[0] == fills[1]
    assert fills[2] == fills[3]
    assert len({fills[0], fills[2], fills[4]}) == 3
    frames = [patch for patch in left.patches if not patch.get_fill()]
    assert centres(frames) == [(0, 0), *places]
    assert (one.get_xlabel(), left.get_ylabel()) == ("place", "row")
    assert left.get_xlim() == one.get_xlim() == (-0.5, 2.5)  # one scale for all batches
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["left", "one"]


def test_leak_has_a_line_for_each_name() -> None:
    axes = plots.leak([0, 2, 5], {"zeros": np.array([0, 0.5, 0.9]), "mask": [0, 0, 0]}).axes[0]
    zeros, mask = (xy(line) for line in axes.lines)
    assert zeros.tolist() == [[0, 2, 5], [0, 0.5, 0.9]]
    assert mask.tolist() == [[0, 2, 5], [0, 0, 0]]
    assert sorted(written(axes)) == ["mask", "zeros"]
    assert axes.get_ylim()[0] < 0 < 1 <= axes.get_ylim()[1]  # 0 is seen, and all of 0 to 1
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("padded places", "weight on padding")


REFUSED: list[tuple[Callable[[], Figure], type[Exception], str]] = [
    (
        lambda: plots.masks(TRIANGLE),
        TypeError,
        "panels must map titles to masks, got list",
    ),
    (lambda: plots.masks({}), ValueError, "panels must not be empty"),
    (
        lambda: plots.masks({"a": [[1, 0]]}),
        TypeError,
        "panels['a'] must be boolean, got dtype int64",
    ),
    (
        lambda: plots.masks({"a": [True]}),
        ValueError,
        "panels['a'] must have 2 filled axes, got shape (1,)",
    ),
    (
        lambda: plots.masks({"a": np.ones((0, 2), dtype=bool)}),
        ValueError,
        "panels['a'] must have 2 filled axes, got shape (0, 2)",
    ),
    (
        lambda: plots.masks({"a": TRIANGLE}, columns=0),
        ValueError,
        "columns must be at least 1, got columns=0",
    ),
    (
        lambda: plots.masks({"a": TRIANGLE}, columns=5),
        ValueError,
        "columns must be at most 4, got columns=5",
    ),
    (lambda: plots.batches({}), ValueError, "panels must not be empty"),
    (
        lambda: plots.batches({"a": ([[0.0]], [[0]])}),
        TypeError,
        "sequences of panels['a'] must hold integers, got dtype float64",
    ),
    (
        lambda: plots.batches({"a": ([[0]], [[0.5]])}),
        TypeError,
        "positions of panels['a'] must hold integers, got dtype float64",
    ),
    (
        lambda: plots.batches({"a": ([[0, 0]], [[0]])}),
        ValueError,
        "panels['a'] must hold two arrays of one shape (B, L), got shapes (1, 2) and (1, 1)",
    ),
    (
        lambda: plots.batches({"a": ([0], [0])}),
        ValueError,
        "panels['a'] must hold two arrays of one shape (B, L), got shapes (1,) and (1,)",
    ),
    (
        lambda: plots.batches({"a": ([[0, 6]], [[0, 0]])}),
        ValueError,
        "sequences of panels['a'] must lie within -1..5, got 6",
    ),
    (
        lambda: plots.batches({"a": ([[-2, 6]], [[0, 0]])}),
        ValueError,
        "sequences of panels['a'] must lie within -1..5, got -2",
    ),
    (
        lambda: plots.leak(3, {"a": [0]}),
        TypeError,
        "counts must hold integers, got counts=3",
    ),
    (lambda: plots.leak([], {"a": []}), ValueError, "counts must be rising and not empty, got []"),
    (
        lambda: plots.leak([1, 1], {"a": [0, 0]}),
        ValueError,
        "counts must be rising and not empty, got [1, 1]",
    ),
    (lambda: plots.leak([-1], {"a": [0]}), ValueError, "counts must be at least 0, got counts=-1"),
    (lambda: plots.leak([1], {}), ValueError, "shares must not be empty"),
    (
        lambda: plots.leak([1], {"a": [0, 0]}),
        ValueError,
        "shares['a'] must hold 1 numbers within 0..1",
    ),
    (
        lambda: plots.leak([1], {"a": [1.1]}),
        ValueError,
        "shares['a'] must hold 1 numbers within 0..1",
    ),
    (
        lambda: plots.leak([1], {"a": [-0.1]}),
        ValueError,
        "shares['a'] must hold 1 numbers within 0..1",
    ),
    (
        lambda: plots.leak([1], {"a": [[0]]}),
        ValueError,
        "shares['a'] must have 1 axis, got shape (1, 1)",
    ),
]


@pytest.mark.parametrize(("draw", "kind", "complaint"), REFUSED)
def test_refuses(draw: Callable[[], Figure], kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind) as refusal:
        draw()
    assert str(refusal.value) == complaint
