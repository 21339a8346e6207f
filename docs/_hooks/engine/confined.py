"""What code of a page may not do: run for ever, print without end, end its process, write files.

Each is stopped at its line, and a thread that goes on behind it is told. Time is that of the
processor, so that a machine under load gives up nothing that comes to an end on a quiet one; who
only waits has half an hour. Where a process cannot be told the time, in a thread, on Windows, or
in a browser, whose page has a button for it, nothing is stopped for that. Files beside the project
may be written, and what any run may make again.
"""

import doctest
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from io import StringIO
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn
from unittest import mock

from engine.places import ROOT

COMPUTES, WAITS = 120, 1800  # seconds, for one example
AGAIN = 1  # and once more each second, if the code goes on all the same
PRINTED = 1_000_000  # characters, of one example

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = ("os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate")
KEPT = {".cache", "__pycache__"}  # folders that hold what any run may make again
POOL = "ThreadPoolExecutor"  # whose threads wait for more to do


class EndlessError(BaseException):
    """Code that had to be stopped; no `except Exception` of its own keeps it going."""


class Printed(doctest._SpoofOut):  # type: ignore[name-defined, misc]
    """What an example prints, as long as that is little enough to be read."""

    def write(self, text: str) -> int:
        """Take a piece, or stop whoever prints so much."""
        if self.tell() + len(text) > PRINTED:
            raise EndlessError(f"prints more than {PRINTED} characters; print less, or stop it")
        return int(super().write(text))


@contextmanager
def confined() -> Iterator[list[threading.Thread]]:
    """Stop, in what runs here, whatever a page may not do, and note the threads that it begins."""
    before, sys.stdin = sys.stdin, StringIO()  # nobody is there to answer
    begun: list[threading.Thread] = []
    token = _confined.set(True)
    really_exit, really_start = os._exit, threading.Thread.start
    process, thread = os.getpid(), threading.get_ident()

    def ends(status: int) -> NoReturn:
        if os.getpid() != process:  # a process that the page has begun may end
            really_exit(status)
        raise SystemExit(status)

    def starts(other: threading.Thread) -> None:
        if threading.get_ident() == thread:  # not a server's, beside the page
            begun.append(other)
        really_start(other)

    try:
        with (
            _in_time(),
            redirect_stdout(Printed()),
            mock.patch.object(os, "_exit", ends),
            mock.patch.object(threading.Thread, "start", starts),
        ):
            yield begun
    finally:
        _confined.reset(token)
        sys.stdin = before


@contextmanager
def _in_time() -> Iterator[None]:
    """Stop what computes, or waits, for too long."""
    first = threading.current_thread() is threading.main_thread()
    if not (first and hasattr(signal, "setitimer")):
        yield
        return
    timers = {
        signal.SIGVTALRM: (signal.ITIMER_VIRTUAL, COMPUTES, "computes"),
        signal.SIGALRM: (signal.ITIMER_REAL, WAITS, "waits"),
    }

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        _, most, what = timers[signal.Signals(number)]
        raise EndlessError(f"{what} for more than {most} s and may never end; let it do less")

    handlers = {number: signal.signal(number, stop) for number in timers}
    for timer, most, _ in timers.values():
        signal.setitimer(timer, most, AGAIN)
    try:
        yield
    finally:
        for timer, *_ in timers.values():
            signal.setitimer(timer, 0)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def at_work(begun: list[threading.Thread]) -> Iterator[str]:
    """Yield the names of threads that go on, but for those of a pool."""
    yield from (one.name for one in begun if one.is_alive() and not one.name.startswith(POOL))


_confined = ContextVar("_confined", default=False)


def _audited(event: str, given: tuple[Any, ...]) -> None:
    """Refuse to change a file of the project; Python asks here before it does."""
    if not _confined.get() or not (event in CHANGES or (event == "open" and _writes(*given[1:]))):
        return
    if isinstance(given[0], str | os.PathLike):
        path = Path(os.path.abspath(given[0]))  # noqa: PTH100, which follows no link
        if path.is_relative_to(ROOT) and not KEPT.intersection(path.parts):
            raise PermissionError(
                f"a page changes no file of the project, such as {path.relative_to(ROOT)}; "
                "take a temporary folder"
            )


def _writes(mode: str | None, flags: int) -> bool:
    return bool(flags & WRITES) if mode is None else bool(set("wax+") & set(mode))


sys.addaudithook(_audited)
