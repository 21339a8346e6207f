"""Read arrays of any library, row by row, as float64.

NumPy reads JAX arrays and everything that has `__array__` or `__dlpack__`. A PyTorch
tensor that needs a gradient or holds bfloat16 refuses that, so it is read by its own methods. No
further library is imported.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.judging import precision
from posenc.laws.dropout import refuse_dropout

Values = NDArray[np.float64]
Index = slice | NDArray[np.int64] | tuple[slice, NDArray[np.int64]]

DTYPES = ("float64", "float32", "float16", "bfloat16")

# A table of at most this many numbers is read whole, a larger one by some of its rows.
WHOLE = 2**20


@dataclass(frozen=True)
class Array:
    """An array of any library: its shape, its dtype by name, and a way to read its rows."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    read: Callable[[Index], NDArray[Any]]

    @property
    def size(self) -> int:
        """How many numbers it holds."""
        return math.prod(self.shape)

    @property
    def known_dtype(self) -> str:
        """The dtype by which limits go: float64 for integers."""
        return self.dtype if self.dtype in precision.UNITS else "float64"

    def read_rows(self, index: Index) -> Values:
        """Return rows as float64, which holds every number of the narrower dtypes exactly."""
        return np.asarray(self.read(index), dtype=np.float64)

    def read_all(self) -> Values:
        """Return everything as float64."""
        return self.read_rows(slice(None))

    def drop_unit_axes(self) -> "Array":
        """Return the array without leading axes of length 1, and without those in its middle."""
        shape = tuple(size for size in self.shape if size != 1)
        if shape == self.shape or len(shape) < 2:
            return self
        full = self.read(slice(None)).reshape(shape)
        return Array(self.name, shape, self.dtype, lambda index: full[index])

    def check_finite(self) -> "Array":
        """Return the array, or raise ValueError if a number is infinite or NaN."""
        step = max(1, WHOLE // max(1, int(np.prod(self.shape[1:]))))
        for first in range(0, self.shape[0], step):
            part = self.read_rows(slice(first, first + step))
            fits = np.isfinite(part)
            if not fits.all():
                raise ValueError(f"{self.name} must be finite, got {part[~fits][0]}")
        return self


def read_array(name: str, value: Any) -> Array:
    """Return a way to read an array of any library."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} must not be a masked array: the mask would be lost")
    if all(hasattr(value, method) for method in ("detach", "cpu", "double")):
        return _read_tensor(name, value)
    if value is None:
        raise TypeError(f"{name} must be an array, got None; is a return missing?")
    array = _convert_to_numpy(name, value)
    dtype = array.dtype.name
    if array.dtype.kind not in "iu" and dtype not in DTYPES:
        listed = ", ".join(DTYPES)
        got = f"dtype {dtype}" if hasattr(value, "dtype") else type(value).__name__
        raise TypeError(f"{name} must hold real numbers ({listed} or integers), got {got}")
    if array.ndim == 0:
        raise ValueError(f"{name} must have at least 1 axis, got shape ()")
    if not array.size:
        raise ValueError(f"{name} must not be empty, got shape {array.shape}")
    return Array(name, array.shape, dtype, lambda index: array[index].astype(np.float64))


def read_result(name: str, function: Callable[[int], Any], seq_len: int) -> Array:
    """Return what a function returns for a number of positions, unless a dropout is on."""
    what = f"what {name}({seq_len}) returns"
    given = read_array(what, function(seq_len))
    some = slice(0, 64)
    refuse_dropout(
        what,
        given.read_rows(some),
        lambda: read_array(what, function(seq_len)).read_rows(some),
    )
    return given


def split_complex(name: str, value: Any) -> tuple[Any, Any] | None:
    """Return the real and the imaginary part of complex numbers, or None for others."""
    if not hasattr(value, "dtype") or "complex" not in str(value.dtype):
        return None
    if hasattr(value, "detach"):
        value = value.detach().cpu().numpy()
    array = _convert_to_numpy(name, value)
    return array.real, array.imag


def choose_rows(length: int, width: int) -> NDArray[np.int64]:
    """Return which rows are looked at: all of a small table, of a large one some hundred.

    Among these are the first 64, the last, and those around powers of two, beyond which narrow
    dtypes have no odd numbers.
    """
    if length * width <= WHOLE:
        return np.arange(length)
    powers = 2 ** np.arange(6, max(7, int(length).bit_length()))
    near = (powers[:, np.newaxis] + [-1, 0, 1, 2]).ravel()
    spread = np.linspace(0, length - 1, 128).astype(np.int64)
    rows = np.unique(np.concatenate([np.arange(64), near, spread]))
    return np.asarray(rows[rows < length], dtype=np.int64)


def add_head_axis(given: Array) -> Array:
    """Return a bias (L_q, L_k) as a bias of one head, (1, L_q, L_k)."""

    def read(index: Index) -> Any:
        return given.read(slice(None))[np.newaxis][index]

    return replace(given, shape=(1, *given.shape), read=read)


def reshape_to_bias(given: Array) -> Array:
    """Return a bias as (H, L_q, L_k), without further leading axes of length 1."""
    if len(given.shape) == 2:
        return add_head_axis(given)
    shape = given.shape[-3:]
    if math.prod(shape) != math.prod(given.shape):  # an axis of length 1 is between the others
        shape = given.drop_unit_axes().shape
        if len(shape) == 2:
            shape = (shape[0], 1, shape[1]) if given.shape[-2] == 1 else (1, *shape)

    def read(index: Index) -> Any:
        return given.read(slice(None)).reshape(shape)[index]

    return given if shape == given.shape else replace(given, shape=shape, read=read)


def _read_tensor(name: str, tensor: Any) -> Array:
    """Return a way to read a PyTorch tensor, or one of a library with the same methods."""
    plain = tensor.detach()
    dtype = str(tensor.dtype).rpartition(".")[2]
    if dtype not in DTYPES and not dtype.startswith(("int", "uint")):
        listed = ", ".join(DTYPES)
        raise TypeError(f"{name} must hold real numbers ({listed} or integers), got dtype {dtype}")
    if not tensor.shape:
        raise ValueError(f"{name} must have at least 1 axis, got shape ()")
    return Array(
        name,
        tuple(int(size) for size in tensor.shape),
        dtype,
        lambda index: np.asarray(plain[index].cpu().double().numpy()),
    )


def _convert_to_numpy(name: str, value: Any) -> NDArray[Any]:
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
