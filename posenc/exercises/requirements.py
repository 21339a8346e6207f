"""Exercises of the chapter on what a position code must do."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc import laws
from posenc.exercises._exercise import (
    Answer,
    Exercise,
    Property,
    by_law,
    code,
    differs,
    first,
)

Table = NDArray[np.float64]

# Easy: break one law, and no other.


def sinusoids(seq_len: int) -> Table:
    """Break none."""
    return np.array([code(p, 64) for p in range(seq_len)])


def drifting(seq_len: int) -> Table:
    """Count from the end: the last position is -1."""
    return np.array([code(p - seq_len, 64) for p in range(seq_len)])


def fraction(seq_len: int) -> Table:
    """Divide by the length."""
    return np.arange(seq_len)[:, np.newaxis] / seq_len


def other_laws(answer: Answer) -> str | None:
    """Seven laws hold."""
    findings = laws.check(answer)
    return first(by_law(each) for each in findings if each.law != "same_at_every_length")


def drift(answer: Answer) -> str | None:
    """The eighth does not."""
    finding = laws.same_at_every_length(answer)
    if not finding.holds:
        return None
    found, limit = f"{finding.measured:.3g}", f"{finding.limit:.3g}"
    return f"at law {finding.law}: found {found}, expected above {limit}"


# Medium: one small number for each position, without an end.


def folded(seq_len: int) -> Table:
    """Write the binary digits behind the point, in reverse."""
    values = [0.0] * seq_len
    for p in range(seq_len):
        rest, unit = p, 0.5
        while rest:
            values[p] += unit * (rest % 2)
            rest, unit = rest // 2, unit / 2
    return np.array(values)[:, np.newaxis]


def counted(seq_len: int) -> Table:
    """Count."""
    return np.arange(float(seq_len))[:, np.newaxis]


def golden(seq_len: int) -> Table:
    """Take the fraction of multiples of the golden ratio: well spread, but not quite enough."""
    return (np.arange(seq_len) * (math.sqrt(5) - 1) / 2 % 1)[:, np.newaxis]


def within_one(answer: Answer) -> str | None:
    """No entry below 0, none at 1 or above."""
    table = np.asarray(answer(600), dtype=float)
    if said := differs(0 * table, np.zeros((600, 1)), at="600 positions"):
        return said
    fits = (table >= 0) & (table < 1)
    if fits.all():
        return None
    p = int(np.flatnonzero(~fits)[0])
    return f"at position {p}: found {table[p, 0]:.4g}, expected from 0 to below 1"


def one_code(answer: Answer) -> str | None:
    """A position has one code, in sequences of any length."""
    return by_law(laws.same_at_every_length(answer))


def room(answer: Answer) -> str | None:
    """Of 2**m positions no two are nearer than 2**-m: nobody can do better by a factor of two."""
    for m in range(1, 11):
        gaps = np.diff(np.sort(np.asarray(answer(2**m), dtype=float).ravel()))
        if not gaps.min() >= 2.0**-m:
            return (
                f"at {2**m} rows, the two nearest: "
                f"found {gaps.min():.4f} apart, expected at least {2.0**-m:.4f}"
            )
    return None


# Hard: does one matrix move each row to the next?


def moves_linearly(table: Any) -> bool:
    """Fit every other step, and ask whether the matrix is right for the rest."""
    rows = np.asarray(table, dtype=float)
    here, there = rows[:-1], rows[1:]
    matrix = np.linalg.lstsq(here[::2], there[::2], rcond=None)[0]
    return bool(abs(here[1::2] @ matrix - there[1::2]).max() < 1e-6 * abs(rows).max())


def equal_steps(table: Any) -> bool:
    """Ask for equal steps."""
    steps = np.diff(table, axis=0)
    return bool(abs(steps - steps[0]).max() < 1e-9)


def with_constant(table: Any) -> bool:
    """Let the fit add a constant."""
    return moves_linearly(np.column_stack([table, np.ones(len(table))]))


def as_fitted(table: Any) -> bool:
    """Judge the fit by the rows that it was made from."""
    rows = np.asarray(table, dtype=float)
    matrix = np.linalg.lstsq(rows[:-1], rows[1:], rcond=None)[0]
    return bool(abs(rows[:-1] @ matrix - rows[1:]).max() < 1e-6 * abs(rows).max())


def turning(answer: Answer) -> str | None:
    """A pair turns, and powers of two grow: both by a matrix."""
    pair = np.array([code(p, 2) for p in range(100)])
    powers = 2.0 ** np.arange(20)[:, np.newaxis]
    return first(
        (
            differs(answer(sinusoids(200)[:, :16]), True, at="200 rows of 8 pairs"),
            differs(answer(pair), True, at="100 rows of one pair"),
            differs(answer(powers), True, at="1, 2, 4, 8, …"),
        )
    )


def no_constant(answer: Answer) -> str | None:
    """A matrix takes 0 to 0, not to 1."""
    return first(
        (
            differs(answer(counted(100)), False, at="0, 1, 2, …"),
            differs(answer(np.sin(counted(100))), False, at="one sine"),
        )
    )


def too_few_rows(answer: Answer) -> str | None:
    """Random rows have nothing to do with each other."""
    rows = np.random.default_rng(0).normal(size=(20, 32))
    return differs(answer(rows), False, at="20 random rows of 32 channels")


EXERCISES = (
    Exercise(
        "requirements-easy",
        "drifting(seq_len): a table that breaks the law same_at_every_length and no other",
        (
            Property(
                "other laws",
                other_laws,
                "the position was divided by the length, which mends one law and breaks others.",
                fraction,
            ),
            Property(
                "drift",
                drift,
                "the row of a position does not depend on seq_len.",
                sinusoids,
            ),
        ),
        drifting,
    ),
    Exercise(
        "requirements-medium",
        "folded(seq_len): one number from 0 to below 1 for each position, shape (seq_len, 1)",
        (
            Property(
                "from 0 to 1",
                within_one,
                "positions were counted, and a counter has no largest number.",
                counted,
            ),
            Property(
                "one code",
                one_code,
                "the divisor is the length, so a position moves when the text grows.",
                fraction,
            ),
            Property(
                "room",
                room,
                "the numbers are spread well, but some two come nearer than they must.",
                golden,
            ),
        ),
        folded,
    ),
    Exercise(
        "requirements-hard",
        "moves_linearly(table): whether one matrix is seen to move each row to the next, a bool",
        (
            Property(
                "matrix",
                turning,
                "equal steps were asked for; a matrix may take steps of other directions.",
                equal_steps,
            ),
            Property(
                "no constant",
                no_constant,
                "the fit has a constant in it; a matrix takes 0 to 0.",
                with_constant,
            ),
            Property(
                "rows that were not fitted",
                too_few_rows,
                "the fit was judged by its own rows, which many channels fit whatever they are.",
                as_fitted,
            ),
        ),
        moves_linearly,
    ),
)
