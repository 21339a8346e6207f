"""Recognise dropout: a function with dropout on gives zeros in other entries at each call."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Dropout sets at least one entry in a hundred to 0. Half of that is taken for chance.
RAREST = 200


def refuse_dropout(name: str, result: NDArray[Any], repeat: Callable[[], NDArray[Any]]) -> None:
    """Refuse a result if a repeated call has its zeros in other entries.

    Under dropout, whatever is found in one result is found by chance. A result with hardly
    any zeros is not computed a second time.
    """
    few = result.size / RAREST
    if np.count_nonzero(result == 0) <= few:
        return
    moved = np.count_nonzero((result == 0) != (repeat() == 0))
    if moved > few:
        raise ValueError(
            f"{name} must return the same result at each call, got zeros in other entries at the"
            f" second call, {moved} of {result.size}: dropout is on, as in training; call"
            " .eval() first"
        )
