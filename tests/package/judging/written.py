"""Encodings as people write them in plain NumPy, right ones and wrong ones.

Nothing here uses posenc: what it says of these functions is held against what they do.
"""

import math
from typing import Any

import numpy as np


def rates(d: int, base: float = 10000.0, dtype: Any = np.float64) -> Any:
    """Frequencies by power."""
    return (1 / base ** (np.arange(0, d, 2, dtype=dtype) / dtype(d))).astype(dtype)


def rates_by_log(d: int, base: float = 10000.0, dtype: Any = np.float64) -> Any:
    """Frequencies by the exponential of a logarithm, as many tutorials have them."""
    return np.exp(np.arange(0, d, 2, dtype=dtype) * dtype(-math.log(base) / d))


def rates_of_the_program(d: int, base: float = 10000.0, dtype: Any = np.float64) -> Any:
    """Frequencies that end at 1/base."""
    n = d // 2
    return np.exp(np.arange(n, dtype=dtype) * dtype(-math.log(base) / max(n - 1, 1)))


def side_by_side(angles: Any) -> Any:
    table = np.empty((len(angles), 2 * angles.shape[1]), angles.dtype)
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def in_halves(angles: Any) -> Any:
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def cosines_first(angles: Any) -> Any:
    return np.concatenate([np.cos(angles), np.sin(angles)], axis=1)


def angles(length: int, omega: Any, start: float = 0, dtype: Any = np.float64) -> Any:
    return np.outer(np.arange(start, start + length, dtype=dtype), omega.astype(dtype))


def table(length: int = 96, d: int = 32, dtype: Any = np.float64) -> Any:
    """The table of the paper."""
    return side_by_side(angles(length, rates(d, dtype=dtype), dtype=dtype))


# Rotations.


def turned_halves(x: Any, theta: Any) -> Any:
    """Turn channels i and i + d/2 by angles (L, d/2), with a helper that swaps halves."""
    d = x.shape[-1]
    twice = np.concatenate([theta, theta], axis=-1)
    swapped = np.concatenate([-x[..., d // 2 :], x[..., : d // 2]], axis=-1)
    return x * np.cos(twice).astype(x.dtype) + swapped * np.sin(twice).astype(x.dtype)


def turned_neighbours(x: Any, theta: Any) -> Any:
    """Turn channels 2i and 2i + 1 as complex numbers."""
    z = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * theta.astype(np.float64))
    y = np.empty_like(x)
    y[..., 0::2], y[..., 1::2] = z.real, z.imag
    return y


def partly(turned: Any, x: Any, theta: Any) -> Any:
    """Turn the first channels and let the others pass."""
    r = 2 * theta.shape[-1]
    return np.concatenate([turned(x[..., :r], theta), x[..., r:]], axis=-1)


# Biases.


def slopes_of_the_authors(n: int) -> list[float]:
    """Slopes by recursion to the power of two below."""
    if math.log2(n).is_integer():
        first = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [first ** (h + 1) for h in range(n)]
    below = 2 ** math.floor(math.log2(n))
    return slopes_of_the_authors(below) + slopes_of_the_authors(2 * below)[0::2][: n - below]


def offsets(length: int) -> Any:
    """Key minus query, (L, L)."""
    return np.arange(length)[np.newaxis, :] - np.arange(length)[:, np.newaxis]


def heads(slopes: Any, of_offsets: Any) -> Any:
    return np.array(slopes)[:, np.newaxis, np.newaxis] * of_offsets


def hide(bias: Any, value: float = -np.inf) -> Any:
    length = bias.shape[-1]
    return np.where(offsets(length) > 0, value, bias)


def bucket(k: Any, both: bool = True, buckets: int = 32, farthest: int = 128) -> Any:
    """T5's buckets as libraries compute them, with logarithms."""
    number = np.zeros(k.shape, dtype=np.int64)
    if both:
        buckets //= 2
        number += (k > 0) * buckets
        n = np.abs(k)
    else:
        n = -np.minimum(k, 0)
    alone = buckets // 2
    with np.errstate(divide="ignore"):
        wide = np.log(np.maximum(n, 1) / alone) / math.log(farthest / alone) * (buckets - alone)
    wide = np.minimum(alone + np.maximum(wide, 0).astype(np.int64), buckets - 1)
    return number + np.where(n < alone, n, wide)


def looked_up(numbers: Any, n_heads: int = 4, seed: int = 0, buckets: int = 64) -> Any:
    """A bias with something learned for each bucket, (H, L, L)."""
    learned = np.random.default_rng(seed).normal(size=(buckets, n_heads))
    return np.moveaxis(learned[numbers], -1, 0)
