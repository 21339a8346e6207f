"""A sinusoidal table, row by row in a compiled loop."""

from typing import Any

import numpy as np
from numba import njit
from numba.extending import overload, register_jitable
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import angles
from posenc.core.frequencies import Exponent
from posenc.core.layouts import Layout
from posenc.core.underflow import ignore_underflow
from posenc.numba import machine
from posenc.tables import sinusoidal
from posenc.tables.sinusoidal import BLOCK


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
        layout: `"interleaved"` or `"half"`.
        exponent: `"paper"` or `"tensor2tensor"`.
        inv_freq: Frequencies instead of those of base and exponent, shape (d/2,).
        start: Position of the first row. |start| + L at most 2**53.
        dtype: As in `posenc.sinusoidal_positional_encoding`. Only float64 and float32 are
            written by a compiled loop.
        out: Array of shape (L, d) and this dtype to write into, or None for a new one. Only
            one in C order is filled by a compiled loop.

    Returns:
        The bits of `posenc.sinusoidal_positional_encoding`, shape (L, d), `out` if it was
        given.

    Raises:
        TypeError: As `posenc.sinusoidal_positional_encoding`.
        ValueError: As `posenc.sinusoidal_positional_encoding`.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5, as
        `posenc.sinusoidal_positional_encoding` has it. Deviation: none.

    Examples:
        >>> from posenc.numba import sinusoidal_positional_encoding
        >>> sinusoidal_positional_encoding(3, 4).round(4)
        array([[ 0.    ,  1.    ,  0.    ,  1.    ],
               [ 0.8415,  0.5403,  0.01  ,  1.    ],
               [ 0.9093, -0.4161,  0.02  ,  0.9998]])
    """
    asked = sinusoidal.check_table_arguments(
        seq_len, d_model, base, layout, exponent, inv_freq, start, dtype, out
    )
    table = asked.table
    if table.dtype not in machine.FLOATS or not table.flags.carray:
        sinusoidal.fill(*asked)
    else:
        interleaved, past = asked.layout == "interleaved", table.nbytes >= machine.LARGE
        turns = asked.frequencies.turns
        _fill(asked.start, turns, *angles.circle(), interleaved, past, table)
    return table


# numba compiles these lines of the package unchanged.
for lines in (angles.near_steps, angles.far_steps, angles.nearest_step, angles.beside):
    register_jitable(lines)


@overload(angles.product_error)
def _product_error(a: Any, b: Any, product: Any) -> Any:
    def error(a: Any, b: Any, product: Any) -> Any:
        return machine.fma(a, b, -product)  # exact, as Dekker's way is

    return error


@njit
def _rotate(s: float, c: float, s_k: float, c_k: float) -> tuple[float, float]:
    """Return the sine and cosine of an anchor, rotated by an offset."""
    s, c = machine.product(s, c, c_k, -s_k, machine.FUSES)
    return min(max(s, -1.0), 1.0), min(max(c, -1.0), 1.0)  # as `posenc` cuts them


@njit
def _waves(p: Any, turns: Any, sine: Any, cosine: Any, sin: Any, cos: Any, row: int) -> None:
    """Write sin(p·ω) and cos(p·ω) into a row of both, as `sin_cos` has them."""
    fastest = 0.0
    for i in range(turns.shape[0]):
        fastest = max(fastest, abs(turns[i, 0]))
    far = abs(p) * fastest >= angles.NEAR
    for i in range(turns.shape[0]):
        if far:
            cos[row, i], sin[row, i] = angles.far_steps(p, turns[i, 0], turns[i, 1], turns[i, 2])
        else:
            cos[row, i], sin[row, i] = angles.near_steps(p, turns[i, 0], turns[i, 1])
    for i in range(turns.shape[0]):
        at = np.intp(cos[row, i]) & (angles.STEPS - 1)
        sin[row, i], cos[row, i] = angles.beside(
            sin[row, i], sine[0, at], sine[1, at], cosine[0, at], cosine[1, at]
        )


@njit
def _fill(
    start: int, turns: Any, sine: Any, cosine: Any, interleaved: bool, past: bool, table: Any
) -> None:
    """Write the encodings of consecutive positions, each row a product, as `posenc` does."""
    length, n = len(table), len(turns)
    sin_k, cos_k = np.empty((BLOCK, n)), np.empty((BLOCK, n))
    sin, cos = np.empty((1, n)), np.empty((1, n))
    for k in range(min(BLOCK, start % BLOCK + length)):
        _waves(float(k), turns, sine, cosine, sin_k, cos_k, k)
    row = machine.beside_line(2 * n, table)
    sines, cosines = row[:n], row[n:]
    source, target, size = row.ctypes.data, table.ctypes.data, 2 * n * table.itemsize
    past = past and target % machine.PIECE == size % machine.PIECE == 0
    for r in range(length):
        k = (start + r) % BLOCK
        if k == 0 or r == 0:
            _waves(float(start + r - k), turns, sine, cosine, sin, cos, 0)
        if interleaved:
            for i in range(n):
                s, c = _rotate(sin[0, i], cos[0, i], sin_k[k, i], cos_k[k, i])
                row[2 * i], row[2 * i + 1] = s, c
        else:
            for i in range(n):
                sines[i], cosines[i] = _rotate(sin[0, i], cos[0, i], sin_k[k, i], cos_k[k, i])
        machine.move(source, target + r * size, size, past)
    machine.arrive(past)
