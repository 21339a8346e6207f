"""The error of each entry, for the map on the page *Judge a function*."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc
from posenc.judging import kinds
from posenc.judging.biases.compare import expect_buckets
from posenc.judging.biases.identify import HIDDEN
from posenc.judging.references import T5, Alibi, Reference, Rotation, Table
from posenc.judging.rotations.calls import Caller

SHOWN = 64  # positions
SHOWN_OF_T5 = 160  # its buckets go up to a distance of 128
Values = NDArray[np.float64]


def find_errors(thing: Any, known: Reference, width: int, seq_len: int) -> Values | None:
    """Return given less expected numbers, position × channel, or None for frequencies.

    A rotation gets random vectors. Of a bias it is the head that is furthest off, query × key.
    """
    if isinstance(known, Table):
        given = np.asarray(thing(seq_len) if callable(thing) else thing, dtype=np.float64)
        given = given.reshape(given.shape[-2:])[:SHOWN]
        return given - known.compute_rows(np.arange(len(given)), given.shape[1], "float64")[0]
    if isinstance(known, Rotation):
        return _find_rotation_errors(thing, known, width) if callable(thing) else None
    return _find_bias_errors(thing, known)


def _find_rotation_errors(function: Any, known: Rotation, width: int) -> Values:
    rows = np.arange(SHOWN)
    x = np.random.default_rng(0).normal(size=(SHOWN, width)).astype(np.float32)
    setup = kinds.check_setup(SHOWN, width, "float32")
    given = Caller("the function", function, setup).call(x.astype(np.float64), rows)
    matrices, _ = known.compute_matrices(rows, width, "float64")
    return np.asarray(given - np.einsum("pij,pj->pi", matrices, x.astype(np.float64)))


def _find_bias_errors(thing: Any, known: Alibi | T5) -> Values | None:
    shown = SHOWN_OF_T5 if isinstance(known, T5) else SHOWN
    given = np.asarray(thing(shown) if callable(thing) else thing, dtype=np.float64)
    given = given.reshape(-1, *given.shape[-2:])[:, :shown, :shown]
    if given.shape[1] != given.shape[2]:
        return None
    if isinstance(known, T5):
        offsets = np.arange(given.shape[2]) - np.arange(given.shape[1])[:, np.newaxis]
        parts = [expect_buckets(head, offsets, known) for head in given]
        expected = np.array([np.where(hidden, -np.inf, wanted) for wanted, _, hidden in parts])
    else:
        form: Any = known.form
        expected = posenc.alibi_bias(len(given), given.shape[1], form=form)
    low = (given <= HIDDEN) & (expected == -np.inf)
    with np.errstate(invalid="ignore"):
        error = np.where((given == expected) | low, 0.0, given - expected)
    error = np.nan_to_num(error)  # infinities become the largest numbers
    worst: Values = error[abs(error).max(axis=(1, 2)).argmax()]
    return worst
