"""Compare the tables of two rotations: cosines and sines, as libraries keep them."""

from dataclasses import replace
from typing import Any

from posenc.judging.arrays import read_array
from posenc.judging.comparison import Comparison
from posenc.judging.explanations import explain_conventions
from posenc.judging.rotations.cos_sin import identify_cos_sin
from posenc.judging.tables.compare import compare_tables


def compare_cos_sin(thing: tuple[Any, Any], reference: tuple[Any, Any]) -> Comparison:
    """Compare a pair (cos, sin) with another one of the same shapes."""
    comparisons = []
    for name, ours, theirs in zip(("cos", "sin"), thing, reference, strict=True):
        given = read_array(f"{name} of thing", ours).drop_unit_axes()
        wanted = read_array(f"{name} of reference", theirs).drop_unit_axes()
        if given.shape != wanted.shape or len(given.shape) != 2:
            raise ValueError(
                f"{name} of thing and reference must have the same shape (L, r/2) or (L, r), got"
                f" {given.shape} and {wanted.shape}"
            )
        comparisons.append(compare_tables(given, wanted))
    different = next((one for one in comparisons if not one.equal), comparisons[0])
    compared = sum(one.compared for one in comparisons)
    if different.equal or different.explanation:
        return replace(different, compared=compared)
    found, target = identify_cos_sin(*thing), identify_cos_sin(*reference)
    explanation = None
    if found.kind == target.kind == "rotary":
        explanation = explain_conventions(found, target)
    return replace(different, compared=compared, explanation=explanation)
