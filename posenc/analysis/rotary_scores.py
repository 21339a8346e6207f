"""Rotary scores: the score of a rotary head as a sum of waves of the offset.

Letters in this module
    p, q  positions of query and key     i  index of a pair, 0..r/2-1
    x, y  query and key                  ω  angular frequency, radians per position
    k  offset q - p                      A, φ  amplitude and phase of a wave
    r  rotated channels
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.angles import Floats, sin_cos
from posenc.core.frequencies import chosen_inv_freq
from posenc.core.layouts import LAYOUTS, Layout, pair_channels
from posenc.core.underflow import ignore_underflow


class ScoreWaves(NamedTuple):
    """Amplitudes and phases of the waves in a score: what `score_waves` returns.

    Attributes:
        amplitudes: A, shape (..., r/2), float64, at least 0, the unit of a score.
        phases: φ, shape (..., r/2), float64, radians within [-π, π]; 0 where A is 0.

    Raises:
        TypeError: A field is missing.

    Source:
        As `score_waves`. Deviation: none.

    Examples:
        >>> from posenc.analysis import score_by_offset, score_waves
        >>> amplitudes, phases = score_waves([2.0, 0.0], [3.0, 0.0])
        >>> score_by_offset([0, 1], amplitudes, phases).round(4)
        array([6.    , 3.2418])
    """

    amplitudes: NDArray[np.float64]
    phases: NDArray[np.float64]


@ignore_underflow
def score_waves(query: ArrayLike, key: ArrayLike, *, layout: Layout = "interleaved") -> ScoreWaves:
    """Return amplitude and phase of each wave in the rotary score of a query and a key.

    Args:
        query: x before its rotation, shape (..., r), real, finite; r even, at least 2.
            Of a partial rotary head only the rotated channels: the others add a constant.
        key: y before its rotation, same shape.
        layout: `"interleaved"` has pair i in channels 2i and 2i+1, `"half"` in i and r/2+i.

    Returns:
        `amplitudes` and `phases`, each of shape (..., r/2), float64, fastest pair first.
        The score x·y, rotated to positions p and q, is the sum of A_i·cos(ω_i·k + φ_i)
        over the pairs, with k = q - p; it is not yet divided by sqrt(d_k).

    Raises:
        TypeError: `query` or `key` does not hold real numbers, or `layout` is not a string.
        ValueError: The shapes differ, r is odd or 0, a number is not finite or so large
            that an amplitude overflows, or `layout` is unknown.

    Source:
        Su et al. 2021, arXiv:2104.09864v5, section 3.4.3, writes the same sum
        with complex numbers. Deviation: amplitude and phase instead of one complex
        number; the offset there is query minus key.

    Examples:
        >>> from posenc.analysis import score_waves
        >>> waves = score_waves([2.0, 0.0, 1.0, 0.0], [3.0, 0.0, 0.0, 1.0])
        >>> waves.amplitudes.tolist(), waves.phases.round(4).tolist()
        ([6.0, 1.0], [0.0, 1.5708])
    """
    layout = checks.choice("layout", layout, LAYOUTS)
    x, y = _vectors("query", query), _vectors("key", key)
    if x.shape != y.shape:
        raise ValueError(
            f"query and key must have the same shape, got shapes {x.shape} and {y.shape}"
        )
    first, second = pair_channels(x.shape[-1], layout)
    with np.errstate(over="ignore", invalid="ignore"):  # refused by name below
        # --8<-- [start:waves]
        u = x[..., first] + 1j * x[..., second]  # (..., r/2): a complex number a pair
        v = y[..., first] + 1j * y[..., second]
        products = u.conj() * v
        amplitudes = np.abs(products)  # |u|·|v|
        phases = np.angle(products)  # arg v - arg u
        # --8<-- [end:waves]
    if not np.isfinite(amplitudes).all():
        sizes = f"{abs(x).max():.3g} and {abs(y).max():.3g}"
        raise ValueError(
            f"query and key must give finite amplitudes, got absolute values up to {sizes}"
        )
    return ScoreWaves(amplitudes, np.where(amplitudes == 0, 0.0, phases))


@ignore_underflow
def score_by_offset(
    offsets: ArrayLike,
    amplitudes: ArrayLike,
    phases: ArrayLike,
    *,
    base: float = 10000.0,
    inv_freq: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return the sum of waves at each offset: the score of a rotary head.

    Args:
        offsets: Real numbers k of any shape, in positions, key minus query, each within
            ±2**53.
        amplitudes: A, shape (..., n), real, finite, at least 0; n at least 1.
        phases: φ, radians, real, finite, same shape.
        base: b of the n frequencies `inv_freq(2 * n, base)`, finite, above 1.
        inv_freq: Frequencies instead of those from `base`, shape (n,), radians per
            position, from 0 to 2**53.

    Returns:
        Shape amplitudes.shape[:-1] + offsets.shape, float64, each within ± the sum of
        its amplitudes, up to rounding. Angles are as exact as in `sinusoidal_at`, at any offset.
        Memory: offsets.size·n floats.

    Raises:
        TypeError: An argument does not hold real numbers.
        ValueError: The shapes of `amplitudes` and `phases` differ or have no waves, an
            amplitude is negative, a number or a sum of amplitudes is not finite, an offset
            lies beyond ±2**53, `base` is not above 1, or `inv_freq` does not fit. Or the
            result would have more than 56 axes.

    Source:
        Su et al. 2021, arXiv:2104.09864v5, section 3.4.3, as in `score_waves`.
        Deviation: none.

    Examples:
        >>> from posenc.analysis import score_by_offset
        >>> score_by_offset([-1, 0, 1], [2.0, 1.0], [0.0, 0.0]).round(4)
        array([2.0806, 3.    , 2.0806])
    """
    k = checks.positions("offsets", offsets)
    A, phi = checks.finite("amplitudes", amplitudes), checks.finite("phases", phases)
    if A.shape != phi.shape or not A.ndim or not A.shape[-1]:
        raise ValueError(
            "amplitudes and phases must have the same shape (..., n), "
            f"got shapes {A.shape} and {phi.shape}"
        )
    if (A < 0).any():
        raise ValueError(f"amplitudes must be at least 0, got {A.min()}")
    with np.errstate(over="ignore"):
        if not np.isfinite(A.sum(axis=-1)).all():
            raise ValueError("amplitudes must have a finite sum, got inf")
    shape = (*A.shape[:-1], *k.shape)
    if len(shape) > checks.MOST_AXES:
        raise ValueError(
            f"amplitudes and offsets must have at most {checks.MOST_AXES} axes together, not"
            f" counting the last axis of amplitudes, got {len(shape)}"
        )
    frequencies = chosen_inv_freq(2 * A.shape[-1], base, inv_freq)
    # np.inner supports at most 32 axes.
    k, A, phi = k.reshape(-1), A.reshape(-1, A.shape[-1]), phi.reshape(-1, A.shape[-1])
    # --8<-- [start:score]
    sin, cos = sin_cos(k, frequencies)  # offsets.shape + (n,): sin(k·ω_i), cos(k·ω_i)
    # A·cos(ωk + φ) = A·cos(φ)·cos(ωk) - A·sin(φ)·sin(ωk), summed over the waves
    score = np.inner(A * np.cos(phi), cos)
    score -= np.inner(A * np.sin(phi), sin)
    # --8<-- [end:score]
    return np.asarray(score).reshape(shape)


