"""What follows from a text alone is found out once, in this process or in one before it.

A build reads all pages, and most of what it reads off them it has read before. A function that is
given texts, and looks at nothing else, is made to remember; `keep` puts what was found into a
file, and `recall` takes it from there.
"""

import hashlib
from collections.abc import Callable, Iterable
from functools import update_wrapper
from pathlib import Path
from typing import Any, Generic, TypeVar

from engine.drafts import put, taken

Found = TypeVar("Found")


class Once(Generic[Found]):
    """A function of texts that remembers; what it returns is to be looked at only."""

    def __init__(self, function: Callable[..., Found]) -> None:
        self.function = function
        self.known: dict[bytes, Found] = {}  # by digest of the texts
        self.asked: set[bytes] = set()  # since it forgot the rest
        update_wrapper(self, function)

    @property
    def name(self) -> str:
        """Return what it is called."""
        return f"{self.function.__module__}.{self.function.__qualname__}"

    def __call__(self, *texts: str) -> Found:
        """Return what follows from texts."""
        key = hashlib.sha256("\0".join(texts).encode()).digest()
        if key not in self.known:
            self.known[key] = self.function(*texts)
        self.asked.add(key)
        return self.known[key]


def recall(file: Path, functions: Iterable[Once[Any]]) -> None:
    """Let functions know what was kept in a file, if there is one."""
    kept = taken(file) or {}
    for one in functions:
        one.known |= kept.get(one.name, {})


def forget(functions: Iterable[Once[Any]]) -> None:
    """Let functions forget what has not been asked for since this was done last."""
    for one in functions:
        one.known = {key: one.known[key] for key in one.asked}
        one.asked = set()


def keep(file: Path, functions: Iterable[Once[Any]]) -> None:
    """Keep in a file what functions know."""
    put({one.name: one.known for one in functions}, file)
