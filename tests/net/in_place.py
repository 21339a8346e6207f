"""Replace the text of a file for everything that this process reads, without touching the disk.

Nothing has to be copied or restored. Code that reads the file in a way that isn't patched here sees
the old text, and then a test fails, because the error isn't noticed.
"""

import io
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import IO, Any
from unittest import mock

OPEN_FUNCTIONS = ("builtins.open", "io.open", "sybil.document.open")  # pathlib uses io.open


def replace_file(file: Path, text: str) -> None:
    """Replace the text of a file until this process ends."""
    original_open, original_get_code = io.open, SourceFileLoader.get_code

    def is_replaced(name: object) -> bool:
        path = Path(name) if isinstance(name, str | Path) else Path()
        return path.name == file.name and path.resolve() == file

    def open_replaced(
        name: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        **words: Any,
    ) -> IO[Any]:
        if not ("r" in mode and is_replaced(name)):
            return original_open(name, mode, buffering, encoding, errors, newline, **words)
        data = io.BytesIO(text.encode())
        return data if "b" in mode else io.TextIOWrapper(data, encoding, errors, newline)

    def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
        if is_replaced(loader.path):  # the bytecode is that of the file on disk
            return loader.source_to_code(text.encode(), loader.path)
        return original_get_code(loader, name)

    sys.dont_write_bytecode = True  # it would be stored for the file on disk
    for name in OPEN_FUNCTIONS:
        mock.patch(name, open_replaced).start()
    mock.patch.object(SourceFileLoader, "get_code", get_code).start()
