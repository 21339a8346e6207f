"""Drawings of waves: the sine and cosine of pairs over position, and their wavelengths."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from posenc.core import checks
from posenc.core.frequencies import EXPONENTS, inv_freq, wavelengths
from posenc.plots import figure_style

# Up to this many points, each gets a dot. A dot on the border is not cut in half.
DOTS = 64
DOT: dict[str, Any] = {"markersize": 4.5, "markeredgewidth": 0, "clip_on": False}


def waves(d_model: int, seq_len: int, pairs: Iterable[int], *, base: float = 10000.0) -> Figure:
    """Draw the sine and cosine of some pairs over position, a panel for each pair.

    Args:
        d_model: Channels d. Even, at least 2.
        seq_len: Number of positions L, at least 2. Up to 64 are marked with dots.
        pairs: Indices i of the pairs, each within 0..d/2-1, from the top panel down.
        base: b, dimensionless, finite, above 1.

    Returns:
        A figure of as many panels as pairs, positions 0 to L-1 below all of them.

    Raises:
        TypeError: `d_model`, `seq_len` or a pair is not an integer, or `base` not a real
            number.
        ValueError: `d_model` is odd or below 2, `seq_len` is below 2, `pairs` is empty or
            has an index out of range, or `base` is not finite or not above 1.

    Source:
        Own drawing of Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.waves(64, 50, [0, 4, 8])
        >>> [axes.get_title(loc="left") for axes in figure.axes][1]
        'pair 4, wavelength 19.9 positions'
    """
    omegas = inv_freq(d_model, base)
    seq_len = checks.integer("seq_len", seq_len, least=2)
    pairs = figure_style.indices("pairs", pairs, len(omegas))

    figure = figure_style.new_figure(0.6 + 1.15 * len(pairs))
    panels = figure.subplots(len(pairs), sharex=True, squeeze=False)[:, 0]
    for axes, pair in zip(panels, pairs, strict=True):
        _wave(axes, float(omegas[pair]), seq_len)
        title = (
            f"pair {pair}, wavelength {figure_style.rounded(2 * math.pi / omegas[pair])} positions"
        )
        axes.set_title(title, loc="left", fontsize="medium")
    panels[-1].set_xlabel("position")
    figure.supylabel("value", fontsize="medium")
    return figure


def _wave(axes: Axes, omega: float, seq_len: int) -> None:
    """Draw one sine and one cosine, continuous, with dots where the positions are."""
    figure_style.bare(axes)
    # Thirty points a turn look smooth, and whole positions are among them.
    fine = max(1, math.ceil(30 * omega / (2 * math.pi)))
    line = np.arange((seq_len - 1) * fine + 1) / fine
    ends = []
    for wave, name, colour in ((np.sin, "sin", "C0"), (np.cos, "cos", "C1")):
        axes.plot(line, wave(omega * line), color=colour)
        if seq_len <= DOTS:
            dots = np.arange(seq_len)
            axes.plot(dots, wave(omega * dots), "o", color=colour, **DOT)
        ends.append((line[-1], float(wave(omega * line[-1])), name, colour))
    axes.set(xlim=(0, seq_len - 1), ylim=(-1.1, 1.1), yticks=(-1, 0, 1))
    figure_style.whole_ticks(axes.xaxis)
    figure_style.label_ends(axes, ends)


def spectrum(d_model: int, *, base: float = 10000.0) -> Figure:
    """Draw the wavelength of every pair, by the paper's formula and by its authors' code.

    Args:
        d_model: Channels d. Even, at least 4. At d = 16 the two forms differ visibly, at
            d = 512 hardly.
        base: b, dimensionless, finite, above 1.

    Returns:
        A figure of two lines on a logarithmic axis, with 2π and 2π·b marked: both lines
        start at 2π, and only `"tensor2tensor"` arrives at 2π·b.

    Raises:
        TypeError: `d_model` is not an integer, or `base` not a real number.
        ValueError: `d_model` is odd or below 4, or `base` is not finite or not above 1.

    Source:
        Own drawing of both exponents of `posenc.wavelengths`.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.spectrum(16)
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['2π', '2π·10,000', 'paper', 'tensor2tensor']
    """
    d_model = checks.even("d_model", checks.integer("d_model", d_model, least=4))
    base = checks.above_one("base", base)
    last = d_model // 2 - 1

    figure = figure_style.new_figure(3.4)
    axes = figure.subplots()
    figure_style.bare(axes, "pair", "wavelength (positions)")
    lowest, highest = 2 * math.pi, 2 * math.pi * base
    for height, text, x in ((lowest, "2π", 0.8), (highest, f"2π·{base:,.12g}", 0.2)):
        axes.axhline(height, color=figure_style.muted(), linestyle=":")
        axes.annotate(
            text,
            (x, height),
            (0, 3),
            xycoords=axes.get_yaxis_transform(),
            textcoords="offset points",
            horizontalalignment="center",
        )
    ends = []
    for exponent, marker, colour in zip(EXPONENTS, "os", ("C0", "C1"), strict=True):
        lengths = wavelengths(d_model, base, exponent=exponent)
        marker = marker if len(lengths) <= DOTS else "none"
        axes.plot(lengths, marker=marker, color=colour, **DOT)
        ends.append((last, float(lengths[-1]), exponent, colour))
    # Room above the upper line for its label.
    axes.set(yscale="log", xlim=(0, last), ylim=(lowest * base**-0.05, highest * base**0.12))
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(figure_style.plain_power)
    figure_style.whole_ticks(axes.xaxis)
    figure_style.label_ends(axes, ends)
    return figure
