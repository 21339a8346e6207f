"""Results at padding: set them to zero, or leave them out of means.

Letters in this module
    L  tokens in a row of the batch    d  channels
    B  rows in the batch               u  True at a real token, False at padding
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from posenc.core import checks
from posenc.core.underflow import ignore_underflow


def zero_at_padding(X: ArrayLike, real: ArrayLike) -> NDArray[Any]:
    """Return a copy of X whose rows at padding are zeros: the output mask.

    Args:
        X: Shape (..., L, d), floats of any unit, finite, d channels.
        real: Shape (..., L), booleans, or integers 0 and 1, True at a real token.

    Returns:
        Shape, dtype and unit of `X`: its rows at real tokens, +0.0 elsewhere.

    Raises:
        TypeError: `X` does not hold floats, or `real` no booleans.
        ValueError: `X` has fewer than 2 axes or is not finite, or `real` does not have
            the shape of `X` without its last axis.

    Source:
        Own definition. Deviation: none.

    Examples:
        >>> from posenc.batches import zero_at_padding
        >>> zero_at_padding([[1.5, 2.5], [7.5, -8.5]], [True, False])
        array([[1.5, 2.5],
               [0. , 0. ]])
    """
    array = checks.floats("X", X)
    checks.matrices("X", array)
    tokens = _of_shape(real, array.shape[:-1])
    # --8<-- [start:output]
    # A product with 0 would leave -0.0 behind.
    zeroed = np.where(tokens[..., np.newaxis], array, array.dtype.type(0))
    # --8<-- [end:output]
    return zeroed.astype(array.dtype, copy=False)  # in its order of bytes


@ignore_underflow
def masked_loss(losses: ArrayLike, real: ArrayLike) -> float:
    """Return the mean loss over the real tokens of a whole batch: the loss mask.

    Args:
        losses: Loss of each prediction, any shape, real, finite, of any unit.
        real: Same shape, booleans, or integers 0 and 1, True where the prediction counts.

    Returns:
        The sum over real tokens divided by their number, in the unit of `losses`. Each
        token counts the same, whatever its sequence: it is not a mean of means.

    Raises:
        TypeError: `losses` does not hold real numbers, or `real` no booleans.
        ValueError: `losses` is not finite or its sum too large for a float, `real` has
            another shape, or no token is real: then there is no mean.

    Source:
        Own definition. Deviation: none.

    Examples:
        >>> from posenc.batches import masked_loss
        >>> masked_loss([[2.0, 4.0, 99.0], [6.0, 99.0, 99.0]],
        ...             [[True, True, False], [True, False, False]])
        4.0
    """
    values = checks.finite("losses", losses)
    tokens = _of_shape(real, values.shape)
    if not tokens.any():
        raise ValueError("real must mark at least one real token, got none")
    try:
        # --8<-- [start:loss]
        counted = values[tokens].tolist()
        return math.fsum(counted) / len(counted)
        # --8<-- [end:loss]
    except OverflowError:
        raise ValueError("losses must have a finite sum at real tokens, got inf") from None


@ignore_underflow
def masked_mean(X: ArrayLike, real: ArrayLike) -> NDArray[np.float64]:
    """Return the mean of the rows at real tokens, for each sequence: the pooling mask.

    Args:
        X: Shape (..., L, d), real, finite, of any unit, d channels.
        real: Shape (..., L), booleans, or integers 0 and 1, True at a real token, at least
            one a sequence.

    Returns:
        Shape (..., d), float64, in the unit of `X`.

    Raises:
        TypeError: `X` does not hold real numbers, or `real` no booleans.
        ValueError: `X` has fewer than 2 axes or is not finite, a sum of its rows is too
            large for a float, `real` does not have the shape of `X` without its last
            axis, or a sequence has no real token. Zeros would look like a mean; NaN would
            spread.

    Source:
        Own definition. Deviation: none.

    Examples:
        >>> from posenc.batches import masked_mean
        >>> masked_mean([[1.0, 5.0], [3.0, 7.0], [99.0, 99.0]], [True, True, False])
        array([2., 6.])
    """
    rows = checks.matrices("X", X)
    tokens = _of_shape(real, rows.shape[:-1])
    empty = ~tokens.any(axis=-1)
    if empty.any():
        place = tuple(np.argwhere(empty)[0].tolist())
        at = f" in sequence {place[0] if len(place) == 1 else place}" if place else ""
        raise ValueError(f"real must mark at least one real token in each sequence, got none{at}")
    with np.errstate(over="ignore", invalid="ignore"):  # refused by name below
        # --8<-- [start:pool]
        counted = np.where(tokens[..., np.newaxis], rows, 0.0).sum(axis=-2)
        mean: NDArray[np.float64] = counted / tokens.sum(axis=-1)[..., np.newaxis]
        # --8<-- [end:pool]
    if not np.isfinite(mean).all():
        raise ValueError("X must have a finite sum over the real tokens of each sequence, got inf")
    return mean


def _of_shape(real: Any, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return which tokens are real; the shape must be that of the data."""
    tokens = checks.booleans("real", real, or_integers=True)
    if tokens.shape != shape:
        raise ValueError(f"real must have shape {shape}, got shape {tokens.shape}")
    return tokens
