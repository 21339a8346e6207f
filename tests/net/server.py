"""Run a process that has imported the slow libraries and forks for each error.

It hasn't imported the package, so each fork imports the package with the error. Windows can't fork,
so there each job gets a new process.
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

# Libraries that pages and tests import, and the checks.
PRELOADED = (
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
    """A page, a lab, a module or a file of tests to check, with an error in one file or in none."""

    target: str
    file: str = ""
    text: str = ""  # of the file, with the error
    root: Path = ROOT  # of the project, or of a copy


@dataclass(frozen=True)
class Verdict:
    """All failures of a target without an error, or the first failure with one."""

    failures: list[str] = field(default_factory=list)
    failed: str = ""  # the page or the test that fails
    ran: str = ""


def break_file(target: str, file: str, old: str, new: str, root: Path = ROOT) -> Job:
    """Return the job that checks a target after one edit of a file."""
    text = (root / file).read_text("utf-8")
    assert old in text, f"{file} no longer contains {old!r}; update the test"
    return Job(target, file, text.replace(old, new, 1), root)


def import_from_copy(root: Path) -> None:
    """Import the modules of the project from the root of a copy from now on."""
    folders = tuple(str(ROOT / folder) + os.sep for folder in ("docs", "posenc", "tests"))
    files = {name: getattr(module, "__file__", None) or "" for name, module in sys.modules.items()}
    own = {name.partition(".")[0] for name, file in files.items() if file.startswith(folders)}
    for name in files:
        if name.partition(".")[0] in own:
            del sys.modules[name]
    for position, entry in enumerate(sys.path):
        if Path(entry).is_relative_to(ROOT):
            copied = root / Path(entry).relative_to(ROOT)
            sys.path[position] = str(copied) if copied.exists() else entry  # .venv has no copy


def serve(pipe: Connection) -> None:
    """Answer jobs, each in a fork, until the pipe closes; answer only one if nothing can fork."""
    for name in PRELOADED:
        importlib.import_module(name)
    assert "posenc" not in sys.modules
    sys.pycache_prefix = str(Path(os.environ["POSENC_CACHE"], "compiled"))
    sys.dont_write_bytecode = False  # or each fork would compile everything
    with suppress(EOFError):
        jobs: tuple[Job, ...] = pipe.recv()
        while FORKS:
            if jobs[0].root == ROOT:
                answer_jobs(jobs, pipe)
            else:
                run_in_fork(partial(answer_project, jobs, pipe))
            jobs = pipe.recv()
        answer_project(jobs, pipe)


def run_in_fork(work: Callable[[], None]) -> None:
    """Run a function in a fork of this process, or in this process if the system can't fork."""
    if not FORKS:
        work()
        return
    gc.freeze()  # or the collector of the fork would copy all memory
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


def answer_project(jobs: tuple[Job, ...], pipe: Connection) -> None:
    """Answer jobs of the project or of a copy."""
    if jobs[0].root != ROOT:
        import_from_copy(jobs[0].root)
    answer_jobs(jobs, pipe)


def answer_jobs(jobs: tuple[Job, ...], pipe: Connection) -> None:
    """Send the verdict on each job."""
    from tests.net import judge

    os.chdir(jobs[0].root)
    for job in jobs:
        judge.prepare(job.target)
        run_in_fork(partial(send_verdict, job, pipe))


def send_verdict(job: Job, pipe: Connection) -> None:
    """Send the verdict on a job, or the traceback of an exception."""
    from tests.net import judge

    try:
        pipe.send(judge.judge_job(job))
    except Exception:
        pipe.send(traceback.format_exc())


class Server:
    """A process that answers jobs, started by the first job."""

    def __init__(self) -> None:
        self.process: BaseProcess | None = None

    def judge(self, *jobs: Job) -> list[Verdict]:
        """Return the verdicts on jobs of one project, each from a new process."""
        if not FORKS and len(jobs) > 1:
            return [verdict for job in jobs for verdict in self.judge(job)]
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
        for answer_jobs in received:
            if isinstance(answer_jobs, str):
                raise RuntimeError(answer_jobs)
        return received

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()  # or this end would never see that theirs is closed

    def stop(self) -> None:
        """Stop the process."""
        if self.process is not None:
            self.pipe.close()
            self.process.join()
            self.process = None
