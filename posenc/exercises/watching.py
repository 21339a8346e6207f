"""Calls into the package while an answer runs, for exercises that must do without."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import posenc

PACKAGE = str(Path(posenc.__file__).parent)
OWN = str(Path(__file__).parent)  # solutions and wrong answers, and what they share
REGISTRY = str(Path(OWN, "registry.py"))  # which hands out solutions


class Forbidden(Exception):  # noqa: N818  it is not an error of this package
    """An answer called what its exercise forbids."""


@contextmanager
def forbid_calls(forbidden: str) -> Iterator[None]:
    """Raise `Forbidden` after a block that called "posenc", or one of its functions by name."""
    if not forbidden:
        yield
        return
    called: list[str] = []
    before = sys.getprofile()
    sys.setprofile(_note_calls(forbidden, called))
    try:
        yield
    finally:
        sys.setprofile(before)
        if called:
            raise Forbidden(called[0])


def _note_calls(forbidden: str, called: list[str]) -> Callable[[FrameType, str, Any], None]:
    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and not called and _is_forbidden(frame, forbidden):
            called.append(_name(frame))

    return note


def _is_forbidden(frame: FrameType, forbidden: str) -> bool:
    path, name = frame.f_code.co_filename, frame.f_code.co_name
    if not path.startswith(PACKAGE) or name.startswith(("__", "<")):  # an import is not a call
        return False
    if path.startswith(OWN):
        return path == REGISTRY
    return forbidden == "posenc" or forbidden.rpartition(".")[2] == name


def _name(frame: FrameType) -> str:
    """Return the name under which a reader knows a function."""
    name = frame.f_code.co_name
    public = "posenc" if hasattr(posenc, name) else frame.f_globals.get("__name__", "posenc")
    return f"{public}.{name}"
