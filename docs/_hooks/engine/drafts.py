"""Files that several processes look for: none of them ever finds a part of one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
