"""xPos: queries shrink with their position and keys grow, so a far score decays.

Letters in this module
    p, q  positions of a query and of a key      i  index of a pair, 0..d/2-1
    d     rotated channels (dim)         ζ  factor of a pair, between 0 and 1
    B     scale base, positions                  γ  what keeps the least factor above 0
"""

import math
from decimal import Decimal, localcontext

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.frequencies import EXACT
from posenc.core.memory import check_memory
from posenc.core.underflow import ignore_underflow

Floats = NDArray[np.float64]

# From 2**-1022 to 2**1022 a float64 has all of its 53 bits, and so has its inverse.
LARGEST_EXPONENT = 1022


@ignore_underflow
def xpos_scale(
    positions: ArrayLike, dim: int, *, scale_base: float = 512.0, gamma: float = 0.4
) -> NDArray[np.float64]:
    """Return the factors of xPos: rotated queries are multiplied by them, rotated keys divided.

    Args:
        positions: Real numbers p of any shape, each within ±2**53, and so near 0 that no
            result leaves the range below: within ±289519 with the defaults.
        dim: Channels d that are rotated. Even, at least 2.
        scale_base: B, in positions, from `2**-53` to `2**53`: over so many positions the
            factors of a score fall to ζ.
        gamma: γ, dimensionless, finite, above 0. A larger one slows the decay of all pairs.

    Returns:
        Shape positions.shape + (d/2,), float64, dimensionless, from `2**-1022` to
        `2**1022`: entry i is `ζ_i**(p/B)` with ζ_i = (2i/d + γ)/(1 + γ), which rises with
        i: pairs that rotate fast decay fast. 1 at position 0, at most 1 after it and at least
        1 before it. The relative error is at most 5e-16 everywhere; `scale_base` and
        `gamma` are taken as exact. Where cosines and sines of queries are multiplied by
        the factors at p, and those of keys divided by the factors at q, a score has
        `ζ_i**((p - q)/B)` on pair i: it depends only on the offset. It grows where the
        key is ahead, so a causal mask belongs with it.

    Raises:
        TypeError: `positions` does not hold real numbers, `dim` is not an integer, or
            `scale_base` or `gamma` not a real number.
        ValueError: A position is not finite, beyond ±2**53, or so far from 0 that a factor
            or its inverse would be beyond `2**1022`; `dim` is odd or below 2, `scale_base`
            is below `2**-53` or above `2**53`, or `gamma` is not finite or not above 0.

    Source:
        Sun et al. 2022, arXiv:2212.10554v1, equation 9 and algorithm 1 in section 3.2.
        Deviation from the paper: it has the power p, which is B = 1, and does not say
        which γ; B and both defaults are those of the authors' code (torchscale, `XPOS`).
        Deviation from that code, x-transformers and others: they count p from the middle
        of the text, so that narrower dtypes hold the factors. That gives all queries one
        more factor and all keys its inverse, which no score sees; but keys cached under
        one middle do not fit another. Here p is the position itself; for theirs, pass
        `positions - middle`. Their tables hold each number twice, side by side, for
        interleaved pairs; ours once, as `rotate_pairs` takes them for either layout.

    Examples:
        >>> import numpy as np
        >>> from posenc import rotary_cos_sin, rotate_pairs, xpos_scale
        >>> xpos_scale([0, 512], 4).round(4)
        array([[1.    , 1.    ],
               [0.2857, 0.6429]])
        >>> query, key = np.array([[1.0, 2.0, 3.0, 4.0]]), np.array([[5.0, 6.0, 7.0, 8.0]])
        >>> for start in (0, 1000):  # the score depends on the offset alone
        ...     (cos, sin), s = rotary_cos_sin([start], 4), xpos_scale([start], 4)
        ...     k = rotate_pairs(key, cos / s, sin / s)
        ...     (cos, sin), s = rotary_cos_sin([start + 64], 4), xpos_scale([start + 64], 4)
        ...     q = rotate_pairs(query, cos * s, sin * s)
        ...     print(round(float((q @ k.T).item()), 9))
        40.51576069
        40.51576069
    """
    p = checks.positions("positions", positions)
    dim = checks.even("dim", dim)
    scale_base = checks.real("scale_base", scale_base)
    if not 2.0**-53 <= scale_base <= 2.0**53:
        raise ValueError(f"scale_base must lie between 2**-53 and 2**53, got {scale_base=}")
    gamma = checks.above_zero("gamma", gamma)
    check_memory("the factors", *p.shape, dim // 2)
    nearest, rest = _log2_factors(dim, scale_base, gamma)
    steepest = abs(nearest[0])
    for extreme in (p.max(initial=0).item(), p.min(initial=0).item()):
        if abs(extreme) * steepest > LARGEST_EXPONENT:
            raise ValueError(
                f"positions must lie within ±{LARGEST_EXPONENT / steepest:.6g} for this"
                " scale_base and gamma, so that no factor and no inverse of one leaves the"
                f" range of float64, got {extreme}"
            )
    return _powers_of_two(p[..., np.newaxis], nearest, rest)


def _log2_factors(dim: int, scale_base: float, gamma: float) -> tuple[Floats, Floats]:
    """Return log2(ζ_i)/B as a sum of two float64: the nearest, and what it lacks."""
    pairs = dim // 2
    nearest, rest = np.empty(pairs), np.empty(pairs)
    with localcontext(EXACT):
        g, two_to_the_base = Decimal(gamma), Decimal(scale_base) * Decimal(2).ln()
        for i in range(pairs):
            exact = ((Decimal(i) / pairs + g) / (1 + g)).ln() / two_to_the_base
            nearest[i] = float(exact)
            rest[i] = float(exact - Decimal(float(exact)))
    return nearest, rest


def _powers_of_two(p: Floats, nearest: Floats, rest: Floats) -> Floats:
    """Return 2**(p·w), for w a sum of two float64, with all digits of the exponent.

    An exponent of 1000 that is rounded to 53 bits has an error of 1e-13, and the power a
    relative one as large. The halves of p and w have 24 bits and their product is exact.
    """
    p_high, w_high = (x.astype(np.float32).astype(np.float64) for x in (p, nearest))
    high = p_high * w_high
    low = p_high * (nearest - w_high) + (p - p_high) * nearest + p * rest
    exponent = high + low
    power = np.exp2(exponent)
    return power + power * (math.log(2) * (low - (exponent - high)))
