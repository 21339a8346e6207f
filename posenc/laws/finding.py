"""Findings of laws, and the tables of the tested function.

Letters in this module
    L  positions in a table (seq_len)    d  channels
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.laws.dropout import refuse_dropout

Encode = Callable[[int], ArrayLike]
Table = NDArray[np.float64]

# Fewer rows than this say little, and an eighth of them would be a single row.
LEAST = 16

# Neighbouring half-precision numbers lie this far apart, relative to their size. Rounding
# a table to half precision moves each row by up to half of it, relative to its length.
HALF = 2.0**-10

# In units of a step. Rounded to half precision, two steps differ in length by up to
# 2·HALF of a row; where a step is a sixteenth of a row or more, that is this part of it.
STEP = 2.0**-5


# What breaks a law in the programs that break it, by name of the law.
CAUSES = {
    "unique": "Positions are rounded before they are used, or all waves come round again.",
    "bounded": "The position itself is an entry, without a function that keeps it small.",
    "even_steps": "Digits carry over, or positions are rounded, so that some steps are longer.",
    "smooth": "Entries jump, as digits do, or a wave rotates by more than half from row to row.",
    "same_at_every_length": "Positions are divided by the length, or the base depends on it.",
    "extends": "The table ends where training ended, or positions are clamped to a largest one.",
    "shift_linear": "Sines lack the cosines of their frequency, or rows were learned or drawn.",
    "dot_by_offset": "Sines lack the cosines of their frequency, or rows differ in length.",
    "equal_offsets": "Queries and keys rotate in opposite directions or layouts, positions are"
    " rounded, or something depends on the query's position.",
    "cached_equals_full": "Positions restart in each call, or something depends on how"
    " many tokens the call has.",
    "sees_position": "Positions are not used, or used only for the query, which softmax does"
    " not see.",
}


class Finding(NamedTuple):
    """The result of a law; `str` gives it in one line.

    Attributes:
        law: Name of the law.
        holds: Whether it holds at the tested positions.
        measured: The number compared with the limit, dimensionless, at least 0, possibly inf.
        limit: The limit of `measured`; whether from above or below depends on the law.
        where: Positions, from 0, at which `measured` was found: those that violate the
            law most, or come closest to it, as documented by each law.
        cause: The most likely cause, in a sentence, or "" where the law holds. It depends
            only on the law; `posenc.identify` looks at the entries.

    Raises:
        TypeError: A field is missing.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc import laws
        >>> print(laws.Finding("unique", False, 1.33e-7, 0.001, (11, 344)))
        unique: no, 1.33e-07 at 11, 344 (limit 0.001)
        >>> laws.Finding("unique", False, 1.33e-7, 0.001, (11, 344)).cause
        'Positions are rounded before they are used, or all waves come round again.'
    """

    law: str
    holds: bool
    measured: float
    limit: float
    where: tuple[int, ...]

    @property
    def cause(self) -> str:
        """Return the likely cause of a violation; empty where the law holds."""
        return "" if self.holds else CAUSES[self.law]

    def __str__(self) -> str:
        verdict = "yes" if self.holds else "no"
        places = ", ".join(str(position) for position in self.where)
        measured, limit = _format_number(self.measured), _format_number(self.limit)
        return f"{self.law}: {verdict}, {measured} at {places} (limit {limit})"


def arguments(encode: object, seq_len: object, limit: object) -> tuple[int, float]:
    """Return the checked `seq_len` and `limit` of a law, and check `encode`."""
    checks.function("encode", encode)
    length = checks.integer("seq_len", seq_len, least=LEAST)
    number = checks.real("limit", limit)
    if not number > 0:
        raise ValueError(f"limit must be above 0, got limit={limit!r}")
    return length, number


def ask(encode: Encode, seq_len: int) -> Table:
    """Return the table that an encoding function returns, if it has the right shape.

    It is a copy, since a function may reuse the memory of its table.
    """
    name = f"encode({seq_len})"
    table = checks.table(name, encode(seq_len))
    if len(table) != seq_len or not table.shape[1]:
        raise ValueError(f"{name} must have the shape ({seq_len}, d), got shape {table.shape}")
    table = table.copy()
    refuse_dropout(name, table, lambda: checks.table(name, encode(seq_len)))
    return table


def ask_all(encode: Encode, lengths: list[int]) -> list[Table]:
    """Return the tables of several lengths, all of the same width."""
    tables = [ask(encode, length) for length in lengths]
    for length, table in zip(lengths, tables, strict=True):
        if table.shape[1] != tables[0].shape[1]:
            first, other = tables[0].shape[1], table.shape[1]
            raise ValueError(
                f"encode must return the same number of channels at every length, "
                f"got {first} at {lengths[0]} and {other} at {length}"
            )
    return tables


def scaled(*tables: Table) -> list[Table]:
    """Return tables, all divided by one power of 2, with entries of 1 at most.

    Then no square overflows, and entries keep their digits.
    """
    exponent = math.frexp(max(largest(table) for table in tables))[1]
    return [np.ldexp(table, -exponent) for table in tables]


def largest(table: Table) -> float:
    """Return the size of the largest entry."""
    return float(abs(table).max())


def ratio(part: float, whole: float) -> float:
    """Return the ratio of two sizes, with 0 / 0 = 0."""
    if not part:
        return 0.0
    return part / whole if whole else math.inf


def _format_number(value: float) -> str:
    """Return value with three digits, or all of those before the point where they are more."""
    return f"{value:.3g}" if value < 999.5 else f"{value:.0f}"
