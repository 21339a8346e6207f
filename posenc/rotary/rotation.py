"""Rotary position embedding: queries and keys rotated by the angle of their position.

Letters in this module
    L  positions (seq_len)      p  a position      i  index of a pair, 0..r/2-1
    B  sequences in a batch     r  rotated channels (rotary_dim), r <= head_dim
    H  heads                    ω  angular frequency, radians per position
    x  queries or keys, the channels of a head on the last axis
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.angles import Floats, Frequencies, sin_cos
from posenc.core.blocks import split_into_blocks
from posenc.core.frequencies import chosen_inv_freq
from posenc.core.layouts import (
    LAYOUTS,
    Layout,
    axes_of,
    pair_channels,
    positions_last,
    rotary_channels,
    vectors,
)
from posenc.core.memory import check_memory
from posenc.core.outputs import apart, rounded, same, to_fill
from posenc.core.underflow import ignore_underflow


@ignore_underflow
def rotary_cos_sin(
    positions: ArrayLike,
    dim: int,
    *,
    base: float = 10000.0,
    inv_freq: ArrayLike | None = None,
    attention_factor: float = 1.0,
    dtype: DTypeLike = np.float64,
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the cosines and the sines that rotate each pair of channels.

    Args:
        positions: Real numbers p of any shape, each within ±2**53.
        dim: Channels to rotate. Even, at least 2.
        base: b, dimensionless, finite, above 1. Not used where `inv_freq` is given.
        inv_freq: Frequencies ω instead of those of the base: shape (dim/2,), radians
            per position, each from 0 (that pair stays) to 2**53. The float64
            are taken as exact.
        attention_factor: Factor on every cosine and sine, finite, above 0. A score
            of two rotated vectors has it twice.
        dtype: float64, float32, float16, or the bfloat16 of ml_dtypes.

    Returns:
        (cos, sin), each of shape positions.shape + (dim/2,), in the requested dtype,
        dimensionless, in [-attention_factor, attention_factor]; entry i is for pair i.
        With a factor of 1, float64 entries are within 6e-17 of the exact value for
        frequencies up to 2**40, and within 3e-16 beyond: not always the nearest float64,
        which is within 5.6e-17. Narrower dtypes are these, rounded once.

    Raises:
        TypeError: An argument has the wrong type; `positions` or `inv_freq` does not
            hold real numbers.
        ValueError: `dim` is odd or below 2, a position is not finite or beyond `2**53`,
            `base` is not above 1, `inv_freq` has another shape or a number that is below 0,
            above `2**53` or not finite, `attention_factor` is not above 0, or another dtype.

    Source:
        Su et al. 2021, arXiv:2104.09864v5, sections 3.2.2 and 3.4.2. The factor is
        that of YaRN: Peng et al. 2023, arXiv:2309.00071v2, section 3.4. Deviation:
        none in the formula; libraries compute the angles in float32.

    Examples:
        >>> from posenc import rotary_cos_sin
        >>> cos, sin = rotary_cos_sin([0, 1], 4)
        >>> cos.round(4)
        array([[1.    , 1.    ],
               [0.5403, 1.    ]])
        >>> sin.round(4)
        array([[0.    , 0.    ],
               [0.8415, 0.01  ]])
    """
    p = checks.positions("positions", positions)
    dim = checks.even("dim", dim)
    dtype = checks.float_dtype("dtype", dtype, bfloat16=True)
    factor = checks.above_zero("attention_factor", attention_factor)
    check_memory("the tables", 2, *p.shape, dim // 2)
    cos, sin = _cos_sin(p, chosen_inv_freq(dim, base, inv_freq), factor)
    return rounded(cos, dtype), rounded(sin, dtype)


def rotate_pairs(
    x: ArrayLike,
    cos: ArrayLike,
    sin: ArrayLike,
    *,
    layout: Layout = "interleaved",
    rotary_dim: int | None = None,
    seq_axis: int | None = None,
    compute_dtype: DTypeLike = np.float64,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Return x with its first pairs of channels rotated counter-clockwise.

    Args:
        x: float64, float32, float16 or the bfloat16 of ml_dtypes, shape (..., L, head_dim),
            finite. An axis of heads precedes the one of positions.
        cos: Cosines of the angles, one for each pair; or any other finite numbers, as
            these are only multiplied. Shape (L, r/2), or (B, L, r/2) with B the first
            axis of x, or x.shape[:-1] + (r/2,). r is at least 2, at most head_dim.
        sin: Sines of the angles, in the shape of `cos`.
        layout: `"interleaved"`: pair i is the channels 2i and 2i+1; `"half"`: the
            channels i and r/2 + i.
        rotary_dim: Rotated channels r, twice the last axis of `cos`. None: as `cos` has
            them, unless `cos` and `sin` have several rows and every number in them twice.
            Such are the tables of Hugging Face, which would rotate twice the channels:
            they are refused.
        seq_axis: Axis of x that holds the positions, -2 or, for (B, L, H, head_dim), -3;
            the shapes of `cos` then refer to x with the two exchanged. None: -2; if x has
            four or more axes, and -3 is as long as -2, it must be given.
        compute_dtype: float64; or float32, which takes less time, for an x that is not
            float64. `cos` and `sin` are then rounded to float32 first.
        out: Array of the shape and dtype of x to write into, x itself to rotate it in
            place; or None for a new one. It must not overlap `cos` or `sin`, nor x, unless it is x.

    Returns:
        Shape and dtype of x, `out` if it was given. Each pair (a, b) becomes
        (a·cos - b·sin, a·sin + b·cos); channels r and above are those of x. Computed in
        float64, then rounded once; what is beyond the range of the dtype is infinite.
        Computed in float32, an entry of float32 is off by at most 3·2**-24 of the length
        of its pair where cos² + sin² is 1 and no product is below 1e-38.
        A row has the same bits by itself as among others, in any memory layout of x.
        NumPy passes over the numbers once for each product and each sum, which takes several
        times as long as to copy x; `posenc.numba.rotate_pairs` does it in one pass.

    Raises:
        TypeError: `x` does not hold floats, `cos` or `sin` does not hold real numbers,
            `layout` is not a string, `compute_dtype` no dtype, or `out` no NumPy array.
        ValueError: `x` has another dtype, a shape does not fit or fits in two ways, a
            number is not finite, `cos` holds every number twice or contradicts
            `rotary_dim`, `layout` is unknown, `compute_dtype` is another or narrower than
            x, or `out` does not fit, is read-only, repeats numbers or overlaps an input.
            Also where numbers are so large that a difference of two overflows: that
            shows only in the result, so parts of `out` have been written to.

    Source:
        Su et al. 2021, arXiv:2104.09864v5, equation 34, where pairs are interleaved.
        `"half"` is the layout of GPT-NeoX and Hugging Face. Deviation: none.

    Examples:
        >>> import numpy as np
        >>> from posenc import rotate_pairs
        >>> x = np.array([[3.0, 4.0, 5.0]])
        >>> rotate_pairs(x, [[0]], [[1]])  # a quarter turn; the third channel stays
        array([[-4.,  3.,  5.]])
    """
    rotation = check_rotation(x, cos, sin, layout, rotary_dim, seq_axis, compute_dtype, out)
    rotate(rotation)
    return rotation.result


@ignore_underflow
def apply_rotary(
    x: ArrayLike,
    positions: ArrayLike,
    *,
    layout: Layout = "interleaved",
    base: float = 10000.0,
    inv_freq: ArrayLike | None = None,
    rotary_dim: int | None = None,
    attention_factor: float = 1.0,
    seq_axis: int | None = None,
) -> NDArray[Any]:
    """Return queries or keys rotated by their positions.

    Args:
        x: float64, float32, float16 or the bfloat16 of ml_dtypes, shape (..., L, head_dim),
            finite. An axis of heads precedes the one of positions: (B, H, L, head_dim).
        positions: Real numbers p within ±2**53, shape (L,), or (B, L) with B the first
            axis of x, or x.shape[:-1].
        layout: `"interleaved"` or `"half"`, as in `rotate_pairs`.
        base: b, dimensionless, finite, above 1. Not used where `inv_freq` is given.
        inv_freq: Frequencies instead of those of the base, shape (r/2,), as in
            `rotary_cos_sin`.
        rotary_dim: Rotated channels r, the first of each vector; the others stay.
            Even, from 2 to head_dim. None: two for each entry of `inv_freq` where that is
            given, and otherwise all.
        attention_factor: Factor on the rotated channels, finite, above 0.
        seq_axis: -2 or -3, the axis of x that holds the positions, as in `rotate_pairs`.

    Returns:
        Shape and dtype of x: pair i of every vector rotated counter-clockwise by p·ω_i.
        Computed in float64, then rounded once, as in `rotate_pairs`. A factor of 1 leaves
        lengths as they are. Each call computes the frequencies again, which takes longer
        than to rotate one token: to decode step by step, or for many layers, call
        `rotary_cos_sin` once and `rotate_pairs` with its rows. The bits are the same.

    Raises:
        TypeError: An argument has the wrong type; `x` does not hold floats.
        ValueError: `x` has another dtype, is not finite or has an odd number of
            channels to rotate, `positions` does not fit or fits in two ways (`seq_axis`
            then says which), `rotary_dim` is above head_dim or
            contradicts `inv_freq`, or another argument is refused as in `rotary_cos_sin`.

    Source:
        Su et al. 2021, arXiv:2104.09864v5, section 3.2.2. `rotary_dim` is that of
        GPT-J and GPT-NeoX. Deviation: narrower dtypes are rotated in float64.

    Examples:
        >>> import numpy as np
        >>> from posenc import apply_rotary
        >>> query, key = np.array([[1.0, 2.0]]), np.array([[3.0, 4.0]])
        >>> for start in (0, 1000):  # the score depends on the offset alone
        ...     q = apply_rotary(query, [start])
        ...     k = apply_rotary(key, [start + 2])
        ...     print(round(float((q @ k.T).item()), 9))
        -2.759020348
        -2.759020348
    """
    array = vectors(x)
    p = checks.positions("positions", positions)
    layout = checks.choice("layout", layout, LAYOUTS)
    if rotary_dim is None and inv_freq is not None:
        rotary_dim = 2 * checks.reals("inv_freq", inv_freq).size
        if not 2 <= rotary_dim <= array.shape[-1]:
            raise ValueError(
                f"inv_freq must have 1 to {array.shape[-1] // 2} numbers, as x has"
                f" {array.shape[-1]} channels, got {rotary_dim // 2}"
            )
    r = rotary_channels(rotary_dim, array.shape[-1])
    factor = checks.above_zero("attention_factor", attention_factor)
    frequencies = chosen_inv_freq(r, base, inv_freq)
    array = positions_last(array, seq_axis, p.shape)
    # --8<-- [start:apply]
    p = p.reshape(axes_of("positions", p.shape, array.shape))
    cos, sin = _cos_sin(p, frequencies, factor)
    rotated = np.empty(array.shape, array.dtype)
    _rotate(array, cos, sin, layout, rotated, cos.dtype)
    # --8<-- [end:apply]
    return rotated.swapaxes(-2, -3) if seq_axis == -3 else rotated


OVERFLOW = "x, cos and sin must be so small that no difference overflows"


class Rotation(NamedTuple):
    """The arguments of `rotate_pairs`, checked."""

    x: NDArray[Any]  # (..., L, head_dim)
    cos: NDArray[Any]  # (..., L, r/2), axes that fit those of x
    sin: NDArray[Any]
    layout: Layout
    out: NDArray[Any]  # the axes of x, in the same order
    compute_dtype: np.dtype[Any]
    result: NDArray[Any]  # out, with axes in the order of the caller


def check_rotation(
    x: ArrayLike,
    cos: ArrayLike,
    sin: ArrayLike,
    layout: Layout,
    rotary_dim: int | None,
    seq_axis: int | None,
    compute_dtype: DTypeLike,
    out: NDArray[Any] | None,
) -> Rotation:
    """Return the arguments of `rotate_pairs`, or refuse them.

    Whether their numbers are finite is left to `rotate`: `posenc.numba` sees it in the result.
    """
    array = vectors(x)
    layout = checks.choice("layout", layout, LAYOUTS)
    cosines = checks.numbers("cos", cos)
    sines = checks.numbers("sin", sin)
    if cosines.shape != sines.shape:
        raise ValueError(
            f"cos and sin must have one shape, got shapes {cosines.shape} and {sines.shape}"
        )
    if cosines.ndim == 0 or not 2 <= 2 * cosines.shape[-1] <= array.shape[-1]:
        raise ValueError(
            f"cos must have 1 to {array.shape[-1] // 2} numbers on its last axis, as x has"
            f" {array.shape[-1]} channels, got shape {cosines.shape}"
        )
    if rotary_dim is None:
        _refuse_doubled_tables(cosines, sines)
    elif checks.even("rotary_dim", rotary_dim) != 2 * cosines.shape[-1]:
        half = checks.describe_value(rotary_dim // 2)
        raise ValueError(
            f"cos must have rotary_dim/2 = {half} numbers on its last axis, one for each pair,"
            f" got shape {cosines.shape}"
        )
    compute = _compute_dtype(compute_dtype, array.dtype)
    result = to_fill(out, array.shape, array.dtype)
    if out is not None:
        for name, table in (("cos", cosines), ("sin", sines)):
            apart(result, name, table)
        if np.may_share_memory(result, array) and not same(result, array):
            apart(result, "x", array)
    array = positions_last(array, seq_axis, cosines.shape[:-1])
    shape = (*axes_of("cos", cosines.shape[:-1], array.shape), cosines.shape[-1])
    cosines, sines = cosines.reshape(shape), sines.reshape(shape)
    filled = result.swapaxes(-2, -3) if seq_axis == -3 else result
    return Rotation(array, cosines, sines, layout, filled, compute, result)


def rotate(rotation: Rotation) -> None:
    """Write x, rotated, into out, or refuse numbers that are not finite."""
    checks.all_finite("cos", rotation.cos)
    checks.all_finite("sin", rotation.sin)
    x, cos, sin, layout, out, compute_dtype, _ = rotation
    _rotate(x, cos, sin, layout, out, compute_dtype)


def _refuse_doubled_tables(cos: NDArray[Any], sin: NDArray[Any]) -> None:
    """Refuse tables that hold each number twice, side by side or half by half.

    A single row passes: a cell on the diagonal of a grid rightly has such a one.
    """
    pairs = cos.shape[-1]
    if pairs < 4 or pairs % 2 or cos.size <= pairs:
        return
    half = pairs // 2
    doubled = {
        f"[..., :{half}]": (slice(half), slice(half, None)),
        "[..., ::2]": (slice(0, None, 2), slice(1, None, 2)),
    }
    for cut, (one, other) in doubled.items():
        alike = all((t[..., one] == t[..., other]).all() for t in (cos, sin))
        if alike and (sin[..., one] != sin[..., :1]).any():  # not all pairs rotate alike
            raise ValueError(
                f"cos and sin hold every number twice, shape {cos.shape}: pass cos{cut} and"
                f" sin{cut}, or rotary_dim={2 * pairs} if each is meant for a pair of its own"
            )


def _cos_sin(p: Floats, frequencies: Frequencies, factor: float) -> tuple[Floats, Floats]:
    """Return factor times cos(p·ω) and sin(p·ω), each (..., r/2)."""
    # --8<-- [start:angles]
    sin, cos = sin_cos(p, frequencies)  # (..., r/2): sin(p·ω_i), cos(p·ω_i)
    # --8<-- [end:angles]
    with np.errstate(under="ignore"):
        return factor * cos, factor * sin


def _compute_dtype(value: Any, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return value as the dtype to compute in, which is at least as wide as that of x."""
    compute = checks.float_dtype("compute_dtype", value)
    if compute == np.float16 or compute.itemsize < dtype.itemsize:
        options = "float64" if dtype == np.float64 else "float64 or float32"
        raise ValueError(
            f"compute_dtype must be {options} for x of {dtype}, got compute_dtype={compute}"
        )
    return compute


def _rotate(
    x: NDArray[Any],
    cos: Floats,
    sin: Floats,
    layout: Layout,
    out: NDArray[Any],
    compute_dtype: np.dtype[Any],
) -> None:
    """Write x, rotated, into out, block by block; cos and sin (..., L, r/2) fit the axes of x."""
    cos, sin = (np.broadcast_to(table, (*x.shape[:-1], table.shape[-1])) for table in (cos, sin))
    if x.ndim > 2 and abs(x.strides[-3]) < abs(x.strides[-2]):  # blocks follow the memory of x
        x, cos, sin, out = (array.swapaxes(-2, -3) for array in (x, cos, sin, out))
    blocks = list(split_into_blocks(x.shape))
    for block in blocks:  # all of x before out is written, as it may be x
        checks.all_finite("x", x[block])
    try:
        with np.errstate(over="ignore", under="ignore", invalid="raise"):
            for block in blocks:
                c, s = (table[block].astype(compute_dtype, copy=False) for table in (cos, sin))
                _rotate_block(x[block], c, s, layout, out[block])
    except FloatingPointError:  # a difference of two infinities
        raise ValueError(OVERFLOW) from None


def _rotate_block(
    x: NDArray[Any], cos: Floats, sin: Floats, layout: Layout, out: NDArray[Any]
) -> None:
    """Write x (..., channels), rotated, into out, computed in the dtype of cos and sin."""
    # --8<-- [start:rotate]
    r = 2 * cos.shape[-1]
    first, second = pair_channels(r, layout)
    a = x[..., first].astype(cos.dtype)  # (..., r/2)
    b = x[..., second].astype(cos.dtype)
    out[..., first] = rounded(a * cos - b * sin, out.dtype)
    out[..., second] = rounded(a * sin + b * cos, out.dtype)
    out[..., r:] = x[..., r:]
    # --8<-- [end:rotate]
