"""A process that has loaded what every kernel loads, and forks for each: a kernel begins at once.

It is run by its path, with nothing of the project to import but what its environment names,
and has imported nothing of that: each kernel does so itself. Where a process cannot fork, as on
Windows, each kernel is a process from its beginning on.
"""

import importlib
import os
import socket
import sys
import threading
from typing import Any

FORKS = hasattr(os, "fork")

# Ask for a kernel, hand on how it is reached, and live as long as it does, or until killed.
ASK = """
import signal, socket, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
with socket.socket(socket.AF_UNIX) as asked:
    asked.connect(sys.argv[1])
    asked.sendall("\\0".join(sys.argv[2:]).encode())
    asked.recv(1)
"""


def kernel(words: list[str]) -> None:
    """Be a kernel, until it is told to end."""
    from ipykernel.kernelapp import IPKernelApp

    app: Any = IPKernelApp.instance()
    app.initialize(words)
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
