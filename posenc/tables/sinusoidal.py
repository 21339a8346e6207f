"""Sinusoidal positional encoding: a fixed vector for every position.

Letters in this module
    L  positions (seq_len)      p  a position      i  index of a pair, 0..d/2-1
    d  channels (d_model)       ω  angular frequency, radians per position
    B  sequences in a batch     k  offset between two positions
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks
from posenc.core.angles import Frequencies, sin_cos
from posenc.core.frequencies import Exponent, chosen_inv_freq
from posenc.core.layouts import LAYOUTS, Layout, pair_channels
from posenc.core.memory import check_memory
from posenc.core.outputs import rounded, to_fill
from posenc.core.underflow import ignore_underflow

# Rows that share one anchor. Fixed, so that a row has the same bits in every table.
BLOCK = 128


@ignore_underflow
def sinusoidal_positional_encoding(
    seq_len: int,
    d_model: int,
    *,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    exponent: Exponent = "paper",
    inv_freq: ArrayLike | None = None,
    start: int = 0,
    dtype: DTypeLike = np.float64,
    out: NDArray[Any] | None = None,
) -> NDArray[Any]:
    """Return the table of encodings of consecutive positions, one row each.

    Args:
        seq_len: Number of positions L, at least 0.
        d_model: Channels d. Even, at least 2.
        base: b, dimensionless, finite, above 1.
        layout: `"interleaved"` puts the sine of pair i in channel 2i and its cosine
            in 2i+1; `"half"` puts all sines before all cosines: channels i and d/2+i.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies ω instead of those from base and exponent: shape (d/2,), radians
            per position, each from 0 to 2**53, as in `rotary_cos_sin`.
        start: Position of the first row. May be negative; |start| + L at most 2**53.
        dtype: float64, float32, float16, or the bfloat16 of ml_dtypes.
        out: Array of shape (L, d) and this dtype to write into, or None for a new one.

    Returns:
        Shape (L, d), of the given dtype, dimensionless, every entry in [-1, 1].
        Row r encodes position start + r, channels as `layout` says.
        float64 entries are within 3e-16 of the exact value at any position, for frequencies
        up to 2**28, and within 1e-15 beyond; those of narrower dtypes are these, rounded
        once. `out` if it was given.

    Raises:
        TypeError: An argument has the wrong type; `seq_len=2.0` is not an integer.
        ValueError: `d_model` is odd or below 2, `seq_len` is negative, `base` is not
            finite or not above 1, a name is unknown, a position lies beyond 2**53,
            or `out` has another shape or dtype or is read-only.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5, channels interleaved as
        printed there. The authors' own code (tensor2tensor, `get_timing_signal_1d`)
        differs twice: `layout="half"` and `exponent="tensor2tensor"`. Deviation: odd
        d is refused, where that code appends a column of zeros.

    Examples:
        >>> from posenc import sinusoidal_positional_encoding
        >>> sinusoidal_positional_encoding(3, 4).round(4)
        array([[ 0.    ,  1.    ,  0.    ,  1.    ],
               [ 0.8415,  0.5403,  0.01  ,  1.    ],
               [ 0.9093, -0.4161,  0.02  ,  0.9998]])
    """
    asked = check_table_arguments(
        seq_len, d_model, base, layout, exponent, inv_freq, start, dtype, out
    )
    fill(*asked)
    return asked.table


@ignore_underflow
def sinusoidal_at(
    positions: ArrayLike,
    d_model: int,
    *,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    exponent: Exponent = "paper",
    inv_freq: ArrayLike | None = None,
    dtype: DTypeLike = np.float64,
) -> NDArray[Any]:
    """Return the encoding of any positions: fractional, negative, in any order.

    Args:
        positions: Real numbers p of any shape, each within ±2**53. Integers and
            floats are both exact.
        d_model: Channels d. Even, at least 2.
        base: b, dimensionless, finite, above 1.
        layout: `"interleaved"` or `"half"`, as in `sinusoidal_positional_encoding`.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies ω instead of those from base and exponent: shape (d/2,), radians
            per position, each from 0 to 2**53, as in `rotary_cos_sin`.
        dtype: float64, float32, float16, or the bfloat16 of ml_dtypes.

    Returns:
        Shape positions.shape + (d,), of the given dtype, dimensionless, in [-1, 1], with
        the channel order of `sinusoidal_positional_encoding`. float64 entries are within
        6e-17 of the exact value for frequencies up to 2**40, and within 3e-16 beyond; those
        of narrower dtypes are these, rounded once.

    Raises:
        TypeError: `positions` does not hold real numbers, or another argument has the
            wrong type.
        ValueError: A position is not finite or beyond 2**53, or another argument is
            refused as in `sinusoidal_positional_encoding`.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5, which states the formula
        for integers. Deviation: any real position.

    Examples:
        >>> from posenc import sinusoidal_at
        >>> sinusoidal_at([0.5, -1], 4).round(4)
        array([[ 0.4794,  0.8776,  0.005 ,  1.    ],
               [-0.8415,  0.5403, -0.01  ,  1.    ]])
    """
    p = checks.positions("positions", positions)
    d_model = checks.even("d_model", d_model)
    layout = checks.choice("layout", layout, LAYOUTS)
    dtype = checks.float_dtype("dtype", dtype, bfloat16=True)
    check_memory("the encoding", *p.shape, d_model)
    # --8<-- [start:pairs]
    frequencies = chosen_inv_freq(d_model, base, inv_freq, exponent)  # ω_i
    sin, cos = sin_cos(p, frequencies)  # (..., d/2): sin(p·ω_i), cos(p·ω_i)
    encoding = np.empty((*p.shape, d_model), dtype)
    # --8<-- [end:pairs]
    _arrange(sin, cos, layout, encoding)
    return encoding


class ToFill(NamedTuple):
    """Checked arguments of `sinusoidal_positional_encoding`, and the table to fill."""

    start: int
    frequencies: Frequencies
    layout: Layout
    table: NDArray[Any]  # (seq_len, d_model)


def check_table_arguments(
    seq_len: int,
    d_model: int,
    base: float,
    layout: Layout,
    exponent: Exponent,
    inv_freq: ArrayLike | None,
    start: int,
    dtype: DTypeLike,
    out: NDArray[Any] | None,
) -> ToFill:
    """Return the checked arguments of `sinusoidal_positional_encoding`, or refuse them."""
    seq_len = checks.integer("seq_len", seq_len, least=0)
    d_model = checks.even("d_model", d_model)
    layout = checks.choice("layout", layout, LAYOUTS)
    start = checks.integer("start", start)
    if abs(start) + seq_len > checks.LARGEST_POSITION:
        raise ValueError(
            f"|start| + seq_len must be at most 2**53, got start={checks.describe_value(start)},"
            f" seq_len={checks.describe_value(seq_len)}"
        )
    dtype = checks.float_dtype("dtype", dtype, bfloat16=True)
    frequencies = chosen_inv_freq(d_model, base, inv_freq, exponent)
    table = to_fill(out, (seq_len, d_model), dtype)
    return ToFill(start, frequencies, layout, table)


def fill(start: int, frequencies: Frequencies, layout: Layout, table: NDArray[Any]) -> None:
    """Write the encodings of consecutive positions into a table."""
    seq_len = len(table)
    # A row as complex numbers is z(p) = sin(pω) + i·cos(pω), one for each pair, and
    # z(anchor + k) = z(anchor) · exp(-ikω): a product instead of a sine and a cosine.
    # Cut after the product: NumPy may round a lone complex product unlike one among many. The
    # one that is left alone, in a block of one row, has offset 0 and is by 1, which is exact.
    # --8<-- [start:table]
    anchors = np.arange(start - start % BLOCK, start + seq_len, BLOCK, dtype=np.float64)
    offsets = np.arange(min(BLOCK, start % BLOCK + seq_len), dtype=np.float64)
    sin, cos = sin_cos(anchors, frequencies)
    sin_k, cos_k = sin_cos(offsets, frequencies)
    turns = cos_k - 1j * sin_k  # (block, d/2)
    block = np.empty_like(turns)  # of all, so that it stays in the cache
    for anchor, s, c in zip(map(int, anchors), sin, cos, strict=True):
        first, stop = max(anchor, start), min(anchor + BLOCK, start + seq_len)
        np.multiply(s + 1j * c, turns, out=block)
        rows = block[first - anchor : stop - anchor]  # (rows, d/2)
        _write(rows, layout, table[first - start : stop - start])
    # --8<-- [end:table]


def _write(rows: NDArray[np.complex128], layout: Layout, out: NDArray[Any]) -> None:
    """Write sin + i·cos, (rows, d/2), into the channels of out, (rows, d)."""
    if layout == "interleaved":  # as complex numbers lie in memory: one pass for both
        _write_rounded(rows.view(np.float64), out)
    else:
        _arrange(rows.real, rows.imag, layout, out)


def _arrange(sin: NDArray[Any], cos: NDArray[Any], layout: Layout, out: NDArray[Any]) -> None:
    """Write sines and cosines, (..., d/2) each, into the channels of out, (..., d)."""
    sines, cosines = pair_channels(out.shape[-1], layout)
    _write_rounded(sin, out[..., sines])
    _write_rounded(cos, out[..., cosines])


def _write_rounded(waves: NDArray[Any], out: NDArray[Any]) -> None:
    """Write sines or cosines into out, rounded once."""
    if out.dtype == np.float64:
        # Where a sine is 1, the sum of products behind it may round to the float above 1.
        np.clip(waves, -1, 1, out=out)
    elif checks.is_bfloat16(out.dtype):
        out[...] = rounded(waves, out.dtype)
    else:
        out[...] = waves
