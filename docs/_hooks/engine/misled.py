"""What the package returns to a page, made wrong: of one half of it, then of the other half.

A wrong function is still a function: for the same arguments it returns the same, and for others
something that is wrong in another way, so a thing that is held against itself stays equal. Halves
are made in two ways: of the entries of each result, since the least of many differences passes
where some entries are right, and of all calls, since *this or that* passes where one is right.
Whatever looks at all that it is given finds one half wrong, or the other.

Results of `posenc.proofs` stay as they are: those judge.
"""

import hashlib
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from types import FunctionType
from typing import Any

import numpy as np

from engine.faced import Call, Faced

ENTRIES, CALLS = "entries", "calls"  # of which a half is wrong
FORM = "form"  # half of the calls return another shape, and another type of numbers
WAYS: dict[str, Callable[[Any, Any], Any]] = {  # in which a number is wrong, by a u of [0, 1)
    "more": lambda x, u: x + (1 + abs(x)) * (1 + u),
    "less": lambda x, u: x - (1 + abs(x)) * (1 + u),
    "lower": lambda x, u: x - (1 + abs(x)) * (1 + u) / 4,
    "real": lambda x, u: x + (1 + abs(x)) * (1 + u) / 1000,
}
COUNTS: dict[str, Callable[[Any, Any], Any]] = {  # sizes among them, so one way leaves them
    "more": lambda x, n: x + n,
    "less": lambda x, n: x - x // 2 - n,
    "lower": lambda x, n: x - n,
    "real": lambda x, n: x,
}
TRUTHS: dict[str, Callable[[Any], Any]] = {
    "more": np.logical_not,
    "less": np.logical_not,
    "lower": np.logical_not,
    "real": lambda x: x,  # masks among them
}
NUMBERS = (bool, int, float, complex, np.number, np.bool_)
LARGE = 2**62  # a whole number that no array may hold


@dataclass
class Misled(Faced):
    """One way in which what a page is given is wrong."""

    kind: str
    seed: int = 0
    half: int = 0  # 0 or 1
    way: str = "more"
    known: dict[str, dict[bytes, int]] = field(default_factory=dict)  # calls of each function

    def called(self, call: Call) -> Any:
        """Return what a function returns, wrong."""
        return self.moved(call.answer(), self.key(call.name, *call.of, call.args, call.words))

    def seen(self, value: Any, name: str, *of: object) -> Any:
        """Return what a module or an object has by a name, wrong."""
        return self.moved(value, self.key(name, *of) if of else name)

    def key(self, name: str, *given: object) -> str:
        """Return a name for what a function makes of its arguments: how many others came before.

        What the arguments are does not matter, which are themselves wrong in one half or the other.
        """
        calls = self.known.setdefault(name, {})
        return f"{name} {calls.setdefault(_digest(given), len(calls))}"

    def moved(self, value: Any, key: str) -> Any:
        """Return a value made wrong, or a function whose results are; what has no numbers stays."""
        if isinstance(value, np.ndarray) and value.dtype.kind in "bifcu":
            return self._array(value, key)
        if isinstance(value, int) and abs(value) >= LARGE:
            return value + int(self._array(np.asarray(0), key))
        if isinstance(value, NUMBERS):
            found = self._array(np.asarray(value), key)
            return found[()] if isinstance(value, np.generic) else found.item()
        if isinstance(value, Fraction | Decimal):
            return value + int(self._array(np.asarray(int(value)), key)) - int(value)
        if hasattr(value, "_mpf_"):  # of mpmath, which is not imported for this
            return value + (self._array(np.asarray(float(value)), key).item() - float(value))
        if isinstance(value, FunctionType):
            return self.function(value, key)
        if isinstance(value, str) and self.way == "more":
            return f"{value}?" if self._rng(key).integers(2) == self.half else value
        if isinstance(value, dict):
            return {name: self.moved(one, f"{key} {name}") for name, one in value.items()}
        if isinstance(value, list | tuple) and value:
            entries = [self.moved(one, f"{key} {place}") for place, one in enumerate(value)]
            longer = self.kind == FORM and isinstance(value, list)
            return rebuilt(value, [*entries, entries[-1]] if longer else entries)
        return value

    def _rng(self, key: str) -> np.random.Generator:
        found = hashlib.blake2b(f"{self.seed} {key}".encode(), digest_size=8).digest()
        return np.random.default_rng(int.from_bytes(found, "big"))

    def _array(self, value: np.ndarray, key: str) -> np.ndarray:
        rng = self._rng(key)
        chosen = rng.integers(2, size=value.shape if self.kind == ENTRIES else ()) == self.half
        if self.kind == FORM:
            return _formed(value) if chosen else value
        return np.where(chosen, self._wrong(value, rng), value).astype(value.dtype)

    def _wrong(self, value: np.ndarray, rng: np.random.Generator) -> Any:
        if value.dtype.kind == "b":
            return TRUTHS[self.way](value)
        if value.dtype.kind in "iu":
            return COUNTS[self.way](value, rng.integers(1, 8, size=value.shape))
        finite = np.where(np.isfinite(value), value, 0)
        return WAYS[self.way](finite, rng.random(value.shape))


def rebuilt(value: Any, entries: Sequence[Any]) -> Any:
    """Return a list or a tuple of the same kind with other entries."""
    return getattr(type(value), "_make", type(value))(entries)  # which one with names has


def _formed(value: np.ndarray) -> np.ndarray:
    """Return an array with its last entries once more, and of another type."""
    for axis in range(value.ndim):
        if value.shape[axis]:
            value = np.concatenate([value, value.take([-1], axis)], axis)
    return value.astype(np.float32 if value.dtype == np.float64 else np.float64)


def _digest(given: object) -> bytes:
    """Return what tells some arguments from others: their entries, not where these are stored."""
    if isinstance(given, np.ndarray) and given.dtype != object:
        return b"%s %s " % (repr(given.shape).encode(), given.dtype.str.encode()) + given.tobytes()
    if isinstance(given, dict):
        return _digest([*given, *given.values()])
    if isinstance(given, list | tuple):
        parts = hashlib.blake2b(b"".join(_digest(one) + b"\0" for one in given))
        return parts.digest()
    if isinstance(given, np.random.Generator):
        return repr(given.bit_generator.state).encode()
    if isinstance(given, FunctionType):  # of the page
        return repr(given.__code__.co_code + repr(given.__code__.co_consts).encode()).encode()
    try:
        return pickle.dumps(given)
    except Exception:
        return type(given).__qualname__.encode()
