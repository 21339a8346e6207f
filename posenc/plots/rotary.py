"""Drawings of rotary embeddings: rotated pairs, which channels pair up, and what decays."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Arc, FancyArrowPatch, Rectangle
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.frequencies import inv_freq
from posenc.core.layouts import LAYOUTS, pair_channels, rotary_channels
from posenc.plots import figure_style
from posenc.rotary.rotation import rotary_cos_sin

Floats = NDArray[np.float64]


def rotated_pair(
    query: ArrayLike, key: ArrayLike, places: Iterable[Iterable[int]], *, frequency: float
) -> Figure:
    """Draw one pair of channels of a query and a key, rotated by their positions.

    Args:
        query: The two numbers of the pair, not both 0.
        key: The same of the key.
        places: For each panel the position of the query and that of the key.
        frequency: ω of the pair, radians per position.

    Returns:
        A figure of one panel for each of the places: both vectors as arrows from the
        centre, as they were (faint) and rotated, and below them their dot product.

    Raises:
        TypeError: `query` or `key` does not hold real numbers, a position is not an
            integer, or `frequency` is not a real number.
        ValueError: `query` or `key` does not hold two finite numbers or only zeros,
            `places` is empty or one of them does not hold two positions, or `frequency` is
            not finite or below 0.

    Source:
        Own drawing of Su et al. 2021, arXiv:2104.09864v5, figure 1.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.rotated_pair([1, 0], [0, 1], [(0, 1), (5, 6)], frequency=0.5)
        >>> [axes.get_title() for axes in figure.axes]
        ['p = 0, q = 1', 'p = 5, q = 6']
    """
    pairs = {"query": _pair("query", query), "key": _pair("key", key)}
    omega = checks.at_least_zero("frequency", frequency)
    panels = [[checks.integer("places", place) for place in pair] for pair in places]
    if not panels:
        raise ValueError("places must not be empty")
    for panel in panels:
        if len(panel) != 2:
            raise ValueError(f"places must hold two positions each, got {panel}")

    figure = figure_style.new_figure(3, square=True)
    reach = 1.5 * max(abs(complex(*pair)) for pair in pairs.values())
    for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        _bare_square(axes, reach)
        axes.set_title(f"p = {panel[0]}, q = {panel[1]}")
        ends = []
        for order, ((name, pair), place) in enumerate(zip(pairs.items(), panel, strict=True)):
            end = _rotate(pair, place, omega)
            _arrow(axes, pair, figure_style.muted(0.35))
            _arrow(axes, end, f"C{order}")
            # Beyond the tip; but a word is wide, so above or below it where the arrow lies flat.
            flat = 2 * abs(end[1]) < abs(end[0])
            x, y = (end[0], end[1] + math.copysign(0.2 * reach, end[1])) if flat else 1.3 * end
            axes.text(x, y, name, ha="center", va="center")
            ends.append(end)
        product = f"{float(ends[0] @ ends[1]):.2f}".replace("-", "−")
        axes.set_xlabel(f"first number\ndot product {product}")
    figure.supylabel("second number", fontsize="medium")
    return figure


def rotated_pairs(
    query: ArrayLike, key: ArrayLike, p: int, q: int, *, base: float = 10000.0
) -> Figure:
    """Draw every pair of channels of a query and a key, rotated by their positions.

    Args:
        query: The numbers of the query, shape (d,), d even, no pair all 0; pairs are the
            channels 2i and 2i + 1.
        key: The same of the key, of the same width.
        p: Position of the query.
        q: Position of the key.
        base: b, dimensionless, finite, above 1.

    Returns:
        A figure of one panel for each pair: both vectors as arrows from the centre, as they
        were (faint) and rotated, with the frequency of the pair below them.

    Raises:
        TypeError: `query` or `key` does not hold real numbers, or a position is not an integer.
        ValueError: `query` or `key` is not finite, has an odd number of channels or another
            number than the other, or a pair is 0 and 0, or `base` is not finite or not above 1.

    Source:
        Own drawing of Su et al. 2021, arXiv:2104.09864v5, figure 1.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.rotated_pairs([1, 0, 1, 0], [0, 1, 0, 1], 2, 5, base=100)
        >>> [axes.get_title() for axes in figure.axes]
        ['pair 0', 'pair 1']
    """
    vectors = [checks.finite(name, x, ndim=1) for name, x in (("query", query), ("key", key))]
    d = len(vectors[0])
    if d % 2 or not d:
        raise ValueError(f"query must have an even number of channels, at least 2, got {d}")
    if len(vectors[1]) != d:
        raise ValueError(f"key must have the {d} channels of query, got {len(vectors[1])}")
    positions = [checks.integer(name, at) for name, at in (("p", p), ("q", q))]
    pairs = [
        [_pair(name, x[2 * i : 2 * i + 2]) for i in range(d // 2)]
        for name, x in zip(("query", "key"), vectors, strict=True)
    ]
    rates = inv_freq(d, base)

    figure = figure_style.new_figure(2.9, square=True)
    panels = figure.subplots(1, d // 2, squeeze=False)[0]
    for i, axes in enumerate(panels):
        reach = 1.15 * max(abs(complex(*one[i])) for one in pairs)
        _bare_square(axes, reach)
        axes.set_title(f"pair {i}")
        for order, (one, at) in enumerate(zip(pairs, positions, strict=True)):
            _arrow(axes, one[i], figure_style.muted(0.35))
            _arrow(axes, _rotate(one[i], at, rates[i]), f"C{order}")
        axes.set_xlabel(f"ω = {rates[i]:.3g}")
    figure.supxlabel("first number of the pair", fontsize="medium")
    figure.supylabel("second number", fontsize="medium")
    handles = [
        Line2D([], [], color=f"C{order}", label=name) for order, name in enumerate(("query", "key"))
    ]
    figure.legend(handles=handles, loc="outside upper right", ncols=2, frameon=False)
    return figure


def pair_layouts(head_dim: int, *, rotary_dim: int | None = None) -> Figure:
    """Draw which channels of a head are rotated as a pair, in both layouts.

    Args:
        head_dim: Channels of a head, at least 2.
        rotary_dim: Channels that are rotated, even, from 2 to head_dim. None: all.

    Returns:
        A figure of two rows of numbered cells, one for each layout, in which an arc joins
        the two channels of each pair; unrotated channels have only their numbers.

    Raises:
        TypeError: An argument is not an integer.
        ValueError: `head_dim` is below 2, or `rotary_dim`, or `head_dim` in its place, is
            odd or out of range.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.pair_layouts(8)
        >>> [axes.get_ylabel() for axes in figure.axes]
        ['interleaved', 'half']
    """
    head_dim = checks.integer("head_dim", head_dim, least=2)
    r = rotary_channels(rotary_dim, head_dim)
    channels = np.arange(r)

    figure = figure_style.new_figure(3.6)
    panels = figure.subplots(2, height_ratios=(1, 1.6))
    for axes, layout in zip(panels, LAYOUTS, strict=True):
        first, second = (channels[part].tolist() for part in pair_channels(r, layout))
        height = 0.55 * (second[0] - first[0]) + 0.35
        axes.set(xlim=(-0.6, head_dim - 0.4), ylim=(-0.55, height + 0.5))
        axes.spines[:].set_visible(False)
        axes.set(xticks=[], yticks=[], ylabel=layout)
        for i, (a, b) in enumerate(zip(first, second, strict=True)):
            style: dict[str, Any] = {"edgecolor": f"C{i % 4}", "linestyle": ("-", "--")[i // 4 % 2]}
            axes.add_patch(Arc(((a + b) / 2, 0.5), b - a, 2 * height - 0.7, theta2=180, **style))
            for channel in (a, b):
                axes.add_patch(Rectangle((channel - 0.42, -0.45), 0.84, 0.9, fill=False, **style))
        for channel in range(head_dim):
            axes.text(channel, 0, f"{channel}", ha="center", va="center")
    panels[-1].set_xlabel("channel")
    return figure


def rotary_decay(
    head_dim: int,
    max_offset: int,
    *,
    base: float = 10000.0,
    draws: int = 200,
    rng: np.random.Generator | None = None,
) -> Figure:
    """Draw what falls with the offset of a query and a key, and what does not.

    Args:
        head_dim: Channels of a head, all rotated. Even, at least 2.
        max_offset: Largest offset, at least 2.
        base: b, dimensionless, finite, above 1.
        draws: Random queries and keys, at least 2.
        rng: A `numpy.random.Generator`; None for a new one with fresh entropy.

    Returns:
        A figure of two panels over the offset. Above, relative to offset 0: the upper bound
        of the paper, and the score where query and key are equal in all channels. Below, in
        units of √head_dim: one score of independent normal vectors, and the root of the
        mean square of all draws.

    Raises:
        TypeError: A number is not an integer, or `base` or `rng` has the wrong type.
        ValueError: `head_dim` is odd or below 2, `max_offset` or `draws` is below 2, or
            `base` is not finite or not above 1.

    Source:
        Own drawing of Su et al. 2021, arXiv:2104.09864v5, section 3.4.3.

    Examples:
        >>> import numpy as np
        >>> from posenc import plots
        >>> figure = plots.rotary_decay(8, 50, rng=np.random.default_rng(0))
        >>> sorted(text.get_text() for text in figure.axes[0].texts)
        ['equal vectors', 'upper bound']
    """
    head_dim = checks.even("head_dim", head_dim)
    max_offset = checks.integer("max_offset", max_offset, least=2)
    draws = checks.integer("draws", draws, least=2)
    rng = checks.generator("rng", rng)
    cos, sin = rotary_cos_sin(np.arange(max_offset + 1), head_dim, base=base)
    waves = cos + 1j * sin  # (offsets, pairs): e^{iω_i k}
    bound = abs(np.cumsum(waves, axis=1)).sum(axis=1)  # |S_1(k)| + |S_2(k)| + …
    equal = cos.sum(axis=1)
    x, y = rng.normal(size=(2, draws, head_dim))
    products = (x[:, 0::2] - 1j * x[:, 1::2]) * (y[:, 0::2] + 1j * y[:, 1::2])
    scores = (products @ waves.T).real / math.sqrt(head_dim)  # (draws, offsets)
    spread = np.sqrt((scores**2).mean(axis=0))

    figure = figure_style.new_figure(5)
    above, below = figure.subplots(2, sharex=True)
    figure_style.bare(above, "", "relative to offset 0")
    figure_style.bare(below, "offset", "score / √head_dim")
    for axes, curves in [
        (above, {"upper bound": bound / bound[0], "equal vectors": equal / equal[0]}),
        (below, {"one score": scores[0], "root mean\nsquare": spread}),
    ]:
        axes.axhline(0, color=figure_style.muted(0.4), linewidth=0.8)
        axes.margins(x=0)
        for order, curve in enumerate(curves.values()):
            axes.plot(curve, color=f"C{order}", linewidth=1)
        figure_style.label_ends(
            axes,
            [
                (float(max_offset), float(curve[-1]), name, f"C{order}")
                for order, (name, curve) in enumerate(curves.items())
            ],
        )
    figure_style.whole_ticks(below.xaxis)
    return figure


def _pair(name: str, value: ArrayLike) -> Floats:
    """Return the two numbers of a pair."""
    pair = checks.finite(name, value, ndim=1)
    if pair.shape != (2,) or not pair.any():
        raise ValueError(f"{name} must hold two numbers, not both 0, got {pair.tolist()}")
    return pair


def _rotate(pair: Floats, position: int, frequency: float) -> Floats:
    """Return a pair, rotated counter-clockwise by its position."""
    cos, sin = (table[0] for table in rotary_cos_sin(position, 2, inv_freq=[frequency]))
    return np.array([pair[0] * cos - pair[1] * sin, pair[0] * sin + pair[1] * cos])


def _bare_square(axes: Axes, reach: float) -> None:
    """Give axes a square range around 0 and two lines through it, without a frame."""
    axes.set(aspect="equal", xlim=(-reach, reach), ylim=(-reach, reach), xticks=[], yticks=[])
    axes.axhline(0, color=figure_style.muted(0.3), linewidth=0.8)
    axes.axvline(0, color=figure_style.muted(0.3), linewidth=0.8)
    axes.spines[:].set_visible(False)


def _arrow(axes: Axes, end: Floats, colour: Any) -> None:
    """Draw an arrow from the centre."""
    style: dict[str, Any] = {"arrowstyle": "-|>", "shrinkA": 0, "shrinkB": 0, "mutation_scale": 12}
    arrow = FancyArrowPatch((0, 0), (end[0], end[1]), color=colour, linewidth=1.8, **style)
    axes.add_patch(arrow)
