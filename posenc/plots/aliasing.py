"""Drawings of aliasing: near-returns, how far the first one is, and who keeps them away."""

from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from posenc.analysis.aliasing import alias_bound, first_alias, least_distance
from posenc.analysis.distances import distance_by_offset, nearest_alias
from posenc.core import checks
from posenc.core.frequencies import wavelengths
from posenc.plots import figure_style

# Offsets drawn one by one would be a solid block: a bin shows its smallest and its largest.
BINS = 400


def returns(pairs: Iterable[int], max_offset: int, *, base: float = 10000.0) -> Figure:
    """Draw the distance of two encodings against the offset, a panel for each number of pairs.

    Args:
        pairs: Numbers of pairs d/2, each at least 1, at most 6 of them.
        max_offset: Largest offset, in positions, from 400 to 1 000 000.
        base: b, dimensionless, finite, above 1.

    Returns:
        A figure of one panel for each number of pairs. The shaded band goes, in each of 400
        stretches of offsets, from the smallest distance to the largest; the dashed line is
        the distance of neighbours. Where another offset is nearer than a neighbour, a dot
        marks the nearest, with its offset in the title.

    Raises:
        TypeError: A number of pairs or `max_offset` is not an integer, or `base` not a
            real number.
        ValueError: `pairs` is empty, too long or has a number below 1, `max_offset` is out
            of its range, or `base` is not finite or not above 1.

    Source:
        Own drawing of Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.returns([1, 32], 1000)
        >>> [axes.get_title(loc="left") for axes in figure.axes]
        ['1 pair: 710 on is nearest', '32 pairs: no one is nearer than a neighbour']
    """
    counts = _counts(pairs)
    if len(counts) > 6:
        raise ValueError(f"pairs must be at most 6 numbers, got {len(counts)}")
    max_offset = checks.integer("max_offset", max_offset, least=BINS)
    if max_offset > 1_000_000:
        raise ValueError(f"max_offset must be at most 1000000, got {max_offset=}")
    edges = 1 + np.arange(BINS + 1) * max_offset // BINS
    centers = (edges[:-1] + edges[1:] - 1) / 2

    figure = figure_style.new_figure(0.5 + 1.45 * len(counts))
    panels = figure.subplots(len(counts), sharex=True, squeeze=False)[:, 0]
    for axes, count in zip(panels, counts, strict=True):
        low, high = _band(edges, 2 * count, base)
        nearest, distance = nearest_alias(2 * count, max_offset, base=base)
        step = _step(count, base)
        figure_style.bare(axes, "", "distance")
        axes.fill_between(centers, low, high, color="C0", alpha=0.35, linewidth=0)
        axes.plot(centers, low, color="C0", linewidth=1)
        axes.axhline(step, color="C1", linestyle="--")
        says = "no one is nearer than a neighbour"
        if nearest > 1:
            axes.plot([nearest], [distance], "o", color="C2", clip_on=False, zorder=3)
            says = f"{nearest:,} on is nearest"
        axes.set_title(f"{_count_pairs(count)}: {says}", loc="left", fontsize="medium")
        axes.set_ylim(bottom=0)
        axes.margins(x=0)
    panels[-1].set_xlabel("offset (positions)")
    figure_style.whole_ticks(panels[-1].xaxis)
    figure_style.label_ends(panels[0], [(max_offset, _step(counts[0], base), "neighbour", "C1")])
    return figure


def first_aliases(pairs: Iterable[int], max_offset: int, *, base: float = 10000.0) -> Figure:
    """Draw how far the first position is that is nearer than a neighbour, by number of pairs.

    Args:
        pairs: Numbers of pairs d/2, each at least 1, rising.
        max_offset: Largest offset looked at, in positions, at least 2.
        base: b, dimensionless, finite, above 1.

    Returns:
        A figure of two lines on a logarithmic axis: the first such offset, with a gap
        where there is none up to `max_offset`, and the bound that it cannot pass.

    Raises:
        TypeError: A number of pairs or `max_offset` is not an integer, or `base` not a
            real number.
        ValueError: `pairs` is empty, not rising or has a number below 1, none of them has
            such an offset, `max_offset` is below 2, or `base` is not above 1.

    Source:
        Own drawing of Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.first_aliases([1, 2, 6], 100_000)
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['6', '14,495', 'first', 'bound']
    """
    counts = _counts(pairs)
    if sorted(set(counts)) != counts:
        raise ValueError(f"pairs must be rising, got {counts}")
    max_offset = checks.integer("max_offset", max_offset, least=2)
    found = [first_alias(2 * count, max_offset, base=base) for count in counts]
    offsets = [float("nan") if one is None else float(one[0]) for one in found]
    seen = [(count, k) for count, k in zip(counts, offsets, strict=True) if k == k]
    if not seen:
        raise ValueError(f"pairs must have an alias up to {max_offset}, got none")
    bounds = [alias_bound(2 * count, base=base) for count in counts]

    figure = figure_style.new_figure(3.8)
    axes = figure.subplots()
    figure_style.bare(axes, "number of pairs", "offset (positions)")
    axes.plot(counts, bounds, "--", color="C1")
    axes.plot(counts, offsets, "-o", color="C0")
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(figure_style.plain_power)
    axes.set_xticks(counts, [f"{count}" for count in counts])
    axes.margins(y=0.1)  # room for what is written below the lowest point
    for count, k in dict.fromkeys((seen[0], *[s for s in seen[1:] if s[1] > 10**4][:1], seen[-1])):
        axes.annotate(
            f"{k:,.0f}",
            (count, k),
            (6, -12),
            textcoords="offset points",
            horizontalalignment="left",
            verticalalignment="center",
        )
    ends: Sequence[figure_style.End] = [
        (seen[-1][0], seen[-1][1], "first", "C0"),
        (counts[-1], bounds[-1], "bound", "C1"),
    ]
    figure_style.label_ends(axes, ends)
    return figure


