"""Compiled loops are tried where numba is installed; `.ci/run` installs it."""

from tests.without import ignore_without_library


def pytest_ignore_collect(collection_path):
    """Leave out what would import numba."""
    return ignore_without_library("numba", collection_path)
