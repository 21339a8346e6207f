"""Drawings of learned tables: how they start, which rows move, and how far apart rows are."""

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

    figure = figure_style.new_figure(0.4 + 2.7 * len(arrays))
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


def movement(before: ArrayLike, after: ArrayLike) -> Figure:
    """Draw how far training has moved each row of a table.

    Args:
        before: Shape (L, d), dimensionless: the table as it was.
        after: Same shape: the table as it is. At least one row differs.

    Returns:
        A figure of one bar for each row: the Euclidean distance between its two states.
        Where the rows from some position to the last did not move at all, they are shaded
        and said to be so.

    Raises:
        TypeError: A table does not hold real numbers.
        ValueError: A table does not have 2 axes, is empty or not finite, the shapes
            differ, or no row has moved.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.movement([[0, 0], [1, 1], [2, 2]], [[3, 4], [1, 1], [2, 2]])
        >>> [float(bar.get_height()) for bar in figure.axes[0].patches[:3]]
        [5.0, 0.0, 0.0]
        >>> figure.axes[0].texts[0].get_text()
        'rows 1 to 2: not moved'
    """
    old, new = (
        figure_style.filled(*table, ndim=2) for table in (("before", before), ("after", after))
    )
    if old.shape != new.shape:
        raise ValueError(f"after must have shape {old.shape}, got shape {new.shape}")
    distances = np.linalg.norm(new - old, axis=1)
    if not distances.any():
        raise ValueError("after must differ from before in at least one row")

    figure = figure_style.new_figure(3.2)
    axes = figure.subplots()
    figure_style.bare(axes, "position", "distance moved")
    axes.bar(np.arange(len(distances)), distances, 0.8, color="C0", edgecolor="C0", linewidth=0)
    axes.set_xlim(-0.6, len(distances) - 0.4)
    figure_style.whole_ticks(axes.xaxis)
    last = len(distances) - 1
    first = int(np.flatnonzero(distances)[-1]) + 1  # from here on, nothing has moved
    if first <= last:
        axes.axvspan(first - 0.5, last + 0.5, color=figure_style.muted(0.15), linewidth=0)
        rows = f"rows {first} to {last}" if first < last else f"row {last}"
        axes.annotate(
            f"{rows}: not moved",
            ((first + last) / 2, 0.5),
            xycoords=("data", "axes fraction"),
            rotation="vertical" if last - first < len(distances) / 3 else "horizontal",
            horizontalalignment="center",
            verticalalignment="center",
        )
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
