"""Collect pages, labs and docstrings of the package as tests.

Each session or figure of a page is an item, named by its equation or section, so that
`-k eq-wave-distance` finds it. The item `page` has the failures outside all of these. A page is
checked once in a test run, whatever the number of items and processes, and the site that the tests
build uses the same results.
"""

import atexit
import gc
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Set
from pathlib import Path

import pytest

if "POSENC_CACHE" not in os.environ:  # workers and builds started by tests inherit it
    os.environ["POSENC_CACHE"] = tempfile.mkdtemp(prefix="posenc-")
    atexit.register(shutil.rmtree, os.environ["POSENC_CACHE"], ignore_errors=True)
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # or each worker uses all cores
    os.environ.setdefault(variable, "1")

from check import lab_source
from check.cache import Cache
from check.fences import INCLUDE, PYTHON, find_fences
from check.page_check import Failure, Report
from check.page_source import read_page
from check.paths import DOCS, PACKAGE, ROOT, can_run
from check.references import make_locator
from render import rules

# Labs and experiments run in many processes, which share what JAX has compiled.
os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(ROOT / ".cache/jax"))
os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.3")

CACHE = pytest.StashKey[Cache]()


def pytest_configure(config: pytest.Config) -> None:
    """Create the cache for all pages."""
    gc.set_threshold(20_000, 20, 20)  # the default thresholds cost 5 % of a run
    config.stash[CACHE] = rules.open_cache()


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "CheckedFile | None":
    """Collect pages, labs and the modules of the package."""
    is_module = file_path.suffix == ".py" and PACKAGE in file_path.parents
    is_page = file_path.suffix == ".md" or lab_source.is_lab(file_path)
    if is_page or (is_module and can_run(file_path)):
        return CheckedFile.from_parent(parent, path=file_path)
    return None


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> "NoTests | None":
    """Prevent pytest from importing a lab or a module of the package as a file of tests."""
    is_source = lab_source.is_lab(module_path) or PACKAGE in module_path.parents
    return NoTests.from_parent(parent, path=module_path) if is_source else None


class NoTests(pytest.Module):
    """A Python file without tests."""

    def collect(self) -> list[pytest.Item | pytest.Collector]:
        """Return no tests."""
        return []


class CheckedFile(pytest.File):
    """A page, a lab, or a module of the package."""

    report: Report | None = None

    def collect(self) -> Iterator["CheckedLines"]:
        """Yield an item for each session or figure, and one for everything else."""
        counts = Counter[str]()
        lines_of_items: set[int] = set()
        text = read_page(self.path) if self.path.suffix == ".md" else ""
        locate = make_locator(text)
        for fence in find_fences(text):
            is_run = fence.language in PYTHON and "not-run" not in fence.classes
            if is_run and not INCLUDE.fullmatch(fence.source):
                name = fence.attributes.get("id") or locate(fence.start)
                counts[name] += 1
                name += f"-{counts[name]}" if counts[name] > 1 else ""
                first, last = (text.count("\n", 0, at) + 1 for at in (fence.start, fence.end))
                lines = range(first, last + 1)
                lines_of_items |= {*lines}
                yield CheckedLines.from_parent(self, name=name, lines=lines)
        yield CheckedLines.from_parent(self, name="page", other_lines=lines_of_items)

    def get_report(self) -> Report:
        """Return the report of the whole file."""
        if self.report is None:
            try:
                self.report = self.config.stash[CACHE].check_page(self.path)
            except Exception as error:
                self.report = Report(failures=[Failure(1, f"cannot be parsed: {error}")])
        return self.report


class CheckedLines(pytest.Item):
    """Some lines of a file, or all lines that no other item has."""

    parent: CheckedFile

    def __init__(
        self, *, lines: range = range(0), other_lines: Set[int] = frozenset(), **options: object
    ) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self.lines, self.other_lines = lines, other_lines

    def runtest(self) -> None:
        """Fail with all failures of the file in these lines."""
        name = self.path.relative_to(ROOT).as_posix()
        messages = [
            f"{name}:{failure.line}: {failure.message}"
            for failure in self.parent.get_report().failures
            if (failure.line in self.lines if self.lines else failure.line not in self.other_lines)
        ]
        if messages:
            pytest.fail("\n\n".join(messages), pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Return file, line and name of the item."""
        return self.path, max(self.lines.start - 1, 0), self.name


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Use one process for one or two files, and otherwise one more than there are cores.

    Many tests wait for a browser, a kernel or a server.
    """
    paths = [Path(argument.partition("::")[0]) for argument in config.args]
    if len(paths) < 3 and all(path.suffix for path in paths):
        return 0
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with what takes longest: labs, pages, and files with tests of the site."""
    slow = {item.path for item in items if any(map(item.get_closest_marker, ("site", "thorough")))}

    def order(item: pytest.Item) -> tuple[bool, bool, bool]:
        is_page = DOCS in item.path.parents
        return not lab_source.is_lab(item.path), not is_page, item.path not in slow

    items.sort(key=order)
