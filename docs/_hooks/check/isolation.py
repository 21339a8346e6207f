"""Isolation of page code: limits while it runs, and a check for side effects afterwards.

All pages run in a few long-lived processes, so one page must not disturb the next. Code that runs
too long, prints too much, exits, or writes to the project is stopped. Code that changes the
working folder, a setting of Matplotlib or a function of the package is reported at its line, and
the change is undone. A page may set how NumPy prints, the precision of mpmath and decimal, and the
shared random state: `page_check.reset_state` restores these for each page.
"""

import doctest
import locale
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from contextvars import ContextVar
from functools import cache
from io import StringIO
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, NoReturn
from unittest import mock

from check.paths import ROOT

# Limits for one example, in seconds. The first is processor time, which doesn't depend on load.
MAX_COMPUTING, MAX_WAITING = 120, 1800
REPEAT = 1  # seconds until the signal comes again, in case the code swallowed the first one
MAX_PRINTED = 1_000_000  # characters that one example may print

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGES = ("os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.symlink", "os.truncate")
CACHES = {".cache", "__pycache__"}  # folders that may be written to
POOL = "ThreadPoolExecutor"  # its threads stay alive between tasks

# Modules in which no name may be rebound: the package, and what its results are compared with.
WATCHED = ("builtins", "decimal", "fractions", "math", "mpmath", "numpy", "posenc", "statistics")


class EndlessError(BaseException):
    """Code was stopped; `except Exception` on a page doesn't catch this."""


class Printed(doctest._SpoofOut):  # type: ignore[name-defined, misc]
    """Captures what an example prints, up to a limit."""

    def write(self, text: str) -> int:
        """Append text; raise EndlessError beyond the limit."""
        if self.tell() + len(text) > MAX_PRINTED:
            raise EndlessError(f"prints more than {MAX_PRINTED} characters; print less")
        return int(super().write(text))


@contextmanager
def limit_code(started: list[threading.Thread]) -> Iterator[None]:
    """Apply all limits to the code that runs within, and append the threads that it starts."""
    stdin, sys.stdin = sys.stdin, StringIO()  # nobody answers `input`
    token = _limited.set(True)
    real_exit, real_start = os._exit, threading.Thread.start
    process, thread = os.getpid(), threading.get_ident()

    def exit_page(status: int) -> NoReturn:
        if os.getpid() != process:  # a child process of the page may exit
            real_exit(status)
        raise SystemExit(status)

    def start_thread(other: threading.Thread) -> None:
        if threading.get_ident() == thread:  # ignore threads that others start meanwhile
            started.append(other)
        real_start(other)

    try:
        with (
            limit_time(),
            redirect_stdout(Printed()),
            mock.patch.object(os, "_exit", exit_page),
            mock.patch.object(threading.Thread, "start", start_thread),
        ):
            yield
    finally:
        _limited.reset(token)
        sys.stdin = stdin


@contextmanager
def limit_time() -> Iterator[None]:
    """Raise EndlessError in code that computes or waits too long.

    Does nothing where signals can't do this: in a thread, on Windows, and in a browser.
    """
    in_main_thread = threading.current_thread() is threading.main_thread()
    if not (in_main_thread and hasattr(signal, "setitimer")):
        yield
        return
    timers = {
        signal.SIGVTALRM: (signal.ITIMER_VIRTUAL, MAX_COMPUTING, "computes"),
        signal.SIGALRM: (signal.ITIMER_REAL, MAX_WAITING, "waits"),
    }

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        _, seconds, verb = timers[signal.Signals(number)]
        raise EndlessError(f"{verb} for more than {seconds} s and may never end; let it do less")

    handlers = {number: signal.signal(number, stop) for number in timers}
    for timer, seconds, _ in timers.values():
        signal.setitimer(timer, seconds, REPEAT)
    try:
        yield
    finally:
        for timer, *_ in timers.values():
            signal.setitimer(timer, 0)
        for number, handler in handlers.items():
            signal.signal(number, handler)


def find_running(threads: list[threading.Thread]) -> list[str]:
    """Return the names of threads that still run, except idle ones of a pool."""
    return [one.name for one in threads if one.is_alive() and not one.name.startswith(POOL)]


