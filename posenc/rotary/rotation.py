"""Rotary position embedding: queries and keys turned by the angle of their position.

Letters in this module
    L  positions (seq_len)      p  a position      i  index of a pair, 0..r/2-1
    B  sequences in a batch     r  channels that are turned (rotary_dim), r <= head_dim
    H  heads                    ω  angular frequency, radians per position
    x  queries or keys, the channels of a head on the last axis
"""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.angles import Floats, Frequencies, sin_cos
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
from posenc.core.outputs import Floating, Kept, apart, rounded, same, to_fill
from posenc.core.parts import BLOCK, Place, blocks, places
from posenc.core.underflow import ignore_underflow


@overload
def rotary_cos_sin(
    positions: ArrayLike,
    dim: int,
    *,
    base: float = ...,
    inv_freq: ArrayLike | None = ...,
    attention_factor: float = ...,
    dtype: type[Floating] | np.dtype[Floating] = ...,
) -> tuple[NDArray[Floating], NDArray[Floating]]: ...


@overload
def rotary_cos_sin(
    positions: ArrayLike,
    dim: int,
    *,
    base: float = ...,
    inv_freq: ArrayLike | None = ...,
    attention_factor: float = ...,
    dtype: DTypeLike,
) -> tuple[NDArray[Any], NDArray[Any]]: ...


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
    """Return the cosines and the sines that turn each pair of channels.

    Args:
        positions: Real numbers p of any shape, each within ±2**53.
        dim: Channels that are turned. Even, at least 2.
        base: b, dimensionless, finite, above 1. Not used where `inv_freq` is given.
        inv_freq: Frequencies ω in place of those of the base: shape (dim/2,), radians
            per position, each from 0 (that pair is not turned) to 2**53. The float64
            are taken as exact.
        attention_factor: Factor on every cosine and sine, finite, above 0. A score
            of two turned vectors has it twice.
        dtype: float64, float32, float16, or the bfloat16 of ml_dtypes.

    Returns:
        (cos, sin), each of shape positions.shape + (dim/2,), dtype as asked,
        dimensionless, in [-attention_factor, attention_factor]; entry i is for pair i.
        With a factor of 1, float64 entries are within 6e-17 of the exact value, hardly more
        than rounding takes, for frequencies up to 2**40, and within 3e-16 beyond; those of
        narrower dtypes are these, rounded once.

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


@overload
def rotate_pairs(
    x: NDArray[Kept],
    cos: ArrayLike,
    sin: ArrayLike,
    *,
    layout: Layout = ...,
    rotary_dim: int | None = ...,
    seq_axis: int | None = ...,
    compute_dtype: DTypeLike = ...,
    out: NDArray[Kept] | None = ...,
) -> NDArray[Kept]: ...


@overload
def rotate_pairs(
    x: ArrayLike,
    cos: ArrayLike,
    sin: ArrayLike,
    *,
    layout: Layout = ...,
    rotary_dim: int | None = ...,
    seq_axis: int | None = ...,
    compute_dtype: DTypeLike = ...,
    out: NDArray[Any] | None = ...,
) -> NDArray[Any]: ...


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
    """Return x with its first pairs of channels turned counter-clockwise.

    Args:
        x: float64, float32, float16 or the bfloat16 of ml_dtypes, shape (..., L, head_dim),
            finite. An axis of heads stands before the one of positions.
        cos: Cosines of the angles, one for each pair; or any other finite numbers, as
            these are only multiplied. Shape (L, r/2), or (B, L, r/2) with B the first
            axis of x, or x.shape[:-1] + (r/2,). r is at least 2, at most head_dim.
        sin: Sines of the angles, in the shape of `cos`.
        layout: `"interleaved"`: pair i is the channels 2i and 2i+1; `"half"`: the
            channels i and r/2 + i.
        rotary_dim: Channels r that are turned, twice the last axis of `cos`. None: as
            `cos` has them, unless `cos` and `sin` have several rows and every number in
            them twice. Such are the tables of Hugging Face, which would turn twice the
            channels: they are refused.
        seq_axis: Axis of x that holds the positions, -2 or, for (B, L, H, head_dim), -3;
            the shapes of `cos` are then told of x with the two exchanged. None: -2; where x has
            four or more axes, and -3 is as long as -2, it must be said.
        compute_dtype: float64; or float32, which takes less time, for an x that is no
            float64. `cos` and `sin` are then rounded to float32 first.
        out: Array of the shape and dtype of x to write into, x itself if it is to be turned
            in place; or None for a new one. It has no number in common with `cos` or `sin`,
            nor with x, if it is not x.

    Returns:
        Shape and dtype of x, `out` if it was given. Each pair (a, b) becomes
        (a·cos - b·sin, a·sin + b·cos); channels r and above are those of x. Computed in
        float64, then rounded once; what is beyond the range of the dtype is infinite.
        Computed in float32, an entry of float32 is off by at most 3·2**-24 of the length
        of its pair where cos² + sin² is 1 and no product is below 1e-38.
        On one machine a row has the same bits alone and among others, however x lies in memory.

    Raises:
        TypeError: `x` does not hold floats, `cos` or `sin` does not hold real numbers,
            `layout` is not a string, `compute_dtype` no dtype, or `out` no NumPy array.
        ValueError: `x` has another dtype, a shape does not fit or fits in two ways, a
            number is not finite, `cos` holds every number twice or contradicts
            `rotary_dim`, `layout` is unknown, `compute_dtype` is another or narrower than
            x, or `out` does not fit, is read-only, repeats numbers or overlaps an input.
            Also where numbers are so large that a difference of two overflows: that
            shows in the result alone, so `out` has been written to. Where a number of x is
            not finite, parts of `out` may have been, unless it shares memory with x.

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
    asked = asked_to_turn(x, cos, sin, layout, rotary_dim, seq_axis, compute_dtype, out)
    turn(asked)
    return asked.result


