"""Measure what a function does to vectors, as a matrix for each position.

A rotation is linear, so the unit vectors show all of it: as many calls as channels, each with one
unit vector at all positions, give the matrix of every position.

Letters in this module
    L  positions      d  channels of a head (head_dim)
    M  a matrix for each position that is looked at, (rows, d, d)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc.judging import precision
from posenc.judging.kinds import Setup
from posenc.judging.rotations.calls import Caller
from posenc.laws.dropout import refuse_dropout

Values = NDArray[np.float64]
Positions = NDArray[np.int64]


@dataclass(frozen=True)
class Probe:
    """What a function does to the unit vectors."""

    matrices: Values  # M
    rows: Positions
    dtype: str
    numbers: str
    adds: bool  # whether it changes the zero vector
    follows: bool  # whether its result depends on the positions of the call
    remembers: bool = False  # whether its result depends on the positions of an earlier call


def probe_rotation(caller: Caller, setup: Setup, *, backwards: bool = False) -> Probe:
    """Return what a function `rotate(x, positions)` or `rotate(x)` does to the unit vectors.

    With `backwards` the first vector has the last position.
    """
    length, d = setup.seq_len, setup.head_dim
    positions = np.arange(length)[:: -1 if backwards else 1]
    rows = _choose_rows(length)
    matrices = np.empty((len(rows), d, d))
    for channel in range(d):
        unit = np.zeros((length, d))
        unit[:, channel] = 1
        matrices[:, :, channel] = caller.call(unit, positions)[rows]
    adds = bool(caller.call(np.zeros((length, d)), positions).any())
    follows, remembers = _check_positions(caller, np.ones((length, d)), positions)
    numbers = precision.find_narrowest_dtype(matrices, caller.returned)
    return Probe(matrices, rows, caller.returned, numbers, adds, follows, remembers)


def make_exact_probe(matrices: Values, rows: Positions) -> Probe:
    """Return the probe of a rotation whose matrices are known."""
    return Probe(matrices, rows, "float64", "float64", adds=False, follows=True)


def _choose_rows(length: int) -> Positions:
    """Return some 50 positions to look at: those around powers of two, and some in between."""
    near = 2 ** np.arange(max(1, length.bit_length()))
    spread = np.linspace(0, length - 1, 24)
    rows = np.unique(np.concatenate([near - 1, near, near + 1, spread]))
    rows = rows[rows < length].astype(np.int64)
    return np.union1d(np.arange(min(4, length)), rows)


def _check_positions(caller: Caller, ones: Values, positions: Positions) -> tuple[bool, bool]:
    """Return whether results depend on the positions of the call, and of an earlier call."""
    forwards = caller.call(ones, positions)
    again = caller.call(ones, positions)
    refuse_dropout(caller.name, forwards, lambda: again)
    if not np.array_equal(forwards, again):
        raise ValueError(
            f"{caller.name} must return the same result at each call, got other numbers for the"
            " same vectors and positions"
        )
    if not caller.takes_positions:
        return True, False
    reversed_ = caller.call(ones, positions[::-1])
    if not np.array_equal(forwards, reversed_):
        return True, False
    if len(ones) <= 2:
        return False, False
    # A length that is new to the function, and other positions.
    other = caller.call(ones[1:], positions[1:])
    return False, not np.array_equal(other, forwards[:-1])
