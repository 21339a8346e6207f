"""What is given: an array of any library, read row by row as float64.

NumPy reads JAX and whatever has `__array__` or `__dlpack__`. A PyTorch tensor that needs a
gradient or holds bfloat16 refuses, so it is asked for its own methods first. No further
library is needed for that: nothing is computed in the library that the array came from.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.laws.dropout import refuse_dropout

Values = NDArray[np.float64]
Index = slice | NDArray[np.int64] | tuple[slice, NDArray[np.int64]]

READ = ("float64", "float32", "float16", "bfloat16")

# A table of at most this many numbers is read whole, a larger one by some of its rows.
WHOLE = 2**20


@dataclass(frozen=True)
class Given:
    """An array as it came: its shape, its dtype by name, and a way to read its first axis."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    read: Callable[[Index], NDArray[Any]]

    def rows(self, index: Index) -> Values:
        """Return rows as float64, which holds every number of the narrower dtypes exactly."""
        return np.asarray(self.read(index), dtype=np.float64)

    def all(self) -> Values:
        """Return everything as float64."""
        return self.rows(slice(None))

    def bare(self) -> "Given":
        """Return the array without leading axes of length 1, and without those in its middle."""
        shape = tuple(size for size in self.shape if size != 1)
        if shape == self.shape or len(shape) < 2:
            return self
        full = self.read(slice(None)).reshape(shape)
        return Given(self.name, shape, self.dtype, lambda index: full[index])

    def finite(self) -> "Given":
        """Return self, once no number of it is infinite or NaN."""
        step = max(1, WHOLE // max(1, int(np.prod(self.shape[1:]))))
        for first in range(0, self.shape[0], step):
            part = self.rows(slice(first, first + step))
            fits = np.isfinite(part)
            if not fits.all():
                raise ValueError(f"{self.name} must be finite, got {part[~fits][0]}")
        return self


def take(name: str, value: Any) -> Given:
    """Return an array as it came, whatever library it is of."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be a masked array: the mask would be lost")
    if all(hasattr(value, method) for method in ("detach", "cpu", "double")):
        return _torch(name, value)
    array = _array(name, value)
    dtype = array.dtype.name
    if array.dtype.kind not in "iu" and dtype not in READ:
        listed = ", ".join(READ)
        raise TypeError(f"{name} must hold real numbers ({listed} or integers), got dtype {dtype}")
    if array.ndim == 0:
        raise ValueError(f"{name} must have at least 1 axis, got shape ()")
    return Given(name, array.shape, dtype, lambda index: array[index].astype(np.float64))


def returned(name: str, function: Callable[[int], Any], seq_len: int) -> Given:
    """Return what a function gives for a number of positions, if it gives it twice."""
    what = f"what {name}({seq_len}) returns"
    given = take(what, function(seq_len))
    some = slice(0, 64)
    refuse_dropout(what, given.rows(some), lambda: take(what, function(seq_len)).rows(some))
    return given


def parts(name: str, value: Any) -> tuple[Any, Any] | None:
    """Return the real and the imaginary part of complex numbers, or None for others."""
    if not hasattr(value, "dtype") or "complex" not in str(value.dtype):
        return None
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    array = _array(name, value)
    return array.real, array.imag


def some_rows(length: int, width: int) -> NDArray[np.int64]:
    """Return which rows are looked at: all of a small table, of a large one some hundred.

    Among these are the first 64, those around powers of two, where whole numbers stop to be
    exact in narrow dtypes, and the last.
    """
    if length * width <= WHOLE:
        return np.arange(length)
    powers = 2 ** np.arange(6, max(7, int(length).bit_length()))
    near = (powers[:, np.newaxis] + [-1, 0, 1, 2]).ravel()
    spread = np.linspace(0, length - 1, 128).astype(np.int64)
    rows = np.unique(np.concatenate([np.arange(64), near, spread]))
    return np.asarray(rows[rows < length], dtype=np.int64)


def _torch(name: str, tensor: Any) -> Given:
    """Return a tensor of PyTorch, or of a library with the same methods."""
    plain = tensor.detach()
    dtype = str(tensor.dtype).rpartition(".")[2]
    if dtype not in READ and not dtype.startswith(("int", "uint")):
        listed = ", ".join(READ)
        raise TypeError(f"{name} must hold real numbers ({listed} or integers), got dtype {dtype}")
    if not tensor.shape:
        raise ValueError(f"{name} must have at least 1 axis, got shape ()")
    return Given(
        name,
        tuple(int(size) for size in tensor.shape),
        dtype,
        lambda index: np.asarray(plain[index].cpu().double().numpy()),
    )


def _array(name: str, value: Any) -> NDArray[Any]:
    """Return value as a NumPy array, through `__array__` or else through DLPack."""
    try:
        if hasattr(value, "__dlpack__") and not hasattr(value, "__array__"):
            return np.from_dlpack(value)
        return np.asarray(value)
    except (TypeError, BufferError, RuntimeError) as error:
        kind = type(value).__name__
        raise TypeError(f"{name} must be readable by NumPy, got {kind}: {error}") from None
    except ValueError as error:  # rows of different lengths
        raise ValueError(f"{name} must be an array: {error}") from None