@overload
def apply_rotary(
    x: NDArray[Kept],
    positions: ArrayLike,
    *,
    layout: Layout = ...,
    base: float = ...,
    inv_freq: ArrayLike | None = ...,
    rotary_dim: int | None = ...,
    attention_factor: float = ...,
    seq_axis: int | None = ...,
) -> NDArray[Kept]: ...


@overload
def apply_rotary(
    x: ArrayLike,
    positions: ArrayLike,
    *,
    layout: Layout = ...,
    base: float = ...,
    inv_freq: ArrayLike | None = ...,
    rotary_dim: int | None = ...,
    attention_factor: float = ...,
    seq_axis: int | None = ...,
) -> NDArray[Any]: ...


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
    """Return queries or keys turned by their positions.

    Args:
        x: float64, float32, float16 or the bfloat16 of ml_dtypes, shape (..., L, head_dim),
            finite. An axis of heads stands before the one of positions: (B, H, L, head_dim).
        positions: Real numbers p within ±2**53, shape (L,), or (B, L) with B the first
            axis of x, or x.shape[:-1].
        layout: `"interleaved"` or `"half"`, as in `rotate_pairs`.
        base: b, dimensionless, finite, above 1. Not used where `inv_freq` is given.
        inv_freq: Frequencies in place of those of the base, shape (r/2,), as in
            `rotary_cos_sin`.
        rotary_dim: Channels r that are turned, the first of each vector; the others
            pass. Even, from 2 to head_dim. None: two for each entry of `inv_freq`
            where that is given, and otherwise all.
        attention_factor: Factor on the turned channels, finite, above 0.
        seq_axis: -2 or -3, the axis of x that holds the positions, as in `rotate_pairs`.

    Returns:
        Shape and dtype of x: pair i of every vector turned counter-clockwise by p·ω_i.
        Computed in float64, then rounded once, as in `rotate_pairs`. A factor of 1 leaves
        lengths as they are. Each call computes the frequencies anew, which takes longer
        than to turn one token: to decode step by step, or for many layers, call
        `rotary_cos_sin` once and `rotate_pairs` with its rows. The bits are the same.

    Raises:
        TypeError: An argument has the wrong type; `x` does not hold floats.
        ValueError: `x` has another dtype, is not finite or has an odd number of
            channels to turn, `positions` does not fit or fits in two ways (`seq_axis`
            then says which), `rotary_dim` is above head_dim or
            contradicts `inv_freq`, or another argument is refused as in `rotary_cos_sin`.

    Source:
        Su et al. 2021, arXiv:2104.09864v5, section 3.2.2. `rotary_dim` is that of
        GPT-J and GPT-NeoX. Deviation: narrower dtypes are turned in float64.

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
    turned = np.empty(array.shape, array.dtype)
    _turn(array, cos, sin, layout, turned, cos.dtype)
    # --8<-- [end:apply]
    return turned.swapaxes(-2, -3) if seq_axis == -3 else turned


class ToTurn(NamedTuple):
    """What `rotate_pairs` was asked to do, and nothing against it."""

    x: NDArray[Any]  # (..., L, head_dim)
    cos: NDArray[Any]  # (..., L, r/2), axes that fit those of x
    sin: NDArray[Any]
    layout: Layout
    out: NDArray[Any]  # with axes as x has them here
    compute_dtype: np.dtype[Any]
    result: NDArray[Any]  # out, with the axes in the order of the caller


def asked_to_turn(
    x: ArrayLike,
    cos: ArrayLike,
    sin: ArrayLike,
    layout: Layout,
    rotary_dim: int | None,
    seq_axis: int | None,
    compute_dtype: DTypeLike,
    out: NDArray[Any] | None,
) -> ToTurn:
    """Return what the arguments of `rotate_pairs` ask for, or refuse them.

    Whether numbers are finite is left to what turns them, which may see it in the result.
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
        _once(cosines, sines)
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
    return ToTurn(array, cosines, sines, layout, filled, compute, result)


