"""What was measured of the book and is kept with it, by name, until what it rests on changes."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Protocol, TypeVar

from engine.dependencies import Package
from engine.places import named
from engine.texts import read


class Keyed(Protocol):
    """A record of a page."""

    @property
    def key(self) -> str:
        """Return a digest of all that it rests on."""


R = TypeVar("R")


def recorded(file: Path, record: Callable[..., R]) -> dict[str, R]:
    """Return the records of a file, to be looked at only; none where there is no file."""
    return _recorded(file.read_text("utf-8"), record) if file.exists() else {}


@lru_cache(maxsize=8)
def _recorded(text: str, record: Callable[..., R]) -> dict[str, R]:
    return {name: record(**told) for name, told in json.loads(text).items()}


def changed(
    pages: Iterable[Path],
    known: Mapping[str, Keyed],
    key: Callable[[str, Package], str],
    package: Package,
) -> list[Path]:
    """Return the pages of which there is no record, or one of what they no longer rest on."""

    def holds(page: Path) -> bool:
        record = known.get(named(page))
        return record is not None and record.key == key(read(page), package)

    return [page for page in pages if not holds(page)]
