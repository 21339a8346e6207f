"""Bugs of sinusoids: operator precedence, the cosine's exponent."""

import math

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import (
    Answer,
    Exercise,
    code,
    differs,
    first,
    judges,
    pairs,
)

Table = NDArray[np.float64]

# Operator precedence in the exponent.


def inv_freq(d_model: int, base: float = 10000) -> Table:
    """Return the frequencies of the pairs, base**(-2i/d), shape (d/2,)."""
    return np.asarray(np.exp(np.arange(d_model // 2) * (-math.log(base) / (d_model // 2))))


def from_the_left(d_model: int, base: float = 10000) -> Table:
    """Divide by d, and then round the quotient of it and 2."""
    return np.asarray(np.exp(np.arange(d_model // 2) * (-math.log(base) / d_model // 2)))


def to_a_fixed_end(d_model: int, base: float = 10000) -> Table:
    """Space frequencies from 1 to the last one of eight channels."""
    return np.geomspace(1, 1e-3, d_model // 2)


@judges(
    "eight channels",
    hint="/ and // have one rank and are worked off from the left, so the factor of the"
    " exponent is a whole number.",
    wrong=from_the_left,
)
def eight_channels(answer: Answer) -> str | None:
    """Each frequency is a tenth of the one before."""
    return differs(answer(8), [1, 0.1, 0.01, 0.001], at="d_model=8", axes=("pair",))


@judges(
    "other widths",
    hint="the frequencies of one width were fitted; the lowest one depends on width and base.",
    wrong=to_a_fixed_end,
)
def other_widths(answer: Answer) -> str | None:
    """Other widths, another base."""
    cases = [(64, 10000.0), (6, 10000.0), (8, 500.0)]
    return first(
        differs(answer(d, b), pairs(d, b), at=f"d_model={d}, base={b:.0f}", axes=("pair",))
        for d, b in cases
    )


PRECEDENCE = Exercise("bug-frequencies", inv_freq, (eight_channels, other_widths))

# The cosine with an exponent of its own.


def encode(seq_len: int, d_model: int) -> Table:
    """Return sinusoids of the paper, interleaved, shape (L, d)."""
    return np.array([code(p, d_model) for p in range(seq_len)])


def one_each(seq_len: int, d_model: int) -> Table:
    """Give each channel an exponent, so that no cosine has that of its sine."""
    p, c = np.arange(seq_len)[:, None], np.arange(d_model)
    angles = p * 10000.0 ** (-c / d_model)
    return np.where(c % 2, np.cos(angles), np.sin(angles))


def doubled_twice(seq_len: int, d_model: int) -> Table:
    """Count channels by two, and double them in the exponent once more."""
    p, c = np.arange(seq_len)[:, None], np.arange(d_model)
    angles = p * 10000.0 ** (-2 * (c - c % 2) / d_model)
    return np.where(c % 2, np.cos(angles), np.sin(angles))


@judges(
    "one angle for each pair",
    hint="the cosine has a frequency of its own, between that of its sine and the next.",
    wrong=one_each,
)
def circles(answer: Answer) -> str | None:
    """The squares of a sine and a cosine of one angle add up to 1."""
    squares = np.asarray(answer(30, 16)) ** 2
    return differs(
        squares[:, ::2] + squares[:, 1::2],
        np.ones((30, 8)),
        at="sum of two squares",
        axes=("position", "pair"),
    )


@judges(
    "frequencies of the paper",
    hint="the channel c is 2i already, and was doubled in the exponent once more.",
    wrong=doubled_twice,
)
def of_the_paper(answer: Answer) -> str | None:
    """The frequencies are those of the paper."""
    return first(
        differs(
            answer(5, d),
            [code(p, d) for p in range(5)],
            at=f"d_model={d}",
            axes=("position", "channel"),
        )
        for d in (8, 64)
    )


COSINE = Exercise("bug-table", encode, (circles, of_the_paper))
