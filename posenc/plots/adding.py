"""Drawings of sums: tables side by side on one scale, and lengths of vectors as bars."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from posenc.core import checks
from posenc.plots import figure_style


def panels(
    tables: Mapping[str, ArrayLike],
    *,
    columns: int = 2,
    label: str = "score",
    xlabel: str = "position q",
    ylabel: str = "position p",
) -> Figure:
    """Draw several tables side by side, all on one scale of colours.

    Args:
        tables: For each title a table, shape (m, n), the same for all, dimensionless.
        columns: Panels in a row, from 1 to 4.
        label: What is written beside the colour bar.
        xlabel: What the columns of a table are; written below the lowest panels.
        ylabel: What its rows are; written beside the panels at the left.

    Returns:
        A figure of one image for each table, in the order given, and one colour bar, blue
        below 0 and red above. The ends of the colours are ± the largest entry of all.

    Raises:
        TypeError: `tables` is not a mapping, a table does not hold real numbers, or
            `columns` is not an integer.
        ValueError: There is no table, one is empty, not finite or of another shape than the
            first, all entries are 0, or `columns` is not within 1..4.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.panels({"before": [[1, 0]], "after": [[0, -2]]})
        >>> [axes.get_title(loc="left") for axes in figure.axes[:2]]
        ['before', 'after']
        >>> figure.axes[1].images[0].get_clim()
        (-2.0, 2.0)
    """
    figure_style.mapping("tables", tables, "titles to tables")
    columns = checks.integer("columns", columns, least=1)
    if columns > 4:
        raise ValueError(f"columns must be at most 4, got {columns=}")
    arrays = [
        figure_style.filled(f"tables[{name!r}]", table, ndim=2) for name, table in tables.items()
    ]
    for name, array in zip(tables, arrays, strict=True):
        if array.shape != arrays[0].shape:
            raise ValueError(
                f"tables[{name!r}] must have shape {arrays[0].shape}, got shape {array.shape}"
            )
    limit = max(float(abs(array).max()) for array in arrays)
    if not limit:
        raise ValueError("tables must have an entry other than 0")

    columns = min(columns, len(arrays))
    rows = -(-len(arrays) // columns)
    tall, wide = arrays[0].shape
    width = (figure_style.WIDTH - 1.6) / columns  # inches for one panel; the rest is for words
    figure = figure_style.new_figure(
        0.7 + rows * (width * min(tall / wide, 1.5) + 0.4), square=True
    )
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat[len(arrays) :]:
        axes.remove()
    for place, (name, array) in enumerate(zip(tables, arrays, strict=True)):
        axes = grid.flat[place]
        image = axes.imshow(
            array,
            cmap=figure_style.diverging(),
            vmin=-limit,
            vmax=limit,
            interpolation="none",  # a cell stays sharp at any zoom
        )
        axes.set_title(name, loc="left", fontsize="medium")
        figure_style.whole_ticks(axes.xaxis)
        figure_style.whole_ticks(axes.yaxis)
        lowest, first = place + columns >= len(arrays), place % columns == 0
        axes.set(xlabel=xlabel if lowest else "", ylabel=ylabel if first else "")
        axes.tick_params(labelbottom=lowest, labelleft=first)
    bar = figure.colorbar(
        image,
        ax=grid.flat[: len(arrays)].tolist(),
        label=label,
        ticks=MaxNLocator(5, steps=figure_style.ROUND),
    )
    bar.outline.set_visible(False)
    return figure


def lengths(bars: Mapping[str, float], *, xlabel: str = "length", ylabel: str = "vector") -> Figure:
    """Draw lengths of vectors as bars, the first one as the measure of the others.

    Args:
        bars: For each name a length, dimensionless, finite, at least 0, the first above 0.
        xlabel: What is written below the axis.
        ylabel: What the names are names of; written beside them.

    Returns:
        A figure of one horizontal bar for each name, from top to bottom, with its length
        written behind it; a dotted line goes on from the end of the first.

    Raises:
        TypeError: `bars` is not a mapping, or a length is not a real number.
        ValueError: There is no bar, a length is negative or not finite, or the first is 0.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.lengths({"code": 16, "token": 22.6})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['16', '22.6']
    """
    figure_style.mapping("bars", bars, "names to lengths")
    values = [checks.real(f"bars[{name!r}]", value) for name, value in bars.items()]
    for name, value in zip(bars, values, strict=True):
        if value < 0:
            raise ValueError(f"bars[{name!r}] must be at least 0, got {value}")
    if not values[0]:
        raise ValueError("the first of bars must be above 0, got 0.0")

    figure = figure_style.new_figure(0.9 + 0.42 * len(values))
    axes = figure.subplots()
    figure_style.bare(axes, xlabel, ylabel)
    places = np.arange(len(values))
    colours = ["C1", *["C0"] * (len(values) - 1)]
    axes.barh(places, values, 0.6, color=colours, edgecolor=colours)
    axes.axvline(values[0], color=figure_style.muted(), linestyle=":", zorder=0)
    axes.set_yticks(places, list(bars))
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.12 * max(values))  # room for the number behind the longest bar
    for place, value in zip(places, values, strict=True):
        axes.annotate(
            figure_style.rounded(value),
            (value, float(place)),
            (5, 0),
            textcoords="offset points",
            verticalalignment="center",
        )
    return figure
