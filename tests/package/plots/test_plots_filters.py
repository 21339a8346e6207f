"""posenc.plots: what the drawings of heads as filters must show, judged by plain Python."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose, assert_array_equal

from posenc import plots
from tests.package.plots.drawings import written, xy


def wave(k: float, i: int, n: int, a: float, f: float, base: float) -> float:
    return a * math.cos(base ** (-i / n) * k + f)


def test_wave_parts_show_each_wave_and_the_sum() -> None:
    A, phi = [2.0, 0.5, 1.0], [0.4, -3.0, 0.1]
    figure = plots.wave_parts(A, phi, 25, base=300.0)
    assert len(figure.axes) == 4
    for i, axes in enumerate(figure.axes[:3]):
        curve = xy(axes.lines[0])
        expected = [wave(k, i, 3, A[i], phi[i], 300.0) for k in curve[0]]
        assert_allclose(curve[1], expected, rtol=0, atol=1e-13)  # angles below 30
        assert axes.get_ylabel() == f"pair {i}"
    total = xy(figure.axes[3].lines[0])
    assert (total[0][0], total[0][-1]) == (-25, 25)
    sums = [math.fsum(wave(k, i, 3, A[i], phi[i], 300.0) for i in range(3)) for k in total[0]]
    assert_allclose(total[1], sums, rtol=0, atol=1e-13)


def test_wave_parts_mark_the_peaks_in_sight() -> None:
    A, phi, base = [1.0, 1.0, 1.0], [0.4, 5.0, 3.0], 300.0
    figure = plots.wave_parts(A, phi, 25, base=base)
    dots = [xy(axes.lines[1]) for axes in figure.axes[:2]]
    # Peaks at -φ/ω; 5 rad are -1.283 rad. The third lies at -3·300**(2/3), out of sight.
    expected = [-0.4, (2 * math.pi - 5) * 300 ** (1 / 3)]
    assert [dot[0][0] for dot in dots] == pytest.approx(expected, abs=1e-12)
    assert [dot[1][0] for dot in dots] == [1, 1]
    assert len(figure.axes[2].lines) == 2  # the wave, and the line at 0
    best = max(
        range(-25, 26), key=lambda k: math.fsum(wave(k, i, 3, A[i], phi[i], base) for i in range(3))
    )
    assert xy(figure.axes[3].lines[1])[0].tolist() == [best]


def test_filter_bank_has_a_row_for_each_head_in_its_own_units() -> None:
    heads = {"a": [1, 2, -4, 0], "b": [0, 0, 0, 5]}
    axes = plots.filter_bank(heads, -2).axes[0]
    image = axes.images[0]
    assert_array_equal(image.get_array(), [[0.25, 0.5, -1, 0], [0, 0, 0, 1]])
    assert image.get_clim() == (-1, 1)
    assert list(image.get_extent()) == [-2.5, 1.5, 1.5, -0.5]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]


def test_responses_have_a_line_for_each_head() -> None:
    axes = plots.responses([-3, 0, 2], {"a": [1, 5, 2], "b": [-1, 0, 3]}, ylabel="weight").axes[0]
    first, second, zero = (xy(line) for line in axes.lines)
    assert_array_equal(first, [[-3, 0, 2], [1, 5, 2]])
    assert_array_equal(second, [[-3, 0, 2], [-1, 0, 3]])
    assert zero[1].tolist() == [0, 0]
    assert sorted(written(axes)) == ["a", "b"]
    heights = {text.get_text(): text.xy[1] for text in axes.texts}  # type: ignore[attr-defined]
    assert heights["b"] > heights["a"]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("offset (positions)", "weight")


REFUSED: list[tuple[Callable[[], Figure], type[Exception], str]] = [
    (
        lambda: plots.wave_parts([1, 2], [0], 9),
        ValueError,
        "amplitudes and phases must have the same shape (..., n), got shapes (2,) and (1,)",
    ),
    (
        lambda: plots.wave_parts([[1]], [0], 9),
        ValueError,
        "amplitudes must have 1 axis, got shape (1, 1)",
    ),
    (lambda: plots.wave_parts([1], [], 9), ValueError, "phases must not be empty, got shape (0,)"),
    (
        lambda: plots.wave_parts([1] * 7, [0] * 7, 9),
        ValueError,
        "amplitudes must be at most 6, got shape (7,)",
    ),
    (lambda: plots.wave_parts([0], [0], 9), ValueError, "amplitudes must have one above 0"),
    (lambda: plots.wave_parts([-1], [0], 9), ValueError, "amplitudes must be at least 0, got -1.0"),
    (lambda: plots.wave_parts([1], [0], 0), ValueError, "span must be at least 1, got span=0"),
    (
        lambda: plots.wave_parts([1], [0], 10_001),
        ValueError,
        "span must be at most 10000, got span=10001",
    ),
    (
        lambda: plots.wave_parts([1], [0], 9, base=1.0),
        ValueError,
        "base must be above 1, got base=1.0",
    ),
    (lambda: plots.filter_bank({}, 0), ValueError, "heads must not be empty"),
    (
        lambda: plots.filter_bank([[1, 2]], 0),
        TypeError,
        "heads must map names to scores, got list",
    ),
    (
        lambda: plots.filter_bank({"a": [1]}, 0),
        ValueError,
        "heads['a'] must have shape (2,), got shape (1,)",
    ),
    (
        lambda: plots.filter_bank({"a": [1, 2, 3], "b": [1, 2]}, 0),
        ValueError,
        "heads['b'] must have shape (3,), got shape (2,)",
    ),
    (
        lambda: plots.filter_bank({"a": [0, 0]}, 0),
        ValueError,
        "heads['a'] must have a score that is not 0",
    ),
    (
        lambda: plots.filter_bank({"a": [1, 0]}, 0.5),
        TypeError,
        "first_offset must be an integer, got first_offset=0.5",
    ),
    (
        lambda: plots.filter_bank({"a": [1, 0]}, 2**40 + 1),
        ValueError,
        "first_offset must lie within ±2**40, got first_offset=1099511627777",
    ),
    (
        lambda: plots.responses([1], {"a": [1]}),
        ValueError,
        "offsets must be at least 2 and rising",
    ),
    (
        lambda: plots.responses([1, 1], {"a": [1, 2]}),
        ValueError,
        "offsets must be at least 2 and rising",
    ),
    (lambda: plots.responses([1, 2], {}), ValueError, "curves must not be empty"),
    (
        lambda: plots.responses([1, 2], {"a": [1, 2, 3]}),
        ValueError,
        "curves['a'] must have shape (2,), got shape (3,)",
    ),
    (
        lambda: plots.responses([1, 2], {"a": [1, math.nan]}),
        ValueError,
        "curves['a'] must be finite, got nan",
    ),
    (
        lambda: plots.responses([1, 2], np.ones(2)),
        TypeError,
        "curves must map names to values, got ndarray",
    ),
]


@pytest.mark.parametrize(("draw", "kind", "complaint"), REFUSED, ids=[r[2] for r in REFUSED])
def test_refuses(draw: Callable[[], Figure], kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind) as refusal:
        draw()
    assert str(refusal.value) == complaint
