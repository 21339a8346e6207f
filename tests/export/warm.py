"""A process that has loaded what every kernel loads, and forks for each: a kernel begins at once.

It is run by its path, with nothing of the project to import but what its environment names,
and has imported nothing of that: each kernel does so itself. Where a process cannot fork, as on
Windows, each kernel is a process from its beginning on.

A kernel notes which functions run in its cells, and where code asks for it, tells.
"""

import importlib
import os
import socket
import sys
import threading
from collections.abc import Callable
from cProfile import Profile
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import Any

FORKS = hasattr(os, "fork")
TOLD = "_functions_that_ran"  # what a kernel calls the function that tells

# Ask for a kernel, hand on how it is reached, and live as long as it does, or until killed.
ASK = """
import signal, socket, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect(sys.argv[1])
    asked.sendall("\\0".join(sys.argv[2:]).encode())
    asked.recv(1)
"""


def note(shell: Any) -> None:
    """Note what runs in cells, but for what imports something or shows an answer."""
    profile, running, asides = Profile(builtins=False, subcalls=False), [False], [0]

    def begin(*_: object) -> None:
        running[0] = True
        profile.enable()

    def end(*_: object) -> None:
        running[0] = False
        profile.disable()

    def aside(function: Callable[..., Any]) -> Callable[..., Any]:
        def unnoted(*given: Any, **named: Any) -> Any:
            asides[0] += 1
            profile.disable()
            try:
                return function(*given, **named)
            finally:
                asides[0] -= 1
                if running[0] and not asides[0]:
                    profile.enable()

        return unnoted

    def told() -> list[tuple[str, int]]:
        codes = [entry.code for entry in profile.getstats() if isinstance(entry.code, CodeType)]
        return sorted((code.co_filename, code.co_firstlineno) for code in codes)

    SourceFileLoader.exec_module = aside(SourceFileLoader.exec_module)  # type: ignore[method-assign]
    shell.display_formatter.format = aside(shell.display_formatter.format)
    shell.events.register("pre_run_cell", begin)
    shell.events.register("post_run_cell", end)
    shell.push({TOLD: told}, interactive=False)


def kernel(words: list[str]) -> None:
    """Be a kernel, until it is told to end."""
    from ipykernel.kernelapp import IPKernelApp

    app: Any = IPKernelApp.instance()
    app.initialize(words)
    note(app.shell)
    app.start()


def end_with(asked: socket.socket) -> None:
    """End this process when nobody asks for it any more."""
    asked.recv(1)
    os._exit(0)


def main() -> None:
    """Fork a kernel for each that asks; or be one, where nothing forks."""
    if not FORKS:
        kernel(sys.argv[1:])
        return
    listening = socket.socket(fileno=int(sys.argv[1]))
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # with which each kernel ends
    for name in ("ipykernel.kernelapp", *sys.argv[2:]):
        importlib.import_module(name)
    while True:
        asked, _ = listening.accept()
        words = asked.recv(65536).decode().split("\0")
        if os.fork() == 0:
            listening.close()
            threading.Thread(target=end_with, args=(asked,), daemon=True).start()
            kernel(words)
            return
        asked.close()


if __name__ == "__main__":
    main()
