"""Drawings of what models can after training, from every seed."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.plots import figure_style
from posenc.plots.kernels import LINES, rising


def accuracies(models: Mapping[str, ArrayLike], *, chance: float, xlabel: str) -> Figure:
    """Draw the accuracy of each model from each seed.

    Args:
        models: For the name of each model its accuracies, shape (seeds,), in [0, 1]; one or
            more seeds.
        chance: What a guess reaches, in (0, 1).
        xlabel: What was asked.

    Returns:
        A figure with a line of dots for each model, the first on top, and a longer mark at
        their mean; the axis goes from 0 to 1. A dotted line marks chance.

    Raises:
        TypeError: `models` is not a mapping, or an entry or `chance` is not a real number.
        ValueError: `models` is empty, an accuracy lies outside [0, 1] or `chance` outside
            (0, 1).

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.accuracies({"a": [0.5, 0.7]}, chance=0.5, xlabel="right answers")
        >>> figure.axes[0].lines[0].get_xdata().tolist()
        [0.5, 0.7]
    """
    figure_style.mapping("models", models, "names to accuracies")
    shown = {name: _shares(f"models[{name!r}]", runs, ndim=1) for name, runs in models.items()}
    guess = _guess(chance)

    figure = figure_style.new_figure(0.9 + 0.28 * len(shown))
    axes = figure.subplots()
    figure_style.bare(axes, xlabel, "model")
    for row, runs in enumerate(shown.values()):
        axes.plot(runs, np.full(len(runs), row), "o", color="C0", alpha=0.5, markersize=5)
        axes.plot([runs.mean()], [row], "|", color="C0", markersize=15, markeredgewidth=2)
    axes.axvline(guess, color=figure_style.muted(), linestyle=":")
    axes.set_yticks(range(len(shown)), list(shown))
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    axes.set_xlim(-0.02, 1.02)
    return figure


def accuracies_by_length(
    seq_lens: ArrayLike,
    panels: Mapping[str, Mapping[str, ArrayLike]],
    *,
    chance: Mapping[str, float],
    ylabel: str,
) -> Figure:
    """Draw how the accuracy of models changes with the length of what they are tested on.

    Args:
        seq_lens: Shape (n,), n at least 2, rising and above 0; the first is that of training.
        panels: For the title of each panel a mapping from the name of each model to its
            accuracies, shape (seeds, n), in [0, 1].
        chance: For each title what a guess reaches, in (0, 1).
        ylabel: What was asked.

    Returns:
        A figure of one panel for each title, one above the other: for each model a line
        through the means, its name at the end, and a dot for each seed. The lengths are
        on a logarithmic axis. A dotted line marks chance.

    Raises:
        TypeError: `panels`, an entry of it or `chance` is not a mapping, or what should be
            a real number is none.
        ValueError: A mapping is empty or `chance` lacks a title, `seq_lens` does not rise
            or is not above 0, or accuracies have another shape or lie outside [0, 1].

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> runs = {"a task": {"a": [[1, 0.5], [1, 0.7]]}}
        >>> guess = {"a task": 0.5}
        >>> figure = plots.accuracies_by_length([8, 16], runs, chance=guess, ylabel="right")
        >>> figure.axes[0].lines[0].get_ydata().tolist()
        [1.0, 0.6]
    """
    places = rising("seq_lens", seq_lens)
    if places[0] <= 0:
        raise ValueError(f"seq_lens must be above 0, got {places[0]:g}")
    figure_style.mapping("panels", panels, "titles to models")
    figure_style.mapping("chance", chance, "titles to shares")
    shown: dict[str, dict[str, NDArray[np.float64]]] = {}
    for title, models in panels.items():
        if title not in chance:
            raise ValueError(f"chance must have an entry for each title, got none for {title!r}")
        _guess(chance[title])
        figure_style.mapping(f"panels[{title!r}]", models, "names to accuracies")
        shown[title] = {
            name: _by_length(f"panels[{title!r}][{name!r}]", runs, len(places))
            for name, runs in models.items()
        }
    names = list(dict.fromkeys(name for models in shown.values() for name in models))

    figure = figure_style.new_figure(0.7 + 2.4 * len(shown))
    grid = figure.subplots(len(shown), sharex=True, sharey=True, squeeze=False)[:, 0]
    for axes, (title, drawn) in zip(grid, shown.items(), strict=True):
        figure_style.bare(axes)
        axes.set_title(title, loc="left", fontsize="medium")
        axes.set_xscale("log")
        axes.set_xticks(places, [f"{place:g}" for place in places])
        axes.xaxis.set_minor_locator(NullLocator())
        axes.set_ylim(0, 1.05)
        for name, runs in drawn.items():
            order = names.index(name)
            axes.plot(places, runs.mean(axis=0), LINES[order % 4], color=f"C{order % 6}")
        for name, runs in drawn.items():
            colour = f"C{names.index(name) % 6}"
            axes.plot(places, runs.T, "o", color=colour, alpha=0.4, markersize=3)
        axes.axhline(chance[title], color=figure_style.muted(), linestyle=":")
        axes.margins(x=0.02)
    for axes, drawn in zip(grid, shown.values(), strict=True):  # the limits are settled now
        ends = [
            (float(places[-1]), float(runs[:, -1].mean()), name, f"C{names.index(name) % 6}")
            for name, runs in drawn.items()
        ]
        figure_style.label_ends(axes, ends)
    grid[-1].set_xlabel("words of a sentence")
    figure.supylabel(ylabel, fontsize="medium")
    return figure


def losses_by_place(
    models: Mapping[str, ArrayLike], *, seq_len: int, trained: int, xlabel: str
) -> Figure:
    """Draw how the loss of models changes from the first place of a text to the last.

    Args:
        models: For the name of each model its mean losses in nats, shape (seeds, n), not
            below 0: at the first of n equal parts of the places, at the next, and so on.
        seq_len: How many places there are, 2n or more.
        trained: How many there were in training, in 1..seq_len-1.
        xlabel: What a place is.

    Returns:
        A figure with a line for each model through the means at the middle of each part, a
        band from the least to the largest of the seeds, and its name at the end. The places
        are on a logarithmic axis, with marks at `trained` and at each doubling of it. A
        dotted line marks where training ended.

    Raises:
        TypeError: `models` is not a mapping, or what should be a number is none.
        ValueError: `models` is empty, losses have another shape or lie below 0, `seq_len`
            is not a multiple of n or too small, or `trained` lies outside.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> runs = {"a": [[1, 2, 4], [3, 2, 4]]}
        >>> figure = plots.losses_by_place(runs, seq_len=12, trained=6, xlabel="place")
        >>> figure.axes[0].lines[0].get_xydata().tolist()
        [[2.0, 2.0], [6.0, 2.0], [10.0, 4.0]]
    """
    figure_style.mapping("models", models, "names to losses")
    shown = {
        name: figure_style.filled(f"models[{name!r}]", runs, ndim=2)
        for name, runs in models.items()
    }
    length, end = checks.integer("seq_len", seq_len), checks.integer("trained", trained)
    parts = next(iter(shown.values())).shape[1]
    if length < 2 * parts or length % parts:
        raise ValueError(f"seq_len must be {parts} times a whole number above 1, got {length}")
    if not 0 < end < length:
        raise ValueError(f"trained must lie within 1..{length - 1}, got {end}")
    for name, runs in shown.items():
        if runs.shape[1] != parts:
            raise ValueError(f"models[{name!r}] must have {parts} columns, got shape {runs.shape}")
        if (runs < 0).any():
            raise ValueError(f"models[{name!r}] must not be below 0, got {runs.min():g}")
    places = (np.arange(parts) + 0.5) * length / parts

    figure = figure_style.new_figure(3.6)
    axes = figure.subplots()
    figure_style.bare(axes, xlabel, "loss in nats")
    axes.set_xscale("log")
    marks = [end * 2**k for k in range((length // end).bit_length())]
    axes.set_xticks(marks, [f"{mark}" for mark in marks])
    axes.xaxis.set_minor_locator(NullLocator())
    ends = []
    for order, (name, runs) in enumerate(shown.items()):
        colour, middle = f"C{order % 6}", runs.mean(axis=0)
        axes.plot(places, middle, LINES[order % 4], color=colour)
        axes.fill_between(
            places, runs.min(axis=0), runs.max(axis=0), color=colour, alpha=0.2, linewidth=0
        )
        ends.append((float(places[-1]), float(middle[-1]), name, colour))
    axes.axvline(end, color=figure_style.muted(), linestyle=":")
    axes.set_xlim(places[0], length)
    figure_style.label_ends(axes, ends)
    return figure


def _guess(chance: object) -> float:
    guess = checks.real("chance", chance)
    if not 0 < guess < 1:
        raise ValueError(f"chance must lie inside 0..1, got {guess:g}")
    return guess


def _by_length(name: str, value: ArrayLike, length: int) -> NDArray[np.float64]:
    runs = _shares(name, value, ndim=2)
    if runs.shape[1] != length:
        raise ValueError(f"{name} must have {length} columns, got shape {runs.shape}")
    return runs


def _shares(name: str, value: ArrayLike, *, ndim: int) -> NDArray[np.float64]:
    runs = figure_style.filled(name, value, ndim=ndim)
    if not ((runs >= 0) & (runs <= 1)).all():
        raise ValueError(f"{name} must lie in 0..1, got {runs[(runs < 0) | (runs > 1)][0]}")
    return runs
