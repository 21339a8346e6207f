"""Drawings of other sciences: fits along an axis, and poses on a map."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from posenc.core import checks
from posenc.plots import figure_style


def fitted_curves(
    places: ArrayLike,
    curves: Mapping[str, ArrayLike],
    *,
    measured: ArrayLike | None = None,
    marked: tuple[float, float, str] | None = None,
    xlabel: str = "position",
    ylabel: str = "value",
) -> Figure:
    """Draw curves over places, with what was measured there as dots.

    Args:
        places: Shape (L,), real, rising: where the curves are known, in any unit.
        curves: For each name, its values at `places`, shape (L,), all in one unit.
            A gap between two places of more than ten usual steps breaks the curves.
        measured: Shape (L,), in the unit of `curves`, or None.
        marked: First and last place of a stretch, and what to write on it; or None.
        xlabel: What the places are, with their unit.
        ylabel: What the values are, with their unit.

    Returns:
        A figure of one line for each curve, its name at the end, dots for what was
        measured, and a shaded stretch.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `places` has fewer than 2 entries or does not rise, a curve or
            `measured` has another shape, a number is not finite, or `marked` does not
            have a first place before its last one.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.fitted_curves([0, 1, 2], {"by time": [0, 1, 0]}, measured=[0, 1.1, 0.2])
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['by time']
    """
    x = checks.finite("places", places, ndim=1)
    if len(x) < 2 or not (np.diff(x) > 0).all():
        raise ValueError("places must be at least 2 and rising")
    figure_style.mapping("curves", curves, "names to values")
    drawn = {name: _values(f"curves[{name!r}]", value, x) for name, value in curves.items()}
    dots = None if measured is None else _values("measured", measured, x)
    if marked is not None:
        first, last = (checks.real("marked", place) for place in marked[:2])
        if not first < last:
            raise ValueError(f"marked must go from a first to a last place, got {marked}")

    figure = figure_style.new_figure(3.4)
    axes = figure.subplots()
    figure_style.bare(axes, xlabel, ylabel)
    if marked is not None:
        _mark(axes, *marked)
    if dots is not None:
        axes.plot(x, dots, ".", color=figure_style.muted(), markersize=4, zorder=1)
    breaks = np.flatnonzero(np.diff(x) > 10 * np.median(np.diff(x))) + 1
    for order, curve in enumerate(drawn.values()):
        axes.plot(
            np.insert(x, breaks, np.nan),
            np.insert(curve, breaks, np.nan),
            ("-", "--", "-.", ":")[order % 4],
            color=f"C{order}",
        )
    axes.margins(x=0)
    ends: list[figure_style.End] = [
        (float(x[-1]), float(curve[-1]), name, f"C{order}")
        for order, (name, curve) in enumerate(drawn.items())
    ]
    figure_style.label_ends(axes, ends)
    return figure


def poses(maps: Mapping[str, ArrayLike], labels: list[str]) -> Figure:
    """Draw poses as arrows on one or more maps, side by side at the same scale.

    Args:
        maps: For each map's name, its poses, shape (n, 3): x, y and heading in radians,
            counter-clockwise.
        labels: n short names, one for each pose.

    Returns:
        A figure of one panel for each map: a dot at every place, an arrow from it into
        its heading, 1.5 units long, and its name behind it.

    Raises:
        TypeError: `maps` is not a mapping, or holds what is not a number.
        ValueError: `maps` is empty, or poses do not have shape (n, 3) or are not finite.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.poses({"map": [[0, 0, 0], [2, 1, 1.57]]}, ["p", "q"])
        >>> figure.axes[0].get_title()
        'map'
    """
    figure_style.mapping("maps", maps, "names to poses")
    drawn = {name: checks.finite("poses", value, ndim=2) for name, value in maps.items()}
    for value in drawn.values():
        if value.shape != (len(labels), 3) or not len(labels):
            raise ValueError(f"poses must have shape ({len(labels)}, 3), got {value.shape}")

    figure = figure_style.new_figure(3.2)
    panels = figure.subplots(1, len(drawn), sharex=True, sharey=True, squeeze=False)[0]
    for axes, (name, value) in zip(panels, drawn.items(), strict=True):
        figure_style.bare(axes, "x", "y" if axes is panels[0] else "")
        axes.set_title(name)
        for order, ((x, y, heading), label) in enumerate(zip(value, labels, strict=True)):
            colour = f"C{order}"
            tip = x + 1.5 * np.cos(heading), y + 1.5 * np.sin(heading)
            axes.plot(x, y, "o", color=colour)
            axes.annotate(
                "", tip, (x, y), arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.5}
            )
            axes.plot(*tip, alpha=0)  # so that the limits hold the tip
            away = -12 * np.cos(heading), -12 * np.sin(heading)
            axes.annotate(
                label,
                (x, y),
                away,
                textcoords="offset points",
                horizontalalignment="center",
                verticalalignment="center",
            )
        axes.set_aspect("equal")
        axes.margins(0.2)
    return figure


def _values(name: str, value: Any, x: Any) -> Any:
    """Return value as a float64 array with one number for each place."""
    array = checks.finite(name, value, ndim=1)
    if len(array) != len(x):
        raise ValueError(f"{name} must have {len(x)} entries, got {len(array)}")
    return array


def _mark(axes: Axes, first: float, last: float, text: str) -> None:
    """Shade a stretch and write what it is at its upper edge."""
    axes.axvspan(first, last, color=figure_style.muted(0.15), linewidth=0)
    axes.annotate(
        text,
        ((first + last) / 2, 1),
        (0, -2),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        horizontalalignment="center",
        verticalalignment="top",
    )
