"""Drawings of stretched rotary embeddings: what becomes of each frequency, and when."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from posenc.analysis.rotations import count_rotations
from posenc.core import checks
from posenc.core.frequencies import inv_freq
from posenc.plots import figure_style

POINTS = 200
STROKES: tuple[Any, ...] = ("-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)))


def stretch(
    frequencies: Mapping[str, ArrayLike], original: float, *, base: float = 10000.0
) -> Figure:
    """Draw new over old frequency of each pair, against its turns within the original length.

    Args:
        frequencies: Names, each with the new frequencies: shape (d/2,), radians per
            position, at least 0, the same d for all, at least 4.
        original: Length L_0 of training, in positions, above 0.
        base: b of the old frequencies, dimensionless, finite, above 1.

    Returns:
        A figure of one line for each name, fast pairs at the left, slow ones at the
        right; a dotted line at one turn. Each name is where its line is farthest
        from the others.

    Raises:
        TypeError: `frequencies` is not a mapping or does not hold real numbers, or
            another argument is not a real number.
        ValueError: `frequencies` is empty, its arrays have different shapes, fewer than
            2 entries or one that is negative or not finite, `original` is not above 0,
            or `base` is not above 1.

    Source:
        Own drawing.

    Examples:
        >>> import numpy as np
        >>> from posenc import inv_freq, plots
        >>> old = inv_freq(64)
        >>> figure = plots.stretch({"all": old / 4, "half": np.append(old[:16], old[16:] / 4)}, 512)
        >>> sorted(text.get_text() for text in figure.axes[0].texts)
        ['all', 'half', 'one turn']
    """
    figure_style.mapping("frequencies", frequencies, "names to frequencies")
    new = {name: figure_style.filled(name, values, ndim=1) for name, values in frequencies.items()}
    pairs = len(next(iter(new.values())))
    for name, values in new.items():
        if len(values) != pairs or pairs < 2:
            raise ValueError(f"{name} must have {max(pairs, 2)} entries, got {len(values)}")
        if (values < 0).any():
            raise ValueError(f"{name} must be at least 0, got {values.min()}")
    if not checks.real("original", original) > 0:
        raise ValueError(f"original must be above 0, got original={original!r}")
    at = count_rotations(original, 2 * pairs, base=base)
    old = inv_freq(2 * pairs, base)

    figure = figure_style.new_figure(4.2)
    axes = figure.subplots()
    figure_style.bare(
        axes, f"turns within {original:,.6g} positions, fast to slow", "new / old frequency"
    )
    axes.set(xscale="log", xlim=(at[0] * 1.3, at[-1] / 1.3), ylim=(-0.04, 1.08))
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(figure_style.plain_power)
    axes.axvline(1, color=figure_style.muted(), linestyle=":")
    axes.annotate("one turn", (1, 1.08), (4, -4), textcoords="offset points", va="top")
    curves = {name: values / old for name, values in new.items()}
    for order, ratio in enumerate(curves.values()):
        axes.plot(at, ratio, linestyle=STROKES[order % len(STROKES)], color=f"C{order}")
    _name_curves(axes, at, curves)
    return figure


def _name_curves(
    axes: Axes, at: NDArray[np.float64], curves: Mapping[str, NDArray[np.float64]]
) -> None:
    """Write the name of each curve where no other is near, above it if it is low there."""
    for order, (name, ratio) in enumerate(curves.items()):
        free = np.ones(len(at))
        for other in (values for key, values in curves.items() if key != name):
            # Near is what is near beside it, too: some curves fall like a stone.
            for shift in range(-4, 5):
                free = np.minimum(free, abs(np.roll(other, shift) - ratio))
        free[:4] = free[-8:] = -1  # words need room on both sides
        place = int(free.argmax())
        low = ratio[place] < 0.3
        steep = abs(np.gradient(ratio)[place]) > 1e-3
        offset = (12, 12) if steep else (0, 10 if low else -10)
        axes.annotate(
            name,
            (float(at[place]), float(ratio[place])),
            offset,
            textcoords="offset points",
            ha="left" if steep else "center",
            va="center",
            arrowprops={"arrowstyle": "-", "color": f"C{order}", "shrinkA": 1, "shrinkB": 0},
        )


def growth(factors: Iterable[float], longest: float) -> Figure:
    """Draw how many times slower dynamic NTK makes the slowest pair, against the length.

    Args:
        factors: s, one or more, dimensionless, each finite and at least 1.
        longest: The longest text drawn, in original lengths L / L_0, above 1.

    Returns:
        A figure of a line for each factor, 1 up to the original length and
        s·L/L_0 - (s - 1) beyond, and a dotted line at L / L_0: what would do to keep
        the slowest pair within the angles it knows.

    Raises:
        TypeError: A factor or `longest` is not a real number.
        ValueError: `factors` is empty, a factor is below 1, `longest` is not above 1,
            or one of them is not finite.

    Source:
        Own drawing of Peng et al. 2023, arXiv:2309.00071, "Dynamic NTK", with the factor
        as transformers has it.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.growth([2, 8], 4)
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['L / L₀', 's = 2', 's = 8']
    """
    if not isinstance(factors, Iterable):
        raise TypeError(f"factors must hold real numbers, got factors={factors!r}")
    found = [checks.real("factors", factor) for factor in factors]
    if not found or min(found) < 1:
        raise ValueError(f"factors must hold one or more numbers of at least 1, got {found}")
    if not checks.real("longest", longest) > 1:
        raise ValueError(f"longest must be above 1, got longest={longest!r}")
    times = np.append(0, np.linspace(1, longest, POINTS))

    figure = figure_style.new_figure(3.6)
    axes = figure.subplots()
    figure_style.bare(axes, "length in original lengths, L / L₀", "slowest pair: times slower")
    needed = np.maximum(times, 1)
    axes.plot(times, needed, color=figure_style.muted(), linestyle=":")
    ends: list[figure_style.End] = [(longest, float(needed[-1]), "L / L₀", figure_style.muted())]
    for order, factor in enumerate(found):
        slower = factor * needed - (factor - 1)
        axes.plot(times, slower, linestyle=STROKES[order % len(STROKES)], color=f"C{order}")
        ends.append((longest, float(slower[-1]), f"s = {factor:g}", f"C{order}"))
    axes.set(xlim=(0, longest), ylim=(0, None))
    figure_style.whole_ticks(axes.xaxis)
    figure_style.label_ends(axes, ends)
    return figure