@ignore_underflow
def query_for_offset(
    key: ArrayLike,
    offset: float,
    *,
    layout: Layout = "interleaved",
    base: float = 10000.0,
    inv_freq: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return the query whose score of a key is highest if the key is at a given offset.

    Args:
        key: y before its rotation, shape (..., r), real, finite; r even, at least 2.
        offset: k, in positions, real, within ±2**53: -1 is the token before,
            +1 the next.
        layout: `"interleaved"` or `"half"`, as in `score_waves`.
        base: b, dimensionless, finite, above 1.
        inv_freq: Frequencies instead of those from `base`, as in `score_by_offset`.

    Returns:
        Shape (..., r), float64: each pair of the key, rotated counter-clockwise by ω_i
        times the offset. All waves of the score then have their peak at `offset`, where
        it is the squared length of the key. Multiply it to make the peak sharper.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `key` has no axis, an odd number of channels or a number that is not
            finite or beyond ±1e300, `offset` lies beyond ±2**53, or another argument is
            refused as in `score_by_offset`.

    Source:
        Construction of this book, with the rotation of Su et al. 2021,
        arXiv:2104.09864v5, section 3.2.2. Barbero et al. 2024, arXiv:2410.06205, build
        heads that attend to the token itself or the previous one in a similar way.
        Deviation: none.

    Examples:
        >>> from posenc.analysis import query_for_offset
        >>> query_for_offset([1.0, 0.0, 1.0, 0.0], -1).round(4)
        array([ 0.5403, -0.8415,  1.    , -0.01  ])
    """
    y = _vectors("key", key)
    if (abs(y) > 1e300).any():
        raise ValueError(f"key must lie within ±1e300, got {abs(y).max()}")
    offset = checks.position("offset", offset)
    first, second = pair_channels(y.shape[-1], checks.choice("layout", layout, LAYOUTS))
    frequencies = chosen_inv_freq(y.shape[-1], base, inv_freq)
    # --8<-- [start:query]
    sin, cos = sin_cos(np.array(offset), frequencies)  # (r/2,), of ω_i·offset
    v = y[..., first] + 1j * y[..., second]  # (..., r/2): a pair is a complex number
    u = (cos + 1j * sin) * v  # rotated
    x = np.empty_like(y)
    x[..., first], x[..., second] = u.real, u.imag
    # --8<-- [end:query]
    return x


def _vectors(name: str, value: Any) -> Floats:
    """Return value as float64 vectors of pairs on the last axis."""
    array = checks.finite(name, value)
    if not array.ndim or not array.shape[-1] or array.shape[-1] % 2:
        raise ValueError(
            f"{name} must have an even number of channels, at least 2, got shape {array.shape}"
        )
    return array
