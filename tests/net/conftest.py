"""Fixtures that put an error into one file and see which page or test notices it."""

from collections.abc import Callable, Iterator

import pytest

from tests.net.server import Job, Server, break_file


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Yield the process that checks pages and tests."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def assert_passes(server: Server) -> Callable[[str], None]:
    """Return a function that asserts that a page or a test passes without an error."""
    passed: set[str] = set()

    def check(target: str) -> None:
        if target not in passed:
            (verdict,) = server.judge(Job(target))
            assert not verdict.failures, "\n".join(verdict.failures)
            passed.add(target)

    return check


@pytest.fixture
def find_failure(
    server: Server, assert_passes: Callable[[str], None]
) -> Callable[[str, str, str, str], str]:
    """Return a function that edits one file and returns the first failure of a page or test.

    It asserts, too, that what fails passes without the edit.
    """

    def find(file: str, old: str, new: str, target: str) -> str:
        if not target.startswith("tests/"):
            assert_passes(target)  # first, since its result is cached
        (verdict,) = server.judge(break_file(target, file, old, new))
        assert verdict.failures, f"nothing notices {new!r} in {file}: {verdict.ran}"
        assert_passes(verdict.failed)
        return verdict.failures[0]

    return find
