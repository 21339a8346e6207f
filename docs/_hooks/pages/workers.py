"""Processes that check pages, one a core: each begins with the package as it is on disk.

They come from one that has loaded what is slow to load and nothing of the package, so a new
set of them costs little, and an edited module needs no trick to be seen.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from functools import cached_property, lru_cache
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from pathlib import Path

from engine import scripts
from engine.cache import Cache
from engine.checks import Failure, Report
from engine.fences import fences
from engine.places import DOCS, PACKAGE
from engine.texts import read
from pages import rules

SLOW = [
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "matplotlib.style",
    "mpmath",
    "pages.rules",
]
NICE = 10
MODEL = 3  # times the code of a page: so long takes a lab that trains one


def besides(work: Callable[[Path], None], path: Path) -> BaseProcess:
    """Begin to do something that the build needs at its end, in a process of its own."""
    process = _context().Process(target=work, args=(path,))  # type: ignore[attr-defined]
    process.start()
    return process  # type: ignore[no-any-return]


def subjects() -> list[Path]:
    """Return all that is checked: each page, each lab, each module of the package."""
    pages = [*DOCS.rglob("*.md"), *scripts.FOLDER.glob("*.py")]
    return sorted(pages) + sorted(PACKAGE.rglob("*.py"))


def examined(path: Path) -> Report:
    """Return the report of a page, a lab or a module, whatever happens."""
    try:
        return _cache().checked(path)
    except Exception as error:  # so broken that it cannot be read
        return Report(failures=[Failure(1, f"cannot be read: {error}")])


def quiet() -> None:
    """Leave the terminal to the one line that counts, and the first core to the build.

    Bars of progress would run into that line; the pages are made while others are checked.
    """
    os.nice(NICE)
    sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115, as long as the process lives


@lru_cache(maxsize=1)
def _cache() -> Cache:
    """Return the cache of this process, which lives for one build."""
    return rules.cache()


def weight(path: Path) -> int:
    """Return how long a page may take, in characters of code."""
    text = read(path)
    if path.suffix == ".py" and not scripts.is_lab(path):
        return len(text) // 100  # its docstrings
    trains = "posenc.experiments import" in text
    return sum(len(fence.source) for fence in fences(text)) * (MODEL if trains else 1)


class Workers:
    """Some processes at work on some pages, the longest first.

    `homes` says of each where it will be kept, and so what its outcome rests on.
    """

    def __init__(self, homes: Mapping[Path, Path]) -> None:
        self.homes = homes
        self.futures: dict[Path, Future[Report]] = {}
        for path in sorted(homes, key=weight, reverse=True):
            self.futures[path] = self.pool.submit(examined, path)

    @cached_property
    def pool(self) -> ProcessPoolExecutor:
        """Return the processes, which begin when there is something to do."""
        return ProcessPoolExecutor(os.cpu_count(), _context(), initializer=quiet)

    def answer(self, homes: Mapping[Path, Path]) -> bool:
        """Return whether what is asked of these pages is what they are at work on."""
        return homes.items() <= self.homes.items()

    def stop(self) -> None:
        """End what is still at work."""
        if self.futures:
            for process in multiprocessing.active_children():
                process.terminate()
            self.pool.shutdown(wait=False, cancel_futures=True)


@lru_cache(maxsize=1)
def _context() -> multiprocessing.context.BaseContext:
    """Return how processes are started; the first of them is asked for at once."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
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
