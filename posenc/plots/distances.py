"""Drawings of separation: how near rows come, how far pairs turn, where channels stay."""

import math
from collections.abc import Iterable

from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import ArrayLike

from posenc.analysis.distances import distance_by_offset, nearest_alias
from posenc.analysis.rotations import count_rotations as turns_of_pairs
from posenc.core import checks
from posenc.core.layouts import LAYOUTS, Layout, pair_channels
from posenc.core.underflow import ignore_underflow
from posenc.plots import figure_style
from posenc.tables.sinusoidal import sinusoidal_at
from posenc.tables.statistics import encoding_statistics


@ignore_underflow
def separation(pairs: Iterable[int], max_offset: int, *, base: float = 10000.0) -> Figure:
    """Draw how near another position comes to any position, against the number of pairs.

    Args:
        pairs: Numbers of pairs d/2, each at least 1, rising.
        max_offset: Largest offset looked at, in positions, at least 1.
        base: b, dimensionless, finite, above 1.

    Returns:
        A figure of two lines on logarithmic axes: the distance of direct neighbours, and
        that of the nearest position within `max_offset`. Where the nearest is not the
        neighbour, its offset is written beside the point.

    Raises:
        TypeError: A number of pairs or `max_offset` is not an integer, or `base` not a
            real number.
        ValueError: `pairs` is empty, not rising or has a number below 1, `max_offset` is
            below 1, or `base` is not finite or not above 1.

    Source:
        Own drawing of Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.separation([1, 2, 4, 8], 10_000)
        >>> [text.get_text() for text in figure.axes[0].texts][:2]
        ['710 on', '1,885 on']
    """
    if not isinstance(pairs, Iterable):
        raise TypeError(f"pairs must hold integers, got pairs={pairs!r}")
    counts = [checks.integer("pairs", count, least=1) for count in pairs]
    if not counts or sorted(set(counts)) != counts:
        raise ValueError(f"pairs must be rising and not empty, got {counts}")
    found = [nearest_alias(2 * count, max_offset, base=base) for count in counts]
    steps = [float(distance_by_offset(1, 2 * count, base=base)) for count in counts]

    figure = figure_style.new_figure(3.8)
    axes = figure.subplots()
    figure_style.bare(axes, "number of pairs", "distance")
    axes.plot(counts, steps, "--", color="C1")
    axes.plot(counts, [distance for _, distance in found], "-o", color="C0")
    axes.set(xscale="log", yscale="log")
    axes.set_xticks(counts, [f"{count}" for count in counts])
    axes.margins(y=0.1)  # room for what is written below the lowest point
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(figure_style.plain_power)
    before = math.inf
    for count, (offset, distance) in zip(counts, found, strict=True):
        falls = distance < before  # what is written goes where the line does not come from
        if offset > 1:
            axes.annotate(
                f"{offset:,} on",
                (count, distance),
                (8, -8) if falls else (-8, 2),
                textcoords="offset points",
                horizontalalignment="left" if falls else "right",
                verticalalignment="center",
            )
        before = distance
    last = float(counts[-1])
    ends: list[figure_style.End] = [
        (last, steps[-1], "neighbour", "C1"),
        (last, found[-1][1], f"nearest of {max_offset:,}", "C0"),
    ]
    figure_style.label_ends(axes, ends)
    return figure


def chords(p: float, q: float, d_model: int, *, base: float = 10000.0) -> Figure:
    """Draw how far each pair moves from one position to another: a chord of its circle.

    Args:
        p: The first position, a real number.
        q: The second position, a real number.
        d_model: Channels d. Even, at least 2; up to 12 fit well.
        base: b, dimensionless, finite, above 1.

    Returns:
        A figure of one circle per pair, with the points (sine, cosine) of both positions
        and the straight line between them, whose length is below. Angles run clockwise
        from the top.

    Raises:
        TypeError: `d_model` is not an integer, or `p`, `q` or `base` not a real number.
        ValueError: `d_model` is odd or below 2, `p` or `q` is not finite, or `base` is not
            finite or not above 1.

    Source:
        Own drawing of Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.chords(5, 6, 4)
        >>> [axes.get_xlabel() for axes in figure.axes]
        ['chord 0.959', 'chord 0.010']
    """
    ends = [checks.real("p", p), checks.real("q", q)]
    rows = sinusoidal_at(ends, d_model, base=base)
    circles = rows.reshape(2, -1, 2).swapaxes(0, 1)  # (d/2, 2 positions, sine and cosine)

    figure = figure_style.new_figure(1.1 + figure_style.WIDTH / max(len(circles), 3), square=True)
    panels = figure.subplots(1, len(circles), squeeze=False)[0]
    for pair, (axes, points) in enumerate(zip(panels, circles, strict=True)):
        axes.add_patch(Circle((0, 0), 1, fill=False, color=figure_style.muted()))
        axes.plot(*points.T, color="C0", linewidth=2.5)
        axes.plot(*points[0], "o", color="C1")
        axes.plot(*points[1], "s", color="C2")
        axes.set_title(f"pair {pair}", fontsize="medium")
        axes.set_xlabel(f"chord {math.dist(*points):.3f}")
        axes.set(aspect="equal", xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), xticks=(), yticks=())
        axes.spines[:].set_visible(False)
    figure.supylabel("cosine", fontsize="medium")
    figure.supxlabel("sine", fontsize="medium")
    marks = [f"position {end:g}" for end in ends]
    figure.legend(panels[0].lines[1:], marks, loc="outside upper center", ncols=2, frameon=False)
    return figure


