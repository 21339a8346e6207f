"""A process that has loaded all that is slow, and forks for each breakage: one costs a fork.

It has imported nothing of the package, so each fork imports what is broken for it. Where a
process cannot fork, as on Windows, it judges once, and the next breakage waits for another.
"""

import gc
import importlib
import multiprocessing
import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from check.paths import ROOT

FORKS = hasattr(os, "fork")

# What pages and tests import from elsewhere, and the engine.
SLOW = (
    "PIL.PngImagePlugin",
    "hypothesis.extra.numpy",
    "jupytext",
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "matplotlib.style",
    "mpmath",
    "tests.net.judge",
)


@dataclass(frozen=True)
class Job:
    """A page, a lab, a module, tests: what is judged, and what is broken, if anything."""

    target: str
    file: str = ""
    text: str = ""  # in the place of what the file says
    root: Path = ROOT  # of a project


@dataclass(frozen=True)
class Verdict:
    """The failures that were found: all of a page that is unbroken, the first of one that is."""

    failures: list[str] = field(default_factory=list)
    failed: str = ""  # the page, or the test
    ran: str = ""


def broken(target: str, file: str, old: str, new: str, root: Path = ROOT) -> Job:
    """Return the job to judge something with one place of a file broken."""
    text = (root / file).read_text("utf-8")
    assert old in text, f"{file} no longer has {old!r}"
    return Job(target, file, text.replace(old, new, 1), root)


def move(root: Path) -> None:
    """Import what is the project's from the root of a copy, from now on."""
    folders = tuple(str(ROOT / folder) + os.sep for folder in ("docs", "posenc", "tests"))
    files = {name: getattr(module, "__file__", None) or "" for name, module in sys.modules.items()}
    own = {name.partition(".")[0] for name, file in files.items() if file.startswith(folders)}
    for name in files:
        if name.partition(".")[0] in own:
            del sys.modules[name]
    for place, entry in enumerate(sys.path):
        if Path(entry).is_relative_to(ROOT):
            there = root / Path(entry).relative_to(ROOT)
            sys.path[place] = str(there) if there.exists() else entry  # .venv has no copy


def serve(pipe: Connection) -> None:
    """Answer jobs, each in a fork, until there are no more; or once, where nothing forks."""
    for name in SLOW:
        importlib.import_module(name)
    assert "posenc" not in sys.modules
    sys.pycache_prefix = str(Path(os.environ["POSENC_CACHE"], "compiled"))
    sys.dont_write_bytecode = False  # whatever is said elsewhere: each fork would compile it all
    with suppress(EOFError):
        jobs: tuple[Job, ...] = pipe.recv()
        while FORKS:
            if jobs[0].root == ROOT:
                answer(jobs, pipe)
            else:
                in_fork(partial(answer_in_copy, jobs, pipe))
            jobs = pipe.recv()
        answer_in_copy(jobs, pipe)


def in_fork(work: Callable[[], None]) -> None:
    """Do something in a fork of this process, or in itself, where nothing forks."""
    if not FORKS:
        work()
        return
    gc.freeze()  # so that the fork shares the memory of all this, and never looks through it
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert status == 0, f"a fork ended with {os.waitstatus_to_exitcode(status)}"


def answer_in_copy(jobs: tuple[Job, ...], pipe: Connection) -> None:
    """Answer jobs of one project."""
    if jobs[0].root != ROOT:
        move(jobs[0].root)
    answer(jobs, pipe)


def answer(jobs: tuple[Job, ...], pipe: Connection) -> None:
    """Send the verdict on each of some jobs, or why there is none."""
    from tests.net import judge

    os.chdir(jobs[0].root)
    for job in jobs:
        judge.prepare(job.target)
        in_fork(partial(send, job, pipe))


def send(job: Job, pipe: Connection) -> None:
    """Send the verdict on a job, or why there is none."""
    from tests.net import judge

    try:
        pipe.send(judge.judged(job))
    except Exception:
        pipe.send(traceback.format_exc())


class Server:
    """The process, from the first job on."""

    def __init__(self) -> None:
        self.process: BaseProcess | None = None

    def judged(self, *jobs: Job) -> list[Verdict]:
        """Return the verdicts of fresh processes on jobs of one project."""
        if not FORKS and len(jobs) > 1:
            return [verdict for job in jobs for verdict in self.judged(job)]
        if self.process is None:
            self._start()
        self.pipe.send(jobs)
        try:
            received = [self.pipe.recv() for _ in jobs]
        except EOFError:
            self.stop()
            raise
        if not FORKS:
            self.stop()
        for answer in received:
            if isinstance(answer, str):
                raise RuntimeError(answer)
        return received

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()  # or this end would not hear that theirs is closed

    def stop(self) -> None:
        """Let the process end."""
        if self.process is not None:
            self.pipe.close()
            self.process.join()
            self.process = None
