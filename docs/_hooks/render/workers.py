"""Worker processes that check pages while the build renders others, one per core.

They are forked from a server that has imported the slow libraries but not the package. So a new
pool starts quickly and imports the package as it is on disk.
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
NICE = 10  # lower priority than the build itself


def list_subjects() -> list[Path]:
    """Return everything to check, in order: pages, labs, and modules with examples.

    Modules come last because they are quick: they fill the other cores during a long lab.
    """
    return [*sorted(DOCS.rglob("*.md")), *lab_source.list_labs(), *list_modules()]


class Workers:
    """A pool of processes that check pages; `pages` maps each to a digest of its inputs."""

    def __init__(self, pages: Mapping[Path, str]) -> None:
        self.pages = pages
        self.pool = ProcessPoolExecutor(os.cpu_count(), _context(), initializer=_initialize_process)
        self.futures = {path: self.pool.submit(check_page, path) for path in pages}

    def covers(self, pages: Mapping[Path, str]) -> bool:
        """Return whether this pool checks all of these pages with these inputs.

        It doesn't cover no pages: after an edit is undone, it would go on with the edit.
        """
        return bool(pages) and pages.items() <= self.pages.items()

    def stop(self) -> None:
        """Cancel all checks and end the processes."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.kill()


def check_page(path: Path) -> Report:
    """Return the report of a page, a lab or a module; errors become failures in it."""
    try:
        return _cache().check_page(path)
    except Exception as error:  # such as a page that cannot be parsed
        return Report(failures=[Failure(1, f"cannot be read: {error}")], code_passed=False)


def get_report(future: Future[Report]) -> Report:
    """Return the report of a worker; if the worker died, a report that says so."""
    if error := future.exception():
        return Report(
            failures=[Failure(1, f"the process that checked it died: {error!r}")], code_passed=False
        )
    return future.result()


def start_process(work: Callable[[Path], None], path: Path) -> BaseProcess:
    """Start some work that the build needs later in a process of its own."""
    process = _context().Process(target=work, args=(path,))  # type: ignore[attr-defined]
    process.start()
    return process  # type: ignore[no-any-return]


def _initialize_process() -> None:
    gc.set_threshold(20_000, 20, 20)
    os.nice(NICE)
    # Progress bars of examples would overwrite the progress of the build.
    sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115, as long as the process lives
    threading.Thread(target=_exit_with_build, daemon=True).start()


def _exit_with_build() -> None:
    """Exit when the build has ended, even if it was killed."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


@lru_cache(maxsize=1)
def _cache() -> Cache:
    """Return the cache of this process, which lives for one build."""
    return rules.open_cache(ids=lru_cache(maxsize=1)(references.find_equation_pages))


@lru_cache(maxsize=1)
def _context() -> multiprocessing.context.BaseContext:
    """Return the multiprocessing context: a fork server where there is one."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # or each process uses all cores
        os.environ.setdefault(threads, "1")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(SLOW)
    previous = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(sys.path)  # Python 3.11 doesn't pass sys.path on
    try:
        forkserver.ensure_running()
    finally:
        os.environ.pop("PYTHONPATH")
        os.environ |= {"PYTHONPATH": previous} if previous else {}
    return context
