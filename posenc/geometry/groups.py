"""One-parameter groups: matrices that move by any number of positions, from one generator."""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks

Floats = NDArray[np.float64]

TERMS = 18  # of the series, for matrices of norm at most 1/2: 0.5**19 / 19! < 2e-23
LARGEST = 2.0**40  # norm of an exponent: more squarings would leave no digits


@checks.finite_result("generator", "positions")
def group_matrices(generator: ArrayLike, positions: ArrayLike) -> Floats:
    """Return the matrices exp(t A) that a generator A gives to positions t.

    Args:
        generator: A, shape (d, d), real, finite, dimensionless. With `A.T == -A` the matrices
            are rotations, with `A @ A == 0` they are I + t A.
        positions: t, any shape, real, within ±`2**53`. The largest row sum of |t A| is at most
            `2**40`.

    Returns:
        Shape of `positions` + (d, d), float64. The matrix of s + t is the product of those of
        s and t, the matrix of -t is the inverse of that of t, and the matrix of 0 is the
        identity, all up to rounding. For a rotation, entries are within about 1e-15 times the
        largest row sum of |t A|, and at least 1e-15.

    Raises:
        TypeError: An argument does not hold real numbers.
        ValueError: `generator` is not square, a number is not finite or a position beyond
            ±2**53, t A is too large, or the result overflows float64.

    Source:
        The exponential series with scaling and squaring, as in Moler and Van Loan 2003, method 3,
        SIAM Review 45(1), with a fixed number of terms.

    Examples:
        >>> from posenc.geometry import group_matrices
        >>> group_matrices([[0, -1], [1, 0]], 1).round(4).tolist()  # a rotation by 1 radian
        [[0.5403, -0.8415], [0.8415, 0.5403]]
        >>> group_matrices([[0, 0.5], [0, 0]], [1, 2]).tolist()  # a shear
        [[[1.0, 0.5], [0.0, 1.0]], [[1.0, 1.0], [0.0, 1.0]]]
    """
    A = checks.finite("generator", generator, ndim=2)
    if A.shape[0] != A.shape[1]:
        raise ValueError(f"generator must be square, got shape {A.shape}")
    t = checks.positions("positions", positions)
    largest = float(abs(A).sum(axis=1).max(initial=0)) * float(abs(t).max(initial=0))
    if largest > LARGEST:
        raise ValueError(
            f"positions times generator must have row sums within 2**40, got {largest:.3g}"
        )
    squarings = max(0, math.frexp(largest)[1] + 1)
    # --8<-- [start:series]
    step = t[..., None, None] * A / 2**squarings  # its norm is at most 1/2
    result = identity = np.broadcast_to(np.eye(len(A)), step.shape)
    for n in range(TERMS, 0, -1):
        result = identity + step @ result / n
    for _ in range(squarings):
        result = result @ result
    return result
    # --8<-- [end:series]
