"""Refusals, in one place: each names the argument, the rule and the value.

Every public function calls these before it does any work.
A guard is written so that NaN fails it (`not base > 1`, never `base <= 1`).
"""

from __future__ import annotations  # so that an import does not load numpy.random

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import wraps
from inspect import signature
from numbers import Rational, Real
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

# Above this, neighbouring integers share one float64.
LARGEST_POSITION = 2**53

Call = TypeVar("Call", bound=Callable[..., Any])
Option = TypeVar("Option", bound=str)

# NumPy has 64; ours leave room for the axes that a function adds.
MOST_AXES = 56

# Numbers, above which what is done to each of them takes longer than a call.
MANY = 2**14

FLOATS = tuple(np.dtype(name) for name in ("float16", "float32", "float64"))


def describe_value(value: object) -> str:
    """Return what a message says of a value; Python writes out no integer of 5000 digits."""
    try:
        return repr(value)
    except ValueError:
        return f"a number of {int(value).bit_length()} bits" if isinstance(value, int) else "it"


def finite_result(*names: str) -> Callable[[Call], Call]:
    """Let a function refuse arguments of these names if an entry of its result overflows."""

    def decorate(function: Call) -> Call:
        @wraps(function)
        def checked(*args: Any, **options: Any) -> Any:
            with np.errstate(all="ignore"):
                result = function(*args, **options)
                if not _is_finite(result):
                    given = signature(function).bind(*args, **options).arguments
                    raise ValueError(_overflow({name: given[name] for name in names}))
            return result

        return cast(Call, checked)

    return decorate


def function(name: str, value: object) -> None:
    """Refuse what cannot be called."""
    if not callable(value):
        raise TypeError(f"{name} must be callable, got {name}={describe_value(value)}")


def integer(name: str, value: object, *, least: int | None = None) -> int:
    """Return value as an int; a bool is not an integer, nor is 2.0."""
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {name}={describe_value(value)}") from None
    if least is not None and number < least:
        raise ValueError(
            f"{name} must be at least {describe_value(least)}, got {name}={describe_value(number)}"
        )
    return number


def even(name: str, value: object) -> int:
    """Return value as an even int of at least 2: sines and cosines come in pairs."""
    number = integer(name, value)
    if number < 2 or number % 2:
        raise ValueError(f"{name} must be even and at least 2, got {name}={describe_value(number)}")
    return number


def key_length(k_len: object, q_len: int) -> int:
    """Return the number of keys, at least that of queries; None means as many."""
    number = q_len if k_len is None else integer("k_len", k_len)
    if number < q_len:
        raise ValueError(
            f"k_len must be at least q_len={describe_value(q_len)}, got"
            f" k_len={describe_value(number)}"
        )
    return number


