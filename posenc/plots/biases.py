"""Drawings of biases: slopes of the heads, penalties as maps, what is left far away, buckets."""

from collections.abc import Iterable, Mapping

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from posenc.biases.t5 import relative_position_bucket
from posenc.core import checks
from posenc.plots import figure_style


def slopes(lists: Mapping[str, ArrayLike]) -> Figure:
    """Draw the slopes of the heads of several models, on a logarithmic axis.

    Args:
        lists: For each name the slopes of its heads in their order, shape (H,), logits
            per position, each above 0; one or more heads.

    Returns:
        A figure of one line for each name over the number of the head, its name at the
        end, with a mark for each head.

    Raises:
        TypeError: `lists` is not a mapping, or slopes are not real numbers.
        ValueError: There is no list, one does not have 1 axis or is empty, or a slope is
            not finite or not above 0.

    Source:
        Own drawing of Press et al. 2021, arXiv:2108.12409v2, section 3.

    Examples:
        >>> from posenc import alibi_slopes, plots
        >>> figure = plots.slopes({"8 heads": alibi_slopes(8), "12": alibi_slopes(12)})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['8 heads', '12']
    """
    figure_style.mapping("lists", lists, "names to slopes")
    arrays = {name: figure_style.filled(f"lists[{name!r}]", m, ndim=1) for name, m in lists.items()}
    for name, m in arrays.items():
        if not m.min() > 0:
            raise ValueError(f"lists[{name!r}] must be above 0, got {m.min()}")

    figure = figure_style.new_figure(3.4)
    axes = figure.subplots()
    figure_style.bare(axes, "head", "slope (logits per position)")
    axes.set_yscale("log", base=2)
    ends: list[figure_style.End] = []
    for order, (name, m) in enumerate(arrays.items()):
        line, mark = ("-", "--", "-.", ":")[order % 4], "os^D"[order % 4]
        axes.plot(m, line + mark, color=f"C{order}", markersize=5)
        ends.append((len(m) - 1, float(m[-1]), name, f"C{order}"))
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(lambda m, _: f"1/{1 / m:,.4g}" if m < 1 else f"{m:,.4g}")
    figure_style.whole_ticks(axes.xaxis)
    figure_style.label_ends(axes, ends)
    return figure


def bias_maps(biases: Mapping[str, ArrayLike], *, label: str = "bias (logits)") -> Figure:
    """Draw what is added to the scores, queries by keys, side by side on one scale.

    Args:
        biases: For each title a table, shape (L_q, L_k), logits, real or -inf; one to
            four, in each something finite.
        label: What is written beside the colour bar.

    Returns:
        A figure of one image for each table and one colour bar. Cells of -inf, where a
        query may not look, are left empty.

    Raises:
        TypeError: `biases` is not a mapping, or a table does not hold real numbers.
        ValueError: There is no table or are more than four, or one does not have 2 axes,
            holds NaN or +inf, or nothing finite.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import alibi_bias, plots
        >>> figure = plots.bias_maps({"causal": alibi_bias(8, 6)[0]})
        >>> figure.axes[0].images[0].get_clim()
        (-2.5, 0.0)
    """
    figure_style.mapping("biases", biases, "titles to tables")
    if len(biases) > 4:
        raise ValueError(f"biases must hold at most 4 tables, got {len(biases)}")
    tables = {name: checks.logits(f"biases[{name!r}]", table) for name, table in biases.items()}
    for name, table in tables.items():
        if table.ndim != 2:
            raise ValueError(f"biases[{name!r}] must have 2 axes, got shape {table.shape}")
        if not np.isfinite(table).any():
            raise ValueError(f"biases[{name!r}] must hold a finite number")
    finite = np.concatenate([table[np.isfinite(table)] for table in tables.values()])
    colours = colormaps["viridis"].with_extremes(bad="none")

    figure = figure_style.new_figure(1.0 + 4.6 / max(len(tables), 2), square=True)
    panels = figure.subplots(1, len(tables), squeeze=False)[0]
    for axes, (name, table) in zip(panels, tables.items(), strict=True):
        image = axes.imshow(
            np.ma.masked_invalid(table),
            cmap=colours,
            vmin=finite.min(),
            vmax=finite.max(),
            interpolation="none",
        )
        axes.set_title(name, loc="left", fontsize="medium")
        axes.set(xlabel="key", ylabel="query" if axes is panels[0] else "")
        figure_style.whole_ticks(axes.xaxis)
        figure_style.whole_ticks(axes.yaxis)
    ticks = MaxNLocator(5, steps=figure_style.ROUND)
    bar = figure.colorbar(image, ax=panels.tolist(), label=label, ticks=ticks, shrink=0.8)
    bar.outline.set_visible(False)
    return figure


