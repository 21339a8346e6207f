"""Exercises of the chapter on what a positional encoding must do."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc
from posenc import laws
from posenc.exercises.exercise import (
    Answer,
    Exercise,
    by_law,
    code,
    differs,
    first,
    judges,
)

Table = NDArray[np.float64]

# Easy: break one law, and no other.


def sinusoids(seq_len: int) -> Table:
    """Break none."""
    return np.array([code(p, 64) for p in range(seq_len)])


# --8<-- [start:requirements-easy]
def drifting(seq_len: int) -> Table:
    """Return a table that breaks the law same_at_every_length and no other."""
    return posenc.sinusoidal_positional_encoding(seq_len, 64, start=-seq_len)
    # --8<-- [end:requirements-easy]


def fraction(seq_len: int) -> Table:
    """Divide by the length."""
    return np.arange(seq_len)[:, np.newaxis] / seq_len


@judges(
    "other laws",
    hint="the position was divided by the length, which repairs one law and breaks others.",
    wrong=fraction,
)
def other_laws(answer: Answer) -> str | None:
    """The seven other laws hold."""
    findings = laws.check(answer)
    return first(by_law(each) for each in findings if each.law != "same_at_every_length")


@judges("drift", hint="the row of a position does not depend on seq_len.", wrong=sinusoids)
def drift(answer: Answer) -> str | None:
    """The law same_at_every_length does not hold."""
    finding = laws.same_at_every_length(answer)
    if not finding.holds:
        return None
    found, limit = f"{finding.measured:.3g}", f"{finding.limit:.3g}"
    return f"at law {finding.law}: found {found}, expected above {limit}"


# Medium: one small number for each position, without an end.


# --8<-- [start:requirements-medium]
def folded(seq_len: int) -> Table:
    """Return one number from 0 to below 1 for each position, shape (seq_len, 1)."""
    numbers = [0.0]
    while len(numbers) < seq_len:
        half = 0.5 / len(numbers)
        numbers += [number + half for number in numbers]
    return np.array(numbers[:seq_len])[:, np.newaxis]
    # --8<-- [end:requirements-medium]


def counted(seq_len: int) -> Table:
    """Count."""
    return np.arange(float(seq_len))[:, np.newaxis]


# --8<-- [start:requirements-medium-wrong]
def golden(seq_len: int) -> Table:
    """Take the fraction of multiples of the golden ratio, which spreads well."""
    return (np.arange(seq_len) * (math.sqrt(5) - 1) / 2 % 1)[:, np.newaxis]
    # --8<-- [end:requirements-medium-wrong]


@judges(
    "from 0 to 1",
    hint="positions were counted, and a counter has no largest number.",
    wrong=counted,
)
def within_one(answer: Answer) -> str | None:
    """All entries are from 0 to below 1."""
    table = np.asarray(answer(600), dtype=float)
    if said := differs(0 * table, np.zeros((600, 1)), at="600 positions"):
        return said
    fits = (table >= 0) & (table < 1)
    if fits.all():
        return None
    p = int(np.flatnonzero(~fits)[0])
    return f"at position {p}: found {table[p, 0]:.4g}, expected from 0 to below 1"


@judges(
    "one code",
    hint="the divisor is the length, so a position moves when the sequence grows.",
    wrong=fraction,
)
def one_code(answer: Answer) -> str | None:
    """A position has one code, in sequences of any length."""
    return by_law(laws.same_at_every_length(answer))


@judges(
    "room",
    hint="the numbers are spread well, but some two are closer than they need be.",
    wrong=golden,
)
def room(answer: Answer) -> str | None:
    """Of 2**m positions no two are closer than 2**-m; no encoding is twice as good."""
    for m in range(1, 11):
        gaps = np.diff(np.sort(np.asarray(answer(2**m), dtype=float).ravel()))
        if not gaps.min() >= 2.0**-m:
            return (
                f"at {2**m} rows, the two nearest: "
                f"found {gaps.min():.4f} apart, expected at least {2.0**-m:.4f}"
            )
    return None


# Hard: does one matrix move each row to the next?


# --8<-- [start:requirements-hard]
def moves_linearly(table: Table) -> bool:
    """Return whether one matrix is seen to move each row to the next, a bool."""
    here, there = table[:-1], table[1:]
    matrix = np.linalg.lstsq(here[::2], there[::2], rcond=None)[0]
    error = abs(here[1::2] @ matrix - there[1::2]).max()
    return bool(error < 1e-6 * abs(table).max())
    # --8<-- [end:requirements-hard]


def equal_steps(table: Any) -> bool:
    """Test for equal steps."""
    steps = np.diff(table, axis=0)
    return bool(abs(steps - steps[0]).max() < 1e-9)


def with_constant(table: Any) -> bool:
    """Let the fit add a constant."""
    return moves_linearly(np.column_stack([table, np.ones(len(table))]))


# --8<-- [start:requirements-hard-wrong]
def as_fitted(table: Table) -> bool:
    """Test the fit on the rows that it was made from."""
    here, there = table[:-1], table[1:]
    matrix = np.linalg.lstsq(here, there, rcond=None)[0]
    return bool(abs(here @ matrix - there).max() < 1e-6 * abs(table).max())
    # --8<-- [end:requirements-hard-wrong]


@judges(
    "matrix",
    hint="equal steps were tested for; a matrix may take steps in other directions.",
    wrong=equal_steps,
)
def turning(answer: Answer) -> str | None:
    """A pair rotates, and powers of two grow: both by a matrix."""
    pair = np.array([code(p, 2) for p in range(100)])
    powers = 2.0 ** np.arange(20)[:, np.newaxis]
    cases = {
        "200 rows of 8 pairs": sinusoids(200)[:, :16],
        "100 rows of one pair": pair,
        "1, 2, 4, 8, …": powers,
    }
    return first(differs(answer(table), True, at=name) for name, table in cases.items())


@judges(
    "no constant",
    hint="the fit has a constant in it; a matrix takes 0 to 0.",
    wrong=with_constant,
)
def no_constant(answer: Answer) -> str | None:
    """A matrix takes 0 to 0, not to 1."""
    cases = {"0, 1, 2, …": counted(100), "one sine": np.sin(counted(100))}
    return first(differs(answer(table), False, at=name) for name, table in cases.items())


@judges(
    "rows that were not fitted",
    hint="the fit was tested on its own rows, and with many channels any rows fit.",
    wrong=as_fitted,
)
def too_few_rows(answer: Answer) -> str | None:
    """Random rows have nothing to do with each other."""
    rows = np.random.default_rng(0).normal(size=(20, 32))
    return differs(answer(rows), False, at="20 random rows of 32 channels")


EXERCISES = (
    Exercise("requirements-easy", drifting, (other_laws, drift)),
    Exercise("requirements-medium", folded, (within_one, one_code, room)),
    Exercise(
        "requirements-hard",
        moves_linearly,
        (turning, no_constant, too_few_rows),
        forbids="posenc.laws.shift_linear",
    ),
)
