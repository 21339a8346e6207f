"""Exercises of the chapter on positions in two and three dimensions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, code, differs, first, judges

Table = NDArray[np.float64]

# Easy: the neighbours of a patch, by their indices in the list.


# --8<-- [start:grids-easy]
def neighbours(index: int, height: int, width: int) -> list[int]:
    """Return four indices, above, left, right, below; -1 where none is."""
    y, x = divmod(index, width)
    found = []
    for row, column in [(y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x)]:
        inside = 0 <= row < height and 0 <= column < width
        found.append(row * width + column if inside else -1)
    return found
    # --8<-- [end:grids-easy]


# --8<-- [start:grids-easy-wrong]
def around_the_edge(index: int, height: int, width: int) -> list[int]:
    """Take the index before and the index after, whatever row they are in."""
    near = [index - width, index - 1, index + 1, index + width]
    return [r if 0 <= r < height * width else -1 for r in near]
    # --8<-- [end:grids-easy-wrong]


def by_height(index: int, height: int, width: int) -> list[int]:
    """Exchange height and width."""
    return neighbours(index, width, height)


def beyond_the_image(index: int, height: int, width: int) -> list[int]:
    """Stop only at the left and the right edge."""
    left, right = index % width, (index + 1) % width
    return [index - width, index - 1 if left else -1, index + 1 if right else -1, index + width]


def _listed(answer: Answer, height: int, width: int, indices: Any) -> str | None:
    """Look the neighbours up in a list of all cells."""
    cells = [(y, x) for y in range(height) for x in range(width)]
    for index in indices:
        y, x = cells[index]
        near = [(y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x)]
        right = [cells.index(cell) if cell in cells else -1 for cell in near]
        at = f"{height} rows of {width}, index {index}"
        if wrong := differs(answer(index, height, width), right, at=at, axes=("neighbour",)):
            return wrong
    return None


@judges(
    "a row is a width",
    hint="height and width are exchanged, which square images do not show.",
    wrong=by_height,
)
def a_row_on(answer: Answer) -> str | None:
    """Cells inside have the right four neighbours, also where width and height differ."""
    return first((_listed(answer, 3, 5, (6, 7, 8)), _listed(answer, 5, 3, (4, 7, 10))))


@judges(
    "left and right edge",
    hint="the next index was taken for the next column; after a row the next one begins.",
    wrong=around_the_edge,
)
def left_and_right(answer: Answer) -> str | None:
    """Cells at the left and right edge have no neighbour beyond it."""
    return _listed(answer, 4, 4, (4, 7, 8, 11))


@judges(
    "every cell",
    hint="indices above the first row or below the last one were kept.",
    wrong=beyond_the_image,
)
def every_cell(answer: Answer) -> str | None:
    """All cells are right, also in images of one row, one column or one cell."""
    return first(_listed(answer, h, w, range(h * w)) for h, w in [(4, 4), (1, 4), (4, 1), (1, 1)])


# Medium: the patches of another resolution on the field of the trained one.


# --8<-- [start:grids-medium]
def field(shape: Any, trained: Any) -> Table:
    """Return the points of a grid of this shape, shape (rows, columns, 2)."""
    sizes = zip(shape, trained, strict=True)
    axes = [(np.arange(n) + 0.5) / n * m - 0.5 for n, m in sizes]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    # --8<-- [end:grids-medium]


# --8<-- [start:grids-medium-wrong]
def from_the_corner(shape: Any, trained: Any) -> Table:
    """Keep the first patch where it was."""
    axes = [np.arange(n) / n * m for n, m in zip(shape, trained, strict=True)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    # --8<-- [end:grids-medium-wrong]


def of_one_factor(shape: Any, trained: Any) -> Table:
    """Stretch rows and columns by the factor of the rows."""
    return field(shape, [n * trained[0] / shape[0] for n in shape])


def x_first(shape: Any, trained: Any) -> Table:
    """Put the column before the row."""
    return field(shape, trained)[..., ::-1]


@judges("same shape", hint="the axes of the result are in the order column, row.", wrong=x_first)
def same_shape(answer: Answer) -> str | None:
    """An image of the trained shape keeps its cells."""
    found, cells = answer((2, 5), (2, 5)), [[(y, x) for x in range(5)] for y in range(2)]
    return differs(found, cells, at="(2, 5) on (2, 5)", axes=("row", "column", "axis"))


@judges(
    "quarters of a patch",
    hint="the first patch was kept where it was; the edges of the image should stay.",
    wrong=from_the_corner,
)
def quarters(answer: Answer) -> str | None:
    """The four quarters of a patch have its centre as their mean."""
    fine = np.asarray(answer((6, 4), (3, 2)))
    mean = (fine[::2, ::2] + fine[1::2, ::2] + fine[::2, 1::2] + fine[1::2, 1::2]) / 4
    cells = [[(y, x) for x in range(2)] for y in range(3)]
    at = "means of quarters, (6, 4) on (3, 2)"
    return differs(mean, cells, at=at, axes=("row", "column", "axis"))


@judges(
    "each axis",
    hint="both axes were stretched by one factor; an image may change its proportions.",
    wrong=of_one_factor,
)
def each_axis(answer: Answer) -> str | None:
    """Rotated by 180 degrees, the field looks the same, on each axis."""
    found = np.asarray(answer((5, 12), (10, 4)))
    expected = np.broadcast_to([9.0, 3.0], (5, 12, 2))
    at = "opposite points, (5, 12) on (10, 4)"
    return differs(found + found[::-1, ::-1], expected, at=at, axes=("row", "column", "axis"))


# Hard: repair a table whose cells or axes are in the wrong order.


# --8<-- [start:grids-hard]
def repaired(table: Table, height: int, width: int) -> Table:
    """Return the rows of cells in reading order, y first, shape (HW, d)."""
    half = table.shape[1] // 2
    for codes in (table, np.roll(table, half, axis=1)):
        by_rows = codes.reshape(height, width, -1)
        by_columns = codes.reshape(width, height, -1).swapaxes(0, 1)
        for cells in (by_rows, by_columns):
            down, right = np.diff(cells, axis=0), np.diff(cells, axis=1)
            if not down[..., half:].any() and not right[..., :half].any():
                return cells.reshape(table.shape)
    return table
    # --8<-- [end:grids-hard]


def exchanged(table: Table, height: int, width: int) -> Table:
    """Exchange the two blocks, whether they need it or not."""
    return np.roll(table, table.shape[1] // 2, axis=1)


# --8<-- [start:grids-hard-wrong]
def only_blocks(table: Table, height: int, width: int) -> Table:
    """Look for exchanged blocks, and never at the order of the list."""
    half = table.shape[1] // 2
    y_first = (table[0] == table[1])[:half].all()  # a step to the right
    return table if y_first else np.roll(table, half, axis=1)
    # --8<-- [end:grids-hard-wrong]


def only_lists(table: Table, height: int, width: int) -> Table:
    """Look at the order of the list, and never for exchanged blocks."""
    if np.array_equal(repaired(table, height, width), table):
        return table
    return table.reshape(width, height, -1).swapaxes(0, 1).reshape(table.shape)


def one_fault(table: Table, height: int, width: int) -> Table:
    """Look for one fault at a time."""
    right, other = repaired(table, height, width), exchanged(table, height, width)
    return other if np.array_equal(right, other) else only_lists(table, height, width)


def _faulty(answer: Answer, *, by_columns: bool, swapped: bool) -> str | None:
    """Ask to repair tables that are listed by columns, have x first, or both."""
    for height, width in ((3, 4), (5, 2), (4, 4)):
        cells = [(y, x) for y in range(height) for x in range(width)]
        listed = [(y, x) for x in range(width) for y in range(height)] if by_columns else cells
        given = [[*code(x), *code(y)] if swapped else [*code(y), *code(x)] for y, x in listed]
        found = answer(np.array(given), height, width)
        expected = [[*code(y), *code(x)] for y, x in cells]
        at = f"{height} rows of {width}"
        if wrong := differs(found, expected, at=at, axes=("index", "channel")):
            return wrong
    return None


@judges(
    "nothing to repair",
    hint="something is always done; first ask whether the table obeys the law.",
    wrong=exchanged,
)
def in_order(answer: Answer) -> str | None:
    """A table in order stays as it is."""
    return _faulty(answer, by_columns=False, swapped=False)


@judges(
    "x first",
    hint="only the order of the list was looked at; on squares it looks the same.",
    wrong=only_lists,
)
def blocks_exchanged(answer: Answer) -> str | None:
    """Blocks in the wrong order are exchanged."""
    return _faulty(answer, by_columns=False, swapped=True)


@judges(
    "listed by columns",
    hint="only the blocks were looked at, which is enough only for squares.",
    wrong=only_blocks,
)
def listed_by_columns(answer: Answer) -> str | None:
    """Cells that are listed by columns are sorted."""
    return _faulty(answer, by_columns=True, swapped=False)


@judges(
    "both",
    hint="one fault was looked for; here neither repair is enough by itself.",
    wrong=one_fault,
)
def both_faults(answer: Answer) -> str | None:
    """Both faults at once are repaired."""
    return _faulty(answer, by_columns=True, swapped=True)


EXERCISES = (
    Exercise("grids-easy", neighbours, (a_row_on, left_and_right, every_cell)),
    Exercise("grids-medium", field, (same_shape, quarters, each_axis)),
    Exercise(
        "grids-hard",
        repaired,
        (in_order, blocks_exchanged, listed_by_columns, both_faults),
    ),
)
