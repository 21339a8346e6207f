"""Exercises of the chapter on positions in two and three dimensions."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises._exercise import Answer, Exercise, Property, code, differs, first

Table = NDArray[np.float64]

# Easy: the patches beside a patch, by their places in the list.


def beside(place: int, height: int, width: int) -> list[int]:
    """Go one row or one column on, where there is one."""
    row, column = divmod(place, width)
    steps = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [y * width + x if 0 <= y < height and 0 <= x < width else -1 for y, x in steps]


def around_the_edge(place: int, height: int, width: int) -> list[int]:
    """Take the place before and the place after, whatever row they are in."""
    near = (place - width, place - 1, place + 1, place + width)
    return [r if r in range(height * width) else -1 for r in near]


def by_height(place: int, height: int, width: int) -> list[int]:
    """Exchange height and width."""
    return beside(place, width, height)


def beyond_the_image(place: int, height: int, width: int) -> list[int]:
    """Stop at the left and the right edge alone."""
    left, right = place % width, (place + 1) % width
    return [place - width, place - 1 if left else -1, place + 1 if right else -1, place + width]


def _listed(answer: Answer, height: int, width: int, places: Any) -> str | None:
    """Look the neighbours up in a list of all cells."""
    cells = [(y, x) for y in range(height) for x in range(width)]
    for place in places:
        y, x = cells[place]
        near = [(y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x)]
        right = [cells.index(cell) if cell in cells else -1 for cell in near]
        at = f"{height} rows of {width}, place {place}"
        if wrong := differs(answer(place, height, width), right, at=at, axes=("neighbour",)):
            return wrong
    return None


def a_row_on(answer: Answer) -> str | None:
    """Cells with four neighbours, where width and height differ."""
    return first((_listed(answer, 3, 5, (6, 7, 8)), _listed(answer, 5, 3, (4, 7, 10))))


def left_and_right(answer: Answer) -> str | None:
    """Cells at the left and the right edge."""
    return _listed(answer, 4, 4, (4, 7, 8, 11))


def every_cell(answer: Answer) -> str | None:
    """All cells of a square, and of images of one row, one column and one cell."""
    return first(_listed(answer, h, w, range(h * w)) for h, w in [(4, 4), (1, 4), (4, 1), (1, 1)])


# Medium: the patches of another resolution on the field of the trained one.


def field(shape: Any, trained: Any) -> Table:
    """Let the centre of patch i of n lie at (i + 1/2) / n of the way along each edge."""
    axes = [(np.arange(n) + 0.5) / n * m - 0.5 for n, m in zip(shape, trained, strict=True)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def from_the_corner(shape: Any, trained: Any) -> Table:
    """Keep the first patch where it was."""
    axes = [np.arange(n) / n * m for n, m in zip(shape, trained, strict=True)]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def of_one_factor(shape: Any, trained: Any) -> Table:
    """Stretch rows and columns by the factor of the rows."""
    return field(shape, [n * trained[0] / shape[0] for n in shape])


def x_first(shape: Any, trained: Any) -> Table:
    """Put the column before the row."""
    return field(shape, trained)[..., ::-1]


def same_shape(answer: Answer) -> str | None:
    """An image of the trained shape keeps its cells."""
    found, cells = answer((2, 5), (2, 5)), [[(y, x) for x in range(5)] for y in range(2)]
    return differs(found, cells, at="(2, 5) on (2, 5)", axes=("row", "column", "axis"))


def quarters(answer: Answer) -> str | None:
    """The four quarters of a patch have its centre as their mean."""
    fine = np.asarray(answer((6, 4), (3, 2)))
    mean = (fine[::2, ::2] + fine[1::2, ::2] + fine[::2, 1::2] + fine[1::2, 1::2]) / 4
    cells = [[(y, x) for x in range(2)] for y in range(3)]
    at = "means of quarters, (6, 4) on (3, 2)"
    return differs(mean, cells, at=at, axes=("row", "column", "axis"))


def each_axis(answer: Answer) -> str | None:
    """Turned by a half, the field looks the same, on each axis."""
    found = np.asarray(answer((5, 12), (10, 4)))
    right, at = np.broadcast_to([9.0, 3.0], (5, 12, 2)), "opposite points, (5, 12) on (10, 4)"
    return differs(found + found[::-1, ::-1], right, at=at, axes=("row", "column", "axis"))


# Hard: mend a table whose cells or axes are in the wrong order.


def mended(table: Any, height: int, width: int) -> Table:
    """Try the four arrangements, and keep the one that obeys the law of steps."""
    return _lawful(
        table, height, width, [(False, False), (False, True), (True, False), (True, True)]
    )


def exchanged(table: Any, height: int, width: int) -> Table:
    """Exchange the two blocks, whether they need it or not."""
    return _lawful(table, height, width, [(False, True)])


def blocks_alone(table: Any, height: int, width: int) -> Table:
    """Look for exchanged blocks, and never at the order of the list."""
    return _lawful(table, height, width, [(False, False), (False, True)])


def lists_alone(table: Any, height: int, width: int) -> Table:
    """Look at the order of the list, and never for exchanged blocks."""
    return _lawful(table, height, width, [(False, False), (True, False)])


def one_fault(table: Any, height: int, width: int) -> Table:
    """Look for one fault at a time."""
    return _lawful(table, height, width, [(False, False), (False, True), (True, False)])


def _lawful(table: Any, height: int, width: int, faults: Any) -> Table:
    """Undo the first of these faults after which a step changes the block of its axis alone."""
    half = np.shape(table)[1] // 2
    for by_columns, x_first in faults:
        cells = np.roll(table, half, axis=1) if x_first else np.asarray(table)
        cells = cells.reshape((width, height, -1) if by_columns else (height, width, -1))
        cells = cells.swapaxes(0, 1) if by_columns else cells
        down, right = np.diff(cells, axis=0), np.diff(cells, axis=1)
        if not down[..., half:].any() and not right[..., :half].any():
            break
    return cells.reshape(np.shape(table))


SHAPES = ((3, 4), (5, 2), (4, 4))


def faulty(columns: bool, swapped: bool) -> Callable[[Answer], str | None]:
    """Return the test with tables listed by columns, with x first, or with both."""

    def test(answer: Answer) -> str | None:
        for height, width in SHAPES:
            cells = [(y, x) for y in range(height) for x in range(width)]
            listed = [(y, x) for x in range(width) for y in range(height)] if columns else cells
            given = [[*code(x), *code(y)] if swapped else [*code(y), *code(x)] for y, x in listed]
            found = answer(np.array(given), height, width)
            right, at = [[*code(y), *code(x)] for y, x in cells], f"{height} rows of {width}"
            if wrong := differs(found, right, at=at, axes=("place", "channel")):
                return wrong
        return None

    return test


EXERCISES = (
    Exercise(
        "grids-easy",
        "beside(place, height, width): four places, above, left, right, below; -1 where none is",
        (
            Property(
                "a row is a width",
                a_row_on,
                "height and width are exchanged, which images that are square do not show.",
                by_height,
            ),
            Property(
                "left and right edge",
                left_and_right,
                "one place on was taken for one column on; after a row the next one begins.",
                around_the_edge,
            ),
            Property(
                "every cell",
                every_cell,
                "places above the first row or below the last one were kept.",
                beyond_the_image,
            ),
        ),
        beside,
    ),
    Exercise(
        "grids-medium",
        "field(shape, trained): points of a grid of this shape, shape (rows, columns, 2)",
        (
            Property(
                "same shape",
                same_shape,
                "the axes of the result are in the order column, row.",
                x_first,
            ),
            Property(
                "quarters of a patch",
                quarters,
                "the first patch was kept in its place; what stays is the edge of the image.",
                from_the_corner,
            ),
            Property(
                "each axis",
                each_axis,
                "both axes were stretched by one factor; an image may change its proportions.",
                of_one_factor,
            ),
        ),
        field,
    ),
    Exercise(
        "grids-hard",
        "mended(table, height, width): rows of cells in reading order, y first, shape (HW, d)",
        (
            Property(
                "nothing to mend",
                faulty(False, False),
                "something is always done; first ask whether the table obeys the law.",
                exchanged,
            ),
            Property(
                "x first",
                faulty(False, True),
                "only the order of the list was looked at; on squares it looks the same.",
                lists_alone,
            ),
            Property(
                "listed by columns",
                faulty(True, False),
                "only the blocks were looked at, which is right on squares alone.",
                blocks_alone,
            ),
            Property(
                "both",
                faulty(True, True),
                "one fault was looked for; here neither mending alone obeys the law.",
                one_fault,
            ),
        ),
        mended,
    ),
)
