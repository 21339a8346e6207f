"""posenc.plots: what the drawings of experiments must show."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.testing import assert_allclose

from posenc import plots
from tests.package.plots.drawings import written, xy

MODELS = {"blind": [0.4, 0.5, 0.7], "sees": [1.0, 0.9, 0.98]}
PANELS = {
    "one": {"a": [[1, 0.5], [0.8, 0.1]], "b": [[0.9, 0.9]]},
    "two": {"b": [[0.3, 0.2], [0.1, 0.4]]},
}


def by_length(
    panels: Any = PANELS, seq_lens: Any = (32, 64), chance: Any = None, ylabel: str = "right"
) -> Figure:
    guess = {"one": 0.5, "two": 0.125} if chance is None else chance
    return plots.accuracies_by_length(seq_lens, panels, chance=guess, ylabel=ylabel)


def accuracies(models: Any = MODELS, chance: Any = 0.5) -> Figure:
    return plots.accuracies(models, chance=chance, xlabel="right answers")


def test_every_seed_is_a_dot_and_the_mean_a_mark() -> None:
    axes = accuracies().axes[0]

    for row, runs in enumerate(MODELS.values()):
        dots, mean = axes.lines[2 * row : 2 * row + 2]
        assert_allclose(np.array(xy(dots)), np.array([runs, [row] * 3], float))
        assert_allclose(np.array(xy(mean)), np.array([[sum(runs) / 3], [row]], float))
    assert xy(axes.lines[4])[0].tolist() == [0.5, 0.5]


def test_the_first_model_stands_on_top_and_the_axis_is_whole() -> None:
    axes = accuracies().axes[0]

    assert [label.get_text() for label in axes.get_yticklabels()] == ["blind", "sees"]
    assert axes.get_ylim()[0] > axes.get_ylim()[1]
    low, high = axes.get_xlim()
    assert low <= 0 < 1 <= high
    assert axes.get_xlabel() == "right answers"


def test_lines_are_means_and_dots_are_seeds() -> None:
    one, two = by_length().axes

    assert_allclose(np.array(xy(one.lines[0])), np.array([[32, 64], [0.9, 0.3]], float))
    assert_allclose(np.array(xy(one.lines[1])), np.array([[32, 64], [0.9, 0.9]], float))
    assert_allclose([xy(line)[1] for line in one.lines[2:4]], [[1, 0.5], [0.8, 0.1]])
    assert_allclose(np.array(xy(two.lines[0])), np.array([[32, 64], [0.2, 0.3]], float))
    assert xy(one.lines[-1])[1].tolist() == [0.5, 0.5]
    assert xy(two.lines[-1])[1].tolist() == [0.125, 0.125]


def test_panels_are_named_and_lengths_are_ticks() -> None:
    figure = by_length()

    assert [axes.get_title(loc="left") for axes in figure.axes] == ["one", "two"]
    assert [tick.get_text() for tick in figure.axes[-1].get_xticklabels()] == ["32", "64"]
    assert figure.get_supylabel() == "right"
    assert {"a", "b"} <= {text for axes in figure.axes for text in written(axes)}


def test_a_name_keeps_its_colour() -> None:
    one, two = by_length().axes

    assert one.lines[1].get_color() == two.lines[0].get_color() != one.lines[0].get_color()


def by_place(models: Any = None, seq_len: Any = 16, trained: Any = 4) -> Figure:
    runs = {"a": [[1, 2, 4, 4], [3, 2, 6, 5]], "b": [[2, 1, 1, 0]]} if models is None else models
    return plots.losses_by_place(runs, seq_len=seq_len, trained=trained, xlabel="place")


def test_losses_stand_at_the_middle_of_their_places() -> None:
    axes = by_place().axes[0]

    a, b, end = axes.lines
    assert_allclose(np.array(xy(a)), np.array([[2, 6, 10, 14], [2, 2, 5, 4.5]], float))
    assert_allclose(np.array(xy(b)), np.array([[2, 6, 10, 14], [2, 1, 1, 0]], float))
    assert xy(end)[0].tolist() == [4, 4]
    assert a.get_color() != b.get_color()
    assert {"a", "b"} <= set(written(axes))
    assert axes.get_xlabel() == "place"


def test_a_band_holds_all_seeds() -> None:
    x, y = np.asarray(by_place().axes[0].collections[0].get_paths()[0].vertices).T

    ends = {place: (y[x == place].min(), y[x == place].max()) for place in (2, 6, 10, 14)}
    assert ends == {2: (1, 3), 6: (2, 2), 10: (4, 6), 14: (4, 5)}


@pytest.mark.parametrize(("trained", "marks"), [(4, ["4", "8", "16"]), (5, ["5", "10"])])
def test_marks_double_from_the_length_of_training(trained: int, marks: list[str]) -> None:
    axes = by_place(trained=trained).axes[0]

    assert [tick.get_text() for tick in axes.get_xticklabels()] == marks
    assert axes.get_xticks().tolist() == [float(mark) for mark in marks]


REFUSED: list[tuple[Callable[[], Figure], type[Exception], str]] = [
    (lambda: accuracies([1]), TypeError, "models must map names to accuracies, got list"),
    (lambda: accuracies({}), ValueError, "models must not be empty"),
    (lambda: accuracies({"a": [1.5]}), ValueError, "models['a'] must lie in 0..1, got 1.5"),
    (lambda: accuracies({"a": [[1]]}), ValueError, "models['a'] must have 1 axis"),
    (lambda: accuracies(chance=1), ValueError, "chance must lie inside 0..1, got 1"),
    (lambda: accuracies(chance="half"), TypeError, "chance must be a real number"),
    (lambda: by_length({}), ValueError, "panels must not be empty"),
    (lambda: by_length({"one": {}}), ValueError, "panels['one'] must not be empty"),
    (lambda: by_length(chance=[0.5]), TypeError, "chance must map titles to shares, got list"),
    (
        lambda: by_length(chance={"one": 0.5}),
        ValueError,
        "chance must have an entry for each title, got none for 'two'",
    ),
    (lambda: by_length(seq_lens=(64, 32)), ValueError, "seq_lens must be"),
    (lambda: by_length(seq_lens=(0, 32)), ValueError, "seq_lens must be above 0, got 0"),
    (
        lambda: by_length({"one": {"a": [[1, 1, 1]]}}),
        ValueError,
        "panels['one']['a'] must have 2 columns, got shape (1, 3)",
    ),
    (
        lambda: by_length({"one": {"a": [[1, -0.5]]}}),
        ValueError,
        "panels['one']['a'] must lie in 0..1, got -0.5",
    ),
    (lambda: by_place({}), ValueError, "models must not be empty"),
    (lambda: by_place({"a": [1, 2]}), ValueError, "models['a'] must have 2 axes"),
    (
        lambda: by_place({"a": [[1, 2]], "b": [[1, 2, 3]]}),
        ValueError,
        "models['b'] must have 2 columns, got shape (1, 3)",
    ),
    (lambda: by_place({"a": [[1, -2]]}), ValueError, "models['a'] must not be below 0, got -2"),
    (lambda: by_place(seq_len=4), ValueError, "seq_len must be 4 times a whole number above 1"),
    (lambda: by_place(seq_len=18), ValueError, "seq_len must be 4 times a whole number above 1"),
    (lambda: by_place(seq_len=16.5), TypeError, "seq_len must be"),
    (lambda: by_place(trained=16), ValueError, "trained must lie within 1..15, got 16"),
    (lambda: by_place(trained=0), ValueError, "trained must lie within 1..15, got 0"),
]


@pytest.mark.parametrize(("draw", "kind", "complaint"), REFUSED, ids=[r[2] for r in REFUSED])
def test_what_cannot_be_drawn_is_refused(
    draw: Callable[[], Figure], kind: type[Exception], complaint: str
) -> None:
    with pytest.raises(kind) as refused:
        draw()
    assert str(refused.value).startswith(complaint)
