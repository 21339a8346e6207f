"""Outputs: their dtype, and the caller's arrays that are filled instead of new ones."""

from typing import Any

import numpy as np
from numpy.exceptions import TooHardError
from numpy.typing import NDArray

from posenc.core import checks
from posenc.core.memory import check_memory

# Steps that NumPy may take to find a number that two arrays share; views cut from one array
# need a handful, and what needs more is refused like an overlap.
MAX_WORK = 10_000


def to_fill(out: NDArray[Any] | None, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return out where it fits, or a new array."""
    if out is None:
        check_memory("the result", *shape, itemsize=dtype.itemsize)
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray):
        raise TypeError(f"out must be a NumPy array, got {type(out).__name__}")
    if out.shape != shape or out.dtype != dtype:
        raise ValueError(
            f"out must have shape {shape} and dtype {dtype}, got {out.shape} and {out.dtype}"
        )
    if not out.flags.writeable:
        raise ValueError("out must be writable, got a read-only array")
    if _repeats(out):
        raise ValueError("out must have memory for each entry, got an array that repeats some")
    return out


def apart(out: NDArray[Any], name: str, array: NDArray[Any]) -> None:
    """Refuse an output that has a number in common with an input."""
    try:
        # NumPy takes any number of steps; its stubs know two.
        shared = np.shares_memory(out, array, max_work=MAX_WORK)  # type: ignore[arg-type]
    except TooHardError:
        shared = True
    if shared:
        raise ValueError(f"out must not overlap {name}, got two arrays that share memory")


def same(out: NDArray[Any], array: NDArray[Any]) -> bool:
    """Return whether each number of one array is that of the other, at the same place."""
    ours, theirs = out.__array_interface__, array.__array_interface__
    return (
        ours["data"] == theirs["data"]
        and out.dtype == array.dtype
        and out.shape == array.shape
        and out.strides == array.strides
    )


def rounded(values: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return values in a dtype, each rounded once; beyond its range they are infinite.

    NumPy's cast from float64 to bfloat16 goes by way of float32, and rounds twice.
    """
    with np.errstate(over="ignore", under="ignore"):
        if checks.is_bfloat16(dtype) and values.dtype == np.float64:
            values = _cut(values)
        return values.astype(dtype, copy=False)


def _cut(values: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return float32 cut towards 0, with its last bit set where anything was cut off.

    That bit says on which side of the middle a number lies, which is all that the rounding
    to 8 bits needs (Boldo and Melquiond 2008, "Emulation of FMA and correctly rounded sums").
    """
    near = values.astype(np.float32)
    back = near.astype(np.float64)
    bits = near.view(np.uint32) - (abs(back) > abs(values))
    return np.asarray(bits | (back != values)).astype(np.uint32).view(np.float32)


def _repeats(array: NDArray[Any]) -> bool:
    """Return whether an axis steps into what those with shorter steps reach."""
    if array.flags.c_contiguous:  # as is one that holds nothing
        return False
    reach = array.itemsize
    axes = zip(array.strides, array.shape, strict=True)
    for step, length in sorted((abs(step), length) for step, length in axes if length > 1):
        if step < reach:
            return True
        reach += step * (length - 1)
    return False
