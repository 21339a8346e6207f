"""Relative position: how the encodings of two positions depend on their offset.

Letters in this module
    L  positions (rows of pe)    p  a position    i  index of a pair, 0..d/2-1
    d  channels (d_model)        k  offset        ω  angular frequency, radians per position
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.angles import sin_cos
from posenc.core.frequencies import Exponent, chosen_inv_freq
from posenc.core.layouts import LAYOUTS, Layout, pair_channels
from posenc.core.memory import check_memory
from posenc.core.underflow import ignore_underflow


@ignore_underflow
def rotation_matrix(
    offset: float,
    d_model: int,
    *,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    exponent: Exponent = "paper",
    inv_freq: ArrayLike | None = None,
) -> NDArray[np.float64]:
    """Return the matrix that moves every sinusoidal encoding by the same offset.

    Args:
        offset: k, in positions. Any real number within ±2**53: negative moves back,
            and it may be a fraction.
        d_model: Channels d. Even, at least 2.
        base: b, dimensionless, finite, above 1.
        layout: `"interleaved"` or `"half"`, as in `sinusoidal_positional_encoding`.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies ω instead of those from base and exponent: shape (d/2,), radians
            per position, each from 0 to 2**53, as in `rotary_cos_sin`.

    Returns:
        Shape (d, d), float64, dimensionless, every entry in [-1, 1]: the M_k with
        M_k @ PE_p = PE_{p+k} for every real p. Each pair of channels has one block
        [[cos kω, sin kω], [-sin kω, cos kω]], rows and columns in the order sine,
        cosine; all else is 0. Entries are within 3e-16 of the exact value.
        The blocks are on the diagonal for `"interleaved"`; for `"half"` their
        entries are at (i, i), (i, d/2+i), (d/2+i, i) and (d/2+i, d/2+i).

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: `offset` is not finite or beyond ±2**53, `d_model` is odd or below
            2, `base` is not finite or not above 1, a name is unknown, or `inv_freq` is
            refused as in `rotary_cos_sin`.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5, which says that such a
        linear map exists and does not print it; the blocks follow from the angle
        addition formulas. Deviation: none. A block rotates a (sine, cosine) pair
        clockwise by kω; rotary encodings rotate counter-clockwise.

    Examples:
        >>> from posenc import rotation_matrix
        >>> rotation_matrix(1, 4).round(4)
        array([[ 0.5403,  0.8415,  0.    ,  0.    ],
               [-0.8415,  0.5403,  0.    ,  0.    ],
               [ 0.    ,  0.    ,  1.    ,  0.01  ],
               [ 0.    ,  0.    , -0.01  ,  1.    ]])
    """
    offset = checks.position("offset", offset)
    d_model = checks.even("d_model", d_model)
    layout = checks.choice("layout", layout, LAYOUTS)
    check_memory("the matrix", d_model, d_model)
    frequencies = chosen_inv_freq(d_model, base, inv_freq, exponent)

    # --8<-- [start:blocks]
    sin, cos = sin_cos(np.array(offset), frequencies)  # (d/2,): sin(k·ω_i), cos(k·ω_i)
    # s and c: the channels where each pair keeps its sine and its cosine.
    s, c = (np.arange(d_model)[part] for part in pair_channels(d_model, layout))
    # --8<-- [start:entries]
    matrix = np.zeros((d_model, d_model))
    matrix[s, s], matrix[s, c] = cos, sin
    matrix[c, s], matrix[c, c] = 0 - sin, cos  # -sin would be -0. where k is 0
    # --8<-- [end:entries]
    # --8<-- [end:blocks]
    # Where a cosine is 1, the sum of products behind it may round to the float above 1.
    return np.clip(matrix, -1, 1, out=matrix)


@checks.finite_result("pe")
def relative_position_matrix(
    pe: ArrayLike,
    offset: int,
    *,
    base: float = 10000.0,
    layout: Layout = "interleaved",
    exponent: Exponent = "paper",
    inv_freq: ArrayLike | None = None,
) -> tuple[NDArray[np.float64], float]:
    """Return the matrix of an offset, and the largest error with which it moves rows.

    Args:
        pe: Shape (L, d), real, finite, d even. Sinusoidal or not; the first row may
            belong to any position, since only rows r and r + k are compared.
        offset: k, an integer with |k| < L; negative moves back.
        base: b, dimensionless, finite, above 1.
        layout: `"interleaved"` or `"half"`, as in `sinusoidal_positional_encoding`.
        exponent: `"paper"` or `"tensor2tensor"`, as in `inv_freq`.
        inv_freq: Frequencies ω instead of those from base and exponent: shape (d/2,), radians
            per position, each from 0 to 2**53, as in `rotary_cos_sin`.

    Returns:
        M_k, shape (d, d), float64, as `rotation_matrix` gives it, and the largest
        Euclidean length of M_k @ pe[r] - pe[r + k] over all rows r for which row
        r + k exists, a float. Near 1e-15 for a float64 sinusoidal table with the same
        base, layout and exponent, or the same frequencies; of the order of the rows
        for other tables.

    Raises:
        TypeError: `pe` does not hold real numbers, `offset` is not an integer, or
            another argument has the wrong type.
        ValueError: `pe` does not have 2 axes, is not finite or has odd or no channels,
            |k| is L or more, or `base`, `layout`, `exponent` or `inv_freq` is refused as
            in `rotation_matrix`.
            Or the result overflows float64.

    Source:
        Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5, as `rotation_matrix`.
        The paper measures no error. Deviation: none.

    Examples:
        >>> from posenc import relative_position_matrix, sinusoidal_positional_encoding
        >>> pe = sinusoidal_positional_encoding(100, 64)
        >>> matrix, max_error = relative_position_matrix(pe, 5)
        >>> matrix.shape, max_error < 1e-14
        ((64, 64), True)
    """
    table = checks.table("pe", pe)
    length, d_model = table.shape
    d_model = checks.even("pe.shape[1]", d_model)
    offset = checks.integer("offset", offset)
    if abs(offset) >= length:
        said = checks.describe_value(offset)
        raise ValueError(f"|offset| must be below the {length} rows of pe, got offset={said}")
    matrix = rotation_matrix(
        offset, d_model, base=base, layout=layout, exponent=exponent, inv_freq=inv_freq
    )

    first, stop = max(0, -offset), min(length, length - offset)  # rows r with a row r + k
    moved = table[first:stop] @ matrix.T  # (L - |k|, d): M_k @ pe[r] in row r - first
    errors = np.linalg.norm(moved - table[first + offset : stop + offset], axis=1)
    return matrix, float(errors.max())


@checks.finite_result("pe")
def dot_product_distance(pe: ArrayLike) -> NDArray[np.float64]:
    """Return the dot product of every row of a table with every other.

    Args:
        pe: Shape (L, d), real, finite; any L and d, learned tables too.

    Returns:
        Shape (L, L), float64: D = pe @ pe.T, symmetric. For sinusoids,
        D[p, q] is the sum of cos(ω_i (p - q)) over i: it depends only on the
        distance |p - q|, and the diagonal is d/2.

    Raises:
        TypeError: `pe` does not hold real numbers.
        ValueError: `pe` does not have 2 axes or is not finite.
            Or the result overflows float64.

    Source:
        Gram matrix of the rows; the sum of cosines follows from Vaswani et al. 2017,
        arXiv:1706.03762v7, section 3.5, by the angle addition formulas. The paper
        does not print it. Deviation: none. A dot product is not a distance: it is
        largest for equal rows.

    Examples:
        >>> from posenc import dot_product_distance, sinusoidal_positional_encoding
        >>> dot_product_distance(sinusoidal_positional_encoding(3, 4)).round(4)
        array([[2.    , 1.5403, 0.5837],
               [1.5403, 2.    , 1.5403],
               [0.5837, 1.5403, 2.    ]])
    """
    table = checks.table("pe", pe)
    # --8<-- [start:gram]
    return table @ table.T  # (L, L)
    # --8<-- [end:gram]


@checks.finite_result("pe")
def pe_similarity_by_distance(pe: ArrayLike) -> NDArray[np.float64]:
    """Return the mean dot product of two rows, for each distance between them.

    Args:
        pe: Shape (L, d), real, finite; L at least 1, any d, learned tables too.

    Returns:
        Shape (L,), float64. Entry k is the mean of pe[r] @ pe[r + k] over the L - k
        rows r that have a row r + k; entry 0 is the mean squared length of a row,
        entry L - 1 rests on one pair. Memory grows as L·d, time as L²·d.

    Raises:
        TypeError: `pe` does not hold real numbers.
        ValueError: `pe` does not have 2 axes, is not finite, or has no row.

    Source:
        Definition of this book: the mean of each diagonal of `dot_product_distance`.
        For sinusoids (Vaswani et al. 2017, arXiv:1706.03762v7, section 3.5) all
        entries of a diagonal are equal. Deviation: none.

    Examples:
        >>> from posenc import pe_similarity_by_distance, sinusoidal_positional_encoding
        >>> pe_similarity_by_distance(sinusoidal_positional_encoding(8, 64)).round(2)
        array([32.  , 30.92, 28.3 , 25.59, 23.93, 23.5 , 23.56, 23.26])
    """
    table = checks.table("pe", pe, least=(1, 0))
    length = len(table)
    # --8<-- [start:diagonals]
    similarity = np.empty(length)
    for k in range(length):
        products = np.einsum("rc,rc->r", table[: length - k], table[k:])
        similarity[k] = products.mean()  # over L - k pairs of rows
    # --8<-- [end:diagonals]
    return similarity
