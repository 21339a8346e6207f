"""Drawings of errors over many runs: inside what training showed, and beyond."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.plots import figure_style
from posenc.plots.kernels import LINES, rising


def bands(
    x: ArrayLike,
    panels: Mapping[str, Mapping[str, ArrayLike]],
    *,
    seen: float,
    xlabel: str,
    ylabel: str,
) -> Figure:
    """Draw the median of many runs and the band that holds the middle four fifths of them.

    Args:
        x: Shape (n,), n at least 2, real, rising.
        panels: For the title of each panel a mapping from the name of each way to its
            runs, shape (runs, n), finite, above 0; one or more runs.
        seen: Where training ended, on the axis of x, strictly inside its range.
        xlabel: What x is, with its unit.
        ylabel: What the runs measure, with its unit.

    Returns:
        A figure of one panel for each entry, one above the other, on a logarithmic axis
        that all share: for each way a line for the median and a band from the 10th to the
        90th percentile at each x, its name at the end. A dotted line where training ended.

    Raises:
        TypeError: `x` or a run does not hold real numbers, `seen` is none, or `panels` or
            an entry of it is not a mapping.
        ValueError: `x` has fewer than 2 entries or does not rise, `seen` lies outside, a
            mapping is empty, or runs have another shape or a number that is not finite or
            not above 0.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> runs = {"one task": {"a": [[1, 2, 3], [1, 4, 5], [1, 9, 9]]}}
        >>> figure = plots.bands([0, 1, 2], runs, seen=0.5, xlabel="position", ylabel="error")
        >>> figure.axes[0].lines[0].get_ydata().tolist()
        [1.0, 4.0, 5.0]
    """
    places = rising("x", x)
    end = checks.real("seen", seen)
    if not places[0] < end < places[-1]:
        raise ValueError(f"seen must lie inside {places[0]:g}..{places[-1]:g}, got seen={seen!r}")
    figure_style.mapping("panels", panels, "titles to ways")
    shown: dict[str, dict[str, NDArray[np.float64]]] = {}
    for title, ways in panels.items():
        figure_style.mapping(f"panels[{title!r}]", ways, "names to runs")
        shown[title] = {
            name: _runs(f"panels[{title!r}][{name!r}]", runs, len(places))
            for name, runs in ways.items()
        }
    names = list(dict.fromkeys(name for ways in shown.values() for name in ways))

    figure = figure_style.new_figure(0.7 + 2.2 * len(shown))
    grid = figure.subplots(len(shown), sharex=True, sharey=True, squeeze=False)[:, 0]
    for axes, (title, drawn) in zip(grid, shown.items(), strict=True):
        figure_style.bare(axes)
        axes.set_title(title, loc="left", fontsize="medium")
        axes.set_yscale("log")
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(figure_style.plain_power)
        for name, runs in drawn.items():
            order = names.index(name)
            low, middle, high = np.quantile(runs, [0.1, 0.5, 0.9], axis=0)
            axes.plot(places, middle, LINES[order % 4], color=f"C{order}")
            axes.fill_between(places, low, high, color=f"C{order}", alpha=0.2, linewidth=0)
        axes.axvline(end, color=figure_style.muted(), linestyle=":")
        axes.margins(x=0)
    for axes, drawn in zip(grid, shown.values(), strict=True):  # the limits are settled now
        last = [(name, float(np.median(runs[:, -1]))) for name, runs in drawn.items()]
        figure_style.label_ends(
            axes, [(float(places[-1]), y, name, f"C{names.index(name)}") for name, y in last]
        )
    grid[-1].set_xlabel(xlabel)
    figure.supylabel(ylabel, fontsize="medium")
    return figure


def _runs(name: str, value: ArrayLike, length: int) -> NDArray[np.float64]:
    """Return value as one run a row, each with a number above 0 for every x."""
    runs = figure_style.filled(name, value, ndim=2)
    if runs.shape[1] != length:
        raise ValueError(f"{name} must have {length} columns, got shape {runs.shape}")
    if not (runs > 0).all():
        raise ValueError(f"{name} must be above 0, got {runs[~(runs > 0)][0]}")
    return runs