def protection(d_model: int, max_offset: int, *, base: float = 10000.0) -> Figure:
    """Draw the distance of two encodings against the offset, and a bound that slow pairs give.

    Args:
        d_model: Channels d. Even, at least 2.
        max_offset: Largest offset, in positions, from 400 to 1 000 000.
        base: b, dimensionless, finite, above 1.

    Returns:
        A figure of three lines and a band: in each of 400 stretches of offsets the
        smallest distance to the largest, the bound that no offset of the stretch falls
        below, the distance that the slowest pair alone keeps, and the distance of
        neighbours.

    Raises:
        TypeError: `d_model` or `max_offset` is not an integer, or `base` not a real
            number.
        ValueError: `d_model` is odd or below 2, `max_offset` is out of its range, or
            `base` is not finite or not above 1.

    Source:
        Own drawing of Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.protection(64, 50_000)
        >>> sorted(text.get_text() for text in figure.axes[0].texts)
        ['neighbour', 'proved', 'slowest pair']
    """
    d_model = checks.even("d_model", d_model)
    max_offset = checks.integer("max_offset", max_offset, least=BINS)
    if max_offset > 1_000_000:
        raise ValueError(f"max_offset must be at most 1000000, got {max_offset=}")
    edges = 1 + np.arange(BINS + 1) * max_offset // BINS
    centers = (edges[:-1] + edges[1:] - 1) / 2
    low, high = _band(edges, d_model, base)
    half = float((np.diff(edges) - 1).max() / 2)
    proved = least_distance(centers, half, d_model, base=base)
    slowest = 2 * abs(np.sin(np.pi * centers / wavelengths(d_model, base)[-1]))
    step = _step(d_model // 2, base)

    figure = figure_style.new_figure(3.8)
    axes = figure.subplots()
    figure_style.bare(axes, "offset (positions)", "distance")
    axes.fill_between(centers, low, high, color="C0", alpha=0.35, linewidth=0)
    axes.plot(centers, proved, color="C0")
    axes.plot(centers, slowest, "-.", color="C2")
    axes.axhline(step, color="C1", linestyle="--")
    axes.set_ylim(bottom=0)
    axes.margins(x=0)
    figure_style.whole_ticks(axes.xaxis)
    figure_style.label_ends(
        axes,
        [
            (float(centers[-1]), float(proved[-1]), "proved", "C0"),
            (float(centers[-1]), float(slowest[-1]), "slowest pair", "C2"),
            (float(centers[-1]), step, "neighbour", "C1"),
        ],
    )
    return figure


def _counts(pairs: Iterable[int]) -> list[int]:
    """Return the numbers of pairs as a list of one or more."""
    if not isinstance(pairs, Iterable):
        raise TypeError(f"pairs must hold integers, got pairs={pairs!r}")
    counts = [checks.integer("pairs", count, least=1) for count in pairs]
    if not counts:
        raise ValueError("pairs must not be empty")
    return counts


def _step(count: int, base: float) -> float:
    """Return how far apart neighbours are."""
    return float(distance_by_offset(1, 2 * count, base=base))


def _count_pairs(count: int) -> str:
    return f"{count} pair" if count == 1 else f"{count} pairs"


def _band(
    edges: NDArray[np.int_], d_model: int, base: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the smallest and the largest distance between each two edges."""
    starts = range(1, int(edges[-1]), 2**14)  # so many at a time, to bound the memory
    parts = (range(a, min(a + 2**14, int(edges[-1]))) for a in starts)
    distances = np.concatenate([distance_by_offset(part, d_model, base=base) for part in parts])
    bins = edges[:-1] - 1
    return np.minimum.reduceat(distances, bins), np.maximum.reduceat(distances, bins)
