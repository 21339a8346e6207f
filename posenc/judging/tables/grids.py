"""Explain differences of grids: tables with half of the channels for each coordinate.

Letters in this module
    h, w  rows and columns of a grid    d  channels
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc.judging import precision, references
from posenc.judging.explanations import explain_conventions
from posenc.judging.identity import Identity
from posenc.judging.tables.identify import identify_rows

Values = NDArray[np.float64]

ROWS, COLUMNS = "rows", "columns"


@dataclass(frozen=True)
class Grid:
    """A grid whose cells are listed row by row: its shape, and what each half counts."""

    height: int
    width: int
    axes: tuple[str, str]
    halves: tuple[Identity, Identity]

    def bound_errors(self, cells: NDArray[np.int64], d: int, dtype: str) -> Values | None:
        """Return how far entries of some cells may be from exact values, if these are known."""
        angles = precision.get_angle_dtype(dtype)
        coordinates = dict(zip((ROWS, COLUMNS), np.divmod(cells, self.width), strict=True))
        limits = []
        for axis, half in zip(self.axes, self.halves, strict=True):
            table = references.find_table(half)
            if table is None:
                return None
            exact, error = table.compute_rows(coordinates[axis], d // 2, angles)
            limits.append(precision.bound_entry_error(exact, error, dtype, angles, half.scale))
        return np.hstack(limits)


def explain_difference(given: Values, wanted: Values, dtype: str, other: str) -> str | None:
    """Return how a table differs from a grid, in words, or None."""
    target = read_grid(wanted, other)
    if target is None:
        return None
    found = read_grid(given, dtype)
    if found is None:
        through = identify_rows(given, np.arange(len(given)), dtype)
        if through.kind == "sinusoidal":
            return "one position for each cell instead of its row and column"
        return None
    return "; ".join(_list_differences(found, target)) or None


def read_grid(table: Values, dtype: str) -> Grid | None:
    """Return the grid that a table is of, or None."""
    cells, d = table.shape
    if d % 4 or not np.isfinite(table).all():
        return None
    for height in range(2, cells // 2 + 1):
        if cells % height:
            continue
        grid = table.reshape(height, cells // height, 2, d // 2)
        first, second = (_find_axis(grid[:, :, half], dtype) for half in (0, 1))
        if first is None or second is None or first == second:
            continue
        halves = (
            _identify_half(grid[:, :, 0], first, dtype),
            _identify_half(grid[:, :, 1], second, dtype),
        )
        if all(half.kind == "sinusoidal" for half in halves):
            return Grid(height, cells // height, (first, second), halves)
    return None


def _find_axis(part: Values, dtype: str) -> str | None:
    """Return which coordinate a half (h, w, d/2) counts, or None if it is not one alone."""
    close = 8 * precision.UNITS.get(dtype, 0.0)
    by_row = bool((abs(part - part[:, :1]) <= close).all())
    by_column = bool((abs(part - part[:1]) <= close).all())
    if by_row == by_column:
        return None
    return ROWS if by_row else COLUMNS


def _identify_half(part: Values, axis: str, dtype: str) -> Identity:
    """Return what a half is along the coordinate that it counts."""
    line = part[:, 0] if axis == ROWS else part[0]
    return identify_rows(line, np.arange(len(line)), dtype)


def _list_differences(found: Grid, target: Grid) -> Iterator[str]:
    """Yield what differs, in words."""
    same = (found.height, found.width) == (target.height, target.width)
    turned = (found.width, found.height) == (target.height, target.width)
    axes = found.axes
    if turned and axes == target.axes[::-1]:
        yield "cells are listed column by column instead of row by row"
        axes = target.axes
    elif not same:
        ours, theirs = (f"{grid.height} x {grid.width}" for grid in (found, target))
        yield f"a grid of {ours} cells instead of {theirs}"
    if axes != target.axes:
        yield f"the first half of the channels counts {axes[0]} instead of {target.axes[0]}"
    explanations = [
        explain_conventions(found.halves[axes.index(axis)], target.halves[half])
        for half, axis in enumerate(target.axes)
    ]
    for axis, words in zip(target.axes, explanations, strict=True):
        if words and explanations[0] == explanations[1]:
            yield words
            return
        if words:
            yield f"in the half that counts {axis}: {words}"
