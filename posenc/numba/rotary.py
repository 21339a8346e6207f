"""Pairs of channels rotated, vector by vector in a compiled loop.

Letters in this module
    L  positions (seq_len)     i  index of a pair, 0..r/2-1
    B  sequences in a batch    r  rotated channels (rotary_dim), r <= head_dim
    H  heads
"""

import math
from functools import cache
from typing import Any

import numpy as np
from numba import from_dtype, njit, types
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.layouts import Layout
from posenc.core.outputs import rounded
from posenc.numba import machine
from posenc.rotary import rotation

Places = tuple[int, int, int, int, int, int]


def rotate_pairs(
    x: NDArray[Any],
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
        x: As in `posenc.rotate_pairs`, shape (..., L, head_dim). Only float64 and float32
            are rotated in a compiled loop; an x that is not in C order is copied for it.
        cos: Shape (L, r/2), (B, L, r/2) or x.shape[:-1] + (r/2,).
        sin: Sines of the angles, in the shape of `cos`.
        layout: `"interleaved"` or `"half"`.
        rotary_dim: Rotated channels r, or None: as `cos` has them.
        seq_axis: Axis of x that holds the positions, -2 or -3, or None: -2.
        compute_dtype: float64; or float32, for an x that is not float64.
        out: Array to write into, x itself to rotate it in place; or None for a new one.
            Only one in C order is filled by a compiled loop.

    Returns:
        The bits of `posenc.rotate_pairs`, shape and dtype of x, `out` if it was given.

    Raises:
        TypeError: As `posenc.rotate_pairs`.
        ValueError: As `posenc.rotate_pairs`. Where a number of `x`, `cos` or `sin` is not
            finite, all of `out` may have been written to, unless it is x.

    Source:
        Su et al. 2021, arXiv:2104.09864v5, equation 34, as `posenc.rotate_pairs` has it.
        Deviation: none.

    Examples:
        >>> import numpy as np
        >>> from posenc.numba import rotate_pairs
        >>> rotate_pairs(np.array([[3.0, 4.0, 5.0]]), [[0]], [[1]])
        array([[-4.,  3.,  5.]])
    """
    asked = rotation.check_rotation(x, cos, sin, layout, rotary_dim, seq_axis, compute_dtype, out)
    if not _rotated(asked, seq_axis == -3):
        rotation.rotate(asked)
    return asked.result


def _rotated(asked: rotation.Rotation, heads_last: bool) -> bool:
    """Write the result where a loop is compiled for it, and return whether one is."""
    x, out = asked.x.swapaxes(-2, -3) if heads_last else asked.x, asked.result
    if x.dtype not in machine.FLOATS or not (x.flags.aligned and out.flags.carray):
        return False
    in_place = np.may_share_memory(x, out)
    if in_place:
        _finite(asked)
    compute = asked.compute_dtype
    loop = _compiled(x.dtype, compute)
    if not x.size or loop(
        np.ascontiguousarray(x).reshape(-1, x.shape[-1]),
        _rows(asked.cos, compute),
        _rows(asked.sin, compute),
        out.reshape(-1, x.shape[-1]),
        _locate_rows(asked.x.shape, asked.cos.shape[:-1], heads_last),
        asked.layout == "interleaved",
        out.nbytes >= machine.LARGE,
    ):
        if not in_place:
            _finite(asked)
        if np.isnan(out).any():
            raise ValueError(rotation.OVERFLOW)
    return True


def _finite(asked: rotation.Rotation) -> None:
    """Refuse cosines, sines, and numbers of x that are not finite."""
    checks.all_finite("cos", asked.cos)
    checks.all_finite("sin", asked.sin)
    checks.all_finite("x", asked.x)


def _rows(table: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return a table of a row for each position, or for each vector, in a dtype."""
    if table.dtype != dtype or not table.flags.aligned:
        table = rounded(table, dtype).copy()
    return np.ascontiguousarray(table).reshape(-1, table.shape[-1])


def _locate_rows(shape: tuple[int, ...], table: tuple[int, ...], heads_last: bool) -> Places:
    """Return where the row of a table is that rotates a vector.

    Args:
        shape: That of x, (..., H, L, head_dim) or with fewer axes.
        table: (L,), or (B, 1, ..., L), or all axes of x.
        heads_last: Whether the memory layout of x is (..., L, H, head_dim).

    Returns:
        The last two lengths of x in this layout. By how many rows the vector's row moves for
        a step along each of these two, and along what precedes them; and how many there
        share a row.
    """
    heads, length = (1, 1, *shape[:-1])[-2:]
    by_place, by_head, by_rest, shared = 1, 0, 0, 1
    if len(table) > 1:
        every = table == shape[:-1]
        by_head = length if every else 0
        by_rest = heads * length if every else length
        shared = 1 if every else math.prod(shape[1:-3])
    if heads_last:
        return length, heads, by_place, by_head, by_rest, shared
    return heads, length, by_head, by_place, by_rest, shared


@cache
def _compiled(dtype: np.dtype[Any], compute: np.dtype[Any]) -> Any:
    """Return the loop for an x of this dtype; inputs may be read-only."""
    x, table = (types.Array(from_dtype(one), 2, "C", readonly=True) for one in (dtype, compute))
    out, yes = types.Array(x.dtype, 2, "C"), types.boolean
    return njit(yes(x, table, table, out, types.UniTuple(types.intp, 6), yes, yes))(_rotate)


def _rotate(
    x: Any, cos: Any, sin: Any, out: Any, places: Places, interleaved: bool, past: bool
) -> bool:
    """Write rows rotated, and return whether a number of them was or became infinite or NaN.

    Of a pair (a, b), the first number tells: where a or b is not finite, neither is a·c - b·s;
    and where they are, a·s and b·c overflow together only if a·c or b·s does.
    """
    channels, pairs, wide = x.shape[1], cos.shape[1], cos.dtype.type
    middle, inner, by_middle, by_inner, by_rest, shared = places
    row = machine.beside_line(channels, out)
    first, second = row[:pairs], row[pairs : 2 * pairs]
    source, target, size = row.ctypes.data, out.ctypes.data, channels * out.itemsize
    past = past and target % machine.PIECE == size % machine.PIECE == 0
    beyond = False
    together = 1 if by_middle else 2  # heads that share a row, while it is in the cache
    for rest in range(len(x) // (middle * inner)):
        for m in range(0, middle, together):
            for k in range(inner):
                for head in range(m, min(m + together, middle)):
                    v = (rest * middle + head) * inner + k
                    at = rest // shared * by_rest + head * by_middle + k * by_inner
                    if interleaved:
                        for i in range(pairs):
                            a, b = wide(x[v, 2 * i]), wide(x[v, 2 * i + 1])
                            cosine, sine = cos[at, i], sin[at, i]
                            a, b = a * cosine - b * sine, a * sine + b * cosine
                            row[2 * i], row[2 * i + 1] = a, b
                            beyond |= a - a != 0
                    else:
                        for i in range(pairs):
                            a, b = wide(x[v, i]), wide(x[v, pairs + i])
                            cosine, sine = cos[at, i], sin[at, i]
                            a, b = a * cosine - b * sine, a * sine + b * cosine
                            first[i], second[i] = a, b
                            beyond |= a - a != 0
                    # As numbers without a sign: numba looks whether an index is below 0.
                    for c in range(np.uintp(2 * pairs), np.uintp(channels)):
                        row[c] = x[v, c]
                        beyond |= row[c] - row[c] != 0
                    machine.move(source, target + v * size, size, past)
    machine.arrive(past)
    return beyond
