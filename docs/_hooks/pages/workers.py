"""Processes that check pages, one a core: each begins with the package as it is on disk.

They come from one that has loaded what is slow to load and nothing of the package, so a new
set of them costs little, and an edited module needs no trick to be seen.
"""

import gc
import multiprocessing
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cached_property, lru_cache
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from pathlib import Path

from engine import references, scripts
from engine.cache import Cache, Run
from engine.checks import Failure, Report
from engine.places import DOCS, PACKAGE, modules
from engine.texts import read
from pages import navigation, rules

SLOW = [
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "matplotlib.style",
    "mpmath",
    "pages.rules",
]
NICE = 10


def besides(work: Callable[[Path], None], path: Path) -> BaseProcess:
    """Begin to do something that the build needs at its end, in a process of its own."""
    process = _context().Process(target=work, args=(path,))  # type: ignore[attr-defined]
    process.start()
    return process  # type: ignore[no-any-return]


def subjects() -> list[Path]:
    """Return all that is checked: each page, each lab, each module of the package that can run."""
    pages = [*DOCS.rglob("*.md"), *scripts.labs()]
    return sorted(pages) + modules()


def examined(path: Path, run: Run) -> Report:
    """Return the report of a page, a lab or a module, whatever happens; `run` runs a lab."""
    try:
        return _cache(run).checked(path)
    except Exception as error:  # so broken that it cannot be read
        return Report(failures=[Failure(1, f"cannot be read: {error}")], runs=False)


def settle() -> None:
    """Begin a process: it leaves the first core and the terminal to the build, and ends with it.

    Bars of progress would run into the line that counts; the pages are made while others are
    checked; and a build that is killed tells nobody.
    """
    gc.set_threshold(20_000, 20, 20)
    os.nice(NICE)
    sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115, as long as the process lives
    threading.Thread(target=end_with_the_build, daemon=True).start()


def end_with_the_build() -> None:
    """End this process when the one that asked for it is no more."""
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


def forget_compiled() -> None:
    """Make the next import of the package read its source.

    Python takes a compiled file for current that is of the same second and size as the source;
    an edit can be both.
    """
    for folder in PACKAGE.rglob("__pycache__"):
        shutil.rmtree(folder, ignore_errors=True)


def outcome(future: Future[Report]) -> Report:
    """Return the report that a process has made, or that it came to an end before."""
    if error := future.exception():
        return Report(failures=[Failure(1, f"its check has come to an end: {error!r}")], runs=False)
    return future.result()


@lru_cache(maxsize=1)
def _cache(run: Run) -> Cache:
    """Return the cache of this process, which lives for one build."""
    return rules.cache(ids=lru_cache(maxsize=1)(references.equation_ids), run=run)


def as_read(paths: Iterable[Path]) -> list[Path]:
    """Return pages in the order of the book, behind the labs that train, which take longest."""
    places = {place.path: number for number, place in enumerate(navigation.places())}
    return sorted(paths, key=lambda path: (not trains(path), places.get(path, len(places)), path))


def as_made(paths: Iterable[Path]) -> list[Path]:
    """Return pages in the order in which a build waits for them: it makes one while others run.

    MkDocs goes through a folder before it does through those in it, and each begins with its
    index; our hooks add the labs. Those that train come first here, too, and modules last.
    """

    def turn(path: Path) -> tuple[object, ...]:
        added = path.suffix == ".py", path.is_relative_to(PACKAGE)
        return not trains(path), *added, path.parent, path.stem != "index", path.name

    return sorted(paths, key=turn)


def trains(path: Path) -> bool:
    """Return whether a page is a lab that trains a model."""
    return scripts.is_lab(path) and "posenc.experiments import" in read(path)


class Workers:
    """Some processes at work on some pages.

    `asked` says of each what its report rests on, as text, in the order in which they are to
    begin; `run` runs a lab.
    """

    def __init__(self, asked: Mapping[Path, str], run: Run) -> None:
        self.asked = asked
        self.futures: dict[Path, Future[Report]] = {}
        for path in asked:
            self.futures[path] = self.pool.submit(examined, path, run)

    @cached_property
    def pool(self) -> ProcessPoolExecutor:
        """Return the processes, which begin when there is something to do."""
        forget_compiled()
        return ProcessPoolExecutor(os.cpu_count(), _context(), initializer=settle)

    def answer(self, asked: Mapping[Path, str]) -> bool:
        """Return whether what is asked is what they are at work on, or have done."""
        return asked.items() <= self.asked.items()

    def stop(self) -> None:
        """End what is still at work."""
        if all(future.done() for future in self.futures.values()):
            if self.futures:
                self.pool.shutdown()
            return
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.kill()


@lru_cache(maxsize=1)
def _context() -> multiprocessing.context.BaseContext:
    """Return how processes are started; the first of them is asked for at once."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # or each process takes all cores
        os.environ.setdefault(threads, "1")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(SLOW)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # Python 3.11 tells its server no path
    try:
        forkserver.ensure_running()
    finally:
        os.environ.pop("PYTHONPATH")
        os.environ |= {"PYTHONPATH": before} if before else {}
    return context
