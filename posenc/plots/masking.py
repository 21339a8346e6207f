"""Drawings of padding: masks as pictures, rows of a batch, and what leaks without a mask."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.plots import figure_style

SEQUENCES = 6  # as many as there are colours


def masks(panels: Mapping[str, ArrayLike], *, columns: int = 3) -> Figure:
    """Draw masks side by side: a filled cell where a query may attend to a key.

    Args:
        panels: For each title a mask of shape (L_q, L_k), booleans, True where a query may
            attend.
        columns: Panels in a row, from 1 to 4.

    Returns:
        A figure of one panel for each mask, queries downwards, keys to the right. A query
        without keys has a cross in its row.

    Raises:
        TypeError: `panels` is not a mapping, a mask does not hold booleans, or `columns`
            is not an integer.
        ValueError: `panels` is empty, a mask does not have 2 axes or is empty, or
            `columns` is not within 1..4.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> from posenc.batches import causal_mask
        >>> figure = plots.masks({"causal": causal_mask(4)})
        >>> len(figure.axes[0].patches)
        10
    """
    figure_style.mapping("panels", panels, "titles to masks")
    columns = min(_columns(columns), len(panels))
    drawn: dict[str, NDArray[np.bool_]] = {}
    for title, panel in panels.items():
        mask = checks.booleans(f"panels[{title!r}]", panel)
        if mask.ndim != 2 or not mask.size:
            raise ValueError(f"panels[{title!r}] must have 2 filled axes, got shape {mask.shape}")
        drawn[title] = mask

    rows = -(-len(drawn) // columns)
    figure = figure_style.new_figure(0.3 + 2.3 * rows, square=True)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat[len(drawn) :]:
        axes.remove()
    for place, (title, mask) in enumerate(drawn.items()):
        axes, (q_len, k_len) = grid.flat[place], mask.shape
        for r, s in np.argwhere(mask).tolist():
            axes.add_patch(Rectangle((s - 0.45, r - 0.45), 0.9, 0.9, color="C0", linewidth=0))
        for r in np.flatnonzero(~mask.any(axis=1)).tolist():
            axes.plot(range(k_len), [r] * k_len, "x", color="C1", markersize=5)
        _cells(axes, q_len, k_len)
        axes.set_title(title, loc="left", fontsize="medium")
        axes.set_xlabel("key" if place + columns >= len(drawn) else "")
        axes.set_ylabel("query" if place % columns == 0 else "")
    return figure


def batches(panels: Mapping[str, tuple[ArrayLike, ArrayLike]]) -> Figure:
    """Draw the rows of batches: which sequence a cell belongs to, and its position.

    Args:
        panels: For each title two integer arrays of shape (B, L): the number of the
            sequence in each column, 0..5, or -1 for padding; and the position there.

    Returns:
        A figure of one panel above the other. A cell has the colour of its sequence and
        its position written in it; padding is an empty frame, whatever position it has.

    Raises:
        TypeError: `panels` is not a mapping, or an array does not hold integers.
        ValueError: `panels` is empty, two arrays differ in shape, do not have 2 axes or
            are empty, or a sequence is not within -1..5.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.batches({"left": ([[-1, 0, 0]], [[0, 0, 1]])})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['0', '1']
    """
    figure_style.mapping("panels", panels, "titles to sequences and positions")
    drawn: dict[str, tuple[NDArray[Any], NDArray[Any]]] = {}
    for title, (owners, positions) in panels.items():
        owner = checks.integers(f"sequences of panels[{title!r}]", owners)
        ids = checks.integers(f"positions of panels[{title!r}]", positions)
        if owner.shape != ids.shape or owner.ndim != 2 or not owner.size:
            raise ValueError(
                f"panels[{title!r}] must hold two arrays of one shape (B, L), "
                f"got shapes {owner.shape} and {ids.shape}"
            )
        for extreme in (owner.min().item(), owner.max().item()):
            if not -1 <= extreme < SEQUENCES:
                raise ValueError(
                    f"sequences of panels[{title!r}] must lie within -1..{SEQUENCES - 1}, "
                    f"got {extreme}"
                )
        drawn[title] = owner, ids

    heights = [owner.shape[0] for owner, _ in drawn.values()]
    width = max(owner.shape[1] for owner, _ in drawn.values())
    figure = figure_style.new_figure(0.5 + 0.36 * sum(heights) + 0.42 * len(drawn))
    grid = figure.subplots(len(drawn), 1, squeeze=False, height_ratios=heights)
    for axes, (title, (owner, ids)) in zip(grid.flat, drawn.items(), strict=True):
        for (b, t), sequence in np.ndenumerate(owner):
            corner, colour = (t - 0.45, b - 0.42), f"C{sequence}"
            if sequence >= 0:
                fill = Rectangle(corner, 0.9, 0.84, color=colour, linewidth=0, alpha=0.3)
                axes.add_patch(fill)
                axes.text(t, b, f"{ids[b, t]}", ha="center", va="center")
            frame = Rectangle(corner, 0.9, 0.84, fill=False, edgecolor=figure_style.muted(0.4))
            axes.add_patch(frame)
        axes.set(xlim=(-0.5, width - 0.5), ylim=(len(owner) - 0.5, -0.5), xticks=[])
        axes.set(yticks=range(len(owner)), ylabel="row")
        axes.tick_params(length=0)
        axes.set_title(title, loc="left", fontsize="medium")
        axes.spines[:].set_visible(False)
    axes.set(xticks=range(width), xlabel="column")  # of the lowest panel, for all
    return figure


def leak(counts: Iterable[int], shares: Mapping[str, ArrayLike]) -> Figure:
    """Draw how much of the attention goes to padding, against how much padding there is.

    Args:
        counts: Padded positions, each at least 0, rising.
        shares: For each name the weight on all of them together, a number in [0, 1] for
            each count.

    Returns:
        A figure of one line for each name, with the name at its end.

    Raises:
        TypeError: `counts` does not hold integers, `shares` is not a mapping, or a share
            not a real number.
        ValueError: `counts` is empty, not rising or has a number below 0, `shares` is
            empty, or there are not as many shares as counts, each in [0, 1].

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.leak([0, 1, 3], {"two keys of logit 0": [0, 1 / 3, 3 / 5]})
        >>> figure.axes[0].get_ylabel()
        'weight on padding'
    """
    if not isinstance(counts, Iterable):
        raise TypeError(f"counts must hold integers, got counts={counts!r}")
    numbers = [checks.integer("counts", count, least=0) for count in counts]
    if not numbers or sorted(set(numbers)) != numbers:
        raise ValueError(f"counts must be rising and not empty, got {numbers}")
    figure_style.mapping("shares", shares, "names to weights")
    curves = {name: checks.finite(f"shares[{name!r}]", y, ndim=1) for name, y in shares.items()}
    for name, curve in curves.items():
        if len(curve) != len(numbers) or not ((curve >= 0) & (curve <= 1)).all():
            raise ValueError(f"shares[{name!r}] must hold {len(numbers)} numbers within 0..1")

    figure = figure_style.new_figure(3.4)
    axes = figure.subplots()
    figure_style.bare(axes, "padded positions", "weight on padding")
    ends: list[figure_style.End] = []
    for order, (name, curve) in enumerate(curves.items()):
        colour = f"C{order}"
        axes.plot(numbers, curve, ("-", "--", "-.", ":")[order % 4], color=colour)
        ends.append((float(numbers[-1]), float(curve[-1]), name, colour))
    axes.margins(x=0)
    axes.set_ylim(-0.02, 1)
    figure_style.whole_ticks(axes.xaxis)
    figure_style.label_ends(axes, ends)
    return figure


def _columns(columns: object) -> int:
    """Return how many panels are side by side."""
    number = checks.integer("columns", columns, least=1)
    if number > 4:
        raise ValueError(f"columns must be at most 4, got columns={number}")
    return number


def _cells(axes: Axes, rows: int, columns: int) -> None:
    """Make axes of square cells, numbered from 0, with a faint line between them."""
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), aspect="equal")
    axes.set(xticks=range(columns), yticks=range(rows))
    axes.hlines(
        np.arange(rows + 1) - 0.5, -0.5, columns - 0.5, color=figure_style.muted(0.2), lw=0.8
    )
    axes.vlines(
        np.arange(columns + 1) - 0.5, -0.5, rows - 0.5, color=figure_style.muted(0.2), lw=0.8
    )
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
