"""Drawings of counting: bits beside waves, periods on one scale, pairs as hands of a clock."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.counting import binary_encoding, bit_frequencies, square_waves
from posenc.plots import figure_style

# Half the height of a wave, where a row of waves is 1 high.
HALF = 0.36

# Up to this many positions, each gets a dot on its sine.
DOTS = 64

# Points of a line from each position to the next: the fastest sine has 40 a turn.
FINE = 20


def counting(seq_len: int, n_bits: int) -> Figure:
    """Draw the bits of a counter, the square waves that they are, and sines of their periods.

    Args:
        seq_len: Number of positions L, at least 2, at most 2**n_bits. Up to 64 are marked
            with dots.
        n_bits: Bits n, from 1 to 50; four or five fit well.

    Returns:
        A figure of three panels over positions 0 to L-1, a row for each bit with the fastest
        on top. A bit is a bar where it is 1. A square wave is up, at +1, where the bit is 0.
        Row j of the last panel is sin(π (p + 1/2) / 2**j).

    Raises:
        TypeError: `seq_len` or `n_bits` is not an integer.
        ValueError: `seq_len` is below 2 or above 2**n_bits, or `n_bits` is not within 1..50.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.counting(16, 4)
        >>> [axes.get_title(loc="left") for axes in figure.axes]
        ['bits', 'square waves', 'sines']
    """
    seq_len = checks.integer("seq_len", seq_len, least=2)
    bits = binary_encoding(seq_len, n_bits)
    squares, omegas = square_waves(seq_len, n_bits), bit_frequencies(n_bits)

    figure = figure_style.new_figure(1.4 + 0.9 * n_bits)
    panels = figure.subplots(3, sharex=True)
    positions = np.arange(seq_len)
    borders = np.arange(seq_len + 1) - 0.5  # a step is as wide as a position
    line = borders[0] + np.arange(seq_len * FINE + 1) / FINE
    for axes, title in zip(panels, ("bits", "square waves", "sines"), strict=True):
        figure_style.bare(axes, ylabel="bit")
        axes.set_title(title, loc="left", fontsize="medium")
        axes.set(xlim=borders[[0, -1]], ylim=(len(omegas) - 0.4, -0.6), yticks=range(len(omegas)))
        axes.tick_params(left=False)
        axes.spines["left"].set_visible(False)
    for j, omega in enumerate(omegas):  # the axes point down, so up is minus
        panels[0].axhline(j + HALF, color=figure_style.muted(), linewidth=0.8, zorder=0)
        bars = np.append(bits[:, j], 0)
        panels[0].fill_between(
            borders, j + HALF, j + HALF - 2 * HALF * bars, step="post", color="C0", linewidth=0
        )
        heights = np.append(squares[:, j], squares[-1, j])  # the last value fills its step
        panels[1].plot(borders, j - HALF * heights, color="C1", drawstyle="steps-post")
        panels[2].plot(line, j - HALF * np.sin(omega * (line + 0.5)), color="C2")
        if seq_len <= DOTS:
            dots = j - HALF * np.sin(omega * (positions + 0.5))
            panels[2].plot(positions, dots, "o", color="C2", markersize=4, markeredgewidth=0)
    figure_style.whole_ticks(panels[-1].xaxis)
    panels[-1].set_xlabel("position")
    return figure


def bit_to_pair(bit: int, marked: Sequence[int], *, seq_len: int = 32) -> Figure:
    """Draw a bit, its square wave, the sine behind it with its cosine, and their circle.

    Args:
        bit: j, from 0 to 20. Three or four fit well.
        marked: Positions that are marked in the waves and on the circle, each within
            0..seq_len-1; two to four fit well.
        seq_len: Number of positions L, at least 2, at most 2**21.

    Returns:
        A figure of three panels over positions 0 to L-1, from the bit down to its pair, and
        a circle beside them with a point (sine, cosine) for each marked position. Angles
        include the half step: they are π (p + 1/2) / 2**j.

    Raises:
        TypeError: `bit`, `seq_len` or a marked position is not an integer.
        ValueError: `bit`, `seq_len` or a marked position is out of range, or none is marked.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.bit_to_pair(3, [2, 5])
        >>> [axes.get_ylabel() for axes in figure.axes]
        ['bit 3', 'square wave', 'pair', 'cosine']
    """
    bit = checks.integer("bit", bit, least=0)
    if bit > 20:
        raise ValueError(f"bit must be at most 20, got {bit=}")
    seq_len = checks.integer("seq_len", seq_len, least=2)
    if seq_len > 2**21:
        raise ValueError(f"seq_len must be at most 2**21, got {seq_len=}")
    marked = figure_style.indices("marked", marked, seq_len)

    figure = figure_style.new_figure(3.6)
    grid = figure.add_gridspec(3, 2, width_ratios=[2, 1])
    panels = [figure.add_subplot(cells) for cells in (grid[0, 0], grid[1, 0], grid[2, 0])]
    panels.append(figure.add_subplot(grid[:, 1]))
    bits = np.arange(seq_len) >> bit & 1
    borders = np.arange(seq_len + 1) - 0.5
    steps: dict[str, NDArray[Any]] = {"bit": bits, "square wave": 1 - 2 * bits}
    for order, heights in enumerate(steps.values()):
        panels[order].plot(
            borders, np.append(heights, heights[-1]), color=f"C{order}", drawstyle="steps-post"
        )
    line = borders[0] + np.arange(seq_len * FINE + 1) / FINE
    angles = np.pi / 2.0**bit * (line + 0.5)
    panels[2].plot(line, np.sin(angles), color="C2")
    panels[2].plot(line, np.cos(angles), "--", color="C3")
    panels[3].add_patch(Circle((0, 0), 1, fill=False, color=figure_style.muted()))
    for p, shape in zip(marked, itertools.cycle("osD^")):
        _mark_pair(panels[2], panels[3], p, float(np.pi / 2.0**bit * (p + 0.5)), shape)
    for order, name in enumerate((f"bit {bit}", "square wave", "pair")):
        figure_style.bare(panels[order], ylabel=name)
        panels[order].set_xlim(borders[0], borders[-1])
        figure_style.whole_ticks(panels[order].xaxis)
    panels[2].set_xlabel("position")
    figure_style.bare(panels[3], "sine", "cosine")
    panels[3].set(aspect="equal", xlim=(-1.2, 1.5), ylim=(-1.2, 1.2), xticks=(), yticks=())
    ends = [(line[-1], float(np.sin(angles[-1])), "sin", "C2")]
    ends.append((line[-1], float(np.cos(angles[-1])), "cos", "C3"))
    figure_style.label_ends(panels[2], ends)
    return figure


def _mark_pair(waves: Axes, circle: Axes, p: int, angle: float, shape: str) -> None:
    """Mark a position on its sine and cosine, and on the circle."""
    sine, cosine = float(np.sin(angle)), float(np.cos(angle))
    waves.plot([p, p], [sine, cosine], shape, color="C4")
    circle.plot([0, sine], [0, cosine], color=figure_style.muted())
    circle.plot(sine, cosine, shape, color="C4")
    circle.annotate(f"{p}", (sine, cosine), (6, 4), textcoords="offset points")


def ladders(rungs: Mapping[str, ArrayLike]) -> Figure:
    """Draw the periods of several encodings as marks on one logarithmic scale.

    Args:
        rungs: For each name of an encoding its periods, shape (n,), in positions, above 0.

    Returns:
        A figure of one row of marks for each encoding, the first on top. Equal ratios of
        periods are equal gaps.

    Raises:
        TypeError: `rungs` is not a mapping, or periods are not real numbers.
        ValueError: `rungs` is empty, or periods do not have 1 axis, are none, not finite or
            not above 0.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots, wavelengths
        >>> figure = plots.ladders({"bits": [2, 4, 8, 16], "d = 16": wavelengths(16)})
        >>> [text.get_text() for text in figure.axes[0].get_yticklabels()]
        ['bits', 'd = 16']
    """
    figure_style.mapping("rungs", rungs, "names to periods")
    rows = {
        name: figure_style.filled(f"rungs[{name!r}]", rung, ndim=1) for name, rung in rungs.items()
    }
    for name, periods in rows.items():
        if not (periods > 0).all():
            raise ValueError(f"rungs[{name!r}] must be above 0, got {periods.min():g}")

    figure = figure_style.new_figure(0.9 + 0.5 * len(rows))
    axes = figure.subplots()
    figure_style.bare(axes, "period (positions)", "encoding")
    for row, periods in enumerate(rows.values()):
        heights = np.broadcast_to([[row - HALF], [row + HALF]], (2, len(periods)))
        axes.plot(np.array([periods, periods]), heights, color=f"C{row}", linewidth=1.2)
    axes.set(xscale="log", ylim=(len(rows) - 0.4, -0.6))
    axes.set_yticks(range(len(rows)), list(rows))
    axes.tick_params(left=False)
    axes.spines["left"].set_visible(False)
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(figure_style.plain_power)
    return figure


def clock(rows: ArrayLike, captions: Sequence[str], hands: Sequence[str]) -> Figure:
    """Draw each row of a table as a dial, and each pair of its channels as a hand.

    Args:
        rows: Shape (n, d), dimensionless, d even: sine and cosine of each pair side by
            side, fastest first, such as `posenc.sinusoidal_at` or `posenc.counting.clock_hands`
            give them. Up to six dials fit well.
        captions: n words, one below each dial.
        hands: d/2 names, one for each hand.

    Returns:
        A figure of n dials. The tip of a hand lies in the direction (sine, cosine), so the
        hands run clockwise from the top. The fastest hand is the longest and thinnest.

    Raises:
        TypeError: `rows` does not hold real numbers.
        ValueError: `rows` does not have 2 axes, is empty, not finite or has an odd number of
            channels, a pair is not within 1e-6 of the unit circle, or there are more or fewer
            captions than rows or names than pairs.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots, sinusoidal_at
        >>> figure = plots.clock(sinusoidal_at([0, 5], 4), ["p = 0", "p = 5"], ["fast", "slow"])
        >>> [axes.get_xlabel() for axes in figure.axes]
        ['p = 0', 'p = 5']
    """
    table = figure_style.filled("rows", rows, ndim=2)
    checks.even("rows.shape[1]", table.shape[1])
    captions, hands = list(captions), list(hands)
    pairs = table.reshape(len(table), -1, 2)  # (n, d/2, 2)
    if (len(captions), len(hands)) != pairs.shape[:2]:
        raise ValueError(
            f"captions and hands must number {pairs.shape[:2]}, got {(len(captions), len(hands))}"
        )
    lengths = np.linalg.norm(pairs, axis=2)
    if not (abs(lengths - 1) < 1e-6).all():
        worst = lengths.flat[abs(lengths - 1).argmax()]
        raise ValueError(f"pairs of rows must lie on the unit circle, got length {worst:.6g}")

    figure = figure_style.new_figure(0.95 + figure_style.WIDTH / max(len(pairs), 3), square=True)
    dials = figure.subplots(1, len(pairs), squeeze=False)[0]
    for axes, dial, caption in zip(dials, pairs, captions, strict=True):
        _dial(axes, dial)
        axes.set_xlabel(caption)
    figure.supylabel("cosine", fontsize="medium")
    figure.supxlabel("sine", fontsize="medium")
    figure.legend(
        dials[0].lines, hands, loc="outside upper center", ncols=min(len(hands), 4), frameon=False
    )
    return figure


def _dial(axes: Axes, pairs: NDArray[np.float64]) -> None:
    """Draw a circle and its hands, from the fastest, long and thin, to the slowest."""
    axes.add_patch(Circle((0, 0), 1, fill=False, color=figure_style.muted()))
    sizes: Any = np.linspace((0.95, 1.5), (0.5, 4.5), len(pairs))
    for order, (tip, (length, width)) in enumerate(zip(pairs, sizes, strict=True)):
        x, y = zip((0, 0), length * tip, strict=True)
        axes.plot(
            x,
            y,
            color=f"C{order}",
            linewidth=width,
            solid_capstyle="round",
            zorder=3 - order / len(pairs),  # fast over slow
        )
    axes.set(aspect="equal", xlim=(-1.1, 1.1), ylim=(-1.1, 1.1), xticks=(), yticks=())
    axes.spines[:].set_visible(False)
