"""The facts of models are well-formed."""

import json
import re
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


def read_rows(section: str) -> list[list[str]]:
    """Return the cells of a table of the atlas, without its heading."""
    _, _, text = atlas.PAGE.read_text("utf-8").partition(f"{{ #{section} }}")
    lines = [line for line in text.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[2:]]


ALL_ROWS = {row[0]: row for row in read_rows("models")}
YEARS = [row for row in read_rows("years") if row[2] != "–"]
ORDINALS = {2: "second", 4: "fourth", 6: "sixth"}


@pytest.mark.parametrize(("name", "positions"), [row[2:] for row in YEARS])
def test_positions_by_year_agree_with_the_facts(name: str, positions: str) -> None:
    _, encoding, _, _, width, scaling, unrotated, window, *_ = row = ALL_ROWS[name]
    facts = get_facts(name.strip("`"))
    period = len(facts.kinds or []) or facts.no_rope_interval if facts else None
    numbers = re.findall(r"\d+", re.sub(r"(?<=\d) (?=\d)", "", positions))

    assert positions.startswith(encoding)
    assert set(numbers) <= set(re.findall(r"\d+", " ".join(row)))
    assert ("part of each head" in positions) == bool(re.match(r"\d+( of|,|$)", width))
    assert ("YaRN" in positions) == (scaling == "yarn")
    if window != "not measured":
        assert ("without positions" in positions) == (unrotated != "–")
        assert ("a window of" in positions or "in windows" in positions) == (window != "–")
    if period:
        assert f"every {ORDINALS[period]} layer" in positions


def test_atlas_shows_the_facts() -> None:
    page = atlas.PAGE.read_text("utf-8")

    assert page == atlas.insert_table(page, atlas.make_table(FACTS))