def turn(asked: ToTurn) -> None:
    """Do what `rotate_pairs` was asked to do, or refuse numbers that are not finite."""
    checks.all_finite("cos", asked.cos)
    checks.all_finite("sin", asked.sin)
    _turn(asked.x, asked.cos, asked.sin, asked.layout, asked.out, asked.compute_dtype)


def _once(cos: NDArray[Any], sin: NDArray[Any]) -> None:
    """Refuse tables in which each number stands twice, side by side or half by half.

    A single row is let through: a cell on the diagonal of a grid has such a one by right.
    """
    pairs = cos.shape[-1]
    if pairs < 4 or pairs % 2 or cos.size <= pairs:
        return
    half = pairs // 2
    doubled = {
        f"[..., :{half}]": (slice(half), slice(half, None)),
        "[..., ::2]": (slice(0, None, 2), slice(1, None, 2)),
    }
    row = sin.reshape(-1, pairs)[-1]
    for cut, (one, other) in doubled.items():
        if row[one][-1] != row[other][-1]:  # soon told, and most tables end here
            continue
        alike = all((t[..., one] == t[..., other]).all() for t in (cos, sin))
        if alike and (sin[..., one] != sin[..., :1]).any():  # not all pairs turn alike
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


def _turn(
    x: NDArray[Any],
    cos: Floats,
    sin: Floats,
    layout: Layout,
    out: NDArray[Any],
    compute_dtype: np.dtype[Any],
) -> None:
    """Write x turned into out; cos and sin (..., L, r/2) fit the axes of x.

    A number of x that is not finite is refused: before anything is written where x and out
    share memory, and otherwise where its part is reached, while that is in the cache.
    """
    in_place = np.may_share_memory(x, out)
    if in_place:
        for place in places(x.shape, BLOCK):  # what says of each number whether it is finite
            checks.all_finite("x", x[place])  # stays in the cache, too
    seen: list[str] = []  # x may be turned in place, so there is no second try
    with np.errstate(
        over="call", invalid="call", under="ignore", call=lambda kind, _: seen.append(kind)
    ):
        for rows, parts in blocks(x):
            arrays = x[rows], cos[rows], sin[rows], out[rows]
            _turn_rows(*arrays, layout, compute_dtype, parts, in_place)
    if seen:  # nothing is looked through where nothing overflows
        no_overflow(out)


def no_overflow(turned: NDArray[Any]) -> None:
    """Refuse what finite numbers were turned into, where a difference of two was none."""
    if np.isnan(turned).any():
        raise ValueError("x, cos and sin must be so small that no difference overflows")


