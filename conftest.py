"""Collect what a reader can see: the claims of each page, the examples of each docstring.

An item is one session or figure, named by the equation or the section that it belongs to, so
that `-k eq-wave-distance` finds it; or all else that is asked of a page, with every failure
listed. A page runs once in a run of the tests, however many items and workers ask for it,
and the site that the tests build takes over what came of it.
"""

import atexit
import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

if "POSENC_CACHE" not in os.environ:  # workers, and the builds that tests start, have this one's
    os.environ["POSENC_CACHE"] = tempfile.mkdtemp(prefix="posenc-")
    atexit.register(shutil.rmtree, os.environ["POSENC_CACHE"], ignore_errors=True)
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # or each worker takes all cores
    os.environ.setdefault(threads, "1")

from check import lab_source
from check.cache import Cache
from check.fences import INCLUDE, PYTHON, Fence, find_fences
from check.page_check import Failure, Report
from check.page_source import read_page
from check.paths import DOCS, PACKAGE, ROOT, can_run
from check.references import make_locator
from render import rules

# Labs and experiments run in many processes; one compiles a step for all of them.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(ROOT / ".cache/jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.3")

CHECKS = pytest.StashKey[Cache]()


def pytest_configure(config: pytest.Config) -> None:
    """Have one cache for all pages, and little time go into garbage."""
    gc.set_threshold(20_000, 20, 20)  # Python's own thresholds cost 5 % of a run
    config.stash[CHECKS] = rules.open_cache()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "Subject | None":
    """Collect pages, labs, and the docstrings of the package."""
    module = file_path.suffix == ".py" and PACKAGE in file_path.parents and can_run(file_path)
    if file_path.suffix == ".md" or lab_source.is_lab(file_path) or module:
        return Subject.from_parent(parent, path=file_path)
    return None


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> "Module | None":
    """Keep pytest from importing what is no test: a lab or a module that the command line names."""
    if lab_source.is_lab(module_path) or PACKAGE in module_path.parents:
        return Module.from_parent(parent, path=module_path)
    return None


class Module(pytest.Module):
    """A file of Python that has examples and no tests."""

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        """Import nothing."""
        return []


class Subject(pytest.File):
    """A page, a lab, or a module of the package."""

    report: Report | None = None

    def collect(self) -> Iterator["Claim"]:
        """Yield the claims of it, those of whole sessions first."""
        taken: dict[str, int] = {}
        lines: set[int] = set()
        if self.path.suffix == ".md":
            text = read_page(self.path)
            where = make_locator(text)
            for fence in find_fences(text):
                if fence.language in PYTHON and not ("not-run" in fence.classes or shows(fence)):
                    own = fence.attributes.get("id") if "figure" in fence.classes else None
                    name = own or where(fence.start)
                    taken[name] = taken.get(name, 0) + 1
                    name += f"-{taken[name]}" if taken[name] > 1 else ""
                    first = text.count("\n", 0, fence.start) + 1
                    within = range(first, first + text.count("\n", fence.start, fence.end) + 1)
                    lines |= {*within}
                    yield Claim.from_parent(self, name=name, lines=within)
        yield Claim.from_parent(self, name="page", lines=None, others=lines)

    def checked(self) -> Report:
        """Return what came of all of it."""
        if self.report is None:
            try:
                self.report = self.config.stash[CHECKS].check_page(self.path)
            except Exception as error:  # so broken that it cannot be read
                self.report = Report(failures=[Failure(1, f"cannot be read: {error}")])
        return self.report


def shows(fence: Fence) -> bool:
    """Return whether a fence does no more than show lines of a file."""
    return INCLUDE.fullmatch(fence.source) is not None


class Claim(pytest.Item):
    """What some lines of a page claim, or all lines that no other item looks at."""

    def __init__(
        self, *, lines: range | None, others: set[int] | None = None, **words: object
    ) -> None:
        super().__init__(**words)  # type: ignore[arg-type]
        self.lines = lines
        self.others = others or set()

    def runtest(self) -> None:
        """Fail where the check of the page has found anything wrong within these lines."""
        assert isinstance(self.parent, Subject)
        name = self.path.relative_to(ROOT).as_posix()
        found = [
            f"{name}:{failure.line}: {failure.message}"
            for failure in self.parent.checked().failures
            if (failure.line in self.lines if self.lines else failure.line not in self.others)
        ]
        if found:
            raise AssertionError("\n\n".join(found))

    def repr_failure(
        self, excinfo: pytest.ExceptionInfo[BaseException], style: object = None
    ) -> str:
        """Return what is wrong, and nothing of how it was found out."""
        if isinstance(excinfo.value, AssertionError):
            return str(excinfo.value)
        return str(super().repr_failure(excinfo))

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return where this stands."""
        return self.path, (self.lines.start - 1) if self.lines else 0, self.name


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use all cores for whole folders; a file or a test that is named needs one process.

    One more than there are cores, since many tests wait for a browser, a kernel, or a server.
    """
    named = [word.partition("::")[0] for word in config.args]
    if all(Path(word).suffix for word in named) and len(named) < 3:
        return 0
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with what takes longest: labs, pages, and tests that build or serve the site."""
    slow = {item.path for item in items if any(map(item.get_closest_marker, ("site", "thorough")))}

    def order(item: pytest.Item) -> tuple[bool, bool, bool]:
        path = item.path
        return not lab_source.is_lab(path), DOCS not in path.parents, path not in slow

    items.sort(key=order)
