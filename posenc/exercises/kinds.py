"""Results of the wrong type or shape, in words."""

import reprlib
from collections.abc import Iterable, Set
from numbers import Number
from typing import Any

import numpy as np


def name_mismatch(found: Iterable[Any], expected: Iterable[Any]) -> str | None:
    """Return the first result of another type or shape than the solution's, in words.

    Lengths of lists may be part of the question, and so may None: these are never a mismatch.
    """
    pairs = [*zip(found, expected, strict=False)]
    may_be_none = any(right is None for _, right in pairs)
    for mine, right in pairs:
        if right is None or (mine is None and may_be_none) or _fits(mine, right):
            continue
        return f"returned {_describe(mine)}, expected {_describe(right, with_value=False)}"
    return None


def _fits(found: Any, expected: Any) -> bool:
    """Return whether a result could be compared with the expected one."""
    if isinstance(expected, str | dict):
        return isinstance(found, type(expected))
    if callable(expected):
        return callable(found)
    if _is_number(expected):
        return _is_number(found)
    if isinstance(expected, np.ndarray):
        return _shape(found) == tuple(expected.shape)
    if isinstance(expected, tuple):
        return (
            _is_sequence(found) and len(found) == len(expected) and all(map(_fits, found, expected))
        )
    if isinstance(expected, list):
        return _is_sequence(found) and all(
            _fits(*ends) for ends in zip(found[:1], expected[:1], strict=False)
        )
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, Number | np.bool_) or (
        isinstance(value, np.ndarray) and _shape(value) == ()
    )


def _is_sequence(value: Any) -> bool:
    return isinstance(value, list | tuple | range) or (
        isinstance(value, np.ndarray) and value.ndim > 0
    )


def _shape(value: Any) -> tuple[int, ...] | None:
    """Return the shape of numbers, or None if there are none."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        return None
    return array.shape if array.dtype.kind in "biufc" else None


def _describe(value: Any, *, with_value: bool = True) -> str:
    """Return the type of a value in words; small ones are shown."""
    shown = f" ({reprlib.repr(value)})" if with_value else ""
    if value is None:
        return "None"
    if isinstance(value, str):
        return f"a string{shown}"
    if _is_number(value):
        return f"a number{shown}"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if isinstance(value, tuple | list | Set):
        return _describe_collection(value) + shown
    if callable(value):
        return "a function"
    return f"an object of type {type(value).__name__}"


def _describe_collection(value: Any) -> str:
    """Return a type, a length, and what all entries are."""
    kind = "set" if isinstance(value, Set) else type(value).__name__
    if value and all(isinstance(each, np.ndarray) for each in value):
        return f"a {kind} of {len(value)} arrays"
    for word, belongs in (("string", lambda each: isinstance(each, str)), ("number", _is_number)):
        if value and all(map(belongs, value)):
            return f"a {kind} of {len(value)} {word}{'s' if len(value) != 1 else ''}"
    return f"a {kind} of length {len(value)}"
