"""A file of the project with another text in its place, for all that this process reads of it.

What lies on disk stays as it is: nothing is copied and nothing has to be mended. Whoever finds
another door to the file sees the old text, and then the breakage that should be noticed is not.
"""

import io
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import IO, Any
from unittest import mock

DOORS = ("builtins.open", "io.open", "sybil.document.open")  # pathlib's is that of io


def put(file: Path, text: str) -> None:
    """Put a text in the place of a file, until this process ends."""
    really_open, really_compiled = io.open, SourceFileLoader.get_code

    def same(name: object) -> bool:
        path = Path(name) if isinstance(name, str | Path) else Path()
        return path.name == file.name and path.resolve() == file

    def opened(
        name: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        **words: Any,
    ) -> IO[Any]:
        if not ("r" in mode and same(name)):
            return really_open(name, mode, buffering, encoding, errors, newline, **words)
        data = io.BytesIO(text.encode())
        return data if "b" in mode else io.TextIOWrapper(data, encoding, errors, newline)

    def compiled(loader: SourceFileLoader, name: str) -> CodeType | None:
        if same(loader.path):  # what was compiled before is the file on disk
            return loader.source_to_code(text.encode(), loader.path)
        return really_compiled(loader, name)

    sys.dont_write_bytecode = True  # under the name of the file on disk
    for door in DOORS:
        mock.patch(door, opened).start()
    mock.patch.object(SourceFileLoader, "get_code", compiled).start()
