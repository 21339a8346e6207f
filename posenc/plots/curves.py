"""Drawings of curves: dot products against offset, errors against position."""

from collections.abc import Iterable, Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from posenc.core import checks
from posenc.plots import figure_style


def similarity(pe: ArrayLike, anchors: Iterable[int]) -> Figure:
    """Draw the dot product of some rows with all rows, against the offset between them.

    Args:
        pe: Shape (L, d), dimensionless, one encoding a row.
        anchors: Rows to start from, each within 0..L-1.

    Returns:
        A figure of one line for each anchor, and a dotted one at each squared norm of an
        anchor. Later lines are thinner, so that those below stay visible where all agree.

    Raises:
        TypeError: `pe` does not hold real numbers, or an anchor is not an integer.
        ValueError: `pe` does not have 2 axes, is empty or not finite, or `anchors` is empty or
            has a row that is not there.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots, sinusoidal_positional_encoding
        >>> figure = plots.similarity(sinusoidal_positional_encoding(200, 64), [50, 150])
        >>> [text.get_text() for text in figure.legends[0].get_texts()]
        ['anchor 50', 'anchor 150']
    """
    table = checks.table("pe", pe, least=(1, 1))
    anchors = figure_style.indices("anchors", anchors, len(table))

    figure = figure_style.new_figure(3.6)
    axes = figure.subplots()
    figure_style.bare(axes, "offset (positions)", "dot product")
    widths = np.linspace(1.5 + 2 * (len(anchors) - 1), 1.5, len(anchors))
    norms = {}
    for order, (anchor, width) in enumerate(zip(anchors, widths, strict=True)):
        offsets = np.arange(len(table)) - anchor
        style = ("-", "--", ":")[order % 3]
        axes.plot(offsets, table @ table[anchor], style, linewidth=width, label=f"anchor {anchor}")
        norm = float(table[anchor] @ table[anchor])
        norms[figure_style.rounded(norm)] = norm  # equal up to rounding: one line
    for norm in norms.values():
        axes.axhline(norm, color=figure_style.muted(), linestyle=":", zorder=0)
    axes.margins(x=0)
    figure_style.whole_ticks(axes.xaxis)
    right = axes.get_xlim()[1]
    figure_style.label_ends(
        axes, [(right, norm, f"norm² {text}", figure_style.muted()) for text, norm in norms.items()]
    )
    figure.legend(
        loc="outside upper center", ncols=min(len(anchors), 3), handlelength=3.5, frameon=False
    )
    return figure


def similarity_by_distance(curve: ArrayLike, *, rises: bool = True) -> Figure:
    """Draw the dot product against the offset, and where it rises although the offset grows.

    Args:
        curve: Shape (K+1,), dimensionless, at least two entries: entry k is the dot
            product of two encodings that are k positions apart.
        rises: Whether to mark the steps at which the curve rises.

    Returns:
        A figure of one line; each step that rises is drawn over with a thick stroke, and
        the first is labelled with the offset that it reaches.

    Raises:
        TypeError: `curve` does not hold real numbers.
        ValueError: `curve` does not have 1 axis, has fewer than two entries, or is not finite.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots, sinusoidal_positional_encoding
        >>> pe = sinusoidal_positional_encoding(61, 64)
        >>> figure = plots.similarity_by_distance(pe @ pe[0])
        >>> figure.axes[0].texts[0].get_text()
        'first rise: to offset 6'
    """
    values = figure_style.filled("curve", curve, ndim=1)
    if len(values) < 2:
        raise ValueError("curve must have at least 2 entries, got 1")

    figure = figure_style.new_figure(3.4)
    axes = figure.subplots()
    figure_style.bare(axes, "offset (positions)", "dot product")
    axes.plot(values, color="C0")
    risen = np.flatnonzero(np.diff(values) > 0) + 1 if rises else np.array([], dtype=int)
    steps = np.array([risen - 1, risen])  # a column for each stroke
    axes.plot(steps, values[steps], color="C1", linewidth=4, solid_capstyle="butt")
    axes.set_xlim(0, len(values) - 1)
    figure_style.whole_ticks(axes.xaxis)
    if risen.size:
        axes.annotate(
            f"first rise: to offset {risen[0]}",
            (risen[0], values[risen[0]]),
            (0.5, 0.9),  # a curve that falls leaves this corner free
            textcoords="axes fraction",
            horizontalalignment="center",
            arrowprops={"arrowstyle": "->", "color": figure_style.muted(0.8), "shrinkB": 4},
        )
    return figure


def errors(positions: ArrayLike, curves: Mapping[str, ArrayLike]) -> Figure:
    """Draw how the error of several methods grows with position, on logarithmic axes.

    Args:
        positions: Shape (n,), above 0, rising.
        curves: For each name of a method its largest absolute errors, shape (n,),
            dimensionless, not negative, at least one of them above 0. A logarithmic axis
            has no 0: an error of 0 leaves a gap.

    Returns:
        A figure of one line for each method, with its name at the end.

    Raises:
        TypeError: `positions` or a curve does not hold real numbers, or `curves` is not
            a mapping.
        ValueError: `positions` is empty, not above 0 or not rising, `curves` is empty, or
            a curve has another shape, a negative error or no error above 0.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.errors([1, 10, 100], {"float32": [6e-8, 6e-7, 6e-6]})
        >>> figure.axes[0].get_ylabel(), figure.axes[0].texts[0].get_text()
        ('largest error', 'float32')
    """
    x = figure_style.filled("positions", positions, ndim=1)
    if not (x > 0).all() or not (np.diff(x) > 0).all():
        raise ValueError("positions must be above 0 and rising")
    figure_style.mapping("curves", curves, "names to errors")

    figure = figure_style.new_figure(3.6)
    axes = figure.subplots()
    figure_style.bare(axes, "position", "largest error")
    ends = []
    for order, (name, curve) in enumerate(curves.items()):
        y = checks.finite(f"curves[{name!r}]", curve, ndim=1)
        if y.shape != x.shape:
            raise ValueError(f"curves[{name!r}] must have shape {x.shape}, got shape {y.shape}")
        if (y < 0).any() or not y.any():
            raise ValueError(f"curves[{name!r}] must be at least 0 and somewhere above it")
        style = ("-", "--", "-.", ":")[order % 4]
        axes.plot(x, np.where(y > 0, y, np.nan), style, color=f"C{order}")
        last = np.flatnonzero(y)[-1]
        ends.append((float(x[last]), float(y[last]), name, f"C{order}"))
    axes.set(xscale="log", yscale="log")
    axes.margins(x=0)
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(figure_style.plain_power)
    axes.yaxis.set_major_formatter(figure_style.plain_power)
    figure_style.label_ends(axes, ends)
    return figure
