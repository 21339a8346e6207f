"""Encodings in plain NumPy, as people write them, without posenc."""

import math

import numpy as np


def inv_freq(d, base=10000.0, dtype=np.float64):
    """Frequencies by power."""
    return (1 / base ** (np.arange(0, d, 2, dtype=dtype) / dtype(d))).astype(dtype)


def inv_freq_by_log(d, base=10000.0, dtype=np.float64):
    """Frequencies by the exponential of a logarithm, as in many tutorials."""
    return np.exp(np.arange(0, d, 2, dtype=dtype) * dtype(-math.log(base) / d))


def tensor2tensor_inv_freq(d, base=10000.0, dtype=np.float64):
    """Frequencies that end at 1/base."""
    n = d // 2
    factor = -math.log(base) / max(n - 1, 1)
    return np.exp(np.arange(n, dtype=dtype) * dtype(factor))


def interleave(angles):
    """A table with sines in even channels and cosines in odd ones."""
    table = np.empty((len(angles), 2 * angles.shape[1]), angles.dtype)
    table[:, 0::2], table[:, 1::2] = np.sin(angles), np.cos(angles)
    return table


def join_halves(angles):
    """A table with all sines before all cosines."""
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def join_cosines_first(angles):
    """A table with all cosines before all sines."""
    return np.concatenate([np.cos(angles), np.sin(angles)], axis=1)


def angles(length, omega, start=0, dtype=np.float64):
    """Positions from `start` on times frequencies, (L, d/2)."""
    positions = np.arange(start, start + length, dtype=dtype)
    return np.outer(positions, omega.astype(dtype))


def make_table(length=96, d=32, dtype=np.float64):
    """The table of the paper."""
    return interleave(angles(length, inv_freq(d, dtype=dtype), dtype=dtype))


# Rotations.


def rotate_halves(x, theta):
    """Rotate channels i and i + d/2 by angles (L, d/2)."""
    d = x.shape[-1]
    twice = np.concatenate([theta, theta], axis=-1)
    swapped = np.concatenate([-x[..., d // 2 :], x[..., : d // 2]], axis=-1)
    cos, sin = np.cos(twice).astype(x.dtype), np.sin(twice).astype(x.dtype)
    return x * cos + swapped * sin


def rotate_neighbours(x, theta):
    """Rotate channels 2i and 2i + 1 as complex numbers."""
    z = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * theta.astype(np.float64))
    y = np.empty_like(x)
    y[..., 0::2], y[..., 1::2] = z.real, z.imag
    return y


def rotate_first_channels(turned, x, theta):
    """Rotate the first channels by one of these functions."""
    r = 2 * theta.shape[-1]
    return np.concatenate([turned(x[..., :r], theta), x[..., r:]], axis=-1)


# Biases.


def slopes(n):
    """Slopes by recursion to the power of two below."""
    if math.log2(n).is_integer():
        first = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [first ** (h + 1) for h in range(n)]
    below = 2 ** math.floor(math.log2(n))
    return slopes(below) + slopes(2 * below)[0::2][: n - below]


def offsets(length):
    """Key minus query, (L, L)."""
    return np.arange(length)[np.newaxis, :] - np.arange(length)[:, np.newaxis]


def scale_by_head(slopes, of_offsets):
    """The product of slopes and a function of offsets, (H, L, L)."""
    return np.array(slopes)[:, np.newaxis, np.newaxis] * of_offsets


def hide_later_keys(bias, value=-np.inf):
    """A bias in which later keys are hidden."""
    length = bias.shape[-1]
    return np.where(offsets(length) > 0, value, bias)


def buckets(k, both=True, count=32, farthest=128):
    """T5's buckets as libraries compute them, with logarithms."""
    number = np.zeros(k.shape, dtype=np.int64)
    if both:
        count //= 2
        number += (k > 0) * count
        n = np.abs(k)
    else:
        n = -np.minimum(k, 0)
    alone = count // 2
    with np.errstate(divide="ignore"):
        share = np.log(np.maximum(n, 1) / alone) / math.log(farthest / alone)
        wide = share * (count - alone)
    wide = np.minimum(alone + np.maximum(wide, 0).astype(np.int64), count - 1)
    return number + np.where(n < alone, n, wide)


def look_up(numbers, n_heads=4, seed=0, buckets=64):
    """A bias with a random value for each bucket, (H, L, L)."""
    learned = np.random.default_rng(seed).normal(size=(buckets, n_heads))
    return np.moveaxis(learned[numbers], -1, 0)
