"""Rotary encodings of points with several coordinates: a band of pairs for each axis.

Letters in this module
    n  coordinates of a point (axes of the grid)      a  an axis, 0..n-1
    d  rotated channels (dim)                 i  index of a pair, 0..d/2-1
    p  a point, p_a its coordinates                   ω  frequency, radians per cell
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core.underflow import ignore_underflow
from posenc.rotary.rotation import rotary_cos_sin
from posenc.tables.grids import (
    axis_order,
    axis_widths,
    coordinates,
    split_inv_freq,
)


@ignore_underflow
def axial_cos_sin(
    points: ArrayLike,
    dim: int,
    *,
    sections: Iterable[int] | None = None,
    order: Iterable[int] | None = None,
    base: float = 10000.0,
    inv_freq: ArrayLike | None = None,
    dtype: DTypeLike = np.float64,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return cosines and sines for `rotate_pairs`, with a band of pairs for each coordinate.

    Args:
        points: Real coordinates, shape (..., n), each within ±2**53.
        dim: Channels d that are rotated. Even; a multiple of 2n where `sections` is None.
        sections: Channels for each axis, n even numbers of at least 2 with the sum d.
            None: d/n for each.
        order: The axes in the order of their bands, such as (1, 0) to put x before y.
            None: as the coordinates come.
        base: b, dimensionless, finite, above 1, the same for all axes.
        inv_freq: Frequencies ω instead of those from the base, shape (d/2,), radians per
            cell, each from 0 to 2**53: band after band, as they are ordered.
        dtype: float64, float32, float16, or the bfloat16 of ml_dtypes.

    Returns:
        (cos, sin), each of shape points.shape[:-1] + (d/2,), in the requested dtype,
        dimensionless, in [-1, 1]. Each band has a full set of frequencies of its own,
        those of `rotary_cos_sin` for its width, from 1 down, or those given. For vectors of
        a flattened grid, (..., H*W, head_dim), flatten the leading axes:
        `cos.reshape(-1, d // 2)`.

    Raises:
        TypeError: An argument has the wrong type; `points` does not hold real numbers.
        ValueError: `points` has no axis of coordinates or an empty one, a coordinate is
            not finite or beyond 2**53, d cannot be shared out evenly, `sections` or
            `order` do not fit the axes, `inv_freq` has not one number for each pair of
            channels, or `base`, `inv_freq` or `dtype` is refused as in `rotary_cos_sin`.

    Source:
        Heo et al. 2024, arXiv:2403.13298v2, section 3, RoPE-Axial. With base 10000, the
        frequencies are those of the vision tower of Qwen2-VL and of timm's
        `build_rotary_pos_embed` for `in_pixels=False`. Deviation: the code of Heo et
        al. takes the base 100 and puts x before y.

    Examples:
        >>> import math
        >>> from posenc import axial_cos_sin
        >>> cos, sin = axial_cos_sin([[math.pi, math.pi / 2]], 4)  # pair 0: y, pair 1: x
        >>> cos.round(4) + 0.0, sin.round(4) + 0.0
        (array([[-1.,  0.]]), array([[0., 1.]]))
    """
    p = coordinates("points", points)
    widths = axis_widths("dim", dim, p.shape[-1], sections)
    axes = axis_order(p.shape[-1], order)
    own = split_inv_freq([widths[axis] for axis in axes], inv_freq)  # None: of their widths
    # --8<-- [start:bands]
    parts = [(p[..., axis], widths[axis]) for axis in axes]
    bands = [
        rotary_cos_sin(p_a, w, base=base, inv_freq=omega, dtype=dtype)
        for (p_a, w), omega in zip(parts, own, strict=True)
    ]
    cos, sin = zip(*bands, strict=True)
    return np.concatenate(cos, axis=-1), np.concatenate(sin, axis=-1)
    # --8<-- [end:bands]
