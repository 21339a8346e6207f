"""Judge one page or one file of tests, with one file of the project broken, to its first failure.

A page is checked as pytest and the build check it, by the same engine. What is known to hold
is not run again, as in a build: of a sentence that was broken, not the code of its page, and
of code that was broken, no figure that does not rest on it.
"""

import io
import os
import sys
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import lru_cache
from pathlib import Path

import pytest

from check.cache import Cache
from check.figures import Drawing
from check.lab_source import is_lab
from check.page_check import Failure, check_page
from check.paths import PACKAGE, ROOT
from render import rules
from tests.net import in_place
from tests.net.server import Job, Verdict

# What tests need of plugins, conftest.py has, except for a hook of xdist.
WORDS = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-p", "xdist"]
BLANK = Drawing({}, 0, 0, "")


def prepare(target: str) -> None:
    """Read what all breakages of a page have in common, before the process forks."""
    if is_page(target):
        with suppress(Exception):  # whoever judges it will tell
            unbroken().parse(ROOT / target)
            unbroken().code_file(ROOT / target)


@lru_cache(maxsize=1)
def unbroken() -> Cache:
    """Return what is kept of the pages for the package as it is on disk."""
    return rules.open_cache()


def is_page(target: str) -> bool:
    """Return whether a target has examples: a page, a lab, a module of the package."""
    path = ROOT / target
    return path.suffix == ".md" or is_lab(path) or PACKAGE in path.parents


def judged(job: Job) -> Verdict:
    """Return what comes of a job. What is broken stays broken until this process ends."""
    if not job.file:
        return unbroken_page(job.target) if is_page(job.target) else tested(job.target)
    file = ROOT / job.file
    in_place.put(file, job.text)
    if PACKAGE in file.parents:
        forget_package()
    return broken_page(job.target, file) if is_page(job.target) else tested(job.target)


def forget_package() -> None:
    """Have the package imported again: reading a page has imported it, for its domains."""
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE.name]:
        del sys.modules[name]


def unbroken_page(target: str) -> Verdict:
    """Return what comes of a page that should hold; that it does is kept for those broken later."""
    report = unbroken().check_page(ROOT / target)
    return verdict(target, report.failures, f"{report.examples} examples")


def broken_page(target: str, file: Path) -> Verdict:
    """Return the first failure of a page; a figure is drawn where all else holds.

    No figure changes what comes of other code, nor other code what a figure shows: what is
    kept of either rests on that, too. Of a broken package, nothing is known to hold.
    """
    path = ROOT / target
    cache = rules.open_cache() if PACKAGE in file.parents else unbroken()
    holds = file.suffix == ".md" and cache.code_file(path).exists()
    report = check_page(
        cache.parse(path), skip_code=holds, find_drawing=lambda source: BLANK, first_only=True
    )
    if not report.failures and not is_lab(path):
        report = check_page(
            cache.parse(path), skip_code=True, find_drawing=cache.find_drawing, first_only=True
        )
    ran = f"{report.examples} examples" + ", of which the code was known to hold" * holds
    return verdict(target, report.failures, ran)


def verdict(target: str, failures: list[Failure], ran: str) -> Verdict:
    """Return failures as pytest tells them."""
    found = [f"{target}:{failure.line}: {failure.message}" for failure in failures]
    return Verdict(found, target, f"{target}: {ran}")


class Outcome:
    """What pytest tells of its tests."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[pytest.TestReport] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take note of a test."""
        self.passed += report.passed and report.when == "call"
        if report.failed:
            self.failed.append(report)


def tested(target: str) -> Verdict:
    """Return the first test that fails; where none can be collected, there is no verdict."""
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    seen, said = Outcome(), io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        code = pytest.main([*WORDS, target], plugins=[seen])
    if code == pytest.ExitCode.TESTS_FAILED and seen.failed:
        report = seen.failed[0]
        return Verdict([f"{report.nodeid}: {report.longreprtext}"], report.nodeid)
    if code == pytest.ExitCode.OK and seen.passed:
        return Verdict([], target, f"{target}: {seen.passed} tests")
    raise RuntimeError(f"pytest ended with {code!r}:\n{said.getvalue()}")
