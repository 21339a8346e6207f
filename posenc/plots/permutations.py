"""Drawings of reordered rows: the matrix that moves them, what attention does, what shows of it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from posenc.analysis.permutations import permutation_matrix
from posenc.core import checks
from posenc.plots import figure_style

MARKERS = "osD^v"


def permutation(order: ArrayLike, words: Sequence[str]) -> Figure:
    """Draw the matrix that reorders rows beside the identity, which leaves them alone.

    Args:
        order: Shape (L,), integers: each of 0..L-1 once. Row r of the product is row
            order[r] of what is multiplied.
        words: L words, one for each row.

    Returns:
        A figure of two matrices with a 1 or a 0 in each cell, rows and columns counted
        from 0, and beside each row the word that the product has there. Rows that come
        from elsewhere are framed and say from where.

    Raises:
        TypeError: `order` does not hold integers, or `words` is not a sequence of strings.
        ValueError: `order` is not a reordering or empty, or there are not L words.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.permutation([1, 0, 2], ["tea", "or", "milk"])
        >>> [text.get_text() for text in figure.axes[1].texts if text.get_text()[0] > "1"]
        ['or, from row 1', 'tea, from row 0', 'milk']
    """
    rows = permutation_matrix(order).argmax(axis=1).tolist() if np.size(order) else []
    if not rows:
        raise ValueError("order must not be empty")
    length, names = len(rows), _words("words", words, len(rows))

    figure = figure_style.new_figure(0.9 + 0.26 * length, square=True)
    panels = {"identity": range(length), "permutation": rows}
    for axes, (title, columns) in zip(figure.subplots(1, 2), panels.items(), strict=True):
        for r, column in enumerate(columns):
            colour, text = "C0", names[column]
            if column != r:
                colour, text = "C1", f"{text}, from row {column}"
                axes.add_patch(_frame(0, r, length, colour, fill=False, linewidth=1.5))
            axes.add_patch(_frame(column, r, 1, colour, facecolor=colour, alpha=0.3))
            for c in range(length):
                axes.text(c, r, "01"[c == column], ha="center", va="center")
            axes.annotate(text, (length - 0.3, r), annotation_clip=False, va="center")
        axes.set(xlim=(-0.5, length - 0.5), ylim=(length - 0.5, -0.5), aspect="equal")
        axes.set(xticks=range(length), yticks=range(length), xlabel="column", ylabel="row")
        axes.set_title(title, loc="left", fontsize="medium")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    return figure


def attention_maps(
    maps: Mapping[str, tuple[Sequence[str], ArrayLike]],
    *,
    columns: int = 2,
    marked: tuple[str, str] | None = None,
) -> Figure:
    """Draw attention weights of sentences, with their words at the rows and columns.

    Args:
        maps: For each title the L words and the weights, shape (L, L), each in [0, 1]: a
            row for each query, a column for each key.
        columns: Panels in a row, from 1 to 4.
        marked: The words of one query and one key, whose cell is framed in each panel;
            None for no frame. Of equal words the first.

    Returns:
        A figure of one image for each title, in the order given, and one colour bar from 0
        to the largest weight of all.

    Raises:
        TypeError: `maps` is not a mapping, words are not strings, weights are no real
            numbers, or `columns` is not an integer.
        ValueError: `maps` is empty, words and weights do not fit, a weight is not in
            [0, 1], all are 0, `columns` is not within 1..4, or `marked` is not two words
            that are in each panel.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> words, weights = ["dogs", "bark"], [[0.9, 0.1], [0.5, 0.5]]
        >>> figure = plots.attention_maps({"once": (words, weights)}, marked=("bark", "dogs"))
        >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
        ['dogs', 'bark']
        >>> figure.axes[0].patches[0].get_xy()
        (-0.5, 0.5)
    """
    figure_style.mapping("maps", maps, "titles to words and weights")
    columns = checks.integer("columns", columns, least=1)
    if columns > 4:
        raise ValueError(f"columns must be at most 4, got {columns=}")
    pair = [] if marked is None else _words("marked", marked, 2)
    panels: list[tuple[str, list[str], NDArray[np.float64]]] = []
    for title, (words, weights) in maps.items():
        table = figure_style.square(f"maps[{title!r}]", weights)
        if not ((table >= 0) & (table <= 1)).all():
            raise ValueError(f"weights of maps[{title!r}] must lie within 0..1")
        names = _words(f"words of maps[{title!r}]", words, len(table))
        for word in pair:
            if word not in names:
                raise ValueError(f"maps[{title!r}] has no word {word!r}, which is marked")
        panels.append((title, names, table))
    highest = max(float(table.max()) for _, _, table in panels)
    if not highest:
        raise ValueError("maps must have a weight above 0")

    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    figure = figure_style.new_figure(0.4 + 2.7 * rows, square=True)
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat[len(panels) :]:
        axes.remove()
    for place, (title, names, table) in enumerate(panels):
        axes = grid.flat[place]
        image = axes.imshow(table, vmin=0, vmax=highest, interpolation="none")
        axes.set_title(title, loc="left", fontsize="medium")
        axes.set_xticks(range(len(names)), names, rotation=90)
        axes.set_yticks(range(len(names)), names)
        axes.tick_params(length=0)
        axes.set_xlabel("key" if place + columns >= len(panels) else "")
        axes.set_ylabel("query" if place % columns == 0 else "")
        if pair:
            query, key = (names.index(word) for word in pair)
            axes.add_patch(_frame(key, query, 1, "C1", fill=False, linewidth=3))
    shown = grid.flat[: len(panels)].tolist()
    ticks = MaxNLocator(5, steps=figure_style.ROUND)
    figure.colorbar(image, ax=shown, label="weight", ticks=ticks).outline.set_visible(False)
    return figure


def word_vectors(
    panels: Mapping[str, tuple[Sequence[str], ArrayLike, ArrayLike]],
) -> Figure:
    """Draw the vectors of words before and after a layer, for several orders of the words.

    Args:
        panels: For each title the L words, their input vectors and their output vectors, each
            of shape (L, d), dimensionless, finite. All panels have the same words, each once.

    Returns:
        A figure of one panel for each title, side by side. A column of cells is a vector, blue
        below 0 and red above; the inputs are above the outputs. An output is framed if it
        differs by more than 1e-9 from the output of the same word in the first panel.

    Raises:
        TypeError: `panels` is not a mapping, words are not strings, or vectors do not hold
            real numbers.
        ValueError: `panels` is empty, a panel has other words than the first or a word twice,
            words and vectors do not fit, an entry is not finite, or all are 0.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> X = [[1.0, 0.0], [0.0, 2.0]]
        >>> figure = plots.word_vectors({"as it was": (["dogs", "bark"], X, X)})
        >>> [text.get_text() for text in figure.axes[0].texts][:2]
        ['dogs', 'bark']
    """
    figure_style.mapping("panels", panels, "titles to words, inputs and outputs")
    tables = {}
    for title, (words, inputs, outputs) in panels.items():
        both = [
            figure_style.filled(f"panels[{title!r}]", vectors, ndim=2)
            for vectors in (inputs, outputs)
        ]
        if both[0].shape != both[1].shape:
            raise ValueError(
                f"inputs and outputs of panels[{title!r}] must have one shape, "
                f"got {both[0].shape} and {both[1].shape}"
            )
        tables[title] = _words(f"words of panels[{title!r}]", words, len(both[0])), both
    known, (_, first) = next(iter(tables.values()))
    for title, (names, both) in tables.items():
        if sorted(names) != sorted(set(known)) or both[0].shape != first.shape:
            raise ValueError(f"panels[{title!r}] must have the words {known}, each once")
    limit = max(float(abs(table).max()) for _, both in tables.values() for table in both)
    if not limit:
        raise ValueError("panels must have an entry other than 0")

    length, channels = first.shape
    figure = figure_style.new_figure(0.8 + 0.5 * channels, square=True)
    grid = figure.subplots(1, len(tables), squeeze=False)[0]
    for axes, (title, (names, both)) in zip(grid, tables.items(), strict=True):
        for down, table in zip((0, channels + 1), both, strict=True):
            extent = (-0.5, length - 0.5, down + channels - 0.5, down - 0.5)
            axes.imshow(
                table.T, cmap=figure_style.diverging(), vmin=-limit, vmax=limit, extent=extent
            )
        for column, name in enumerate(names):
            axes.annotate(name, (column, -0.7), ha="center", annotation_clip=False)
            before = first[known.index(name)]
            if abs(both[1][column] - before).max() > 1e-9:
                cells = (column - 0.5, channels + 0.5), 1, channels
                axes.add_patch(Rectangle(*cells, edgecolor="C1", fill=False, linewidth=3))
            axes.axvline(column + 0.5, color=figure_style.muted(), linewidth=0.5)
        axes.set(xlim=(-0.55, length - 0.45), ylim=(2 * channels + 0.6, -1.4), aspect="auto")
        axes.set_title(title, loc="left", fontsize="medium")
        labels = ["in", "out"] if axes is grid[0] else ["", ""]
        axes.set_yticks([channels / 2 - 0.5, 1.5 * channels + 0.5], labels)
        axes.set_ylabel("vector" if axes is grid[0] else "")
        axes.set(xticks=[], xlabel="word")
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    return figure


def differences(
    table: Mapping[str, Mapping[str, float]],
    *,
    floor: float = 1e-15,
    xlabel: str = "difference",
    ylabel: str = "input",
) -> Figure:
    """Draw differences of several models for several inputs, on a logarithmic axis.

    Args:
        table: For each input, such as a pair of sentences, for each model a difference:
            dimensionless, finite, at least 0. The models are the same for each input.
        floor: Below it a difference is rounding, and drawn on the line of the floor.
            Above 0.
        xlabel: What is written below the axis.
        ylabel: What the inputs are; written beside their names.

    Returns:
        A figure of one row for each input, from top to bottom, with a mark for each model.

    Raises:
        TypeError: `table` is not a mapping of mappings, or a difference or `floor` is not
            a real number.
        ValueError: `table` is empty, has no models or other models in a later row, has
            more than 5 of them, a difference is negative or not finite, or `floor` is not
            above 0.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.differences({"tea / eat": {"blind": 1e-17, "sees": 0.2}})
        >>> [line.get_xdata().tolist() for line in figure.axes[0].lines[:2]]
        [[1e-15], [0.2]]
    """
    floor = checks.real("floor", floor)
    if not floor > 0:
        raise ValueError(f"floor must be above 0, got {floor=}")
    if not isinstance(table, Mapping) or not all(isinstance(v, Mapping) for v in table.values()):
        raise TypeError("table must map inputs to mappings from models to differences")
    if not table or not all(table.values()):
        raise ValueError("table must not be empty, nor have an input without models")
    models = list(next(iter(table.values())))
    if len(models) > len(MARKERS):
        raise ValueError(f"table must have at most {len(MARKERS)} models, got {len(models)}")
    for name, row in table.items():
        if list(row) != models:
            raise ValueError(f"table[{name!r}] must have the models {models}, got {list(row)}")
        for model, value in row.items():
            if checks.real(f"table[{name!r}][{model!r}]", value) < 0:
                raise ValueError(f"table[{name!r}][{model!r}] must be at least 0, got {value}")

    figure = figure_style.new_figure(1.2 + 0.5 * len(table))
    axes = figure.subplots()
    figure_style.bare(axes, xlabel, ylabel)
    places = np.arange(len(table))
    for order, model in enumerate(models):
        values = [max(float(row[model]), floor) for row in table.values()]
        colour = f"C{order}"
        beside = places + 0.22 * (order - (len(models) - 1) / 2)  # marks would hide each other
        axes.plot(values, beside, MARKERS[order], color=colour, label=model, clip_on=False)
    axes.axvline(floor, color=figure_style.muted(), linestyle=":", zorder=0)
    axes.set(xscale="log", ylim=(len(table) - 0.5, -0.5))
    axes.set_yticks(places, list(table))
    axes.tick_params(axis="y", length=0)
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(figure_style.plain_power)
    words = f"rounding, below {figure_style.plain_power(floor, 0)}"
    axes.annotate(words, (floor, len(table) - 0.5), (4, 4), textcoords="offset points")
    figure.legend(loc="outside upper left", ncols=len(models), handletextpad=0)
    return figure


def _frame(column: float, row: float, width: float, colour: str, **style: Any) -> Rectangle:
    """Return the outline of cells of one row, from a column on."""
    return Rectangle((column - 0.5, row - 0.5), width, 1, edgecolor=colour, **style)


def _words(name: str, value: object, length: int) -> list[str]:
    """Return value as a list of as many strings as there are rows."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise TypeError(f"{name} must be a sequence of strings, got {value!r}")
    words = list(value)
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"{name} must hold strings, got {word!r}")
    if len(words) != length:
        raise ValueError(f"{name} must be {length}, got {len(words)}")
    return words
