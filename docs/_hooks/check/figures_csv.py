"""The numbers of a figure as CSV, read from the Matplotlib figure itself.

The table has a row for each point: the panel, the kind of mark, the series, and x, y and value.
A guide has one coordinate. The value of a bar is its length, that of a pixel or a coloured point
is the number that its colour represents, and that of a circle is its radius.
"""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

HEAD = ("panel", "kind", "series", "x", "y", "value")
DIGITS = ".10g"  # further digits may differ between machines
DENSE_KINDS, DENSE_LENGTH = ("line", "pixel"), 30
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
MAX_DISTANCE = 0.5  # in pixels, between a line and the arrow of its label

Row = tuple[object, ...]


def write_csv(figure: Any) -> str:
    """Return the numbers of a Matplotlib figure as CSV."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(HEAD)
    panels = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
    for number, axes in enumerate(panels, start=1):
        titles = (axes.get_title(loc) for loc in ("center", "left", "right"))
        panel = " ".join(next(filter(None, titles), "").split()) or number
        for kind, series, *numbers in _list_rows(axes):
            writer.writerow([panel, kind, series, *map(_format_number, numbers)])
    return file.getvalue()


def list_quotable_numbers(data: str) -> Iterator[str]:
    """Yield the numbers of such a table that a caption may quote.

    A long curve or an image contains almost any number in its range, so only its ends and extremes
    count.
    """
    series = defaultdict[tuple[str, ...], list[dict[str, str]]](list)
    for row in csv.DictReader(io.StringIO(data)):
        series[row["kind"], row["panel"], row["series"]].append(row)
    for (kind, panel, label), rows in series.items():
        yield from NUMBER.findall(f"{panel} {label}")
        for name in ("x", "y", "value"):
            numbers = [row[name] for row in rows if row[name]]
            if kind in DENSE_KINDS and len(numbers) >= DENSE_LENGTH:
                numbers = [
                    numbers[0],
                    numbers[-1],
                    min(numbers, key=float),
                    max(numbers, key=float),
                ]
            yield from numbers


def _format_number(number: Any) -> str:
    """Return a number as text, or "" for a missing or infinite one."""
    if number is None or number is np.ma.masked or not np.isfinite(number):
        return ""
    return format(float(number) + 0.0, DIGITS)


def _list_rows(axes: Any) -> Iterator[Row]:
    from matplotlib.collections import LineCollection, PathCollection, PolyCollection
    from matplotlib.container import BarContainer

    bars = [c for c in axes.containers if isinstance(c, BarContainer)]
    in_bars = {id(patch) for container in bars for patch in container}
    for count, line in enumerate(axes.lines, start=1):
        yield from _list_line_points(axes, line, _name_line(axes, line) or f"line {count}")
    for count, image in enumerate(axes.images, start=1):
        yield from _list_pixels(image, _get_label(image) or f"image {count}")
    for count, container in enumerate(bars, start=1):
        yield from _list_bars(axes, container, _get_label(container) or f"bars {count}")
    for count, marks in enumerate(axes.collections, start=1):
        name = _get_label(marks)
        if isinstance(marks, PathCollection):
            yield from _list_points(marks, name or f"points {count}")
        elif isinstance(marks, LineCollection):
            yield from _list_path_points(
                "segment", marks.get_segments(), name or f"segments {count}"
            )
        elif isinstance(marks, PolyCollection):
            shapes = (path.vertices for path in marks.get_paths())
            yield from _list_path_points("area", shapes, name or f"area {count}")
    patches = [patch for patch in axes.patches if id(patch) not in in_bars]
    for count, patch in enumerate(patches, start=1):
        yield from _list_patch_points(patch, _get_label(patch) or f"shape {count}")


def _list_line_points(axes: Any, line: Any, name: str) -> Iterator[Row]:
    """Yield the points of a line, or the coordinate of a guide across the panel."""
    along_x, along_y = line.get_transform().contains_branch_seperately(axes.transData)
    points = np.ma.array(line.get_xydata())
    if along_x and along_y:
        yield from (("line", name, x, y, None) for x, y in points)
    elif along_x or along_y:
        guides = {(x if along_x else None, y if along_y else None): None for x, y in points}
        yield from (("guide", name, x, y, None) for x, y in guides)


def _list_pixels(image: Any, name: str) -> Iterator[Row]:
    """Yield the centre and value of each pixel; an RGB image has no values."""
    values = np.ma.asarray(image.get_array())
    if values.ndim != 2:
        return
    rows, columns = values.shape
    left, right, bottom, top = image.get_extent()
    if image.origin == "upper":
        bottom, top = top, bottom
    for r in range(rows):
        y = bottom + (top - bottom) * (r + 0.5) / rows
        for c in range(columns):
            yield "pixel", name, left + (right - left) * (c + 0.5) / columns, y, values[r, c]


def _list_bars(axes: Any, container: Any, name: str) -> Iterator[Row]:
    """Yield the end and length of each bar, and as its series its tick label, if that is a word."""
    upright = container.orientation != "horizontal"
    axis = axes.xaxis if upright else axes.yaxis
    locations = axis.get_majorticklocs()
    labels = axis.get_major_formatter().format_ticks(locations)
    ticks = dict(zip(locations, labels, strict=True))
    for bar in container:
        (x, y), width, height = bar.get_xy(), bar.get_width(), bar.get_height()
        centre = x + width / 2 if upright else y + height / 2
        tick = ticks.get(centre, "")
        series = tick if tick and not _is_number(tick) else name
        if upright:
            yield "bar", series, centre, y + height, height
        else:
            yield "bar", series, x + width, centre, width


def _list_points(marks: Any, name: str) -> Iterator[Row]:
    values = marks.get_array()
    for number, (x, y) in enumerate(np.ma.array(marks.get_offsets())):
        yield "point", name, x, y, None if values is None else values[number]


def _list_path_points(kind: str, paths: Iterable[Any], name: str) -> Iterator[Row]:
    for number, path in enumerate(paths, start=1):
        yield from ((kind, f"{name}.{number}", x, y, None) for x, y in np.asarray(path)[:, :2])


def _list_patch_points(patch: Any, name: str) -> Iterator[Row]:
    """Yield the centre and radius of a circle, the ends of an arrow, the corners of others."""
    from matplotlib.patches import Circle, FancyArrowPatch, Polygon, Rectangle

    if isinstance(patch, Circle):
        yield "circle", name, *patch.center, patch.radius
    elif isinstance(patch, Rectangle):
        yield from (("rectangle", name, x, y, None) for x, y in patch.get_corners()[::2])
    elif isinstance(patch, Polygon):
        yield from (("polygon", name, x, y, None) for x, y in patch.get_xy())
    elif isinstance(patch, FancyArrowPatch) and patch._posA_posB is not None:  # type: ignore[attr-defined]
        yield from (("arrow", name, x, y, None) for x, y in patch._posA_posB)  # type: ignore[attr-defined]


def _get_label(artist: Any) -> str:
    """Return the label that a legend would show, or ""."""
    label = str(artist.get_label())
    return "" if label.startswith("_") else label


def _name_line(axes: Any, line: Any) -> str:
    """Return the name of a line: in a legend, or of a label whose arrow has its colour."""
    from matplotlib.colors import same_color

    if label := _get_label(line):
        return label
    frames = {"data": axes.transData, "axes fraction": axes.transAxes}
    points = line.get_transform().transform(line.get_xydata())
    for text in axes.texts:
        arrow = getattr(text, "arrow_patch", None)
        frame = frames.get(str(text.xycoords)) if arrow else None
        if arrow and frame and same_color(arrow.get_edgecolor(), line.get_color()):
            gaps = np.hypot(*(points - frame.transform(text.xy)).T)
            if np.nanmin(gaps, initial=np.inf) < MAX_DISTANCE:
                return " ".join(text.get_text().split())
    return ""


def _is_number(text: str) -> bool:
    return text.replace("−", "").replace(",", "").replace(".", "").isdigit()