def windows(slopes: Iterable[float], max_distance: int) -> Figure:
    """Draw which share of the weight lies far away, if all contents score the same.

    Args:
        slopes: Slopes m, logits per position, one or more, each above 0.
        max_distance: Largest distance drawn, in positions, at least 2.

    Returns:
        A figure of one line for each slope over the distance n, which is logarithmic:
        exp(-m n), the share of all keys at distance n or more, in a past without end.
        The distance 1/m is marked on each line and written beside it.

    Raises:
        TypeError: `max_distance` is not an integer, or a slope not a real number.
        ValueError: `max_distance` is below 2, there is no slope, or one is not finite or
            not above 0.

    Source:
        Own drawing of Press et al. 2021, arXiv:2108.12409v2, section 3.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.windows([1 / 2, 1 / 64], 1000)
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['2', '64']
    """
    if not isinstance(slopes, Iterable):
        raise TypeError(f"slopes must hold real numbers, got slopes={slopes!r}")
    rates = [checks.real("slopes", m) for m in slopes]
    if not rates:
        raise ValueError("slopes must not be empty")
    for m in rates:
        if not m > 0:
            raise ValueError(f"slopes must be above 0, got {m}")
    max_distance = checks.integer("max_distance", max_distance, least=2)

    figure = figure_style.new_figure(3.4)
    axes = figure.subplots()
    figure_style.bare(axes, "distance n", "share of the weight at n or more")
    n = np.geomspace(1, max_distance, 200)
    for order, m in enumerate(rates):
        line = ("-", "--", "-.", ":")[order % 4]
        axes.plot(n, np.exp(-m * n), line, color=f"C{order}")
        axes.plot([1 / m], [np.exp(-1)], "o", color=f"C{order}", markersize=6)
        axes.annotate(f"{1 / m:,.4g}", (1 / m, np.exp(-1)), (7, 3), textcoords="offset points")
    axes.set_xscale("log")
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(figure_style.plain_power)
    axes.set(xlim=(1, max_distance), ylim=(0, 1))
    return figure


def bucket_steps(max_offset: int, *, num_buckets: int = 32, max_distance: int = 128) -> Figure:
    """Draw the bucket of each offset, for both directions and for causal attention.

    Args:
        max_offset: Offsets from -max_offset to max_offset are drawn, at least 1.
        num_buckets: As in `relative_position_bucket`; even, at least 4.
        max_distance: In positions, as in `relative_position_bucket`.

    Returns:
        A figure of two lines of steps over the offset, key minus query, and dotted lines
        at ±max_distance.

    Raises:
        TypeError: An argument is not an integer.
        ValueError: `max_offset` is below 1, or another argument is refused as in
            `relative_position_bucket`.

    Source:
        Own drawing of Raffel et al. 2019, arXiv:1910.10683v4, section 2.1.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.bucket_steps(200)
        >>> sorted(text.get_text() for text in figure.axes[0].texts)
        ['both directions', 'causal']
    """
    max_offset = checks.integer("max_offset", max_offset, least=1)
    k = np.arange(-max_offset, max_offset + 1)
    lines = {
        name: relative_position_bucket(
            k, bidirectional=both, num_buckets=num_buckets, max_distance=max_distance
        )
        for name, both in (("both directions", True), ("causal", False))
    }

    figure = figure_style.new_figure(3.6)
    axes = figure.subplots()
    figure_style.bare(axes, "offset (key minus query)", "bucket")
    for order, bucket in enumerate(lines.values()):
        axes.step(k, bucket, ("-", "--")[order], where="mid", color=f"C{order}")
    for side in (-1, 1):
        if max_distance <= max_offset:
            axes.axvline(side * max_distance, color=figure_style.muted(), linestyle=":", zorder=0)
    axes.margins(x=0)
    figure_style.whole_ticks(axes.xaxis)
    figure_style.whole_ticks(axes.yaxis)
    ends: list[figure_style.End] = [
        (max_offset, float(bucket[-1]), name, f"C{order}")
        for order, (name, bucket) in enumerate(lines.items())
    ]
    figure_style.label_ends(axes, ends)
    return figure
