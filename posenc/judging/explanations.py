"""Explain by which convention two tables or two rotations differ."""

from posenc.judging import precision
from posenc.judging.identity import Identity, describe_conventions

KIND_NAMES = {
    "sinusoidal": "a sinusoidal table",
    "rotary": "a rotary embedding",
    "alibi": "an ALiBi bias",
    "t5": "a T5 bias",
    "relative": "a bias that depends only on the offset",
}

# Notes of `identify` that begin like this say where a difference comes from.
EXPLAINING = (
    "All pairs",
    "It is transposed",
    "The same as",
    "Each frequency",
    "Sine and cosine",
    "Pairs are read",
    "Only",
)

# Conventions that the frequencies of a rotation depend on.
OF_FREQUENCIES = ("base", "exponent", "scaling", "step", "scale")


def explain_conventions(
    found: Identity, target: Identity, frequencies: list[str] | None = None
) -> str | None:
    """Return the conventions in which two tables or two rotations differ, in words, or None.

    `frequencies` are the causes of other frequencies and another attention factor, if known.
    """
    if found.kind == "unknown":
        return found.cause
    if target.kind != found.kind:
        return f"it is {KIND_NAMES[found.kind]}, and the reference is not"
    differences = _list_differences(found, target, known=frequencies is not None)
    differences += frequencies or []
    differences += _list_notes(found, target)
    return "; ".join(differences) or None


def contrast(ours: str, theirs: str) -> str:
    """Return "base 10000 instead of 500000" for "base 10000" and "base 500000"."""
    words, others = ours.split(" "), theirs.split(" ")
    while len(others) > 1 and others[0] == words[0]:
        words, others = words[1:], others[1:]
    while len(others) > 1 and others[-1] == words[-1]:
        words, others = words[:-1], others[:-1]
    return f"{ours} instead of {' '.join(others)}"


def add_rounding(explanation: str | None, found: Identity, dtype: str) -> str | None:
    """Return an explanation of a table with the dtype of its entries, if that is too narrow."""
    if found.kind == "unknown" or precision.UNITS[found.numbers] <= precision.UNITS[dtype]:
        return explanation
    rounded = f"entries in {found.numbers} instead of {dtype}"
    return f"{explanation}; {rounded}" if explanation else rounded


def _list_differences(found: Identity, target: Identity, *, known: bool) -> list[str]:
    """Return each convention that differs, in words; without those of frequencies if `known`."""
    ours, theirs = describe_conventions(found), describe_conventions(target)
    usual = precision.get_angle_dtype(found.numbers)
    theirs["angles"] = f"angles in {usual}"
    if target.angles not in (None, "float32", "float64"):  # the reference itself is this coarse
        theirs["angles"] = f"angles in {target.angles}"
    differences = []
    for name in dict.fromkeys((*ours, *theirs)):
        one, other = ours.get(name), theirs.get(name)
        if one == other or (known and name in OF_FREQUENCIES):
            continue
        if one and other and name == "step":
            differences.append(f"{one} instead of {other.removeprefix('positions ')}")
        elif one and other:
            differences.append(contrast(one, other))
        elif one:
            differences.append(one)
        elif name != "exponent":
            differences.append(_describe_missing(name, other or "", target))
    return differences


def _describe_missing(name: str, words: str, target: Identity) -> str:
    """Return what is missing that the reference has, in words."""
    if name == "step" and target.step < 1:
        return f"positions not divided by {1 / target.step:.6g}"
    if name == "step":
        return f"positions not multiplied by {target.step:.6g}"
    if name == "sign":
        return "rotating in the usual direction, where the reference rotates in the opposite one"
    return f"{words} missing"


def _list_notes(found: Identity, target: Identity) -> list[str]:
    """Return the notes that explain a difference, as parts of a sentence."""
    return [
        note[0].lower() + note[1:-1]
        for note in found.notes
        if note.startswith(EXPLAINING) and note not in target.notes
    ]
