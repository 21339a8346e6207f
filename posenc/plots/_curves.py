"""Drawings of curves: waves, wavelengths, dot products against offset, errors."""

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from posenc import _checks
from posenc.frequencies import EXPONENTS, inv_freq, wavelengths
from posenc.plots import _style

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
    seq_len = _checks.integer("seq_len", seq_len, least=2)
    pairs = _style.indices("pairs", pairs, len(omegas))

    figure = _style.new_figure(0.6 + 1.15 * len(pairs))
    panels = figure.subplots(len(pairs), sharex=True, squeeze=False)[:, 0]
    for axes, pair in zip(panels, pairs, strict=True):
        _wave(axes, float(omegas[pair]), seq_len)
        title = f"pair {pair}, wavelength {_number(2 * math.pi / omegas[pair])} positions"
        axes.set_title(title, loc="left", fontsize="medium")
    panels[-1].set_xlabel("position")
    figure.supylabel("value", fontsize="medium")
    return figure


def _wave(axes: Axes, omega: float, seq_len: int) -> None:
    """Draw one sine and one cosine, continuous, with dots where the positions are."""
    _style.bare(axes)
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
    _style.whole_ticks(axes.xaxis)
    _style.label_ends(axes, ends)


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
    d_model = _checks.even("d_model", _checks.integer("d_model", d_model, least=4))
    base = _checks.above_one("base", base)
    last = d_model // 2 - 1

    figure = _style.new_figure(3.4)
    axes = figure.subplots()
    _style.bare(axes, "pair", "wavelength (positions)")
    lowest, highest = 2 * math.pi, 2 * math.pi * base
    for height, text, x in ((lowest, "2π", 0.8), (highest, f"2π·{base:,.12g}", 0.2)):
        axes.axhline(height, color=_style.muted(), linestyle=":")
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
    axes.yaxis.set_major_formatter(_power)
    _style.whole_ticks(axes.xaxis)
    _style.label_ends(axes, ends)
    return figure


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
    table = _checks.table("pe", pe, least=(1, 1))
    anchors = _style.indices("anchors", anchors, len(table))

    figure = _style.new_figure(3.6)
    axes = figure.subplots()
    _style.bare(axes, "offset (positions)", "dot product")
    widths = np.linspace(1.5 + 2 * (len(anchors) - 1), 1.5, len(anchors))
    norms = {}
    for order, (anchor, width) in enumerate(zip(anchors, widths, strict=True)):
        offsets = np.arange(len(table)) - anchor
        style = ("-", "--", ":")[order % 3]
        axes.plot(offsets, table @ table[anchor], style, linewidth=width, label=f"anchor {anchor}")
        norm = float(table[anchor] @ table[anchor])
        norms[_number(norm)] = norm  # equal up to rounding: one line
    for norm in norms.values():
        axes.axhline(norm, color=_style.muted(), linestyle=":", zorder=0)
    axes.margins(x=0)
    _style.whole_ticks(axes.xaxis)
    right = axes.get_xlim()[1]
    _style.label_ends(
        axes, [(right, norm, f"norm² {text}", _style.muted()) for text, norm in norms.items()]
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
    values = _style.filled("curve", curve, ndim=1)
    if len(values) < 2:
        raise ValueError("curve must have at least 2 entries, got 1")

    figure = _style.new_figure(3.4)
    axes = figure.subplots()
    _style.bare(axes, "offset (positions)", "dot product")
    axes.plot(values, color="C0")
    risen = np.flatnonzero(np.diff(values) > 0) + 1 if rises else np.array([], dtype=int)
    steps = np.array([risen - 1, risen])  # a column for each stroke
    axes.plot(steps, values[steps], color="C1", linewidth=4, solid_capstyle="butt")
    axes.set_xlim(0, len(values) - 1)
    _style.whole_ticks(axes.xaxis)
    if risen.size:
        axes.annotate(
            f"first rise: to offset {risen[0]}",
            (risen[0], values[risen[0]]),
            (0.5, 0.9),  # a curve that falls leaves this corner free
            textcoords="axes fraction",
            horizontalalignment="center",
            arrowprops={"arrowstyle": "->", "color": _style.muted(0.8), "shrinkB": 4},
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
    x = _style.filled("positions", positions, ndim=1)
    if not (x > 0).all() or not (np.diff(x) > 0).all():
        raise ValueError("positions must be above 0 and rising")
    if not isinstance(curves, Mapping):
        raise TypeError(f"curves must map names to errors, got {type(curves).__name__}")
    if not curves:
        raise ValueError("curves must not be empty")

    figure = _style.new_figure(3.6)
    axes = figure.subplots()
    _style.bare(axes, "position", "largest error")
    ends = []
    for order, (name, curve) in enumerate(curves.items()):
        y = _checks.finite(f"curves[{name!r}]", curve, ndim=1)
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
    axes.xaxis.set_major_formatter(_power)
    axes.yaxis.set_major_formatter(_power)
    _style.label_ends(axes, ends)
    return figure


def _number(value: float) -> str:
    """Return value with three digits, or all of those before the point where they are more."""
    return f"{value:.3g}" if abs(value) < 999.5 else f"{value:,.0f}"


def _power(value: float, _: float) -> str:
    """Return a power of ten without a raised exponent, which would be too small to read."""
    if 1e-3 <= value < 1e5:
        return f"{value:,g}"
    digits, exponent = f"{value:.0e}".split("e")
    return f"{digits}e{int(exponent)}"
