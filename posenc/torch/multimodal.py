"""How multimodal models of transformers assign coordinates to pairs, where configs don't say it.

A test compares each with its module.
"""

from collections.abc import Mapping
from typing import Any

from posenc.core import checks
from posenc.rotary.mrope import Assignment

CONTIGUOUS: dict[str, tuple[int, ...]] = {
    "glm4v_moe_text": (8, 12, 12),
    "glm4v_text": (8, 12, 12),
    "glm_image_text": (8, 12, 12),
    "glm_ocr_text": (8, 12, 12),
    "paddleocr_vl_text": (16, 24, 24),
    "qwen2_5_omni_talker": (16, 24, 24),
    "qwen2_5_omni_text": (16, 24, 24),
    "qwen2_5_vl_text": (16, 24, 24),
    "qwen2_vl_text": (16, 24, 24),
}
INTERLEAVED: dict[str, tuple[int, ...]] = {
    "cosmos3_edge_text": (24, 20, 20),
    "hy_v4_vl_text": (12, 10, 10),
    "qwen3_5_moe_text": (11, 11, 10),
    "qwen3_5_text": (11, 11, 10),
    "qwen3_omni_moe_text": (24, 20, 20),
    "qwen3_vl_moe_text": (24, 20, 20),
    "qwen3_vl_text": (24, 20, 20),
    "qwen4_exp_text": (11, 11, 10),
}
OTHER = ("cohere_compass_text", "hunyuan_vl_text", "neomme")  # with arrangements of their own


def find_sections(
    model: object, given: Mapping[str, Any], pairs: int
) -> tuple[list[int], Assignment] | None:
    """Return the sections of M-RoPE and their assignment, or None for a single coordinate."""
    if model in OTHER:
        raise ValueError(
            f"model_type={model!r} assigns coordinates to pairs in a way of its own, which posenc"
            " does not have"
        )
    stated, interleaved = given.get("mrope_section"), given.get("mrope_interleaved")
    known = {**CONTIGUOUS, **INTERLEAVED}.get(str(model))
    if known is None and stated is None:
        return None
    if known is None and interleaved is None:
        raise ValueError(
            "mrope_interleaved must be given beside mrope_section, true or false: which of them"
            f" model_type={model!r} means is unknown"
        )
    if known is not None:
        if interleaved not in (None, model in INTERLEAVED):
            raise ValueError(
                f"mrope_interleaved={interleaved} contradicts model_type={model!r}, which"
                " ignores it: remove it"
            )
        interleaved = model in INTERLEAVED
    sections = [checks.integer("mrope_section", n) for n in (stated or known or ())]
    if stated is None and interleaved:
        sections[0] = pairs - sum(sections[1:])  # the first axis takes what is left
    if sum(sections) != pairs:
        raise ValueError(
            f"mrope_section is missing: the default of model_type={model!r}, {sections}, doesn't"
            f" fit {pairs} pairs"
        )
    return sections, "interleaved" if interleaved else "contiguous"
