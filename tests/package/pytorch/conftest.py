"""Modules of PyTorch are tried where it is installed; `.ci/run` installs it."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.without import ignore_without_library

HERE = find_spec("torch") is not None


def pytest_ignore_collect(collection_path):
    """Leave out what would import PyTorch."""
    return ignore_without_library("torch", collection_path)


def pytest_collection_modifyitems(items):
    """Let a compiler use what its libraries no longer recommend: that is theirs to mend."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore::DeprecationWarning"))


if HERE:
    import torch

    @pytest.fixture(autouse=True)
    def _as_before():
        """Draw the same numbers in each test, and leave PyTorch as it was."""
        torch.manual_seed(0)
        torch.compiler.reset()
        yield
        assert torch.get_default_dtype() == torch.float32
