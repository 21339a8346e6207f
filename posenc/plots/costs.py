"""Drawings of costs: operations against length, and the roofline of a machine."""

from collections.abc import Mapping
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.core import checks
from posenc.costs.flops import addition_flops, attention_flops, feed_forward_flops, rotation_flops
from posenc.plots import figure_style

# What is counted at each length, in the order of its cost at short lengths, and its stroke.
LAYERS = {
    "feed-forward": (feed_forward_flops, "--"),
    "attention": (attention_flops, "-"),
    "rotation": (rotation_flops, "-."),
    "addition": (addition_flops, "-"),
}
POINTS = 100


def flops(d_model: int, max_seq_len: int) -> Figure:
    """Draw the operations of adding an encoding, and of the layers next to it, against length.

    Args:
        d_model: Channels d, even, at least 2.
        max_seq_len: The longest sequence L drawn, in positions, from 2 to 2**53.

    Returns:
        A figure of four lines on logarithmic axes, for one sequence of 1 to L positions:
        one feed-forward layer, one attention layer, the rotation in it, and the addition
        below all layers. Where attention overtakes the feed-forward layer, at 2d, a
        dotted line is drawn, if that is within L.

    Raises:
        TypeError: An argument is not an integer.
        ValueError: `d_model` is odd or below 2, or `max_seq_len` is out of its range.

    Source:
        Own drawing of `posenc.costs.attention_flops` and its companions.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.flops(64, 1024)
        >>> [text.get_text() for text in figure.axes[0].texts][1:]  # upwards
        ['addition', 'rotation', 'feed-forward', 'attention']
    """
    d_model = checks.even("d_model", d_model)
    longest = checks.integer("max_seq_len", max_seq_len, least=2)
    if longest > checks.LARGEST_POSITION:
        raise ValueError(f"max_seq_len must be at most 2**53, got max_seq_len={longest}")
    lengths = np.unique(np.geomspace(1, longest, POINTS).round()).astype(np.int64).tolist()

    figure = figure_style.new_figure(3.8)
    axes = figure.subplots()
    figure_style.bare(axes, "length L (positions)", "FLOPs")
    ends = []
    for order, (name, (count, style)) in enumerate(LAYERS.items()):
        counts = [float(count(length, d_model)) for length in lengths]
        axes.plot(lengths, counts, style, color=f"C{order}")
        ends.append((float(longest), counts[-1], name, f"C{order}"))
    _logarithmic(axes)
    if 2 * d_model <= longest:
        axes.axvline(2 * d_model, color=figure_style.muted(), linestyle=":", zorder=0)
        words = f"attention = feed-forward\nat L = 2d = {2 * d_model:,}"
        _note(axes, words, (2 * d_model, axes.get_ylim()[0]), (-6, 6), "right")
    figure_style.label_ends(axes, ends)
    return figure


def roofline(
    works: Mapping[str, tuple[float, float]],
    *,
    flops_per_second: float,
    bytes_per_second: float,
) -> Figure:
    """Draw how fast a machine can do some works at best, against their FLOPs per byte.

    Args:
        works: For each name its FLOPs and the bytes that it moves, both finite and
            above 0.
        flops_per_second: The machine's peak, FLOPs per second, finite, above 0.
        bytes_per_second: The bandwidth of its memory, bytes per second, finite, above 0.

    Returns:
        A figure of one line on logarithmic axes, which rises with the bandwidth up to
        the peak, a dot on it for each work, and a dotted line at the ridge.

    Raises:
        TypeError: `works` is not a mapping, or a number is not real.
        ValueError: `works` is empty, or a number is not finite or not above 0.

    Source:
        Own drawing after Williams, Waterman and Patterson 2009,
        doi:10.1145/1498765.1498785.

    Examples:
        >>> from posenc import plots
        >>> works = {"addition": (1, 12), "product": (100, 1)}
        >>> figure = plots.roofline(works, flops_per_second=40, bytes_per_second=4)
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['ridge: 10 FLOPs per byte', 'addition', 'product']
    """
    figure_style.mapping("works", works, "names to costs")
    intensities = {
        name: _above_zero(f"FLOPs of {name!r}", cost) / _above_zero(f"bytes of {name!r}", traffic)
        for name, (cost, traffic) in works.items()
    }
    peak = _above_zero("flops_per_second", flops_per_second)
    bandwidth = _above_zero("bytes_per_second", bytes_per_second)
    ridge = peak / bandwidth
    low = min(ridge, *intensities.values()) / 4
    high = max(ridge, *intensities.values()) * 4

    figure = figure_style.new_figure(3.6)
    axes = figure.subplots()
    figure_style.bare(axes, "FLOPs per byte", "FLOPs per second, at best")
    axes.plot([low, ridge, high], [low * bandwidth, peak, peak], color="C0")
    axes.plot([ridge, ridge], [low * bandwidth, peak], ":", color=figure_style.muted(), zorder=0)
    _logarithmic(axes)
    words = f"ridge: {figure_style.rounded(ridge)} FLOPs per byte"
    _note(axes, words, (ridge, peak), (-6, 6), "right")
    for name, intensity in intensities.items():
        rate = min(peak, bandwidth * intensity)
        axes.plot(intensity, rate, "o", color="C1")
        if intensity < ridge:
            _note(axes, name, (intensity, rate), (8, -12), "left")
        else:
            _note(axes, name, (intensity, rate), (0, -18), "center")
    axes.set_ylim(low * bandwidth, peak * 4)
    return figure


def _logarithmic(axes: Axes) -> None:
    """Make both axes logarithmic, with their powers written in full."""
    axes.set(xscale="log", yscale="log")
    axes.margins(x=0)
    axes.minorticks_off()
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(figure_style.plain_power)


def _note(
    axes: Axes,
    text: str,
    point: tuple[float, float],
    offset: tuple[float, float],
    alignment: Literal["left", "center", "right"],
) -> None:
    """Write beside a point, an offset in points away."""
    axes.annotate(text, point, offset, textcoords="offset points", horizontalalignment=alignment)


def _above_zero(name: str, value: object) -> float:
    """Return value as a finite float above 0."""
    number = checks.real(name, value)
    if number <= 0:
        raise ValueError(f"{name} must be above 0, got {name}={value!r}")
    return number
