"""Frequencies: how fast each pair of a sine and a cosine rotates.

Letters in this module
    d  channels (dim)        i  index of a pair, 0..d/2-1
    b  base                  ω  angular frequency, radians per position
"""

import math
from decimal import Context, Decimal, localcontext
from itertools import accumulate, islice, repeat
from operator import mul
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.angles import Frequencies, exactly, in_turns
from posenc.core.memory import check_memory

Exponent = Literal["paper", "tensor2tensor"]
EXPONENTS: tuple[Exponent, ...] = get_args(Exponent)

# 50 digits leave the last of 10 000 products wrong in the 46th; a float64 has 17.
EXACT = Context(prec=50)

# Decimals computed at a time: one takes thirty times the memory of a float.
BLOCK = 2**14


def inv_freq(
    dim: int, base: float = 10000.0, *, exponent: Exponent = "paper"
) -> NDArray[np.float64]:
    """Return the angular frequency of each pair of channels, fastest first.

    Args:
        dim: Channels d. Even, at least 2.
        base: b, dimensionless, finite, above 1. A larger base slows all pairs but
            the first.
        exponent: `"paper"` divides i by d/2, `"tensor2tensor"` by d/2 - 1, so that
            the slowest frequency is exactly 1/b.

    Returns:
        Shape (d/2,), float64, radians per position, falling from exactly 1.
        Entry i is `base ** (-2*i/dim)`, or `base ** (-i/(dim/2 - 1))`,
        correctly rounded: the float64 nearest to the exact value.

    Raises:
        TypeError: `dim` is not an integer, `base` not a real number, or `exponent`
            not a string.
        ValueError: `dim` is odd or below 2, `base` is not finite or not above 1, or
            `exponent` is unknown.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5, where the exponent is
        2i/d. The authors' own code (tensor2tensor, `get_timing_signal_1d`) divides
        by d/2 - 1 instead; both are here. With a single pair, the second form would
        divide by zero; like that code, we then divide by 1. Deviation from both:
        they compute in float32, we round once from 50 digits.

    Examples:
        >>> from posenc import inv_freq
        >>> inv_freq(8)
        array([1.   , 0.1  , 0.01 , 0.001])
        >>> inv_freq(8, 1000, exponent="tensor2tensor")
        array([1.   , 0.1  , 0.01 , 0.001])
    """
    return exact_inv_freq(dim, base, exponent).radians


def wavelengths(
    dim: int, base: float = 10000.0, *, exponent: Exponent = "paper"
) -> NDArray[np.float64]:
    """Return how many positions each pair needs for one full rotation, shortest first.

    Args:
        dim: Channels d. Even, at least 2.
        base: b, dimensionless, finite, above 1.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.

    Returns:
        Shape (d/2,), float64, positions: 2π/ω, from 2π up. The longest is
        2π·b**((d-2)/d) for `"paper"` and 2π·b for `"tensor2tensor"`
        (2π if there is only one pair).

    Raises:
        TypeError: As `inv_freq`.
        ValueError: As `inv_freq`.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5. The paper says that
        the wavelengths reach 2π·10000: its formula stays below, its code reaches it.

    Examples:
        >>> from posenc import wavelengths
        >>> wavelengths(8).round(1)
        array([   6.3,   62.8,  628.3, 6283.2])
    """
    # --8<-- [start:wavelengths]
    return 2 * math.pi / inv_freq(dim, base, exponent=exponent)
    # --8<-- [end:wavelengths]


def exact_inv_freq(dim: int, base: float, exponent: str) -> Frequencies:
    """Return the frequencies rounded, and with the 46 digits that exact angles need."""
    dim = checks.even("dim", dim)
    base = checks.above_one("base", base)
    exponent = checks.choice("exponent", exponent, EXPONENTS)
    check_memory("the frequencies", dim // 2, itemsize=32)

    # --8<-- [start:steps]
    pairs = dim // 2
    steps = pairs if exponent == "paper" else max(pairs - 1, 1)
    # --8<-- [end:steps]
    # --8<-- [start:powers]
    with localcontext(EXACT):
        # From each frequency to the next, 50 digits all the way.
        ratio = Decimal(base) ** (Decimal(-1) / steps)
        exact = accumulate(repeat(ratio, pairs - 1), mul, initial=Decimal(1))
        # --8<-- [end:powers]
        radians, turns = np.empty(pairs), np.empty((pairs, 3))
        for first in range(0, pairs, BLOCK):
            part = list(islice(exact, BLOCK))
            places = slice(first, first + len(part))
            radians[places] = [float(omega) for omega in part]
            turns[places] = in_turns(part)
    return Frequencies(radians, turns)


def chosen_inv_freq(
    dim: int,
    base: float,
    inv_freq: ArrayLike | None,
    exponent: str = "paper",
    *,
    name: str = "inv_freq",
) -> Frequencies:
    """Return given frequencies, or those of the base, as `exact_inv_freq` does."""
    if inv_freq is None:
        return exact_inv_freq(dim, base, exponent)
    checks.above_one("base", base)  # also where it is not used
    checks.choice("exponent", exponent, EXPONENTS)
    given = checks.finite(name, inv_freq, ndim=1)
    if given.shape != (dim // 2,):
        raise ValueError(
            f"{name} must have shape ({checks.describe_value(dim // 2)},), one frequency for each"
            f" pair of {checks.describe_value(dim)} channels, got shape {given.shape}"
        )
    check_range(name, given)
    return exactly(given)


def check_range(name: str, inv_freq: NDArray[np.float64]) -> None:
    """Raise ValueError if some frequency is negative or above 2**53."""
    for extreme in (inv_freq.min().item(), inv_freq.max().item()):
        if not 0 <= extreme <= checks.LARGEST_POSITION:
            raise ValueError(f"{name} must lie between 0 and 2**53, got {extreme!r}")
