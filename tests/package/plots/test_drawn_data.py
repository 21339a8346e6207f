"""posenc.plots: numbers that the drawings compute, against plain Python."""

import cmath
import math
import statistics
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Arc, FancyArrowPatch, Rectangle
from numpy.testing import assert_allclose, assert_array_equal

from posenc import plots
from tests.package.plots.drawings import PE, paper, xy


def dot(p: int, q: int) -> float:
    """The dot product of two rows of the table."""
    return math.fsum(a * b for a, b in zip(PE[p], PE[q], strict=True))


def distance(k: int, pairs: int, base: float = 10000.0) -> float:
    """The distance of codes k positions apart, from the chord of each circle."""
    return 2 * math.hypot(*(math.sin(base ** (-i / pairs) * k / 2) for i in range(pairs)))


def stretches(last: int) -> list[range]:
    """Cut the offsets 1 to last into 400 stretches as equal as can be."""
    ends = [1 + j * last // 400 for j in range(401)]
    return [range(a, b) for a, b in pairwise(ends)]


def stretch_of(center: float, last: int) -> range:
    """The stretch of offsets with this centre."""
    (found,) = (part for part in stretches(last) if (part[0] + part[-1]) / 2 == center)
    return found


A, PHI = [2.0, 0.5, 1.0], [0.4, -3.0, 0.1]


def wave(k: float, i: int) -> float:
    """The wave of pair i of three, base 300."""
    return A[i] * math.cos(300 ** (-i / 3) * k + PHI[i])


def equal_vectors(k: float) -> float:
    return sum(math.cos(500 ** (-i / 8) * k) for i in range(8)) / 8


def upper_bound(k: float) -> float:
    waves = [cmath.exp(1j * 500 ** (-i / 8) * k) for i in range(8)]
    return sum(abs(sum(waves[:j])) for j in range(1, 9)) / 36


def ball(pairs: float) -> float:
    """How many balls around codes fit on the torus, at most."""
    radius = distance(1, int(pairs)) / 2
    volume = math.pi ** (pairs / 2) / math.gamma(pairs / 2 + 1) * radius**pairs
    return float((2 * math.pi) ** pairs / volume)


def bucket(k: float) -> int:
    """The bucket of T5 in both directions, 8 buckets up to a distance of 8."""
    return (0, 1, 2, 2)[int(abs(k))] + 4 * (k > 0) if abs(k) < 4 else 3 + 4 * (k > 0)


FREQUENCIES = np.array([10000 ** (-i / 16) for i in range(16)])

# A drawing, the panel and the line in it, and the height of the line at x.
LINES: dict[str, tuple[Callable[[], Figure], int, int, Callable[[float], float]]] = {
    "waves, sine": (lambda: plots.waves(16, 40, [1], base=100.0), 0, 0,
                    lambda p: math.sin(100 ** (-2 / 16) * p)),
    "waves, cosine": (lambda: plots.waves(16, 40, [1], base=100.0), 0, 2,
                      lambda p: math.cos(100 ** (-2 / 16) * p)),
    "spectrum, paper": (lambda: plots.spectrum(16, base=50.0), 0, 2,
                        lambda i: 2 * math.pi * 50 ** (2 * i / 16)),
    "spectrum, code": (lambda: plots.spectrum(16, base=50.0), 0, 3,
                       lambda i: 2 * math.pi * 50 ** (i / 7)),
    "similarity": (lambda: plots.similarity(PE, [20]), 0, 0, lambda k: dot(20, 20 + int(k))),
    "same_offset": (lambda: plots.same_offset({"a": PE + 9}, 4), 0, 0,
                    lambda p: float((PE[int(p)] + 9) @ (PE[int(p) + 4] + 9))),
    "closest": (lambda: plots.closest({"a": lambda n: [[p / n] for p in range(n)]}, [2, 5, 8]),
                0, 0, lambda n: 1 / n),
    "windows": (lambda: plots.windows([0.5, 0.02], 300), 0, 2, lambda n: math.exp(-0.02 * n)),
    "bucket_steps": (lambda: plots.bucket_steps(9, num_buckets=8, max_distance=8), 0, 0, bucket),
    "flops, projections": (lambda: plots.flops(16, 4096), 0, 0, lambda n: 16 * n * 16**2),
    "flops, attention": (lambda: plots.flops(16, 4096), 0, 1,
                         lambda n: 8 * n * 16**2 + 4 * n**2 * 16),
    "flops, rotation": (lambda: plots.flops(16, 4096), 0, 2, lambda n: 6 * n * 16),
    "flops, addition": (lambda: plots.flops(16, 4096), 0, 3, lambda n: n * 16),
    "roofline": (lambda: plots.roofline({"a": (1, 8), "b": (1000, 10)}, flops_per_second=80,
                                        bytes_per_second=4), 0, 0, lambda x: min(80, 4 * x)),
    "wave_parts, a pair": (lambda: plots.wave_parts(A, PHI, 25, base=300.0), 1, 0,
                           lambda k: wave(k, 1)),
    "wave_parts, sum": (lambda: plots.wave_parts(A, PHI, 25, base=300.0), 3, 0,
                        lambda k: math.fsum(wave(k, i) for i in range(3))),
    "returns, nearest": (lambda: plots.returns([3], 1000, base=400.0), 0, 0,
                         lambda c: min(distance(k, 3, 400.0) for k in stretch_of(c, 1000))),
    "returns, neighbour": (lambda: plots.returns([3], 1000, base=400.0), 0, 1,
                           lambda _: distance(1, 3, 400.0)),
    "first_aliases, bound": (lambda: plots.first_aliases([1, 5, 6], 20_000), 0, 0, ball),
    "first_aliases, found": (lambda: plots.first_aliases([1, 5, 6, 7], 20_000), 0, 1,
                             lambda n: {1: 6, 5: 6, 6: 14495, 7: 18246}[int(n)]),
    "protection, slowest": (lambda: plots.protection(16, 1000, base=100.0), 0, 1,
                            lambda k: 2 * abs(math.sin(100 ** (-7 / 8) * k / 2))),
    "protection, neighbour": (lambda: plots.protection(16, 1000, base=100.0), 0, 2,
                              lambda _: distance(1, 8, 100.0)),
    "separation, neighbour": (lambda: plots.separation([1, 2, 5], 800, base=500.0), 0, 0,
                              lambda n: distance(1, int(n), 500.0)),
    "separation, nearest": (lambda: plots.separation([1, 2, 5], 800, base=500.0), 0, 1,
                            lambda n: min(distance(k, int(n), 500.0) for k in range(1, 801))),
    "turns": (lambda: plots.turns(8, 2048, [100]), 0, 0,
              lambda i: 2048 * 100 ** (-i / 4) / (2 * math.pi)),
    "channel_statistics, mean": (lambda: plots.channel_statistics(paper(50, 12)), 0, 1,
                                 lambda i: statistics.fmean(paper(50, 12)[:, 2 * int(i)])),
    "channel_statistics, variance": (
        lambda: plots.channel_statistics(paper(50, 12)), 1, 2,
        lambda i: statistics.pvariance(paper(50, 12)[:, 2 * int(i) + 1].tolist())),
    "growth": (lambda: plots.growth([8.0], 4), 0, 1, lambda x: 1 + 8 * (x - 1) if x > 1 else 1),
    "growth, needed": (lambda: plots.growth([8.0], 4), 0, 0, lambda x: max(x, 1)),
    "rotary_decay, bound": (lambda: plots.rotary_decay(16, 60, base=500.0), 0, 1, upper_bound),
    "rotary_decay, equal": (lambda: plots.rotary_decay(16, 60, base=500.0), 0, 2, equal_vectors),
    "counting, square wave": (lambda: plots.counting(16, 4), 1, 2,
                              lambda x: 2 - 0.36 * (-1) ** (min(math.ceil(x), 15) // 4)),
    "counting, sine": (lambda: plots.counting(16, 4), 2, 2,
                       lambda p: 1 - 0.36 * math.sin(math.pi * (p + 0.5) / 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_line_has_the_height_of_its_formula(name: str) -> None:
    draw, panel, line, height = LINES[name]
    x, y = xy(draw().axes[panel].lines[line])
    assert_allclose(y, [height(place) for place in x.tolist()], rtol=1e-12, atol=1e-11)


def test_bands_are_the_median_and_four_fifths_of_the_runs() -> None:
    runs = np.random.default_rng(0).uniform(0.5, 9, (11, 3))
    figure = plots.bands([0, 5, 6], {"t": {"a": runs}}, seen=5.5, xlabel="x", ylabel="y")
    axes: Any = figure.axes[0]
    assert_allclose(xy(axes.lines[0])[1], np.median(runs, axis=0), rtol=1e-15)
    # Of eleven runs in order, the 10th percentile is the second, the 90th the tenth.
    ordered = np.sort(runs, axis=0)
    x, y = axes.collections[0].get_paths()[0].vertices.T
    for place, low, high in zip([0, 5, 6], ordered[1], ordered[9], strict=True):
        assert_allclose([y[x == place].min(), y[x == place].max()], [low, high], rtol=1e-12)


def test_accuracies_mark_each_seed_the_mean_and_chance() -> None:
    axes = plots.accuracies({"a": [0.4, 0.5, 0.7]}, chance=0.25, xlabel="right").axes[0]
    dots, mean, chance = (xy(line)[0] for line in axes.lines)
    assert dots.tolist() == [0.4, 0.5, 0.7]
    assert_allclose(mean, [1.6 / 3], rtol=1e-15)
    assert chance.tolist() == [0.25, 0.25]


def test_accuracies_by_length_join_the_means_of_the_seeds() -> None:
    axes = plots.accuracies_by_length(
        [32, 64], {"t": {"a": [[1, 0.5], [0.8, 0.1]]}}, chance={"t": 0.5}, ylabel="right"
    ).axes[0]
    assert_allclose(xy(axes.lines[0]), [[32, 64], [0.9, 0.3]], rtol=1e-15)


def test_losses_are_means_at_the_middle_of_their_places() -> None:
    axes: Any = plots.losses_by_place(
        {"a": [[1, 2, 4, 4], [3, 2, 6, 5]]}, seq_len=16, trained=5, xlabel="place"
    ).axes[0]
    assert_allclose(xy(axes.lines[0]), [[2, 6, 10, 14], [2, 2, 5, 4.5]])
    x, y = axes.collections[0].get_paths()[0].vertices.T
    assert [(y[x == p].min(), y[x == p].max()) for p in (2, 6, 10)] == [(1, 3), (2, 2), (4, 6)]
    assert axes.get_xticks().tolist() == [5, 10]  # doubled from the training length


def test_returns_fill_up_to_the_largest_distance_of_each_stretch() -> None:
    axes: Any = plots.returns([2], 1000, base=400.0).axes[0]
    x, y = axes.collections[0].get_paths()[0].vertices.T
    for part in stretches(1000)[::40]:
        largest = max(distance(k, 2, 400.0) for k in part)
        assert y[x == (part[0] + part[-1]) / 2].max() == pytest.approx(largest, abs=1e-11)


def test_returns_name_the_nearest_unless_it_is_the_neighbour() -> None:
    one, many = plots.returns([1, 32], 1000).axes
    assert one.get_title(loc="left") == "1 pair: 710 on is nearest"
    assert xy(one.lines[2]).ravel().tolist() == [710, pytest.approx(distance(710, 1), abs=1e-12)]
    assert len(many.lines) == 2


def test_proved_protection_lies_below_all_distances() -> None:
    proved = xy(plots.protection(16, 1000, base=100.0).axes[0].lines[0])[1]
    lows = np.array([min(distance(k, 8, 100.0) for k in part) for part in stretches(1000)])
    assert (proved < lows + 1e-11).all()
    assert (proved > 0.3 * lows).mean() > 0.5


def test_wave_parts_mark_the_peaks_in_sight() -> None:
    figure = plots.wave_parts([1.0, 1.0, 1.0], [0.4, 5.0, 3.0], 25, base=300.0)
    # Peaks at -φ/ω; 5 rad are -1.283 rad. The third lies at -3·300**(2/3), out of sight.
    peaks = [xy(axes.lines[1])[0][0] for axes in figure.axes[:2]]
    assert peaks == pytest.approx([-0.4, (2 * math.pi - 5) * 300 ** (1 / 3)], abs=1e-12)
    assert len(figure.axes[2].lines) == 2  # the wave, and the line at 0


def test_filter_bank_divides_each_head_by_its_largest_score() -> None:
    image = plots.filter_bank({"a": [1, 2, -4, 0], "b": [0, 0, 0, 5]}, -2).axes[0].images[0]
    assert_array_equal(image.get_array(), [[0.25, 0.5, -1, 0], [0, 0, 0, 1]])
    assert list(image.get_extent()) == [-2.5, 1.5, 1.5, -0.5]


def test_stretch_draws_ratios_against_turns() -> None:
    axes = plots.stretch({"all": FREQUENCIES / 4}, 512).axes[0]
    assert_allclose(xy(axes.lines[1]), [512 * FREQUENCIES / (2 * math.pi), [0.25] * 16], rtol=1e-14)
    assert axes.xaxis_inverted()


def test_regression_writes_the_share_of_the_variance() -> None:
    true, models = [1.0, 2.0, 3.0, 6.0], [[1.1, 1.9, 3.2, 5.8], [6.0, 3.0, 2.0, 1.0]]
    for axes, predicted in zip(
        plots.regression(true, models, ["good", "bad"]).axes, models, strict=True
    ):
        r2 = 1 - np.mean((np.array(true) - predicted) ** 2) / np.var(true)
        written_r2 = axes.get_title(loc="left").partition("R² = ")[2].replace("−", "-")
        assert float(written_r2) == pytest.approx(r2, abs=6e-4)


def test_rotation_arrows_turn_by_one_angle() -> None:
    axes = plots.rotation([0, 3, 7], 2, 0.5).axes[0]
    arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
    for arrow, p in zip(arrows, [0, 3, 7], strict=True):
        path = arrow._path_original  # type: ignore[attr-defined]  # get_path() trims it
        angles = np.unwrap(np.arctan2(*np.asarray(path.vertices).T))  # clockwise from the top
        assert math.remainder(angles[0] - 0.5 * p, 2 * math.pi) == pytest.approx(0, abs=1e-12)
        assert angles[-1] - angles[0] == pytest.approx(1, abs=1e-12)


def test_bit_to_pair_marks_the_sine_and_cosine_of_its_bit() -> None:
    axes = plots.bit_to_pair(2, [1, 6], seq_len=16).axes
    assert_allclose(axes[0].lines[0].get_ydata(), [*(p // 4 % 2 for p in range(16)), 1])
    for p, marks, hand in zip((1, 6), axes[2].lines[2:4], axes[3].lines[1::2], strict=True):
        sine, cosine = math.sin(math.pi * (p + 0.5) / 4), math.cos(math.pi * (p + 0.5) / 4)
        assert_allclose(marks.get_xydata(), [(p, sine), (p, cosine)], rtol=0, atol=1e-12)
        assert_allclose(hand.get_xydata(), [(sine, cosine)], rtol=0, atol=1e-12)


def test_chords_join_the_points_of_two_positions() -> None:
    figure = plots.chords(2, 7.5, 4, base=100)
    for axes, omega in zip(figure.axes, [1, 0.1], strict=True):
        ends = [(math.sin(omega * p), math.cos(omega * p)) for p in (2, 7.5)]
        assert_allclose(axes.lines[0].get_xydata(), ends, rtol=0, atol=1e-12)
        length = 2 * abs(math.sin(omega * 5.5 / 2))
        assert axes.get_xlabel() == f"chord {length:.3f}"


def test_rotated_pair_turns_both_arrows_by_their_positions() -> None:
    places = [(0, 0), (2, 5), (12, 15)]
    figure = plots.rotated_pair([1, 0.2], [0.4, 0.9], places, frequency=0.3)
    for axes, (p, q) in zip(figure.axes, places, strict=True):
        arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
        tips = [complex(*arrow._posA_posB[1]) for arrow in arrows]  # type: ignore[attr-defined]
        u, v = 1 + 0.2j, 0.4 + 0.9j
        turned = [u, u * cmath.exp(0.3j * p), v, v * cmath.exp(0.3j * q)]
        assert_allclose(tips, turned, rtol=0, atol=1e-12)


def test_rotated_pairs_rotate_each_pair_at_its_own_speed() -> None:
    figure = plots.rotated_pairs([1, 0.2, 0.5, 0.5], [0.4, 0.9, -1, 0], 2, 5, base=100)
    for axes, u, v, omega in zip(
        figure.axes, [1 + 0.2j, 0.5 + 0.5j], [0.4 + 0.9j, -1], [1, 0.1], strict=True
    ):
        arrows = [patch for patch in axes.patches if isinstance(patch, FancyArrowPatch)]
        tips = [complex(*arrow._posA_posB[1]) for arrow in arrows]  # type: ignore[attr-defined]
        rotated = [u, u * cmath.exp(2j * omega), v, v * cmath.exp(5j * omega)]
        assert_allclose(tips, rotated, rtol=0, atol=1e-12)


def test_rotary_decay_scores_random_vectors() -> None:
    figure = plots.rotary_decay(4, 30, draws=7, rng=np.random.default_rng(5))
    one, spread = (xy(line)[1] for line in figure.axes[1].lines[1:3])
    x, y = np.random.default_rng(5).normal(size=(2, 7, 4))
    u, v = (t.view(complex).reshape(7, 2, 1) for t in (x, y))
    turns = np.exp(1j * np.multiply.outer([1, 0.01], np.arange(31)))
    scores = (u.conj() * v * turns).real.sum(axis=1) / 2
    assert_allclose(one, scores[0], rtol=0, atol=1e-13)
    assert_allclose(spread, np.sqrt((scores**2).mean(axis=0)), rtol=0, atol=1e-13)


@pytest.mark.parametrize(("head_dim", "turned"), [(2, 2), (10, 8)])
def test_pair_layouts_join_the_two_channels_of_a_pair(head_dim: int, turned: int) -> None:
    figure = plots.pair_layouts(head_dim, rotary_dim=turned)
    half = turned // 2
    joined = [[(2 * i, 2 * i + 1) for i in range(half)], [(i, i + half) for i in range(half)]]
    for axes, pairs in zip(figure.axes, joined, strict=True):
        arcs = [patch for patch in axes.patches if isinstance(patch, Arc)]
        ends = [(arc.center[0] - arc.width / 2, arc.center[0] + arc.width / 2) for arc in arcs]
        assert ends == pairs


def test_cosines_are_those_between_the_rows() -> None:
    figure = plots.cosines({"small": [[0.03, 0.04], [0.0, -0.01]], "large": [[5.0, 0.0]] * 2})
    images: list[Any] = [a.images[0] for a in figure.axes if a.get_label() != "<colorbar>"]
    assert_allclose(images[1].get_array(), [[1, -0.8], [-0.8, 1]], rtol=0, atol=1e-15)
    assert [image.get_clim() for image in images] == [(-0.04, 0.04), (-1, 1), (-5, 5), (-1, 1)]


def test_counting_draws_set_bits_as_bars() -> None:
    axes = plots.counting(11, 5).axes[0]
    for j, bars in enumerate(axes.collections):
        (path,) = bars.get_paths()
        # A point in the upper half of a place is inside the bar or not.
        drawn = [path.contains_point((p, j - 0.3)) for p in range(11)]
        assert drawn == [bool(p >> j & 1) for p in range(11)]


def test_counting_has_dots_up_to_64_positions() -> None:
    lines = [len(plots.counting(n, 7).axes[2].lines) for n in (64, 65)]
    lines += [len(plots.waves(16, n, [0]).axes[0].lines) for n in (64, 65)]
    assert lines == [14, 7, 4, 2]


def test_clock_hands_point_along_sine_and_cosine() -> None:
    fast, slow = plots.clock([[0.6, 0.8, 0.8, -0.6]], ["a"], ["fast", "slow"]).axes[0].lines
    assert_allclose(xy(fast)[:, 1], [0.95 * 0.6, 0.95 * 0.8], rtol=1e-15)
    assert_allclose(xy(slow)[:, 1], [0.5 * 0.8, 0.5 * -0.6], rtol=1e-15)


def test_strips_join_neighbours_of_one_name() -> None:
    figure = plots.strips({"a": "xxxxyy", "b": "yyxxxz"})
    runs = [patch for patch in figure.axes[0].patches if isinstance(patch, Rectangle)]
    assert [(run.get_x() + 0.5, run.get_width()) for run in runs] == [
        (0, 4), (4, 2), (0, 2), (2, 3), (5, 1),
    ]  # fmt: skip
    assert runs[1].get_edgecolor() == runs[2].get_edgecolor() != runs[0].get_edgecolor()


def test_fitted_curves_break_at_a_long_gap() -> None:
    broken, whole = (
        xy(plots.fitted_curves([0, 1, 2, last, last + 1], {"a": [1, 2, 3, 4, 5]}).axes[0].lines[0])
        for last in (13, 12)
    )
    assert_array_equal(broken, [[0, 1, 2, math.nan, 13, 14], [1, 2, 3, math.nan, 4, 5]])
    assert_array_equal(whole[0], [0, 1, 2, 12, 13])


def test_similarity_by_distance_marks_the_steps_that_rise() -> None:
    _, *rises = plots.similarity_by_distance([9, 5, 6, 6, 7, 3]).axes[0].lines
    assert [xy(rise).tolist() for rise in rises] == [[[1, 2], [5, 6]], [[3, 4], [6, 7]]]


def test_names_at_line_ends_keep_the_order_of_the_lines() -> None:
    heights = dict(zip("abcde", [9, 8.9, 1, 9.1, 8], strict=True))
    figure = plots.errors([1, 2], {name: [1.0, height] for name, height in heights.items()})
    figure.draw_without_rendering()
    places = {text.get_text(): text.get_position()[1] for text in figure.axes[0].texts}
    assert sorted(places, key=places.__getitem__) == ["c", "e", "b", "a", "d"]


def test_permutation_matrix_is_that_of_the_order() -> None:
    order = [0, 4, 2, 1, 3]  # a circle of three: no list of its own inverse
    right = plots.permutation(order, list("abcde")).axes[1]
    ones = {text.get_position() for text in right.texts if text.get_text() == "1"}
    assert ones == {(column, row) for row, column in enumerate(order)}


def test_masks_fill_cells_and_cross_out_empty_rows() -> None:
    axes = plots.masks({"a": [[False, True], [False, False]]}).axes[0]
    (cell,) = axes.patches
    (cross,) = axes.lines
    assert isinstance(cell, Rectangle)
    assert (cell.get_x() + cell.get_width() / 2, cell.get_y() + cell.get_height() / 2) == (1, 0)
    assert xy(cross).tolist() == [[0, 1], [1, 1]]


def test_poses_point_along_their_headings() -> None:
    lines = plots.poses({"m": np.array([[1, 2, 0], [4, 3, math.pi / 2]])}, ["p", "q"]).axes[0].lines
    tips = [xy(line).ravel() for line in lines[1::2]]
    assert_allclose(tips, [[2.5, 2], [4, 4.5]], rtol=0, atol=1e-14)


def test_word_vectors_frame_outputs_that_differ_from_the_first_panel() -> None:
    X, Y = np.array([[1, 2], [3, 4], [5, 6]]), np.array([[3, 4], [1, 2], [5, 9]])
    figure = plots.word_vectors({"a": (["x", "y", "z"], X, X), "b": (["y", "x", "z"], Y, Y)})
    assert_allclose(figure.axes[1].images[1].get_array(), Y.T)
    assert not figure.axes[0].patches
    framed = [patch.get_x() + 0.5 for patch in figure.axes[1].patches]  # type: ignore[attr-defined]
    assert framed == [2]  # only z changed


HIDDEN = np.array([[0, -math.inf], [-3, 0.5]])
SMALL: Any = {"a": [[1, -2, 0], [3, 0.5, 1]], "b": [[0, 0, 0], [0, -5, 0]]}

# A drawing, and the ends of its scale of colours.
SCALES: dict[str, tuple[Callable[[], Figure], tuple[float, float]]] = {
    "heatmap": (lambda: plots.heatmap(PE), (-1, 1)),
    "heatmap with a limit": (lambda: plots.heatmap(PE / 50, limit=0.02), (-0.02, 0.02)),
    "gram above 0": (lambda: plots.gram([[2.0, 1.0], [1.0, 3.0]]), (1, 3)),
    "gram with negative entries": (lambda: plots.gram([[2.0, -3.0], [-3.0, 2.0]]), (-3, 3)),
    "matrix": (lambda: plots.matrix(np.eye(4) / 2), (-1, 1)),
    "matrix beyond 1": (lambda: plots.matrix([[0, -2], [1, 0]]), (-2, 2)),
    "panels": (lambda: plots.panels(SMALL), (-5, 5)),
    "grid_maps": (lambda: plots.grid_maps({"a": [[0.5, 0.25]], "b": [[0.1, 0.2]]}), (0, 0.5)),
    "bias_maps": (lambda: plots.bias_maps({"a": HIDDEN}), (-3, 0.5)),
    "attention_maps": (
        lambda: plots.attention_maps({"a": (["x"], np.full((1, 1), 0.25))}),
        (0, 0.25),
    ),
}


@pytest.mark.parametrize("name", SCALES)
def test_scale_of_colours_has_the_ends(name: str) -> None:
    draw, ends = SCALES[name]
    assert draw().axes[0].images[0].get_clim() == ends
