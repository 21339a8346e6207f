"""Drawings of what position codes fail at: offsets that look different, rows that come close."""

from collections.abc import Callable, Iterable, Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from posenc.analysis.distances import separation as smallest_distance
from posenc.core import checks
from posenc.plots import figure_style

STYLES = ("-", "--", "-.", ":")


def same_offset(tables: Mapping[str, ArrayLike], offset: int) -> Figure:
    """Draw the dot product of rows that are equally far apart, against their position.

    Args:
        tables: For each name a table, shape (L, d), dimensionless, one vector a row. All
            products drawn must be above 0, since the axis is logarithmic.
        offset: k, from 1 to L - 1 for each of the tables.

    Returns:
        A figure of one line for each table, x_p · x_{p+k} against p, with its name at the
        end.

    Raises:
        TypeError: `tables` is not a mapping, a table does not hold real numbers, or
            `offset` is not an integer.
        ValueError: `tables` is empty, a table does not have 2 axes or is not finite,
            `offset` is out of its range, or a product is not above 0.

    Source:
        Own drawing.

    Examples:
        >>> import numpy as np
        >>> from posenc import plots
        >>> figure = plots.same_offset({"index": np.arange(1, 9)[:, None]}, 4)
        >>> figure.axes[0].lines[0].get_ydata().tolist()
        [5.0, 12.0, 21.0, 32.0]
    """
    figure_style.mapping("tables", tables, "names to tables")
    offset = checks.integer("offset", offset, least=1)
    curves = {}
    for name, value in tables.items():
        table = checks.table(f"tables[{name!r}]", value)
        if offset >= len(table):
            raise ValueError(
                f"offset must be below the {len(table)} rows of tables[{name!r}], "
                f"got offset={offset}"
            )
        curves[name] = np.einsum("pc,pc->p", table[:-offset], table[offset:])
        if not (curves[name] > 0).all():
            raise ValueError(f"the products of tables[{name!r}] must be above 0")

    figure = figure_style.new_figure(3.2)
    axes = figure.subplots()
    figure_style.bare(axes, "position p", f"rows p and p + {offset}: dot product")
    axes.set_yscale("log")
    ends = []
    for order, (name, curve) in enumerate(curves.items()):
        axes.plot(curve, STYLES[order % 4], color=f"C{order}")
        ends.append((len(curve) - 1.0, float(curve[-1]), name, f"C{order}"))
    axes.margins(x=0)
    axes.minorticks_off()
    figure_style.whole_ticks(axes.xaxis)
    axes.yaxis.set_major_formatter(figure_style.plain_power)
    figure_style.label_ends(axes, ends)
    return figure


def twins(values: ArrayLike, pairs: Iterable[Iterable[int]]) -> Figure:
    """Draw one channel over all positions, and join positions with almost the same value.

    Args:
        values: Shape (L,), dimensionless: the value of the channel at each position.
        pairs: Two positions each, within 0..L-1.

    Returns:
        A figure of a dot for each position; the two dots of a pair are larger and joined
        by a stroke, with the positions at its right end.

    Raises:
        TypeError: `values` does not hold real numbers, or a position is not an integer.
        ValueError: `values` does not have 1 axis, is empty or not finite, `pairs` is empty,
            or one of them does not hold two positions that are there.

    Source:
        Own drawing.

    Examples:
        >>> import numpy as np
        >>> from posenc import plots
        >>> figure = plots.twins(np.sin(np.arange(30)), [(5, 17)])
        >>> figure.axes[0].texts[0].get_text()
        '5 and 17'
    """
    heights = figure_style.filled("values", values, ndim=1)
    joined = [figure_style.indices("pairs", pair, len(heights)) for pair in pairs]
    if not joined:
        raise ValueError("pairs must not be empty")
    for pair in joined:
        if len(pair) != 2:
            raise ValueError(f"pairs must hold two positions each, got {pair}")

    figure = figure_style.new_figure(3.6)
    axes = figure.subplots()
    figure_style.bare(axes, "position", "value of the channel")
    axes.plot(heights, "o", color=figure_style.muted(0.5), markersize=2.5, markeredgewidth=0)
    ends = []
    for order, pair in enumerate(joined):
        axes.plot(pair, heights[pair], "o-", color=f"C{order}", markersize=7)
        last = max(pair)
        text = f"{min(pair)} and {last}"
        ends.append((float(last), float(heights[last]), text, f"C{order}"))
    axes.margins(x=0.02, y=0.05)
    figure_style.whole_ticks(axes.xaxis)
    figure_style.label_ends(axes, ends)
    return figure


def closest(encodings: Mapping[str, Callable[[int], ArrayLike]], lengths: Iterable[int]) -> Figure:
    """Draw how near the two nearest codes come as positions are added.

    Args:
        encodings: For each name a function that takes a number of positions L and returns
            a table of shape (L, d), dimensionless, whose rows all differ.
        lengths: Numbers of positions L, each at least 2. Time grows as their squares.

    Returns:
        A figure of one line for each function, the smallest Euclidean distance of two rows
        against L, on logarithmic axes, with its name at the end.

    Raises:
        TypeError: `encodings` is not a mapping, what it maps to is not callable or returns
            no real numbers, or a length is not an integer.
        ValueError: `encodings` or `lengths` is empty, a length is below 2, or a function
            returns another shape, numbers that are not finite, or two equal rows.

    Source:
        Own drawing.

    Examples:
        >>> import numpy as np
        >>> from posenc import plots
        >>> codes = {"index": lambda seq_len: np.arange(seq_len)[:, None]}
        >>> plots.closest(codes, [2, 4]).axes[0].lines[0].get_ydata().tolist()
        [1.0, 1.0]
    """
    figure_style.mapping("encodings", encodings, "names to functions")
    counts = [checks.integer("lengths", length, least=2) for length in lengths]
    if not counts:
        raise ValueError("lengths must not be empty")
    curves = {}
    for name, encode in encodings.items():
        if not callable(encode):
            raise TypeError(f"encodings[{name!r}] must be callable, got {encode!r}")
        tables = [checks.table(f"encodings[{name!r}]({n})", encode(n)) for n in counts]
        if [len(table) for table in tables] != counts:
            raise ValueError(f"encodings[{name!r}] must give as many rows as it is asked for")
        curves[name] = [smallest_distance(table) for table in tables]
        if not min(curves[name]) > 0:
            raise ValueError(f"encodings[{name!r}] must not give two equal rows")

    figure = figure_style.new_figure(3.6)
    axes = figure.subplots()
    figure_style.bare(axes, "positions in the table", "distance of the two nearest rows")
    axes.set(xscale="log", yscale="log")
    ends = []
    for order, (name, curve) in enumerate(curves.items()):
        axes.plot(counts, curve, STYLES[order % 4], color=f"C{order}")
        ends.append((float(counts[-1]), curve[-1], name, f"C{order}"))
    axes.margins(x=0)
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(figure_style.plain_power)
    axes.yaxis.set_major_formatter(figure_style.plain_power)
    figure_style.label_ends(axes, ends)
    return figure
