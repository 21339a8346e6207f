"""How multimodal models of transformers assign coordinates to pairs, where configs don't say it."""

from collections.abc import Mapping
from typing import Any

from posenc.core import checks
from posenc.rotary.mrope import Assignment
from posenc.scaling.facts import ModelFacts

OTHER = ("cohere_compass_text", "hunyuan_vl_text", "neomme")  # with arrangements of their own


def find_sections(
    model: object, facts: ModelFacts | None, given: Mapping[str, Any], pairs: int
) -> tuple[list[int], Assignment] | None:
    """Return the sections of M-RoPE and their assignment, or None for a single coordinate."""
    if model in OTHER:
        raise ValueError(
            f"model_type={model!r} assigns coordinates to pairs in a way of its own, which posenc"
            " does not have"
        )
    stated, interleaved = given.get("mrope_section"), given.get("mrope_interleaved")
    known = None if facts is None else facts.mrope_section
    if known is None and stated is None:
        return None
    if facts is not None and facts.axes:
        measured = facts.axes[1] != "0"
        if interleaved not in (None, measured):
            raise ValueError(
                f"mrope_interleaved={interleaved} contradicts model_type={model!r}, which"
                " ignores it: remove it"
            )
        interleaved = measured
    if interleaved is None:
        raise ValueError(
            "mrope_interleaved must be given beside mrope_section, true or false: which of them"
            f" model_type={model!r} means is unknown"
        )
    sections = [checks.integer("mrope_section", n) for n in (stated or known or ())]
    if stated is None and interleaved:
        sections[0] = pairs - sum(sections[1:])  # the first axis takes what is left
    if sum(sections) != pairs or min(sections) < 0:
        raise ValueError(
            f"mrope_section is missing: the default of model_type={model!r}, {sections}, doesn't"
            f" fit {pairs} pairs"
        )
    return sections, "interleaved" if interleaved else "contiguous"
