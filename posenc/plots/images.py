"""Drawings of tables: a coloured cell for each number."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.plots import figure_style

# Beyond this, half a cell is too little beside a position for the arithmetic of the axes.
LARGEST_START = 2**40


def heatmap(
    pe: ArrayLike, *, start: int = 0, limit: float = 1.0, channels_label: str = "channel"
) -> Figure:
    """Draw a table of encodings: positions downwards, channels to the right.

    Args:
        pe: Shape (L, d), dimensionless, every entry in [-limit, limit].
        start: Position of the first row, within ±2**40.
        limit: The number at the ends of the colour map, above 0. Smaller for a learned
            table with small entries.
        channels_label: What is written below the channels.

    Returns:
        A figure of one image and its colour bar, blue below 0 and red above.

    Raises:
        TypeError: `pe` does not hold real numbers, or another argument has the wrong type.
        ValueError: `pe` does not have 2 axes, is empty, not finite or has an entry beyond
            ±limit, `limit` is not above 0, or `start` is beyond ±2**40.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots, sinusoidal_positional_encoding
        >>> figure = plots.heatmap(sinusoidal_positional_encoding(64, 32))
        >>> figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()
        ('channel', 'position')
    """
    table = checks.table("pe", pe, least=(1, 1))
    start = checks.integer("start", start)
    if abs(start) > LARGEST_START:
        raise ValueError(f"start must lie within ±2**40, got {start=}")
    limit = checks.real("limit", limit)
    if not limit > 0:
        raise ValueError(f"limit must be above 0, got {limit=}")
    largest = float(abs(table).max())
    if largest > limit:
        raise ValueError(f"pe must lie within ±{limit}, got {largest} in it")

    figure = figure_style.new_figure(4.0)
    axes = figure.subplots()
    _image(axes, table, (-limit, limit), "value", start=start, aspect="auto")
    axes.set(xlabel=channels_label, ylabel="position")
    return figure


def gram(D: ArrayLike) -> Figure:
    """Draw the dot products of all pairs of positions.

    Args:
        D: Shape (L, L), dimensionless: entry [p, q] is the dot product of the encodings
            of positions p and q.

    Returns:
        A figure of one square image and its colour bar. The map is sequential from the
        smallest to the largest entry where none is negative; otherwise it diverges from 0.

    Raises:
        TypeError: `D` does not hold real numbers.
        ValueError: `D` is not square, is empty or not finite.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots, sinusoidal_positional_encoding
        >>> pe = sinusoidal_positional_encoding(50, 64)
        >>> figure = plots.gram(pe @ pe.T)
        >>> figure.axes[1].get_ylabel()
        'dot product'
    """
    table = figure_style.square("D", D)
    lowest, highest = float(table.min()), float(table.max())
    if lowest < 0:
        highest = max(-lowest, highest)
        lowest = -highest
    figure = figure_style.new_figure(4.4, 5.4, square=True)
    axes = figure.subplots()
    _image(axes, table, (lowest, highest), "dot product")
    axes.set(xlabel="position q", ylabel="position p")
    return figure


def matrix(M: ArrayLike) -> Figure:
    """Draw a small square matrix, with lines between its blocks of 2 by 2.

    Args:
        M: Shape (d, d), d even, dimensionless, such as the matrix that takes the
            encoding of every position p to that of p + k.

    Returns:
        A figure of one square image and its colour bar, blue below 0 and red above. The
        ends of the colours are ±1, or the largest entry where that is larger.

    Raises:
        TypeError: `M` does not hold real numbers.
        ValueError: `M` is not square, has an odd number of rows, is empty or not finite.

    Source:
        Own drawing.

    Examples:
        >>> import numpy as np
        >>> from posenc import plots
        >>> figure = plots.matrix(np.eye(16))
        >>> figure.axes[0].get_xlabel(), figure.axes[0].get_ylabel()
        ('input channel', 'output channel')
    """
    table = figure_style.square("M", M)
    d = checks.even("rows of M", len(table))
    limit = max(1.0, float(abs(table).max()))
    figure = figure_style.new_figure(4.4, 5.4, square=True)
    axes = figure.subplots()
    _image(axes, table, (-limit, limit), "entry")
    for edge in np.arange(1.5, d - 1, 2):
        axes.axhline(edge, color=figure_style.muted(0.25), linewidth=0.8)
        axes.axvline(edge, color=figure_style.muted(0.25), linewidth=0.8)
    axes.set(xlabel="input channel", ylabel="output channel")
    return figure


def _image(
    axes: Axes,
    table: NDArray[np.float64],
    limits: tuple[float, float],
    label: str,
    *,
    start: int = 0,
    aspect: str = "equal",
) -> None:
    """Show the table with a cell centred on each whole number, and a labelled colour bar."""
    rows, columns = table.shape
    image = axes.imshow(
        table,
        cmap=figure_style.diverging() if limits[0] < 0 else "viridis",
        vmin=limits[0],
        vmax=limits[1],
        extent=(-0.5, columns - 0.5, start + rows - 0.5, start - 0.5),
        aspect=aspect,  # type: ignore[arg-type]
        # Not "nearest": in SVG that resamples the cells to uneven widths at one resolution.
        # This embeds one pixel a cell, marked not to be smoothed: smaller, and sharp at any zoom.
        interpolation="none",
    )
    figure_style.whole_ticks(axes.xaxis)
    figure_style.whole_ticks(axes.yaxis)
    bar = axes.figure.colorbar(
        image, ax=axes, label=label, ticks=MaxNLocator(5, steps=figure_style.ROUND)
    )
    bar.outline.set_visible(False)
