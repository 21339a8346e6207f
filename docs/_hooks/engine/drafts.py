"""Files that several processes look for: none of them ever finds a part of one."""

import os
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def draft(file: Path) -> Iterator[Path]:
    """Give a file to be written, which takes the place of the other one when it is whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f"{os.getpid()}-{file.name}")  # whose ending may say what it is
    try:
        yield unfinished
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


def put(thing: object, file: Path) -> None:
    """Keep a thing in a file of ours, whole or not at all."""
    with draft(file) as unfinished:
        unfinished.write_bytes(pickle.dumps(thing))


def taken(file: Path) -> Any:
    """Return what was put into a file of ours, if it is there and whole; else None."""
    try:
        return pickle.loads(file.read_bytes())
    except (OSError, EOFError, pickle.UnpicklingError):
        return None
