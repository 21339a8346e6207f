"""The net of breakages: one place is broken, and a page, a lab or a test notices."""

from collections.abc import Callable, Iterator

import pytest

from tests.net.server import Job, Server, broken


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Yield the process in which everything is judged."""
    server = Server()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def green(server: Server) -> Callable[[str], None]:
    """Return a function that sees a page or a test pass; without that, red means nothing."""
    seen: set[str] = set()

    def unbroken(target: str) -> None:
        if target not in seen:
            (verdict,) = server.judged(Job(target))
            assert not verdict.failures, "\n".join(verdict.failures)
            seen.add(target)

    return unbroken


@pytest.fixture
def red(server: Server, green: Callable[[str], None]) -> Callable[[str, str, str, str], str]:
    """Return a function that breaks one place and returns the failure that is first then.

    The page, or the test, that fails is one that holds where nothing is broken.
    """

    def noticed(file: str, old: str, new: str, target: str) -> str:
        if not target.startswith("tests/"):
            green(target)  # first, as what holds is kept then
        (verdict,) = server.judged(broken(target, file, old, new))
        assert verdict.failures, f"nothing notices {new!r} in {file}: {verdict.ran}"
        green(verdict.failed)
        return verdict.failures[0]

    return noticed
