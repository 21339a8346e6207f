"""Counting: the bits of a position, square waves with the same values, and clock hands.

Letters in this module
    L  positions (seq_len)    p  a position    j  number of a bit, 0..n-1, the fastest is 0
    n  bits (n_bits)          t  a time        ω  angular frequency, radians per position
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.memory import check_memory
from posenc.core.underflow import ignore_underflow

# At positions below 2**50, rounding moves the angle of a wave by less than a fifth of a step,
# so that no sign of a sine half a step away from zero is lost.
MOST_BITS = 50

# Seconds of a full rotation of each hand: second, minute and hour hand.
HAND_PERIODS = np.array([60.0, 3600.0, 43200.0])
HAND_PERIODS.flags.writeable = False

__all__ = ["binary_encoding", "bit_frequencies", "clock_hands", "square_waves"]


def binary_encoding(
    seq_len: int, n_bits: int, *, start: int = 0, msb_first: bool = False
) -> NDArray[np.float64]:
    """Return the binary digits of consecutive positions, one row each.

    Args:
        seq_len: Number of positions L, at least 0.
        n_bits: Digits n of a row, from 1 to 50.
        start: Position of the first row, at least 0; start + L at most 2**n_bits.
        msb_first: False puts bit j, worth 2**j, into channel j: the fastest first, as
            in sinusoidal encodings. True reverses the channels, as numbers are
            written.

    Returns:
        Shape (L, n), float64, dimensionless, every entry exactly 0 or 1.
        Row r encodes position start + r, channels as `msb_first` says.

    Raises:
        TypeError: `seq_len`, `n_bits` or `start` is not an integer, or `msb_first` not
            a bool.
        ValueError: `seq_len` or `start` is negative, `n_bits` is not within 1..50, or a
            position needs more digits than n. Digits are never dropped.

    Source:
        Binary numbers; no paper. Deviation: none.

    Examples:
        >>> from posenc.counting import binary_encoding
        >>> binary_encoding(3, 4, start=5)
        array([[1., 0., 1., 0.],
               [0., 1., 1., 0.],
               [1., 1., 1., 0.]])
        >>> binary_encoding(1, 4, start=5, msb_first=True)
        array([[0., 1., 0., 1.]])
    """
    seq_len = checks.integer("seq_len", seq_len, least=0)
    n_bits = _bits("n_bits", n_bits)
    start = checks.integer("start", start, least=0)
    if start + seq_len > 2**n_bits:
        raise ValueError(
            f"start + seq_len must be at most 2**n_bits = {2**n_bits}, got"
            f" start={checks.describe_value(start)}, seq_len={checks.describe_value(seq_len)}"
        )
    msb_first = checks.boolean("msb_first", msb_first)

    check_memory("the table", seq_len, n_bits)
    # --8<-- [start:bits]
    positions = np.arange(start, start + seq_len, dtype=np.int64)  # (L,)
    bits = (positions[:, None] >> np.arange(n_bits)) & 1  # (L, n): bit j in column j
    # --8<-- [end:bits]
    return (bits[:, ::-1] if msb_first else bits).astype(np.float64)


def bit_frequencies(n_bits: int) -> NDArray[np.float64]:
    """Return the angular frequency at which each binary digit of a counter repeats.

    Args:
        n_bits: Digits n, from 1 to 50.

    Returns:
        Shape (n,), float64, radians per position, falling from π by halves: entry j is
        `π / 2**j`, to the last bit that π has in float64. That is one period in
        `2**(j+1)` positions. A period has two flips, so bit j flips once in `2**j`.

    Raises:
        TypeError: `n_bits` is not an integer.
        ValueError: `n_bits` is not within 1..50.

    Source:
        Binary numbers; no paper. Deviation: none.

    Examples:
        >>> import math
        >>> from posenc.counting import bit_frequencies
        >>> (bit_frequencies(4) / (2 * math.pi)).tolist()
        [0.5, 0.25, 0.125, 0.0625]
    """
    n_bits = _bits("n_bits", n_bits)
    # --8<-- [start:frequencies]
    return np.ldexp(np.pi, -np.arange(n_bits))  # π / 2**j: only the exponent changes
    # --8<-- [end:frequencies]


def square_waves(seq_len: int, n_bits: int, *, start: int = 0) -> NDArray[np.float64]:
    """Return the signs of sines that flip with the bits of a counter.

    Args:
        seq_len: Number of positions L, at least 0.
        n_bits: Waves n, from 1 to 50.
        start: Position of the first row; it may be negative, |start| + L is at most
            `2**50`. A wave repeats, so positions from `2**n_bits` on are legal here.

    Returns:
        Shape (L, n), float64, dimensionless, every entry exactly 1 or -1. Entry (r, j)
        is the sign of sin(ω_j (p + 1/2)) with p = start + r and ω_j = π / 2**j, and
        that is 1 where bit j of p is 0, and -1 where it is 1.

    Raises:
        TypeError: An argument is not an integer.
        ValueError: `seq_len` is negative, `n_bits` is not within 1..50, or a position
            lies beyond ±2**50.

    Source:
        Definition of this book. Deviation: none.

    Examples:
        >>> from posenc.counting import square_waves
        >>> square_waves(4, 2)
        array([[ 1.,  1.],
               [-1.,  1.],
               [ 1., -1.],
               [-1., -1.]])
    """
    seq_len = checks.integer("seq_len", seq_len, least=0)
    omegas = bit_frequencies(n_bits)
    start = checks.integer("start", start)
    if abs(start) + seq_len > 2**MOST_BITS:
        raise ValueError(
            f"|start| + seq_len must be at most 2**50, got start={checks.describe_value(start)},"
            f" seq_len={checks.describe_value(seq_len)}"
        )

    check_memory("the table", seq_len, len(omegas))
    # --8<-- [start:square]
    positions = np.arange(start, start + seq_len, dtype=np.float64)  # (L,)
    return np.sign(np.sin(omegas * (positions[:, None] + 0.5)))  # (L, n)
    # --8<-- [end:square]


@ignore_underflow
def clock_hands(seconds: ArrayLike) -> NDArray[np.float64]:
    """Return the direction of the three hands of a clock, each as a sine and a cosine.

    Args:
        seconds: t, any shape, real, in seconds since twelve o'clock,
            within ±2**53. It may be negative or a fraction: hands move continuously.

    Returns:
        Shape (*seconds.shape, 6), float64, dimensionless, every entry in [-1, 1]:
        sin and cos of 2πt/60 (second hand), of 2πt/3600 (minute hand) and of
        2πt/43200 (hour hand), each within 2e-15 of the exact value. With the sine to
        the right and the cosine upwards, a pair is the tip of its hand. Times exactly
        43200 seconds apart have the same bits.

    Raises:
        TypeError: `seconds` does not hold real numbers.
        ValueError: A time is not finite or beyond ±2**53.

    Source:
        A twelve-hour dial. Deviation: none.

    Examples:
        >>> from posenc.counting import clock_hands
        >>> clock_hands([0, 50, 3 * 3600]).round(4)
        array([[ 0.    ,  1.    ,  0.    ,  1.    ,  0.    ,  1.    ],
               [-0.866 ,  0.5   ,  0.0872,  0.9962,  0.0073,  1.    ],
               [ 0.    ,  1.    ,  0.    ,  1.    ,  1.    ,  0.    ]])
    """
    times = checks.positions("seconds", seconds)
    # --8<-- [start:hands]
    turns = np.remainder(times[..., None], HAND_PERIODS) / HAND_PERIODS  # (..., 3)
    angles = 2 * np.pi * turns  # clockwise from twelve, without whole rotations
    pairs = np.stack([np.sin(angles), np.cos(angles)], axis=-1)  # (..., 3, 2)
    # --8<-- [end:hands]
    return pairs.reshape(*times.shape, 6)


def _bits(name: str, value: object) -> int:
    """Return value as a number of binary digits that positions in float64 can have."""
    number = checks.integer(name, value)
    if not 1 <= number <= MOST_BITS:
        raise ValueError(
            f"{name} must lie within 1..{MOST_BITS}, got {name}={checks.describe_value(number)}"
        )
    return number
