"""A table of trained parameters and its gradient."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from posenc.core import checks


class TrainedTable:
    """A table of parameters and its gradient; shape and dtype never change."""

    def __init__(self, embedding: NDArray[Any]) -> None:
        self._embedding = embedding
        self._grad_embedding: NDArray[Any] = np.zeros_like(embedding)

    @property
    def embedding(self) -> NDArray[Any]:
        """The table, always the same array: an assignment copies the values into it."""
        return self._embedding

    @embedding.setter
    def embedding(self, value: ArrayLike) -> None:
        shape = self._embedding.shape
        self._embedding[...] = checks.parameters("embedding", value, shape=shape)

    @property
    def grad_embedding(self) -> NDArray[Any]:
        """The gradient, a new array whenever it changes."""
        return self._grad_embedding

    @grad_embedding.setter
    def grad_embedding(self, value: ArrayLike) -> None:
        gradient = checks.parameters("grad_embedding", value, shape=self._embedding.shape)
        self._grad_embedding = gradient.astype(self._embedding.dtype)

    def collect(self, gradient: NDArray[np.float64], *, accumulate: bool) -> None:
        """Set the gradient, or add to it, in float64 and rounded once."""
        before = self._grad_embedding if accumulate else 0
        self._grad_embedding = (before + gradient).astype(self._embedding.dtype)

    def zero_grad(self) -> None:
        """Set the gradient to 0."""
        self._grad_embedding = np.zeros_like(self._embedding)


def round_parameters(table: NDArray[Any], std: float, dtype: DTypeLike) -> NDArray[Any]:
    """Return random parameters in the dtype of the layer, unless one is too large for it."""
    narrow = table.astype(dtype)
    if not np.isfinite(narrow).all():
        raise ValueError(f"std must be small enough for entries within {narrow.dtype}, got {std=}")
    return narrow
