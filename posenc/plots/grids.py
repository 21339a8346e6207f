"""Drawings of positions on grids: whose channel is whose, and maps over the cells."""

from collections.abc import Iterable, Mapping

from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike

from posenc.core import checks
from posenc.plots import figure_style

# A run of equal cells this wide, in parts of the strip for each letter, holds its name.
LETTER = 0.017


def strips(
    members: Mapping[str, Iterable[str]], *, xlabel: str = "channel", ylabel: str = "layout"
) -> Figure:
    """Draw strips of cells, such as channels, coloured by what each belongs to.

    Args:
        members: For each name of a strip the name of what each of its cells belongs to,
            one or more, from left to right. Equal names have equal colours, in all
            strips; at most six different ones.
        xlabel: What is written below the cells.
        ylabel: What the strips are; written beside their names.

    Returns:
        A figure of one strip below the other, each on its own scale from 0. Neighbours
        of one name are joined, and the name is written on them where it fits. Names that
        fit nowhere, or not in every strip, are explained by a legend.

    Raises:
        TypeError: `members` is not a mapping, or a strip does not hold strings.
        ValueError: There is no strip, a strip is empty, or there are more than six names.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.strips({"MAE": ["sin x"] * 4 + ["cos x"] * 4})
        >>> [text.get_text() for text in figure.axes[0].texts]
        ['sin x', 'cos x']
    """
    figure_style.mapping("members", members, "names to strips")
    cells = {name: _names(f"members[{name!r}]", strip) for name, strip in members.items()}
    kinds = list(dict.fromkeys(kind for strip in cells.values() for kind in strip))
    if len(kinds) > 6:
        raise ValueError(f"members must have at most 6 names in them, got {kinds}")
    colours = {kind: f"C{index}" for index, kind in enumerate(kinds)}

    figure = figure_style.new_figure(0.9 + 0.62 * len(cells))
    axes = figure.subplots()
    widest = max(len(strip) for strip in cells.values())
    unnamed = set()
    for row, strip in enumerate(cells.values()):
        for start, stop, kind in _runs(strip):
            # Faint enough for the ink of the page to be read on it, in either theme.
            axes.add_patch(
                Rectangle(
                    (start - 0.5, row - 0.36),
                    stop - start,
                    0.72,
                    facecolor=to_rgba(colours[kind], 0.45),
                    edgecolor=colours[kind],
                    linewidth=0.8,
                )
            )
            if (stop - start) / widest >= LETTER * (len(kind) + 1):
                axes.text((start + stop - 1) / 2, row, kind, ha="center", va="center")
            else:
                unnamed.add(kind)
    axes.set(xlim=(-0.5, widest - 0.5), ylim=(len(cells) - 0.5, -0.5), xlabel=xlabel)
    axes.set_ylabel(ylabel)
    axes.set_yticks(range(len(cells)), list(cells))
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    figure_style.whole_ticks(axes.xaxis)
    if unnamed:
        shown = [kind for kind in kinds if kind in unnamed]
        keys = [
            Rectangle((0, 0), 1, 1, facecolor=to_rgba(colours[kind], 0.45), edgecolor=colours[kind])
            for kind in shown
        ]
        figure.legend(keys, shown, loc="outside upper right", ncols=len(shown))
    return figure


def token_points(panels: Mapping[str, ArrayLike]) -> Figure:
    """Draw the three numbers t, h and w of each token, as M-RoPE counts them.

    Args:
        panels: For each title an array of shape (L, 3) with L at least 1: t, h and w of L
            tokens, as `posenc.mrope_points` returns them.

    Returns:
        A figure of one panel beside the other, each with a line for t, h and w against
        the token, which stays level over a token and is named in a legend.

    Raises:
        TypeError: `panels` is not a mapping, or an array does not hold real numbers.
        ValueError: `panels` is empty, or an array is empty, not finite or has another shape.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import mrope_points, plots
        >>> figure = plots.token_points({"an image": mrope_points([1, (1, 2, 2), 1])})
        >>> figure.axes[0].lines[2].get_ydata().tolist()
        [0.0, 1.0, 2.0, 1.0, 2.0, 3.0]
    """
    figure_style.mapping("panels", panels, "titles to points")
    drawn = {title: checks.finite(f"panels[{title!r}]", p, ndim=2) for title, p in panels.items()}
    for title, points in drawn.items():
        if points.shape != (len(points), 3) or not len(points):
            raise ValueError(f"panels[{title!r}] must have shape (L, 3), got {points.shape}")
    figure = figure_style.new_figure(3)
    grid = figure.subplots(1, len(drawn), sharey=True, squeeze=False)[0]
    for axes, (title, points) in zip(grid, drawn.items(), strict=True):
        figure_style.bare(axes, "token", "number" if axes is grid[0] else "")
        for axis, (name, style) in enumerate((("t", "-"), ("h", "--"), ("w", ":"))):
            axes.plot(points[:, axis], style, drawstyle="steps-mid", label=name, color=f"C{axis}")
        axes.set_title(title, loc="left", fontsize="medium")
        figure_style.whole_ticks(axes.xaxis)
        figure_style.whole_ticks(axes.yaxis)
    grid[0].legend(frameon=False, loc="upper left")
    return figure


