"""Check one page or one file of tests up to its first failure, with an error in one file.

A page is checked as in pytest and in the build. As in a build, code that is known to hold doesn't
run again: after an error in a sentence, the code of its page, and after an error in code, the
figures that don't depend on it.
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

# conftest.py loads the plugins that tests need, except xdist.
OPTIONS = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider", "-p", "xdist"]
BLANK_DRAWING = Drawing({}, 0, 0, "")


def prepare(target: str) -> None:
    """Parse a page before the process forks, for all errors in it."""
    if is_page(target):
        with suppress(Exception):  # the check of the page reports it
            open_shared_cache().parse(ROOT / target)
            open_shared_cache().code_file(ROOT / target)


@lru_cache(maxsize=1)
def open_shared_cache() -> Cache:
    """Return the cache of pages for the package as it is on disk."""
    return rules.open_cache()


def is_page(target: str) -> bool:
    """Return whether a target is a page, a lab or a module of the package, not a test."""
    path = ROOT / target
    return path.suffix == ".md" or is_lab(path) or PACKAGE in path.parents


def judge_job(job: Job) -> Verdict:
    """Return the verdict on a job; its error stays until this process ends."""
    if not job.file:
        return check_sound_page(job.target) if is_page(job.target) else run_tests(job.target)
    file = ROOT / job.file
    in_place.replace_file(file, job.text)
    if PACKAGE in file.parents:
        forget_package()
    return check_broken_page(job.target, file) if is_page(job.target) else run_tests(job.target)


def forget_package() -> None:
    """Remove the package from the imported modules, since parsing a page imports it."""
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE.name]:
        del sys.modules[name]


def check_sound_page(target: str) -> Verdict:
    """Return the verdict on a page without an error, and cache it for later jobs."""
    report = open_shared_cache().check_page(ROOT / target)
    return make_verdict(target, report.failures, f"{report.examples} examples")


def check_broken_page(target: str, file: Path) -> Verdict:
    """Return the first failure of a page; figures are only drawn if everything else holds.

    That is possible since a figure and the code of its page don't influence each other. With an
    error in the package, nothing is known to hold.
    """
    path = ROOT / target
    cache = rules.open_cache() if PACKAGE in file.parents else open_shared_cache()
    holds = file.suffix == ".md" and cache.code_file(path).exists()
    report = check_page(
        cache.parse(path),
        skip_code=holds,
        find_drawing=lambda source: BLANK_DRAWING,
        first_only=True,
    )
    if not report.failures and not is_lab(path):
        report = check_page(
            cache.parse(path), skip_code=True, find_drawing=cache.find_drawing, first_only=True
        )
    ran = f"{report.examples} examples" + ", without the code, which is known to hold" * holds
    return make_verdict(target, report.failures, ran)


def make_verdict(target: str, failures: list[Failure], ran: str) -> Verdict:
    """Return a verdict with failures in the form of pytest."""
    lines = [f"{target}:{failure.line}: {failure.message}" for failure in failures]
    return Verdict(lines, target, f"{target}: {ran}")


class Outcome:
    """A plugin of pytest that counts passed tests and collects failures."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed: list[pytest.TestReport] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record the result of a test."""
        self.passed += report.passed and report.when == "call"
        if report.failed:
            self.failed.append(report)


def run_tests(target: str) -> Verdict:
    """Return the first failing test; raise RuntimeError if pytest ran no test."""
    os.environ |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    outcome, output = Outcome(), io.StringIO()
    with redirect_stdout(output), redirect_stderr(output):
        code = pytest.main([*OPTIONS, target], plugins=[outcome])
    if code == pytest.ExitCode.TESTS_FAILED and outcome.failed:
        report = outcome.failed[0]
        return Verdict([f"{report.nodeid}: {report.longreprtext}"], report.nodeid)
    if code == pytest.ExitCode.OK and outcome.passed:
        return Verdict([], target, f"{target}: {outcome.passed} tests")
    raise RuntimeError(f"pytest ended with {code!r}:\n{output.getvalue()}")
