"""The facts of models are those of the installed transformers.

Skipped unless transformers is installed. If a difference is right, write the facts again with
`python -m benchmarks.model_facts`, and the table of the atlas with
`python -m benchmarks.model_facts.atlas`.
"""

import importlib.util
import json
import os
from typing import Any

import pytest

from tests.package.scaling.test_model_facts import FACTS, MODELS

pytestmark = [pytest.mark.thorough, pytest.mark.filterwarnings("ignore")]  # of transformers


@pytest.fixture(autouse=True, scope="module")
def _installed() -> None:
    if importlib.util.find_spec("transformers") is None:
        if os.environ.get("POSENC_TRANSFORMERS"):
            pytest.fail("transformers is not installed")
        pytest.skip("transformers is not installed: its models were not measured")


def as_json(value: Any) -> Any:
    """Return a value as it is when read from a file."""
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("name", MODELS)
def test_facts_are_those_of_the_installed_transformers(name: str) -> None:
    from benchmarks.model_facts.facts import measure_model_type

    assert as_json(measure_model_type(name)) == MODELS[name]


def test_tables_are_those_of_the_installed_transformers() -> None:
    from benchmarks.model_facts.tables import measure_tables

    assert as_json(measure_tables()) == FACTS["tables"]
