"""Bugs of sinusoids: operator precedence, the cosine's exponent, angles in half precision."""

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
    pairs,
)

Table = NDArray[np.float64]

# Operator precedence in the exponent.


def frequencies(d_model: int, base: float = 10000) -> Table:
    """Return one frequency for each pair, by logarithms."""
    return np.asarray(np.exp(np.arange(d_model // 2) * (-math.log(base) / (d_model // 2))))


def from_the_left(d_model: int, base: float = 10000) -> Table:
    """Divide by d, and then round the quotient of it and 2."""
    return np.asarray(np.exp(np.arange(d_model // 2) * (-math.log(base) / d_model // 2)))


def to_a_fixed_end(d_model: int, base: float = 10000) -> Table:
    """Space frequencies from 1 to the last one of eight channels."""
    return np.geomspace(1, 1e-3, d_model // 2)


def eight_channels(answer: Answer) -> str | None:
    """Each frequency is a tenth of the one before."""
    return differs(answer(8), [1, 0.1, 0.01, 0.001], at="d_model=8", axes=("pair",))


def other_widths(answer: Answer) -> str | None:
    """Other widths, another base."""
    cases = [(64, 10000.0), (6, 10000.0), (8, 500.0)]
    return first(
        differs(answer(d, b), pairs(d, b), at=f"d_model={d}, base={b:.0f}", axes=("pair",))
        for d, b in cases
    )


PRECEDENCE = Exercise(
    "bug-precedence",
    "inv_freq(d_model, base=10000): the frequencies of the pairs, base**(-2i/d), shape (d/2,)",
    (
        Property(
            "eight channels",
            eight_channels,
            "/ and // have one rank and are worked off from the left, so the factor of the"
            " exponent is a whole number.",
            from_the_left,
        ),
        Property(
            "other widths",
            other_widths,
            "the frequencies of one width were fitted; the lowest one depends on width and base.",
            to_a_fixed_end,
        ),
    ),
    frequencies,
)

# The cosine with an exponent of its own.


def table(seq_len: int, d_model: int) -> Table:
    """Return the codes of the first positions."""
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


def circles(answer: Answer) -> str | None:
    """The squares of a sine and a cosine of one angle add up to 1."""
    squares = np.asarray(answer(30, 16)) ** 2
    return differs(
        squares[:, ::2] + squares[:, 1::2],
        np.ones((30, 8)),
        at="sum of two squares",
        axes=("position", "pair"),
    )


def of_the_paper(answer: Answer) -> str | None:
    """The frequencies are those of the paper."""
    expected = [code(p, 8) for p in range(5)]
    return differs(answer(5, 8), expected, at="d_model=8", axes=("position", "channel"))


COSINE = Exercise(
    "bug-cosine",
    "encode(seq_len, d_model): sinusoids of the paper, interleaved, shape (L, d)",
    (
        Property(
            "one angle for each pair",
            circles,
            "the cosine has a frequency of its own, between that of its sine and the next.",
            one_each,
        ),
        Property(
            "frequencies of the paper",
            of_the_paper,
            "the channel c is 2i already, and was doubled in the exponent once more.",
            doubled_twice,
        ),
    ),
    table,
)

# Angles in half precision.


def rounded_last(positions: Any, d_model: int, dtype: Any) -> NDArray[Any]:
    """Compute in float64, and round what is finished."""
    rows = [code(float(p), d_model) for p in positions]
    return np.array(rows).astype(dtype)


def _waves(positions: NDArray[Any], omega: NDArray[Any], dtype: Any) -> NDArray[Any]:
    angles = positions[:, None] * omega
    rows = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(positions), -1)
    return rows.astype(dtype)


def rounded_first(positions: Any, d_model: int, dtype: Any) -> NDArray[Any]:
    """Convert positions and frequencies, as a model does that is cast as a whole."""
    return _waves(np.asarray(positions, dtype), pairs(d_model).astype(dtype), dtype)


def rounded_frequencies(positions: Any, d_model: int, dtype: Any) -> NDArray[Any]:
    """Keep positions, and leave the frequencies as they were cast."""
    omega = pairs(d_model).astype(dtype).astype(float)
    return _waves(np.asarray(positions, float), omega, dtype)


def never_rounded(positions: Any, d_model: int, dtype: Any) -> NDArray[Any]:
    """Forget the type."""
    return rounded_last(positions, d_model, float)


def far_neighbours(answer: Answer) -> str | None:
    """Whole numbers above 2048 have neighbours in float16."""

    def encode(seq_len: int) -> Any:
        return answer(np.arange(seq_len), 16, np.float16)

    return by_law(laws.unique(encode, 2060))


def far_angles(answer: Answer) -> str | None:
    """Rounding an entry of at most 1 moves it by 2**-12 at most."""
    return first(
        differs(
            answer([p], 32, np.float16)[0],
            code(p, 32),
            at=f"position {p}",
            axes=("channel",),
            within=2.0**-12,
        )
        for p in (1857, 30000)
    )


def asked_type(answer: Answer) -> str | None:
    """As many bytes as were asked for."""
    sizes = [answer([1], 8, dtype).dtype.itemsize for dtype in (np.float16, np.float32)]
    return differs(sizes, [2, 4], at="bytes of an entry", axes=("case",))


PRECISION = Exercise(
    "bug-precision",
    "encode(positions, d_model, dtype): sinusoids of the paper, interleaved, rounded to dtype",
    (
        Property(
            "neighbours far out",
            far_neighbours,
            "positions were rounded before use: float16 has no odd numbers above 2048,"
            " bfloat16 none above 256, so neighbours share a row.",
            rounded_first,
        ),
        Property(
            "angles far out",
            far_angles,
            "the frequencies were rounded: their error is multiplied by the position.",
            rounded_frequencies,
        ),
        Property(
            "type that was asked for",
            asked_type,
            "the table was left in float64; compute there, and round at the end.",
            never_rounded,
        ),
    ),
    rounded_last,
)