def real(name: str, value: object) -> float:
    """Return value as a finite float."""
    # A span of time passes for an integer in NumPy; its unit would be lost.
    if isinstance(value, bool | np.bool_ | np.timedelta64) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a real number, got {name}={describe_value(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError(f"{name} must be finite, got {name}={describe_value(value)}")
    return number


def at_least_zero(name: str, value: object) -> float:
    """Return value as a finite float of at least 0."""
    number = real(name, value)
    if number < 0:
        raise ValueError(f"{name} must be at least 0, got {name}={number!r}")
    return number


def above_zero(name: str, value: object) -> float:
    """Return value as a finite float above 0."""
    number = real(name, value)
    if not number > 0:
        raise ValueError(f"{name} must be above 0, got {name}={describe_value(value)}")
    return number


def above_one(name: str, value: object) -> float:
    """Return value as a float above 1: a base of 1 or less gives no wavelengths to spread."""
    number = real(name, value)
    if not number > 1:
        raise ValueError(f"{name} must be above 1, got {name}={describe_value(value)}")
    return number


def choice(name: str, value: object, options: tuple[Option, ...]) -> Option:
    """Return value as one of the options."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, got {name}={describe_value(value)}")
    if value in options:
        return options[options.index(value)]
    listed = [repr(option) for option in options]
    rule = f"one of {', '.join(listed)}" if len(options) > 2 else " or ".join(listed)
    near = nearest(value, options)
    hint = f"; did you mean {near!r}?" if near else ""
    raise ValueError(f"{name} must be {rule}, got {name}={value!r}{hint}")


def boolean(name: str, value: object) -> bool:
    """Return value as a bool; 0 and 1 are not booleans."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be a bool, got {name}={describe_value(value)}")
    return bool(value)


def is_bfloat16(dtype: np.dtype[Any]) -> bool:
    """Return whether a dtype is bfloat16, which NumPy has only from ml_dtypes."""
    return dtype.itemsize == 2 and dtype.name == "bfloat16"  # a name takes longer to tell


def float_dtype(name: str, value: Any, *, bfloat16: bool = False) -> np.dtype[Any]:
    """Return value as a dtype: float16, float32, float64, or bfloat16 where that is allowed."""
    try:
        if value is None:  # which NumPy takes for float64
            raise TypeError
        dtype: np.dtype[Any] = np.dtype(value)
    except (TypeError, ValueError):
        raise TypeError(
            f"{name} must be a NumPy dtype, such as np.float32, got {name}={describe_value(value)}"
        ) from None
    if dtype in FLOATS or (bfloat16 and is_bfloat16(dtype)):
        return dtype
    allowed = "bfloat16, float16" if bfloat16 else "float16"
    raise ValueError(f"{name} must be {allowed}, float32 or float64, got {name}={dtype}")


def reals(name: str, value: Any) -> NDArray[Any]:
    """Return value as an array of real numbers, in its own dtype; bfloat16 as float32."""
    array = _array(name, value)
    if is_bfloat16(array.dtype):
        array = array.astype(np.float32)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold real numbers, got dtype {array.dtype}")
    if array.dtype.itemsize > 8:  # a long double
        raise TypeError(f"{name} must fit into float64, got dtype {array.dtype}")
    return array


def all_finite(name: str, array: NDArray[Any]) -> None:
    """Refuse an array with a NaN or an infinity in it."""
    fits = np.isfinite(array)
    # To count takes half the time for a token, and twice as long for a sequence.
    if not (fits.all() if fits.size > MANY else np.count_nonzero(fits) == fits.size):
        raise ValueError(f"{name} must be finite, got {array[~fits][0]}")


def finite(name: str, value: Any, *, ndim: int | None = None) -> NDArray[np.float64]:
    """Return value as a float64 array of finite numbers, with ndim axes where that is given."""
    array = reals(name, value)
    if ndim is not None and array.ndim != ndim:
        raise ValueError(
            f"{name} must have {ndim} {'axis' if ndim == 1 else 'axes'}, got shape {array.shape}"
        )
    all_finite(name, array)
    return _float64(name, array)


def numbers(name: str, value: Any) -> NDArray[Any]:
    """Return value as an array of floats that may not be finite; integers as float64."""
    array = reals(name, value)
    return array if array.dtype.kind == "f" else _float64(name, array)


def positions(name: str, value: Any) -> NDArray[np.float64]:
    """Return value as float64 without changing any of the numbers."""
    array = reals(name, value)
    if array.dtype.kind == "f":  # the limit itself would overflow in float16
        array = array.astype(np.float64, copy=False)
    all_finite(name, array)
    _within(name, array)
    return array.astype(np.float64, copy=False)


def position(name: str, value: object) -> float:
    """Return value as a float within ±2**53, so that no integer is changed."""
    number = real(name, value)
    if abs(exact(value)) > LARGEST_POSITION:
        raise ValueError(f"{name} must lie within ±2**53, got {name}={describe_value(value)}")
    return number


def exact(value: object) -> Fraction:
    """Return a finite number as it came: as a float, 2**53 + 1 is 2**53."""
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return Fraction(float(value))  # type: ignore[arg-type]


def table(name: str, value: Any, *, least: tuple[int, int] = (0, 0)) -> NDArray[np.float64]:
    """Return value as a float64 table of finite numbers, one row for each position."""
    array = finite(name, value, ndim=2)
    if array.shape[0] < least[0] or array.shape[1] < least[1]:
        rule = " and ".join(
            f"at least {count} {what}{'' if count == 1 else 's'}"
            for count, what in zip(least, ("row", "column"), strict=True)
            if count
        )
        raise ValueError(f"{name} must have {rule}, got shape {array.shape}")
    return array


def matrices(name: str, value: Any) -> NDArray[np.float64]:
    """Return value as float64: one finite matrix, or a stack of them on leading axes."""
    array = reals(name, value)
    if array.ndim < 2:
        raise ValueError(f"{name} must have at least 2 axes, got shape {array.shape}")
    return finite(name, array)


def logits(name: str, value: Any) -> NDArray[np.float64]:
    """Return value as float64: logarithms of weights, -inf where the weight is zero."""
    array = reals(name, value)
    fits = array < np.inf
    if not fits.all():
        raise ValueError(f"{name} must be finite or -inf, got {array[~fits][0]}")
    return _float64(name, array)


def booleans(name: str, value: Any, *, or_integers: bool = False) -> NDArray[np.bool_]:
    """Return value as an array of booleans; 0 and 1 count as such only with or_integers."""
    array = _array(name, value)
    rule = "boolean, or integers 0 and 1" if or_integers else "boolean"
    if or_integers and array.dtype.kind in "iu":
        known = (array == 0) | (array == 1)
        if not known.all():
            raise ValueError(f"{name} must be {rule}, got {array[~known][0]}")
        return np.asarray(array == 1)
    if array.dtype != np.bool_:
        raise TypeError(f"{name} must be {rule}, got dtype {array.dtype}")
    return array


def generator(name: str, value: object) -> np.random.Generator:
    """Return value, or a new generator with fresh entropy where it is None."""
    if value is None:
        return np.random.default_rng()
    if not isinstance(value, np.random.Generator):
        raise TypeError(
            f"{name} must be a numpy.random.Generator or None, got {name}={describe_value(value)}"
        )
    return value


def floats(name: str, value: Any, *, bfloat16: bool = False) -> NDArray[Any]:
    """Return value as an array of floats, in its own dtype; integers are not converted."""
    array = _array(name, value)
    if array.dtype.kind != "f" and not (bfloat16 and is_bfloat16(array.dtype)):
        raise TypeError(f"{name} must hold floats, got dtype {array.dtype}")
    return array


def parameters(name: str, value: Any, *, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return value as an array of floats with the shape of the parameters it is for."""
    array = floats(name, value)
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got shape {array.shape}")
    return array


def integers(name: str, value: Any) -> NDArray[Any]:
    """Return value as an array of integers, in its own dtype; booleans are not integers."""
    array = _array(name, value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must hold integers, got dtype {array.dtype}")
    return array


def batch(name: str, value: Any, *, max_seq_len: int, d_model: int) -> NDArray[Any]:
    """Return value as floats of shape (B, L, d_model) with L at most max_seq_len."""
    array = floats(name, value)
    if array.ndim != 3:
        raise ValueError(f"{name} must have 3 axes (B, L, d_model), got shape {array.shape}")
    if array.shape[2] != d_model:
        raise ValueError(f"{name} must have d_model={d_model} channels, got shape {array.shape}")
    if array.shape[1] > max_seq_len:
        raise ValueError(
            f"{name} must have at most max_seq_len={max_seq_len} positions, got L={array.shape[1]}"
        )
    return array


def _is_finite(result: Any) -> bool:
    """Return whether all numbers of a result are finite, those in a tuple or a mapping, too."""
    if isinstance(result, Mapping):
        return all(map(_is_finite, result.values()))
    if isinstance(result, tuple):
        return all(map(_is_finite, result))
    return bool(np.isfinite(result).all())


def _overflow(given: dict[str, Any]) -> str:
    """Return the message for arguments that are too large for a finite result."""
    sizes = [f"{abs(np.asarray(value, np.float64)).max(initial=0):.3g}" for value in given.values()]
    return (
        f"{_enumerate([*given], 'and')} must give a finite result, within ±1.8e308, got"
        f" absolute values up to {_enumerate(sizes, 'and')}"
    )


def _enumerate(words: list[str], conjunction: str) -> str:
    """Return words as English lists them: "a", "a or b", "a, b or c"."""
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def nearest(value: str, options: tuple[str, ...]) -> str | None:
    """Return the option that value is probably a misspelling of."""
    import difflib  # for a message only

    folded = {option.casefold(): option for option in options}
    near = difflib.get_close_matches(value.casefold(), folded, n=1, cutoff=0.7)
    return folded[near[0]] if near else None


def _array(name: str, value: Any) -> NDArray[Any]:
    """Return value as an array with no more axes than there is room for."""
    array = value if type(value) is np.ndarray else _new_array(name, value)
    if array.ndim > MOST_AXES:
        raise ValueError(f"{name} must have at most {MOST_AXES} axes, got {array.ndim}")
    return array


def _new_array(name: str, value: Any) -> NDArray[Any]:
    """Return what is not a plain array as one, unless that loses a mask or there is none."""
    try:
        array = np.asanyarray(value)
    except (ValueError, OverflowError) as error:  # rows of different lengths, say
        raise ValueError(f"{name} must be an array: {error}") from None
    if isinstance(array, np.ma.MaskedArray) or any(_masked(value)):
        raise TypeError(f"{name} must not be a masked array: the mask would be lost")
    return np.asarray(array)


def _masked(value: Any, depth: int = 0) -> Iterator[bool]:
    """Yield whether the parts of a list, or of lists in it, have a mask."""
    if isinstance(value, list | tuple) and depth <= MOST_AXES:
        for part in value:
            yield isinstance(part, np.ma.MaskedArray) or part is np.ma.masked
            yield from _masked(part, depth + 1)


def _within(name: str, array: NDArray[Any]) -> None:
    """Refuse an array with a number beyond ±2**53 in it."""
    # As Python's own numbers: abs() of the smallest int64 is negative, and NumPy 2.0.0
    # crashes where it compares short integers with a number that they cannot hold.
    for extreme in (array.max(initial=0).item(), array.min(initial=0).item()):
        if abs(extreme) > LARGEST_POSITION:
            raise ValueError(f"{name} must lie within ±2**53, got {extreme}")


def _float64(name: str, array: NDArray[Any]) -> NDArray[np.float64]:
    """Return an array as float64; integers that this would round are refused.

    In C order, because the memory layout decides the order of sums.
    """
    if array.dtype.kind in "iu":
        _within(name, array)
    return array.astype(np.float64, order="C", copy=False)
