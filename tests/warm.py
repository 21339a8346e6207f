"""Run pytest again and again, each time in a fork of a process that has imported everything slow.

Starting Python and importing what a breakage never touches takes four times as long as
judging most pages. None of the project is imported here, so each fork reads the files of
its folder as they are then. A job is a line of JSON on the standard input, its answer the
exit code of pytest.
"""

import gc
import importlib
import json
import os
import sys
from collections.abc import Sequence

import pytest

# What pages and tests import from elsewhere; where one is missing, a fork will say so.
SLOW = (
    "hypothesis.extra.numpy",
    "markdown",
    "math_core",
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "matplotlib.style",
    "mkdocs.utils.meta",
    "mpmath",
    "numpy",
    "sybil",
    "sybil.evaluators.doctest",
)


def judge(folder: str, words: Sequence[str], output: str) -> None:
    """End this process, a fork, as pytest does in a folder; what is said goes to a file."""
    os.chdir(folder)
    os.environ["PYTHONPATH"] = folder
    sys.path.insert(0, folder)
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    code = 3  # of pytest, where it breaks itself
    try:
        code = int(pytest.main(list(words)))
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def serve() -> None:
    """Answer jobs until there are no more."""
    sys.dont_write_bytecode = True  # an edit of the same second and size would go unseen
    for name in SLOW:
        importlib.import_module(name)
    gc.freeze()  # so that forks share the memory of all this
    for line in sys.stdin:
        job = json.loads(line)
        child = os.fork()
        if child == 0:
            judge(**job)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


if __name__ == "__main__":
    serve()