def turns(d_model: int, span: float, bases: Iterable[float]) -> Figure:
    """Draw how many turns each pair makes over a stretch of positions, a line for each base.

    Args:
        d_model: Channels d. Even, at least 4.
        span: Length of the stretch, in positions, above 0.
        bases: b, one or more, dimensionless, each finite and above 1.

    Returns:
        A figure of one line for each base, its name at the end, and a dotted line at one
        turn: pairs below it have not come back to their start.

    Raises:
        TypeError: `d_model` is not an integer, or `span` or a base not a real number.
        ValueError: `d_model` is odd or below 4, `span` is not finite or not above 0,
            `bases` is empty, or a base is not finite or not above 1.

    Source:
        Own drawing of Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.turns(64, 2048, [100, 10_000])
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['one turn', 'b = 10,000', 'b = 100']
    """
    d_model = checks.integer("d_model", d_model, least=4)
    if not checks.real("span", span) > 0:
        raise ValueError(f"span must be above 0, got span={span!r}")
    if not isinstance(bases, Iterable):
        raise TypeError(f"bases must hold real numbers, got bases={bases!r}")
    curves = {base: turns_of_pairs(span, d_model, base=base) for base in bases}
    if not curves:
        raise ValueError("bases must not be empty")

    figure = figure_style.new_figure(3.6)
    axes = figure.subplots()
    figure_style.bare(axes, "pair", f"turns within {span:,.6g} positions")
    for order, made in enumerate(curves.values()):
        axes.plot(made, ("-", "--", "-.", ":")[order % 4], color=f"C{order}")
    axes.axhline(1, color=figure_style.muted(), linestyle=":")
    axes.set_yscale("log")
    axes.margins(x=0)
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(figure_style.plain_power)
    figure_style.whole_ticks(axes.xaxis)
    last = d_model // 2 - 1
    axes.annotate("one turn", (0, 1), (4, 3), textcoords="offset points")
    figure_style.label_ends(
        axes,
        [
            (last, float(made[-1]), f"b = {base:,.6g}", f"C{order}")
            for order, (base, made) in enumerate(curves.items())
        ],
    )
    return figure


def channel_statistics(pe: ArrayLike, *, layout: Layout = "interleaved") -> Figure:
    """Draw mean and variance of every channel of a table, sines and cosines apart.

    Args:
        pe: Shape (L, d), dimensionless, one encoding a row, d even, at least 4.
        layout: `"interleaved"` or `"half"`: where the sines and the cosines are.

    Returns:
        A figure of two panels over the pairs, mean above variance, each with a line for
        the sines and one for the cosines, and dotted lines at 0 and at 1/2: mean and
        variance of a wave over whole turns.

    Raises:
        TypeError: `pe` does not hold real numbers, or `layout` is not a string.
        ValueError: `pe` does not have 2 axes, is empty or not finite, d is odd or below
            4, or `layout` is unknown.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots, sinusoidal_positional_encoding
        >>> figure = plots.channel_statistics(sinusoidal_positional_encoding(99, 32))
        >>> [axes.get_ylabel() for axes in figure.axes]
        ['mean', 'variance']
    """
    table = checks.table("pe", pe, least=(1, 4))
    d_model = checks.even("pe.shape[1]", table.shape[1])
    sines, cosines = pair_channels(d_model, checks.choice("layout", layout, LAYOUTS))
    found = encoding_statistics(table)

    figure = figure_style.new_figure(4.6)
    panels = figure.subplots(2, sharex=True)
    shown = [("mean", found["mean_per_dim"], 0), ("variance", found["var_per_dim"], 0.5)]
    for axes, (name, values, whole_turns) in zip(panels, shown, strict=True):
        figure_style.bare(axes, "", name)
        axes.axhline(whole_turns, color=figure_style.muted(), linestyle=":", zorder=0)
        ends = []
        for order, (part, wave) in enumerate([(sines, "sin"), (cosines, "cos")]):
            curve = values[part]
            axes.plot(curve, ("-", "--")[order], color=f"C{order}")
            ends.append((len(curve) - 1, float(curve[-1]), wave, f"C{order}"))
        axes.margins(x=0)
        figure_style.whole_ticks(axes.xaxis)
        figure_style.label_ends(axes, ends)
    panels[-1].set_xlabel("pair")
    return figure