_limited = ContextVar("_limited", default=False)


def _refuse_changes(event: str, arguments: tuple[Any, ...]) -> None:
    """Audit hook: refuse to change a file of the project while page code runs."""
    if not _limited.get():
        return
    if not (event in CHANGES or (event == "open" and _opens_to_write(*arguments[1:]))):
        return
    if isinstance(arguments[0], str | os.PathLike):
        path = Path(os.path.abspath(arguments[0]))  # noqa: PTH100, which follows no link
        if path.is_relative_to(ROOT) and not CACHES.intersection(path.parts):
            raise PermissionError(
                f"a page must not change a file of the project, {path.relative_to(ROOT)}; "
                "use a temporary folder"
            )


def _opens_to_write(mode: str | None, flags: int) -> bool:
    return bool(flags & WRITES) if mode is None else bool(set("wax+") & set(mode))


sys.addaudithook(_refuse_changes)


class SharedState:
    """The state that all pages share, as it was before the first line of a page ran."""

    def __init__(self) -> None:
        self.values = {name: look() for name, (look, _) in SHARED.items()}
        self.names = {name: (module, {**vars(module)}) for name, module in _watched_modules()}
        self.names["builtins"][1].pop("_", None)  # set by each prompt

    def restore_changes(self) -> Iterator[str]:
        """Undo all changes, and yield the name of each."""
        for name, (look, restore) in SHARED.items():
            now = look()
            if self.values[name] is None:  # Matplotlib has been loaded since
                self.values[name] = now
            elif now != self.values[name]:
                restore(self.values[name])
                yield name
        loaded = dict(_watched_modules())
        if any(self._differs(name, loaded.get(name)) for name in self.names):
            for name, (module, names) in self.names.items():
                sys.modules[name] = module
                vars(module).update(names)
            yield "a name of a module"
        for name in loaded.keys() - self.names.keys():  # imported by this example
            self.names[name] = loaded[name], {**vars(loaded[name])}

    def _differs(self, name: str, loaded: ModuleType | None) -> bool:
        """Return whether a module was replaced or one of its names was rebound or deleted."""
        module, names = self.names[name]
        if loaded is not module:
            return True
        try:
            if names.items() <= vars(module).items():  # fast: compares no identical objects
                return False
        except Exception:  # an array or a tensor was rebound
            return True
        now = vars(module)
        return any(key not in now or now[key] is not value for key, value in names.items())


@cache  # called for each loaded module after each line of a page
def _is_watched(name: str) -> bool:
    return name.partition(".")[0] in WATCHED


def _watched_modules() -> Iterator[tuple[str, ModuleType]]:
    for name, module in [*sys.modules.items()]:
        if _is_watched(name) and isinstance(module, ModuleType):
            yield name, module


def _restore_environment(was: dict[str, str]) -> None:
    for name in os.environ.keys() - was.keys():
        del os.environ[name]
    os.environ.update(was)


def _restore_path(was: list[str]) -> None:
    sys.path[:] = was


def _restore_streams(was: tuple[Any, ...]) -> None:
    sys.stdin, sys.stdout, sys.stderr = was


def _matplotlib_settings() -> dict[str, Any] | None:
    """Return Matplotlib's settings as stored; reading them one by one would choose a backend."""
    loaded = sys.modules.get("matplotlib")
    return dict.copy(loaded.rcParams) if loaded else None


def _restore_settings(was: dict[str, Any]) -> None:
    dict.update(sys.modules["matplotlib"].rcParams, was)


# By name: how to read it, and how to restore it.
SHARED: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "the working folder": (os.getcwd, os.chdir),
    "the environment": (lambda: {**os.environ}, _restore_environment),
    "sys.path": (lambda: [*sys.path], _restore_path),
    "the standard streams": (lambda: (sys.stdin, sys.stdout, sys.stderr), _restore_streams),
    "the recursion limit": (sys.getrecursionlimit, sys.setrecursionlimit),
    "the locale": (
        lambda: locale.setlocale(locale.LC_ALL),
        lambda was: locale.setlocale(locale.LC_ALL, was),
    ),
    "Matplotlib's settings": (_matplotlib_settings, _restore_settings),
}
