"""The facts of models are well-formed."""

import json
import subprocess
import sys
from importlib.resources import files
from typing import Any

import pytest

from benchmarks.model_facts import atlas
from posenc.scaling.facts import ModelFacts, get_facts

FACTS: dict[str, Any] = json.loads(
    files("posenc.scaling").joinpath("model_facts.json").read_text("utf-8")
)
MODELS = FACTS["models"]


@pytest.mark.parametrize("name", MODELS)
def test_facts_of_a_model_are_well_formed(name: str) -> None:
    facts = get_facts(name)

    assert isinstance(facts, ModelFacts)
    assert facts.layout in ("half", "interleaved", None)
    assert facts.sign in (1, -1)
    assert all(pairs > 0 for pairs in facts.pairs.values())
    assert all(set(kinds) <= set(facts.pairs) for kinds in facts.reads.values())
    for found in (facts.rotates, facts.window, facts.softcap):
        assert not isinstance(found, list) or len(found) == facts.measured_layers


def test_models_are_sorted() -> None:
    assert list(MODELS) == sorted(MODELS)


def test_unknown_model_has_no_facts() -> None:
    assert get_facts("nobody") is None


def test_importing_posenc_does_not_read_the_facts() -> None:
    code = "import posenc.scaling.facts as f, sys; sys.exit(f._load.cache_info().currsize)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_atlas_shows_the_facts() -> None:
    page = atlas.PAGE.read_text("utf-8")

    assert page == atlas.insert_table(page, atlas.make_table(FACTS))
