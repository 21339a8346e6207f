"""Drawings of heads as filters: waves and their sum, a bank of scores, responses by offset."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from posenc.analysis.rotary_scores import score_by_offset
from posenc.core import checks
from posenc.plots import figure_style


def wave_parts(
    amplitudes: ArrayLike, phases: ArrayLike, span: int, *, base: float = 10000.0
) -> Figure:
    """Draw the waves of a rotary score one above the other, and their sum at the bottom.

    Args:
        amplitudes: A, shape (n,), n from 1 to 6, at least 0, at least one above 0.
        phases: φ, shape (n,), radians.
        span: Offsets run from -span to span, in positions; from 1 to 10 000.
        base: b of the n frequencies, finite, above 1.

    Returns:
        A figure of n + 1 panels with one vertical scale: wave i with a dot at its peak
        nearest to offset 0 where that lies in sight, and the sum, with a dot at its
        highest whole offset.

    Raises:
        TypeError: `amplitudes` or `phases` does not hold real numbers, or `span` is no
            integer.
        ValueError: The shapes differ or are not (n,) with n from 1 to 6, all amplitudes are
            0 or one is negative, a number is not finite, `span` is out of its range, or
            `base` is not above 1.

    Source:
        Own drawing of Su et al. 2021, arXiv:2104.09864v5, section 3.4.3.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.wave_parts([1, 1], [0, 0.5], 20)
        >>> [axes.get_ylabel() for axes in figure.axes]
        ['pair 0', 'pair 1', 'score']
    """
    A, phi = (
        checks.finite("amplitudes", amplitudes, ndim=1),
        figure_style.filled("phases", phases, ndim=1),
    )
    span = checks.integer("span", span, least=1)
    if span > 10_000:
        raise ValueError(f"span must be at most 10000, got {span=}")
    if len(A) > 6:
        raise ValueError(f"amplitudes must be at most 6, got shape {A.shape}")
    whole = np.arange(-span, span + 1)
    score = score_by_offset(whole, A, phi, base=base)
    if not A.any():
        raise ValueError("amplitudes must have one above 0")
    fine = np.linspace(-span, span, 1001)
    omegas = base ** (-np.arange(len(A)) / len(A))

    figure = figure_style.new_figure(0.6 + 0.9 * (len(A) + 1))
    panels = figure.subplots(len(A) + 1, sharex=True, sharey=True)
    for i, axes in enumerate(panels[:-1]):
        figure_style.bare(axes, "", f"pair {i}")
        axes.plot(fine, A[i] * np.cos(omegas[i] * fine + phi[i]), color="C0")
        peak = -float((phi[i] + np.pi) % (2 * np.pi) - np.pi) / omegas[i]
        if abs(peak) <= span:
            axes.plot([peak], [A[i]], "o", color="C1", clip_on=False)
    figure_style.bare(panels[-1], "offset (positions)", "score")
    panels[-1].plot(fine, score_by_offset(fine, A, phi, base=base), color="C0", linewidth=2.5)
    best = int(score.argmax())
    panels[-1].plot([whole[best]], [score[best]], "o", color="C1", clip_on=False)
    for axes in panels:
        axes.axhline(0, color=figure_style.muted(), linestyle=":", zorder=0)
        axes.margins(x=0)
    figure_style.whole_ticks(panels[-1].xaxis)
    figure.align_ylabels()
    return figure


def filter_bank(heads: Mapping[str, ArrayLike], first_offset: int) -> Figure:
    """Draw the scores of several heads against the offset, a band for each head.

    Args:
        heads: For each name the scores at consecutive offsets, shape (n,), n at least 2,
            at least one not 0.
        first_offset: The offset of the first score, in positions, within ±2**40.

    Returns:
        A figure of one image with a row for each head, each in units of its own largest
        score, blue below 0 and red above, and a colour bar.

    Raises:
        TypeError: `heads` is not a mapping, a head does not hold real numbers, or
            `first_offset` is not an integer.
        ValueError: There is no head, or one has another shape, is not finite or all 0, or
            `first_offset` is beyond ±2**40.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.filter_bank({"slow": [1, 2, 1], "fast": [-1, 4, -1]}, -1)
        >>> figure.axes[0].images[0].get_array().tolist()
        [[0.5, 1.0, 0.5], [-0.25, 1.0, -0.25]]
    """
    figure_style.mapping("heads", heads, "names to scores")
    first_offset = checks.integer("first_offset", first_offset)
    if abs(first_offset) > 2**40:
        raise ValueError(f"first_offset must lie within ±2**40, got {first_offset=}")
    rows = {
        name: figure_style.filled(f"heads[{name!r}]", row, ndim=1) for name, row in heads.items()
    }
    length = len(next(iter(rows.values())))
    for name, row in rows.items():
        if row.shape != (length,) or length < 2:
            raise ValueError(
                f"heads[{name!r}] must have shape ({max(length, 2)},), got shape {row.shape}"
            )
        if not row.any():
            raise ValueError(f"heads[{name!r}] must have a score that is not 0")

    figure = figure_style.new_figure(max(2.6, 0.9 + 0.34 * len(rows)))  # room for the bar's label
    axes = figure.subplots()
    image = axes.imshow(
        np.array([row / abs(row).max() for row in rows.values()]),
        cmap=figure_style.diverging(),
        vmin=-1,
        vmax=1,
        aspect="auto",
        interpolation="none",
        extent=(first_offset - 0.5, first_offset + length - 0.5, len(rows) - 0.5, -0.5),
    )
    axes.set_yticks(range(len(rows)), list(rows))
    axes.tick_params(axis="y", length=0)
    axes.set(xlabel="offset (positions)", ylabel="head")
    figure_style.whole_ticks(axes.xaxis)
    bar = figure.colorbar(image, ax=axes, label="score / its largest", ticks=[-1, 0, 1])
    bar.outline.set_visible(False)
    return figure


def responses(
    offsets: ArrayLike, curves: Mapping[str, ArrayLike], *, ylabel: str = "score"
) -> Figure:
    """Draw what several heads make of each offset, a line for each head.

    Args:
        offsets: Shape (n,), n at least 2, rising, in positions.
        curves: For each name of a head its scores or weights, shape (n,), finite.
        ylabel: What is written beside the values, with their unit.

    Returns:
        A figure of one line for each head, its name at the end, and a dotted line at 0.

    Raises:
        TypeError: `offsets` or a curve does not hold real numbers, `curves` is not a
            mapping.
        ValueError: `offsets` has fewer than 2 entries or does not rise, `curves` is
            empty, or a curve has another shape or is not finite.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.responses([-1, 0, 1], {"a": [1, 3, 1], "b": [2, -2, 2]})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['a', 'b']
    """
    k = figure_style.filled("offsets", offsets, ndim=1)
    if len(k) < 2 or not (np.diff(k) > 0).all():
        raise ValueError("offsets must be at least 2 and rising")
    figure_style.mapping("curves", curves, "names to values")
    lines = {n: checks.finite(f"curves[{n!r}]", curve, ndim=1) for n, curve in curves.items()}
    for name, line in lines.items():
        if line.shape != k.shape:
            raise ValueError(f"curves[{name!r}] must have shape {k.shape}, got shape {line.shape}")

    figure = figure_style.new_figure(3.6)
    axes = figure.subplots()
    figure_style.bare(axes, "offset (positions)", ylabel)
    for order, line in enumerate(lines.values()):
        axes.plot(k, line, ("-", "--", "-.", ":")[order % 4], color=f"C{order}")
    axes.axhline(0, color=figure_style.muted(), linestyle=":", zorder=0)
    axes.margins(x=0)
    figure_style.whole_ticks(axes.xaxis)
    figure_style.label_ends(
        axes,
        [
            (float(k[-1]), float(line[-1]), name, f"C{order}")
            for order, (name, line) in enumerate(lines.items())
        ],
    )
    return figure
