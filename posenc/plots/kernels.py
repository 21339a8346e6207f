"""Drawings of kernels: the bumps of a Gaussian encoding, and curves compared panel by panel."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.plots import figure_style

LINES = ("-", "--", "-.", ":")


def bumps(positions: ArrayLike, encodings: ArrayLike, marked: int) -> Figure:
    """Draw every channel of an encoding as a curve, and one row of it as points.

    Args:
        positions: Shape (n,), n at least 2, real, rising, in positions.
        encodings: Shape (n, d), dimensionless: the encoding of each position, one per row.
        marked: Number of the row whose d values are marked, 0..n-1.

    Returns:
        A figure of one curve for each channel, a line at the marked position, and a point
        where it meets each curve: the height of the points is the encoding of that position.

    Raises:
        TypeError: An array does not hold real numbers, or `marked` is not an integer.
        ValueError: `positions` has fewer than 2 entries or does not rise, `encodings` has
            another number of rows or no channel or is not finite, or `marked` is out of
            range.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import gaussian_encoding, plots
        >>> p = [0, 1, 2, 3]
        >>> figure = plots.bumps(p, gaussian_encoding(p, [0, 3], 1.0), 2)
        >>> figure.axes[0].lines[-1].get_ydata().round(2).tolist()
        [0.14, 0.61]
    """
    x = rising("positions", positions)
    table = figure_style.filled("encodings", encodings, ndim=2)
    if len(table) != len(x):
        raise ValueError(f"encodings must have {len(x)} rows, got shape {table.shape}")
    row = figure_style.indices("marked", [marked], len(x))[0]

    figure = figure_style.new_figure(3.2)
    axes = figure.subplots()
    figure_style.bare(axes, "position", "channel")
    for order, channel in enumerate(table.T):
        axes.plot(x, channel, color=f"C{order % 2}")
    place = float(x[row])
    axes.axvline(place, color=figure_style.muted(), linestyle=":")
    axes.plot(np.full(table.shape[1], place), table[row], "o", color="C2", clip_on=False, zorder=3)
    axes.margins(x=0)
    axes.set_ylim(bottom=0, top=1.15 * float(table.max()))
    left = row > len(x) / 2  # the words go where there is more room
    axes.annotate(
        f"encoding of position {figure_style.rounded(place)}",
        (place, 1),
        (-6 if left else 6, -2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        horizontalalignment="right" if left else "left",
        verticalalignment="top",
    )
    return figure


def profiles(x: ArrayLike, panels: Mapping[str, Mapping[str, ArrayLike]], *, xlabel: str) -> Figure:
    """Draw named curves over one axis, in panels one above the other.

    Args:
        x: Shape (n,), n at least 2, real, rising.
        panels: For what each panel shows, with its unit, a mapping from the name of each
            curve to its values, shape (n,), finite.
        xlabel: What x is, with its unit.

    Returns:
        A figure of one panel for each entry, with a line for each curve and its name at
        the end. A name has the same colour and stroke in all panels.

    Raises:
        TypeError: `x` or a curve does not hold real numbers, or `panels` or an entry of
            it is not a mapping.
        ValueError: `x` has fewer than 2 entries or does not rise, a mapping is empty, or
            a curve has another shape or is not finite.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> panels = {"score": {"bumps": [1, 2, 1]}, "weight": {"bumps": [0.2, 0.6, 0.2]}}
        >>> figure = plots.profiles([-1, 0, 1], panels, xlabel="offset (positions)")
        >>> [axes.get_ylabel() for axes in figure.axes]
        ['score', 'weight']
    """
    places = rising("x", x)
    figure_style.mapping("panels", panels, "what is shown to curves")
    shown: dict[str, dict[str, NDArray[np.float64]]] = {}
    for ylabel, curves in panels.items():
        figure_style.mapping(f"panels[{ylabel!r}]", curves, "names to values")
        shown[ylabel] = {}
        for name, curve in curves.items():
            values = checks.finite(f"panels[{ylabel!r}][{name!r}]", curve, ndim=1)
            if values.shape != places.shape:
                raise ValueError(
                    f"panels[{ylabel!r}][{name!r}] must have shape {places.shape},"
                    f" got shape {values.shape}"
                )
            shown[ylabel][name] = values
    names = list(dict.fromkeys(name for curves in shown.values() for name in curves))

    figure = figure_style.new_figure(0.6 + min(2.4 * len(shown), 4.8))
    grid = figure.subplots(len(shown), sharex=True, squeeze=False)[:, 0]
    for axes, (ylabel, drawn) in zip(grid, shown.items(), strict=True):
        figure_style.bare(axes, "", ylabel)
        ends: list[figure_style.End] = []
        for name, values in drawn.items():
            order = names.index(name)
            axes.plot(places, values, LINES[order % 4], color=f"C{order}", clip_on=False)
            ends.append((float(places[-1]), float(values[-1]), name, f"C{order}"))
        axes.margins(x=0)
        figure_style.label_ends(axes, ends)
    grid[-1].set_xlabel(xlabel)
    return figure


def rising(name: str, value: ArrayLike) -> NDArray[np.float64]:
    """Return value as one axis of at least two numbers, each above the one before."""
    numbers = checks.finite(name, value, ndim=1)
    if len(numbers) < 2 or not (np.diff(numbers) > 0).all():
        raise ValueError(f"{name} must be at least 2 numbers and rising")
    return numbers
