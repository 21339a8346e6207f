"""Compare a table with known conventions, or with another table."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from posenc.core import checks
from posenc.judging import arrays, precision, references
from posenc.judging.arrays import Array
from posenc.judging.comparison import Comparison
from posenc.judging.differences import BLOCK_SIZE, Block, compare_blocks
from posenc.judging.explanations import add_rounding, explain_conventions
from posenc.judging.identifying import identify_array
from posenc.judging.identity import Identity
from posenc.judging.tables import grids
from posenc.judging.tables.rearrangements import find_rearrangement
from posenc.judging.tables.sections import explain_sections

Values = NDArray[np.float64]

# Larger tables are not examined as grids.
LARGEST_GRID = 2**22


def compare_with_conventions(given: Array, table: references.Table, asked: str) -> Comparison:
    """Compare a table with sinusoids of known conventions, in the dtype that was asked for."""
    if len(given.shape) != 2:
        raise ValueError(f"thing must be a table (L, d), got shape {given.shape}")
    length, d = given.shape
    checks.even("d", d)
    sample = given.read_rows(arrays.choose_rows(length, d))
    numbers = precision.find_narrowest_dtype(sample, given.dtype)
    dtype = precision.choose_finer(numbers, precision.choose_coarser(asked, given.dtype))
    comparison = compare_blocks(_list_blocks_of_sinusoids(given, table, dtype), dtype)
    if comparison.equal:
        return comparison
    found = identify_array(given, "table")
    explanation = explain_conventions(found, table.get_identity())
    return replace(comparison, explanation=add_rounding(explanation, found, dtype))


def _list_blocks_of_sinusoids(given: Array, table: references.Table, dtype: str) -> Iterator[Block]:
    """Yield the rows of a table with those of the sinusoids and their limits."""
    length, d = given.shape
    angles = precision.get_angle_dtype(dtype)
    step = max(1, BLOCK_SIZE // d)
    for first in range(0, length, step):
        rows = np.arange(first, min(first + step, length))
        wanted, error = table.compute_rows(rows, d, angles)
        limit = precision.bound_entry_error(wanted, error, dtype, angles, table.scale)
        yield Block(given.read_rows(slice(first, first + step)), wanted, limit, rows)


@dataclass(frozen=True)
class Reference:
    """An array that is the reference, with the conventions that were recognised in it."""

    array: Array
    identity: Identity
    table: references.Table | None  # the sinusoids that it holds
    grid: grids.Grid | None  # the grid that it is a table of


def compare_tables(given: Array, wanted: Array) -> Comparison:
    """Compare two tables, or other arrays of one shape, entry by entry."""
    reference = _recognise(wanted)
    comparison = compare_blocks(_list_blocks_of_rows(given, reference), given.dtype)
    if comparison.equal or len(given.shape) != 2:
        return comparison
    return replace(comparison, explanation=_explain(given, reference))


def _recognise(array: Array) -> Reference:
    """Return an array with the sinusoids or the grid that it is a table of."""
    if len(array.shape) != 2:
        return Reference(array, Identity("unknown"), None, None)
    identity = identify_array(array, None)
    table = references.find_table(identity)
    grid = None
    if table is None and array.size <= LARGEST_GRID:
        grid = grids.read_grid(array.read_all(), array.known_dtype)
    return Reference(array, identity, table, grid)


def _list_blocks_of_rows(given: Array, reference: Reference) -> Iterator[Block]:
    """Yield the rows of two arrays, which may each be as far from exact ones as limits say."""
    wanted = reference.array
    step = max(1, BLOCK_SIZE // max(1, int(np.prod(wanted.shape[1:]))))
    for first in range(0, wanted.shape[0], step):
        ours, theirs = (of.read_rows(slice(first, first + step)) for of in (given, wanted))
        rows = np.arange(first, first + len(theirs))
        limit = _bound_errors(reference, theirs, rows, given.known_dtype)
        limit = limit + _bound_errors(reference, theirs, rows, wanted.known_dtype)
        yield Block(ours, theirs, limit, rows)


def _bound_errors(
    reference: Reference, values: Values, rows: NDArray[np.int64], dtype: str
) -> Values:
    """Return how far entries in a dtype may be from exact ones, given those of the reference."""
    if reference.table is not None:
        angles = precision.get_angle_dtype(dtype)
        exact, error = reference.table.compute_rows(rows, values.shape[1], angles)
        return precision.bound_entry_error(exact, error, dtype, angles, reference.table.scale)
    if reference.grid is not None:
        limit = reference.grid.bound_errors(rows, values.shape[1], dtype)
        if limit is not None:
            return limit
    return precision.bound_three_roundings(values, dtype)


def _explain(given: Array, reference: Reference) -> str | None:
    """Return what explains the difference of two tables, in words, or None."""
    wanted = reference.array
    found = identify_array(given, None)
    if found.kind == reference.identity.kind == "sinusoidal":
        return explain_conventions(found, reference.identity)
    both = given.read_all(), wanted.read_all(), given.known_dtype, wanted.known_dtype
    explanation = find_rearrangement(*both)
    if explanation is None and wanted.size <= LARGEST_GRID:
        explanation = grids.explain_difference(*both)
    return explanation or found.cause or explain_sections(*both[:2], given.known_dtype)
