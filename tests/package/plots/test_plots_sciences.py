"""posenc.plots: fitted curves and poses, judged by what they got."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose, assert_array_equal

from posenc import plots
from tests.package.plots.drawings import written, xy


def test_curves_and_dots_are_those_that_were_given() -> None:
    axes = plots.fitted_curves(
        [0, 1, 3],
        {"a": [5, 6, 7], "b": [2, 2, 1]},
        measured=[4, 4, 8],
        xlabel="hour",
        ylabel="metres",
    ).axes[0]
    dots, *curves = (xy(line).tolist() for line in axes.lines)
    assert dots == [[0, 1, 3], [4, 4, 8]]
    assert curves == [[[0, 1, 3], [5, 6, 7]], [[0, 1, 3], [2, 2, 1]]]
    assert axes.lines[0].get_linestyle() == "None"
    assert [line.get_linestyle() for line in axes.lines[1:]] == ["-", "--"]
    assert sorted(written(axes)) == ["a", "b"]
    # A name stands at the height of its line's end, as far as there is room.
    heights = {text.get_text(): text.xy[1] for text in axes.texts}  # type: ignore[attr-defined]
    assert heights["a"] > heights["b"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("hour", "metres")


def test_no_line_is_drawn_across_a_long_gap() -> None:
    axes = plots.fitted_curves([0, 1, 2, 13, 14], {"a": [1, 2, 3, 4, 5]}).axes[0]
    x, y = xy(axes.lines[0])
    assert_array_equal(x, [0, 1, 2, math.nan, 13, 14])
    assert_array_equal(y, [1, 2, 3, math.nan, 4, 5])
    whole = plots.fitted_curves([0, 1, 2, 12, 13], {"a": [1, 2, 3, 4, 5]}).axes[0]
    assert_array_equal(xy(whole.lines[0])[0], [0, 1, 2, 12, 13])


def test_a_stretch_is_shaded_and_named() -> None:
    axes = plots.fitted_curves([0, 9], {"a": [1, 2]}, marked=(2, 5, "gene")).axes[0]
    (patch,) = axes.patches
    left, right = patch.get_extents().transformed(axes.transData.inverted()).intervalx
    assert_allclose([left, right], [2, 5])
    assert written(axes) == ["gene", "a"]
    assert not plots.fitted_curves([0, 9], {"a": [1, 2]}).axes[0].patches


def test_poses_stand_and_look_where_they_should() -> None:
    maps: Any = {"m": [[1, 2, 0], [4, 3, math.pi / 2]], "n": [[0, 0, 1], [1, 1, 2]]}
    made = plots.poses(maps, ["p", "q"])
    first, second = made.axes
    assert (first.get_title(), second.get_title()) == ("m", "n")
    places = [xy(line).ravel().tolist() for line in first.lines[::2]]
    assert places == [[1, 2], [4, 3]]
    tips = [xy(line).ravel() for line in first.lines[1::2]]
    assert_allclose(tips, [[2.5, 2], [4, 4.5]], rtol=0, atol=1e-14)
    arrows: Any = [text for text in first.texts if not text.get_text()]
    assert_allclose([a.xyann for a in arrows], places)
    assert_allclose([a.xy for a in arrows], tips)
    names: Any = [text for text in first.texts if text.get_text()]
    assert [(n.get_text(), *n.xy) for n in names] == [("p", 1, 2), ("q", 4, 3)]
    # A name stands behind its arrow.
    assert_allclose([n.xyann for n in names], [[-12, 0], [0, -12]], rtol=0, atol=1e-13)


def test_both_maps_have_one_scale() -> None:
    made = plots.poses({"m": [[0, 0, 0]], "n": [[90, 5, 0]]}, ["p"])
    made.draw_without_rendering()
    first, second = made.axes
    assert first.get_xlim() == second.get_xlim()
    assert first.get_ylim() == second.get_ylim()
    assert first.get_aspect() == second.get_aspect() == 1
    left, right = second.get_xlim()
    assert left < 0
    assert right > 91.5  # the tip of the arrow


BAD: Any = 3
REFUSED: list[tuple[Callable[[], Figure], type[Exception], str]] = [
    (
        lambda: plots.fitted_curves([0], {"a": [1]}),
        ValueError,
        "places must be at least 2 and rising",
    ),
    (
        lambda: plots.fitted_curves([0, 0], {"a": [1, 2]}),
        ValueError,
        "places must be at least 2 and rising",
    ),
    (
        lambda: plots.fitted_curves([0, 1], {"a": [1, 2, 3]}),
        ValueError,
        "curves['a'] must have 2 entries, got 3",
    ),
    (
        lambda: plots.fitted_curves([0, 1], {"a": [1, 2]}, measured=[1]),
        ValueError,
        "measured must have 2 entries, got 1",
    ),
    (lambda: plots.fitted_curves([0, 1], {}), ValueError, "curves must not be empty"),
    (
        lambda: plots.fitted_curves([0, 1], BAD),
        TypeError,
        "curves must map names to values, got int",
    ),
    (
        lambda: plots.fitted_curves([0, 1], {"a": [1, math.nan]}),
        ValueError,
        "curves['a'] must be finite, got nan",
    ),
    (
        lambda: plots.fitted_curves([0, 1], {"a": [1, 2]}, marked=(1, 0, "gene")),
        ValueError,
        "marked must go from a first to a last place, got (1, 0, 'gene')",
    ),
    (
        lambda: plots.fitted_curves([0, 1], {"a": [1, 2]}, marked=(0, math.nan, "gene")),
        ValueError,
        "marked must be finite, got marked=nan",
    ),
    (
        lambda: plots.poses({"m": [[0, 0, 0]]}, ["p", "q"]),
        ValueError,
        "poses must have shape (2, 3), got (1, 3)",
    ),
    (
        lambda: plots.poses({"m": np.zeros((0, 3))}, []),
        ValueError,
        "poses must have shape (0, 3), got (0, 3)",
    ),
    (lambda: plots.poses(BAD, ["p"]), TypeError, "maps must map names to poses, got int"),
    (lambda: plots.poses({}, ["p"]), ValueError, "maps must not be empty"),
]


@pytest.mark.parametrize(("draw", "kind", "complaint"), REFUSED, ids=[r[2] for r in REFUSED])
def test_refuses(draw: Callable[[], Figure], kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind) as refusal:
        draw()
    assert str(refusal.value) == complaint
