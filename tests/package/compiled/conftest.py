"""Compiled loops are tried where numba is installed; `.ci/run` installs it."""

from tests.without import left_out


def pytest_ignore_collect(collection_path):
    """Leave out what would import numba."""
    return left_out("numba", collection_path)
