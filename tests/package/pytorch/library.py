"""Modules of transformers, where it is installed; `.ci/run` installs it."""

import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest


def get_transformers_module(model: str) -> Any:
    """Return the file of transformers that has the classes of a model, or skip the test."""
    if find_spec("transformers") is None and not os.environ.get("POSENC_TRANSFORMERS"):
        pytest.skip("transformers is not installed")
    return import_module(f"transformers.models.{model}.modeling_{model}")
