"""Drawings of learned tables: how they start, and how far apart rows are."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.plots import figure_style


def cosines(tables: Mapping[str, ArrayLike]) -> Figure:
    """Draw several tables, and beside each the cosines between its rows.

    Args:
        tables: For each title a table, shape (L, d), dimensionless, no row of zeros.

    Returns:
        A figure with two images for each table, side by side: at the left its entries, blue
        below 0 and red above, up to its own largest; at the right the cosine of the angle
        between each two rows, from -1 to 1, 1 on the diagonal.

    Raises:
        TypeError: `tables` is not a mapping, or a table does not hold real numbers.
        ValueError: There is no table, or one does not have 2 axes, is empty, not finite or
            has a row of zeros.

    Source:
        Own drawing.

    Examples:
        >>> import numpy as np
        >>> from posenc import plots
        >>> figure = plots.cosines({"one-hot": 5 * np.eye(3)})
        >>> [axes.get_title(loc="left") for axes in figure.axes[:2]]
        ['one-hot', 'cosines of its rows']
        >>> figure.axes[1].images[0].get_array().tolist()
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    figure_style.mapping("tables", tables, "titles to tables")
    arrays = [
        figure_style.filled(f"tables[{name!r}]", table, ndim=2) for name, table in tables.items()
    ]
    for name, array in zip(tables, arrays, strict=True):
        if not array.any(axis=1).all():
            raise ValueError(f"tables[{name!r}] must not have a row of zeros")

    figure = figure_style.new_figure(0.4 + 2.1 * len(arrays))
    grid = figure.subplots(len(arrays), 2, squeeze=False)
    for (left, right), name, array in zip(grid, tables, arrays, strict=True):
        unit = array / np.linalg.norm(array, axis=1, keepdims=True)
        limit = float(abs(array).max())
        for axes, shown, end, title, label, across in (
            (left, array, limit, name, "value", "channel"),
            (right, unit @ unit.T, 1.0, "cosines of its rows", "cosine", "position q"),
        ):
            image = axes.imshow(
                shown,
                cmap=figure_style.diverging(),
                vmin=-end,
                vmax=end,
                aspect="auto",
                interpolation="none",  # a cell stays sharp at any zoom
            )
            axes.set_title(title, loc="left", fontsize="medium")
            axes.set(xlabel=across, ylabel="position" if axes is left else "position p")
            figure_style.whole_ticks(axes.xaxis)
            figure_style.whole_ticks(axes.yaxis)
            bar = figure.colorbar(
                image, ax=axes, label=label, ticks=MaxNLocator(4, steps=figure_style.ROUND)
            )
            bar.outline.set_visible(False)
    return figure


def distances(
    positions: ArrayLike, curves: Mapping[str, ArrayLike], *, ylabel: str = "distance"
) -> Figure:
    """Draw how far the codes of some positions are from one code, for several ways to make them.

    Args:
        positions: Shape (n,), n at least 2, rising.
        curves: For each name the distances, shape (n,), finite, at least 0.
        ylabel: What is written beside the distances, with their unit.

    Returns:
        A figure of one line for each way, with its name at the end.

    Raises:
        TypeError: `positions` or a curve does not hold real numbers, or `curves` is not
            a mapping.
        ValueError: `positions` has fewer than 2 entries or does not rise, `curves` is
            empty, or a curve has another shape or a negative entry.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.distances([512, 513, 514], {"clamp": [0, 0, 0], "wrap": [1.4, 1.5, 1.4]})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['clamp', 'wrap']
    """
    x = figure_style.filled("positions", positions, ndim=1)
    if len(x) < 2 or not (np.diff(x) > 0).all():
        raise ValueError("positions must be at least 2 and rising")
    figure_style.mapping("curves", curves, "names to distances")
    lines: dict[str, NDArray[np.float64]] = {}
    for name, curve in curves.items():
        y = lines[name] = checks.finite(f"curves[{name!r}]", curve, ndim=1)
        if y.shape != x.shape:
            raise ValueError(f"curves[{name!r}] must have shape {x.shape}, got shape {y.shape}")
        if (y < 0).any():
            raise ValueError(f"curves[{name!r}] must be at least 0, got {y[y < 0][0]}")

    figure = figure_style.new_figure(3.4)
    axes = figure.subplots()
    figure_style.bare(axes, "position", ylabel)
    for order, (name, y) in enumerate(lines.items()):
        # Clipped at the axes, a line at 0 would lose half its width.
        axes.plot(x, y, color=f"C{order}", linewidth=2, label=name, clip_on=False)
    axes.margins(x=0)
    axes.set_ylim(bottom=0)
    figure_style.whole_ticks(axes.xaxis)
    ends = [(float(x[-1]), float(y[-1]), name) for name, y in lines.items()]
    figure_style.label_ends(axes, [(*end, f"C{order}") for order, end in enumerate(ends)])
    return figure
