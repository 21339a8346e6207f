"""Ridge regression in closed form, and how it amplifies noise.

Letters in this module
    n  examples      Φ  features of the examples, a row each      w  weights
    m  questions     y  targets of the examples                   λ  ridge
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks

Floats = NDArray[np.float64]


@checks.finite_result("features", "targets")
def fit_linear(features: ArrayLike, targets: ArrayLike, *, ridge: float = 0.0) -> Floats:
    """Return the weights of the best linear prediction of targets from features.

    Args:
        features: Φ, shape (n, d), n and d at least 1, real, finite; one example a row.
            There is no intercept; append a column of ones for one.
        targets: y, shape (n,), or (n, m) for m targets at once; real, finite.
        ridge: λ, finite, at least 0: the penalty of a squared weight, in squared units of
            the features. 0 is least squares.

    Returns:
        Shape (d,) or (d, m), float64, in units of the targets over those of the
        features: the w that minimises |Φw - y|² + λ|w|². With λ = 0, the
        shortest one if there are several. With any λ, directions in which Φ is not above
        max(n, d) · 2.2e-16 of its largest singular value count as zero. Predict with
        `features @ weights`.

    Raises:
        TypeError: An array does not hold real numbers, or `ridge` is none.
        ValueError: An array is empty, not finite or has another number of axes, the
            numbers of rows differ, or `ridge` is not finite or below 0.
            Or the result overflows float64.

    Source:
        Hoerl and Kennard 1970, doi:10.1080/00401706.1970.10488634, by singular values.
        Deviation: none.

    Examples:
        >>> from posenc.analysis import fit_linear
        >>> fit_linear([[1, 0], [1, 1], [1, 2]], [1, 3, 5]).round(4)  # y = 1 + 2 x
        array([1., 2.])
        >>> fit_linear([[1.0]], [3.0], ridge=2)
        array([1.])
    """
    phi = _filled("features", features)
    y = checks.reals("targets", targets)
    if y.ndim not in (1, 2) or len(y) != len(phi):
        raise ValueError(
            f"targets must have shape ({len(phi)},) or ({len(phi)}, m), got shape {y.shape}"
        )
    y = checks.finite("targets", y, ndim=y.ndim)
    left, gains, right = _decomposed(phi, checks.at_least_zero("ridge", ridge))
    # --8<-- [start:weights]
    return np.asarray((right * gains) @ (left.T @ y))
    # --8<-- [end:weights]


@checks.finite_result("features", "asked")
def noise_gain(features: ArrayLike, asked: ArrayLike, *, ridge: float = 0.0) -> Floats:
    """Return the noise of each prediction, relative to the noise of the targets.

    Args:
        features: Φ of the examples, shape (n, d), as in `fit_linear`.
        asked: Features of the questions, shape (m, d), real, finite, m at least 1.
        ridge: λ, as in `fit_linear`.

    Returns:
        Shape (m,), float64, dimensionless, at least 0: the standard deviation of each
        prediction if the targets carry independent noise of standard deviation 1.
        A prediction is a weighted sum of the targets; this is the norm of its weights.

    Raises:
        TypeError: An array does not hold real numbers, or `ridge` is none.
        ValueError: An array is empty, not finite or does not have 2 axes, the numbers of
            channels differ, or `ridge` is not finite or below 0.
            Or the result overflows float64.

    Source:
        The variance of a linear estimate, as for `fit_linear`. Deviation: none.

    Examples:
        >>> from posenc.analysis import noise_gain
        >>> noise_gain([[1], [1], [1], [1]], [[1], [2]])  # a mean of four, and its double
        array([0.5, 1. ])
    """
    phi, questions = _filled("features", features), _filled("asked", asked)
    if questions.shape[1] != phi.shape[1]:
        raise ValueError(
            f"asked must have {phi.shape[1]} channels, as features has, got shape {questions.shape}"
        )
    _, gains, right = _decomposed(phi, checks.at_least_zero("ridge", ridge))
    # --8<-- [start:gain]
    return np.asarray(np.linalg.norm(questions @ (right * gains), axis=1))
    # --8<-- [end:gain]


def _decomposed(phi: Floats, ridge: float) -> tuple[Floats, Floats, Floats]:
    """Return U, g and V such that V diag(g) Uᵀ takes targets to weights."""
    # --8<-- [start:gains]
    left, s, right = np.linalg.svd(phi, full_matrices=False)  # Φ = U diag(s) Vᵀ
    smallest = s[0] * (max(phi.shape) * np.finfo(np.float64).eps)  # s is rounding there
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        # s / (s² + λ), written so that no square overflows
        gains = np.where(s > smallest, 1 / (s + ridge / s), 0.0)
    # --8<-- [end:gains]
    return left, gains, right.T


def _filled(name: str, value: Any) -> Floats:
    """Return value as a finite float64 matrix with at least one row and one column."""
    return checks.table(name, value, least=(1, 1))
