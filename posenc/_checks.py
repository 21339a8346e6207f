"""Refusals, in one place: each names the argument, the rule and the value.

Every public function calls these before it does any work.
A guard is written so that NaN fails it (`not base > 1`, never `base <= 1`).
"""

import math
import operator
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Above this, neighbouring integers share one float64.
LARGEST_POSITION = 2**53

FLOATS = tuple(np.dtype(name) for name in ("float16", "float32", "float64"))


def integer(name: str, value: object, *, least: int | None = None) -> int:
    """Return value as an int; a bool is not an integer, nor is 2.0."""
    if isinstance(value, bool | np.bool_) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an integer, got {name}={value!r}")
    number = operator.index(value)
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, got {name}={number}")
    return number


def even(name: str, value: object) -> int:
    """Return value as an even int of at least 2: sines and cosines come in pairs."""
    number = integer(name, value)
    if number < 2 or number % 2:
        raise ValueError(f"{name} must be even and at least 2, got {name}={number}")
    return number


def real(name: str, value: object) -> float:
    """Return value as a finite float."""
    if isinstance(value, bool | np.bool_) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a real number, got {name}={value!r}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {name}={value!r}")
    return number


def above_one(name: str, value: object) -> float:
    """Return value as a float above 1: a base of 1 or less gives no wavelengths to spread."""
    number = real(name, value)
    if not number > 1:
        raise ValueError(f"{name} must be above 1, got {name}={value!r}")
    return number


def choice(name: str, value: object, options: tuple[str, ...]) -> str:
    """Return value, which must be one of the options."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, got {name}={value!r}")
    if value not in options:
        listed = " or ".join(repr(option) for option in options)
        raise ValueError(f"{name} must be {listed}, got {name}={value!r}")
    return value


def float_dtype(name: str, value: Any) -> np.dtype[Any]:
    """Return value as a dtype, which must be float16, float32 or float64."""
    try:
        dtype: np.dtype[Any] = np.dtype(value)
    except TypeError:
        raise TypeError(f"{name} must be a dtype, got {name}={value!r}") from None
    if dtype not in FLOATS:
        raise ValueError(f"{name} must be float16, float32 or float64, got {name}={dtype}")
    return dtype


def reals(name: str, value: Any) -> NDArray[Any]:
    """Return value as an array of real numbers, in its own dtype."""
    array = np.asarray(value)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold real numbers, got dtype {array.dtype}")
    return array


def finite(name: str, value: Any, *, ndim: int) -> NDArray[np.float64]:
    """Return value as a float64 array of finite numbers with ndim axes."""
    array = reals(name, value)
    if array.ndim != ndim:
        raise ValueError(f"{name} must have {ndim} axes, got shape {array.shape}")
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got NaN or infinity in it")
    return array.astype(np.float64, copy=False)


def positions(name: str, value: Any) -> NDArray[np.float64]:
    """Return value as float64 without changing any of the numbers."""
    array = reals(name, value)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must be finite, got NaN or infinity in it")
    # Two comparisons, since abs() of the smallest int64 is negative.
    if (array > LARGEST_POSITION).any() or (array < -LARGEST_POSITION).any():
        raise ValueError(f"{name} must lie within ±2**53, got a larger one")
    return array.astype(np.float64, copy=False)