def _turn_rows(
    x: NDArray[Any],
    cos: Floats,
    sin: Floats,
    out: NDArray[Any],
    layout: Layout,
    compute_dtype: np.dtype[Any],
    parts: list[Place],
    known_as_finite: bool,
) -> None:
    """Write parts of x turned into out, by tables that they share."""
    turn_part, tables = _way(x, cos, sin, layout, compute_dtype)
    if len(parts) > 1:
        tables = [np.broadcast_to(t, (*x.shape[:-1], t.shape[-1])) for t in tables]
    # Nothing is computed in bfloat16, and the two parts of a complex number lie side by side.
    beside = x.strides[-1] == out.strides[-1] == x.itemsize
    copied = checks.is_bfloat16(x.dtype) or (turn_part is _turn_complex and not beside)
    for place in parts:
        part, turned = x[place], out[place]
        if not known_as_finite:
            checks.all_finite("x", part)
        if copied:
            copy = part.astype(compute_dtype, order="C")
            turn_part(copy, *(t[place] for t in tables), copy)
            turned[...] = rounded(copy, out.dtype)
        else:
            turn_part(part, *(t[place] for t in tables), turned)


def _way(
    x: NDArray[Any], cos: Floats, sin: Floats, layout: Layout, compute_dtype: np.dtype[Any]
) -> tuple[Callable[..., None], list[NDArray[Any]]]:
    """Return how to turn x in the least time, and the tables that this takes.

    Products of complex numbers round unlike those of real ones where the machine fuses a
    product and a sum, so they are taken or not by what all shards of a sequence share: number
    types, layout and count of pairs. NumPy fuses nothing in a lone product.
    """
    same = checks.is_bfloat16(x.dtype) or x.dtype == compute_dtype  # parts of it are converted
    pairs = cos.shape[-1]
    if same and layout == "interleaved" and compute_dtype == np.float32 and pairs > 1:
        z = np.empty(cos.shape, np.complex64)
        z.real, z.imag = cos, sin
        return _turn_complex, [z]
    cos, sin = (table.astype(compute_dtype, copy=False) for table in (cos, sin))
    if same and layout == "half" and x.size > BLOCK // 2:
        return _turn_halves, [np.concatenate([cos, cos], -1), np.concatenate([-sin, sin], -1)]
    return partial(_turn_pairs, layout), [cos, sin]


def _turn_pairs(
    layout: Layout, x: NDArray[Any], cos: Floats, sin: Floats, out: NDArray[Any]
) -> None:
    """Write x turned into out; in real numbers, so that a row has the same bits anywhere."""
    r, dtype = 2 * cos.shape[-1], cos.dtype
    # --8<-- [start:turn]
    first, second = pair_channels(r, layout)
    a = x[..., first].astype(dtype)  # (..., L, r/2), in the dtype to compute in
    b = x[..., second].astype(dtype)
    out[..., first] = a * cos - b * sin
    out[..., second] = a * sin + b * cos
    out[..., r:] = x[..., r:]
    # --8<-- [end:turn]


def _turn_halves(x: NDArray[Any], cos: Floats, sin: Floats, out: NDArray[Any]) -> None:
    """Write x turned into out: halves (a, b) times (cos, cos), and (b, a) times (-sin, sin).

    The same products and sums as in `_turn_pairs`, so the same bits.
    """
    r = cos.shape[-1]
    pairs, turned = x[..., :r], out[..., :r]
    halves, sines = (t.reshape(*t.shape[:-1], 2, r // 2) for t in (pairs, sin))
    added = halves[..., ::-1, :] * sines
    np.multiply(pairs, cos, out=turned)
    turned += added.reshape(pairs.shape)
    out[..., r:] = x[..., r:]


def _turn_complex(x: NDArray[Any], z: NDArray[np.complex64], out: NDArray[Any]) -> None:
    """Write x turned into out: pairs lie in memory as numbers a + ib, and are times z."""
    r = 2 * z.shape[-1]
    np.multiply(x[..., :r].view(np.complex64), z, out=out[..., :r].view(np.complex64))
    if r < x.shape[-1]:
        out[..., r:] = x[..., r:]
