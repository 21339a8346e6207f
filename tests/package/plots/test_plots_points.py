"""posenc.plots: what each drawing of points must show, judged by plain NumPy and math."""

import math

import numpy as np
import pytest
from matplotlib.patches import Circle, FancyArrowPatch
from numpy.testing import assert_allclose, assert_array_equal

from posenc import plots
from tests.package.plots.drawings import written, xy


def test_rotation_turns_every_position_by_the_same_angle() -> None:
    axes = plots.rotation([0, 3, 7], 2, 0.5).axes[0]
    arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    assert len(arrows) == 3
    for arrow, p in zip(arrows, [0, 3, 7], strict=True):
        path = arrow._path_original  # type: ignore[attr-defined]  # get_path() trims it
        x, y = np.asarray(path.vertices).T
        angles = np.unwrap(np.arctan2(x, y))  # clockwise from the top
        assert math.remainder(angles[0] - 0.5 * p, 2 * math.pi) == pytest.approx(0, abs=1e-12)
        assert angles[-1] - angles[0] == pytest.approx(0.5 * 2, abs=1e-12)
    assert "ω·2 = 1.00 rad" in written(axes)[0]


def test_rotation_puts_the_points_on_the_unit_circle() -> None:
    axes = plots.rotation([0, 3, 7], 2, 0.5).axes[0]
    dots = [xy(line)[:, 0] for line in axes.lines if line.get_marker() == "o"]
    expected = [(math.sin(0.5 * p), math.cos(0.5 * p)) for p in (0, 2, 3, 5, 7, 9)]
    assert_allclose(dots, expected, rtol=0, atol=1e-14)
    (circle,) = (patch for patch in axes.patches if isinstance(patch, Circle))
    assert (circle.center, circle.radius) == ((0, 0), 1)
    assert axes.get_aspect() == 1
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("sin(ωp)", "cos(ωp)")
    assert written(axes)[1:] == ["p = 0", "p = 2", "p = 3", "p = 5", "p = 7", "p = 9"]


def test_rotation_writes_positions_at_the_same_place_together() -> None:
    # 4 positions and a turn of 3π/2: 0 and 8 differ by three turns, 4 is half a turn on.
    axes = plots.rotation([0, 4], 4, 0.75 * math.pi).axes[0]
    assert written(axes)[1:] == ["p = 0, 8", "p = 4"]


def test_regression_shows_each_model_and_its_share_of_the_variance() -> None:
    true = [1.0, 2.0, 3.0, 6.0]
    models = [[1.1, 1.9, 3.2, 5.8], [6.0, 3.0, 2.0, 1.0]]
    figure = plots.regression(true, models, ["good", "bad"])
    assert len(figure.axes) == 2
    for axes, label, predicted in zip(figure.axes, ["good", "bad"], models, strict=True):
        rest = np.mean((np.array(true) - predicted) ** 2)
        r2 = 1 - rest / np.var(true)
        name, share = axes.get_title(loc="left").split("\n")
        assert name == label
        assert float(share.removeprefix("R² = ").replace("−", "-")) == pytest.approx(r2, abs=6e-4)
        diagonal, points = (xy(line) for line in axes.lines)
        assert_array_equal(diagonal[0], diagonal[1])
        assert_array_equal(points, [true, predicted])
        assert axes.get_xlim() == figure.axes[0].get_xlim()
    assert "−" in figure.axes[1].get_title(loc="left")
