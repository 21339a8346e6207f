"""Explain by which convention two tables or two rotations differ."""

import numpy as np

from posenc.judging import precision
from posenc.judging.identity import Identity, describe_conventions

KIND_NAMES = {
    "sinusoidal": "a sinusoidal table",
    "rotary": "a rotary embedding",
    "alibi": "an ALiBi bias",
    "t5": "a T5 bias",
    "relative": "a bias that depends on the offset alone",
}

# Notes of `identify` that begin like this say where a difference comes from.
EXPLAINING = (
    "It is transposed",
    "Base 10000",
    "Each frequency",
    "Sines stand",
    "Pairs are read",
    "Vectors that",
    "No more than",
)


def explain_conventions(found: Identity, target: Identity) -> str | None:
    """Return the conventions in which two tables or two rotations differ, in words, or None."""
    if found.kind == "unknown":
        return found.cause
    if target.kind != found.kind:
        return f"it is {KIND_NAMES[found.kind]}, and the reference is not"
    differences = [*_list_differences(found, target), *_list_notes(found, target)]
    return "; ".join(differences) or None


def _list_differences(found: Identity, target: Identity) -> list[str]:
    """Return each convention that differs, in words."""
    ours, theirs = describe_conventions(found), describe_conventions(target)
    if found.inv_freq and target.inv_freq:
        ours["base"] = theirs["base"] = ""
        if not np.allclose(found.inv_freq, target.inv_freq, rtol=1e-5, atol=0):
            ours["base"], theirs["base"] = "other frequencies", "those of the reference"
    usual = precision.get_angle_dtype(found.numbers)
    theirs["angles"] = f"angles in {usual}"
    if target.angles not in (None, "float32", "float64"):  # the reference itself is this coarse
        theirs["angles"] = f"angles in {target.angles}"
    differences = []
    for name in dict.fromkeys((*ours, *theirs)):
        if ours.get(name) == theirs.get(name):
            continue
        if name in ours and name in theirs:
            differences.append(f"{ours[name]} in place of {theirs[name]}")
        elif name != "exponent":
            differences.append(ours[name] if name in ours else f"without {theirs[name]}")
    return differences


def _list_notes(found: Identity, target: Identity) -> list[str]:
    """Return the notes that explain a difference, as parts of a sentence."""
    return [
        note[0].lower() + note[1:-1]
        for note in found.notes
        if note.startswith(EXPLAINING) and note not in target.notes
    ]
