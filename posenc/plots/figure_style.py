"""What the drawings have in common: colours of the settings, axes, numbers, labels at line ends."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import rcParams
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import to_rgb, to_rgba
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, ScalarFormatter
from numpy.typing import NDArray

from posenc.core import checks

WIDTH = 6.2  # inches: a column of the book

# Ticks fall on round numbers: 0, 5, 10 rather than 0, 6, 12.
ROUND = (1, 2, 5, 10)

# x and y of a line's last point, the words, the line's colour.
End = tuple[float, float, str, Any]


def new_figure(height: float, width: float = WIDTH, *, square: bool = False) -> Figure:
    """Return an empty figure, sizes in inches, that belongs to no window and no list.

    Where the axes keep a square shape, "compressed" moves everything up to them.
    """
    return Figure(figsize=(width, height), layout="compressed" if square else "constrained")


def bare(axes: Axes, xlabel: str = "", ylabel: str = "") -> None:
    """Take away the top and right border and label what stays."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.set(xlabel=xlabel, ylabel=ylabel)


def muted(alpha: float = 0.5) -> tuple[float, float, float, float]:
    """Return the text colour made faint: grey on a light page, grey on a dark one."""
    return to_rgba(rcParams["text.color"], alpha)


def diverging() -> str:
    """Return the name of a map from blue to red whose centre is close to the page."""
    luminance = np.dot((0.2126, 0.7152, 0.0722), to_rgb(rcParams["text.color"]))
    return "berlin" if luminance > 0.5 else "RdBu_r"


def whole_ticks(axis: Axis) -> None:
    """Put ticks at whole numbers only, and write them in full."""
    axis.set_major_locator(MaxNLocator(nbins=7, steps=ROUND, integer=True, min_n_ticks=1))
    plain = ScalarFormatter(useOffset=False)
    plain.set_scientific(False)
    axis.set_major_formatter(plain)


def rounded(value: float) -> str:
    """Return value with three digits, or all of those before the point where they are more."""
    return f"{value:.3g}" if abs(value) < 999.5 else f"{value:,.0f}"


def plain_power(value: float, _: float) -> str:
    """Return a power of ten without a raised exponent, which would be too small to read."""
    if 1e-3 <= value < 1e5:
        return f"{value:,g}"
    digits, exponent = f"{value:.0e}".split("e")
    return f"{digits}e{int(exponent)}"


def label_ends(axes: Axes, ends: Sequence[End]) -> None:
    """Write to the right of each line what it is, moved apart where words would touch.

    Call it last: the places are computed from the limits of the axes.
    The words have the text colour, which is readable; a stroke of the line's colour leads to them.
    """
    axes.set(xlim=axes.get_xlim(), ylim=axes.get_ylim())  # settles what is still automatic
    to_fraction = axes.transData + axes.transAxes.inverted()
    points = to_fraction.transform([(x, y) for x, y, _, _ in ends])
    axes_height = axes.bbox.height / axes.figure.dpi * 72  # points
    gap = 1.3 * rcParams["font.size"] / axes_height
    for index, height in zip(*_apart(points[:, 1], gap), strict=True):
        _, _, text, colour = ends[index]
        axes.annotate(
            text,
            points[index],
            (1.04, height),
            xycoords="axes fraction",
            textcoords="axes fraction",
            verticalalignment="center",
            arrowprops={"arrowstyle": "-", "color": colour, "shrinkA": 1, "shrinkB": 0},
        )


def _apart(heights: NDArray[np.float64], gap: float) -> tuple[NDArray[Any], NDArray[np.float64]]:
    """Return an upward order of the heights, and the heights in it, at least gap apart."""
    order = np.argsort(heights, kind="stable")
    steps = gap * np.arange(len(heights))
    surplus = heights[order] - steps
    # Pushing upwards alone and downwards alone both work; between them nothing drifts.
    up = np.maximum.accumulate(surplus)
    down = np.minimum.accumulate(surplus[::-1])[::-1]
    return order, (up + down) / 2 + steps


def mapping(name: str, value: object, kinds: str) -> None:
    """Refuse what is not a mapping, or an empty one; `kinds` says what it maps to what."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must map {kinds}, got {type(value).__name__}")
    if not value:
        raise ValueError(f"{name} must not be empty")


def filled(name: str, value: Any, *, ndim: int) -> NDArray[np.float64]:
    """Return value as a finite float64 array with ndim axes and something in it."""
    array = checks.finite(name, value, ndim=ndim)
    if not array.size:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    return array


def square(name: str, value: Any) -> NDArray[np.float64]:
    """Return value as a finite float64 matrix with as many rows as columns."""
    array = filled(name, value, ndim=2)
    if array.shape[0] != array.shape[1]:
        raise ValueError(f"{name} must be square, got shape {array.shape}")
    return array


def indices(name: str, value: Any, stop: int) -> list[int]:
    """Return value as a list of one or more integers in 0..stop-1."""
    if not isinstance(value, Iterable):
        raise TypeError(f"{name} must hold integers, got {name}={value!r}")
    numbers = [checks.integer(name, number) for number in value]
    if not numbers:
        raise ValueError(f"{name} must not be empty")
    for number in numbers:
        if not 0 <= number < stop:
            raise ValueError(f"{name} must lie within 0..{stop - 1}, got {number}")
    return numbers
