"""Processes that check pages, one a core, while the build makes others.

They are forked from a server that has loaded the slow libraries and nothing of the package. So a
new pool starts quickly, and imports the package as it is on disk.
"""

import gc
import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from pathlib import Path

from check import lab_source, references
from check.cache import Cache
from check.page_check import Failure, Report
from check.paths import DOCS, list_modules
from render import rules

SLOW = [
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "matplotlib.style",
    "mpmath",
    "render.rules",
]
NICE = 10  # the build itself comes first


def list_subjects() -> list[Path]:
    """Return all that is checked, in order: pages, labs, and modules that can run.

    Some labs train for long; modules take little time and fill the other cores meanwhile.
    """
    return [*sorted(DOCS.rglob("*.md")), *lab_source.list_labs(), *list_modules()]


class Workers:
    """A pool of processes that checks some pages; `pages` maps each to a digest of its inputs."""

    def __init__(self, pages: Mapping[Path, str]) -> None:
        self.pages = pages
        self.pool = ProcessPoolExecutor(os.cpu_count(), _context(), initializer=_initialize_process)
        self.futures = {path: self.pool.submit(check_page, path) for path in pages}

    def covers(self, pages: Mapping[Path, str]) -> bool:
        """Return whether these pages, with these inputs, are being checked or have been."""
        return pages.items() <= self.pages.items()

    def stop(self) -> None:
        """End what still runs."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.kill()


def check_page(path: Path) -> Report:
    """Return the report of a page, a lab or a module, whatever happens."""
    try:
        return _cache().check_page(path)
    except Exception as error:  # it cannot even be parsed
        return Report(failures=[Failure(1, f"cannot be read: {error}")], code_passed=False)


def get_report(future: Future[Report]) -> Report:
    """Return the report that a process has made, or says that it died."""
    if error := future.exception():
        return Report(
            failures=[Failure(1, f"its check has come to an end: {error!r}")], code_passed=False
        )
    return future.result()


def start_process(work: Callable[[Path], None], path: Path) -> BaseProcess:
    """Start something that the build needs later, in a process of its own."""
    process = _context().Process(target=work, args=(path,))  # type: ignore[attr-defined]
    process.start()
    return process  # type: ignore[no-any-return]


def _initialize_process() -> None:
    gc.set_threshold(20_000, 20, 20)
    os.nice(NICE)
    # Progress bars of examples would overwrite the line that counts pages.
    sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115, as long as the process lives
    threading.Thread(target=_end_with_the_build, daemon=True).start()


def _end_with_the_build() -> None:
    """End this process when the build is gone, even if it was killed."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


@lru_cache(maxsize=1)
def _cache() -> Cache:
    """Return the cache of this process, which lives for one build."""
    return rules.open_cache(ids=lru_cache(maxsize=1)(references.find_equation_pages))


@lru_cache(maxsize=1)
def _context() -> multiprocessing.context.BaseContext:
    """Return how processes are started."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # or each process uses all cores
        os.environ.setdefault(threads, "1")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(SLOW)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # Python 3.11 doesn't pass sys.path on
    try:
        forkserver.ensure_running()
    finally:
        os.environ.pop("PYTHONPATH")
        os.environ |= {"PYTHONPATH": before} if before else {}
    return context