def grid_maps(maps: Mapping[str, ArrayLike], *, label: str = "weight") -> Figure:
    """Draw numbers that are not negative, one for each cell of a grid, side by side.

    Args:
        maps: For each title a map, one to four, shape (H, W), the same for all,
            dimensionless, every entry at least 0.
        label: What is written beside the colour bar.

    Returns:
        A figure of one image for each map, rows downwards, with one colour bar for all,
        from 0 to the largest entry.

    Raises:
        TypeError: `maps` is not a mapping, or a map does not hold real numbers.
        ValueError: There is no map, or more than four; one is empty, not finite, negative
            somewhere or of another shape than the first; or all entries are 0.

    Source:
        Own drawing.

    Examples:
        >>> from posenc import plots
        >>> figure = plots.grid_maps({"a": [[0.5, 0.5]], "b": [[1.0, 0.0]]})
        >>> figure.axes[0].images[0].get_clim()
        (0.0, 1.0)
    """
    figure_style.mapping("maps", maps, "titles to maps")
    if len(maps) > 4:
        raise ValueError(f"maps must be at most 4, got {len(maps)}")
    arrays = {name: figure_style.filled(f"maps[{name!r}]", m, ndim=2) for name, m in maps.items()}
    first = next(iter(arrays.values()))
    for name, array in arrays.items():
        if array.shape != first.shape:
            raise ValueError(
                f"maps[{name!r}] must have shape {first.shape}, got shape {array.shape}"
            )
        if array.min() < 0:
            raise ValueError(f"maps[{name!r}] must be at least 0, got {array.min()} in it")
    limit = max(float(array.max()) for array in arrays.values())
    if not limit:
        raise ValueError("maps must have an entry other than 0")

    tall, wide = first.shape
    width = (figure_style.WIDTH - 1.6) / len(arrays)  # inches for one panel; the rest is for words
    figure = figure_style.new_figure(1.1 + width * min(tall / wide, 1.5), square=True)
    panels = figure.subplots(1, len(arrays), squeeze=False)[0]
    for axes, (name, array) in zip(panels, arrays.items(), strict=True):
        # One pixel a cell, not smoothed: sharp at any zoom.
        image = axes.imshow(array, vmin=0, vmax=limit, cmap="viridis", interpolation="none")
        axes.set_title(name, loc="left", fontsize="medium")
        axes.set(xlabel="column", ylabel="row" if axes is panels[0] else "")
        axes.tick_params(labelleft=axes is panels[0])
        figure_style.whole_ticks(axes.xaxis)
        figure_style.whole_ticks(axes.yaxis)
    ticks = MaxNLocator(5, steps=figure_style.ROUND)
    bar = figure.colorbar(image, ax=panels.tolist(), label=label, ticks=ticks)
    bar.outline.set_visible(False)
    return figure


def _names(name: str, strip: object) -> list[str]:
    """Return strip as a list of one or more strings."""
    if not isinstance(strip, Iterable):
        raise TypeError(f"{name} must hold strings, got {name}={strip!r}")
    kinds = list(strip)
    for kind in kinds:
        if not isinstance(kind, str):
            raise TypeError(f"{name} must hold strings, got {kind!r}")
    if not kinds:
        raise ValueError(f"{name} must not be empty")
    return kinds


def _runs(strip: list[str]) -> list[tuple[int, int, str]]:
    """Return start, stop and name of each stretch of equal neighbours."""
    starts = [i for i, kind in enumerate(strip) if i == 0 or kind != strip[i - 1]]
    return [
        (start, stop, strip[start])
        for start, stop in zip(starts, [*starts[1:], len(strip)], strict=True)
    ]
