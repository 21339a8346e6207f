"""Mirrored functions: a whole function of the package the other way round.

It turns to the left and not to the right, counts p - q for q - p, takes the query for the key,
has columns for rows, or the last row first. All its results are right numbers in a wrong place,
so no single entry tells, and a check with too much symmetry passes it: with the same vector for
query and key, a score is the same in both directions; sorted, all orders are one.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.relations import Replaced

FIRST, SECOND, THIRD = range(3)


@dataclass
class Mirrored(Replaced):
    """A function of the package that is called, or answers, the other way round."""

    function: str
    way: str

    def __post_init__(self) -> None:
        super().__init__()

    def __str__(self) -> str:
        """Return what it does, for a message."""
        return f"{self.function}: {self.way}"

    def other(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function the other way round."""
        given, answered = WAYS[self.way]

        def mirrored(*args: Any, **words: Any) -> Any:
            return answered(call(*given(args), **words))

        return mirrored


def mirrored(functions: Iterable[str]) -> Iterator[Mirrored]:
    """Yield each of some functions in each way."""
    yield from (Mirrored(function, way) for function in functions for way in WAYS)


def _same(value: Any) -> Any:
    return value


def _negated(value: Any) -> Any:
    """Return numbers with the other sign; what has none stays."""
    if isinstance(value, bool | np.bool_):
        return value
    if isinstance(value, list | tuple):
        return type(value)(map(_negated, value)) if type(value) in (list, tuple) else value
    try:
        return -value
    except TypeError:
        return value


def _of(place: int) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """Return what negates the argument at a place, if there is one."""
    return lambda args: tuple(_negated(one) if n == place else one for n, one in enumerate(args))


def _exchanged(args: tuple[Any, ...]) -> tuple[Any, ...]:
    return (args[SECOND], args[FIRST], *args[THIRD:]) if len(args) > 1 else args


def _transposed(value: Any) -> Any:
    return value.swapaxes(-1, -2) if isinstance(value, np.ndarray) and value.ndim > 1 else value


def _reversed(axis: int) -> Callable[[Any], Any]:
    """Return what puts the entries of a result along an axis in the opposite order."""

    def answered(value: Any) -> Any:
        if isinstance(value, np.ndarray) and value.ndim:
            return np.flip(value, axis)
        return value[::-1] if type(value) in (list, tuple) else value

    return answered


WAYS: dict[str, tuple[Callable[..., Any], Callable[[Any], Any]]] = {
    "its first argument negative": (_of(FIRST), _same),
    "its second argument negative": (_of(SECOND), _same),
    "its third argument negative": (_of(THIRD), _same),
    "its first two arguments exchanged": (_exchanged, _same),
    "its result transposed": (_same, _transposed),
    "its first row last": (_same, _reversed(0)),
    "its first channel last": (_same, _reversed(-1)),
}
