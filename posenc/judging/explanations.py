"""Explanations: which convention makes one encoding out of another."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from posenc.core.layouts import LAYOUTS, convert_layout
from posenc.judging import precision, references
from posenc.judging.identity import Identity, conventions

Values = NDArray[np.float64]

KIND_NAMES = {
    "sinusoidal": "a sinusoidal table",
    "rotary": "a rotary embedding",
    "alibi": "an ALiBi bias",
    "t5": "a T5 bias",
    "relative": "a bias that depends on the offset alone",
}
FORMS = {
    "causal": "later keys hidden",
    "symmetric": "alike on both sides",
    "lower": "zero for later keys",
    "signed": "rising for later keys",
    "key": "of the key's position alone",
}
# Biases of more numbers than these are not searched for places that share a value.
SHARED = 2**20

# Notes of `identify` that begin like this say what a difference comes from.
EXPLAINING = (
    "It is transposed",
    "Base 10000",
    "Each frequency",
    "Sines stand",
    "Pairs are read",
    "Vectors that",
    "No more than",
)


def between(found: Identity, target: Identity) -> str | None:
    """Return what differs between two tables or two rotations, in words."""
    if found.kind == "unknown":
        return found.cause
    if target.kind != found.kind:
        return f"it is {KIND_NAMES[found.kind]}, and the reference is not"
    ours, theirs = conventions(found), conventions(target)
    if found.inv_freq and target.inv_freq:
        ours["base"] = theirs["base"] = ""
        if not np.allclose(found.inv_freq, target.inv_freq, rtol=1e-5, atol=0):
            ours["base"], theirs["base"] = "other frequencies", "those of the reference"
    usual = precision.angles_for(found.numbers)
    theirs["angles"] = f"angles in {usual}"
    if target.angles not in (None, "float32", "float64"):  # of a reference as coarse as that
        theirs["angles"] = f"angles in {target.angles}"
    said = []
    for name in dict.fromkeys((*ours, *theirs)):
        if ours.get(name) == theirs.get(name):
            continue
        if name in ours and name in theirs:
            said.append(f"{ours[name]} in place of {theirs[name]}")
        elif name != "exponent":
            said.append(ours[name] if name in ours else f"without {theirs[name]}")
    said += [
        note[0].lower() + note[1:-1]
        for note in found.notes
        if note.startswith(EXPLAINING) and note not in target.notes
    ]
    return "; ".join(said) or None


def of_bias(found: Identity, known: references.Reference) -> str | None:
    """Return what differs between a bias and a known one, in words."""
    if found.kind == "unknown":
        return found.cause
    if found.cause:
        return found.cause
    if isinstance(known, references.Alibi):
        if found.kind != "alibi":
            return f"it is {KIND_NAMES[found.kind]}" if found.kind == "t5" else None
        said = []
        if found.slopes_rule != "paper":
            rule = found.slopes_rule or "of no known rule"
            rule = "2**(-8(h+1)/H) at every H" if rule == "geometric" else rule
            said.append(f"slopes {rule}")
        if found.sign == -1:
            said.append("it rises with the distance and should fall")
        if found.form != known.form:
            said.append(f"{FORMS[found.form or 'causal']} in place of {FORMS[known.form]}")
        if found.row_constants and found.form != "key":
            said.append("a constant in each row, which softmax does not see")
        return (
            "; ".join((*said, *(f"q{n[1:-1]}" for n in found.notes if n.startswith("Queries"))))
            or None
        )
    if found.kind != "t5" or not isinstance(known, references.T5):
        return f"it is {KIND_NAMES[found.kind]}" if found.kind == "alibi" else None
    said = []
    if found.bidirectional != known.bidirectional:
        ways = ("past keys alone", "both directions")
        ours, theirs = ways[bool(found.bidirectional)], ways[known.bidirectional]
        said.append(f"buckets for {ours} in place of {theirs}")
    if found.num_buckets != 32:
        said.append(f"{found.num_buckets} buckets in place of 32")
    if found.max_distance != 128:
        said.append(f"maximum distance {found.max_distance} in place of 128")
    if found.sign == -1:
        said.append("offsets of the other sign, query minus key")
    return "; ".join(said) or None


def moved(given: Values, wanted: Values, dtype: str, other: str) -> str | None:
    """Return which rearrangement makes one array of another, in words, or None."""
    unit = 3 * (precision.UNITS[dtype] + precision.UNITS[other])
    for words, ours, theirs in _moves(given, wanted):
        limit = 2 * unit * abs(theirs) + precision.TINY[dtype]
        if ours.size and ours.shape == theirs.shape and bool((abs(ours - theirs) <= limit).all()):
            return words
    return None


def _moves(given: Values, wanted: Values) -> Iterator[tuple[str, Values, Values]]:
    """Yield what may have been done to an array, and the two sides that then agree."""
    d = given.shape[1]
    yield "it is transposed", given, wanted.T
    yield "rows are one position ahead", given[:-1], wanted[1:]
    yield "rows are one position behind", given[1:], wanted[:-1]
    yield "rows stand in reverse order", given, wanted[::-1]
    yield "all entries have the other sign", given, -wanted
    if d % 2 == 0 and d > 2:
        yield "the two halves of the channels are exchanged", given, np.roll(wanted, d // 2, axis=1)
        neighbours = np.arange(d).reshape(-1, 2)[:, ::-1].ravel()
        yield "neighbouring channels are exchanged", given, wanted[:, neighbours]
        for source, target in (LAYOUTS, LAYOUTS[::-1]):
            other = convert_layout(wanted, source=source, target=target)
            yield f"{target} layout in place of {source} layout", given, other
    size = float((wanted * wanted).sum())
    factor = float((given * wanted).sum()) / size if size else 0.0
    if factor:
        yield f"all entries times {factor:.6g}", given, factor * wanted


def moved_bias(given: Values, wanted: Values, dtype: str, other: str) -> str | None:
    """Return which rearrangement makes one bias (H, L_q, L_k) of another, in words, or None."""
    if not np.array_equal(np.isfinite(given), np.isfinite(wanted)):
        return None
    given, wanted = (np.where(np.isfinite(of), of, 0.0) for of in (given, wanted))
    unit = 3 * (precision.UNITS[dtype] + precision.UNITS[other])
    for words, theirs in _moves_of_bias(given, wanted):
        limit = 2 * unit * abs(theirs) + precision.TINY[dtype]
        if bool((abs(given - theirs) <= limit).all()):
            return words
    return _shared(given, wanted)


def _moves_of_bias(given: Values, wanted: Values) -> Iterator[tuple[str, Values]]:
    """Yield what may have been done to a bias, and what it would then be."""
    if wanted.shape[1] == wanted.shape[2]:
        yield "it is transposed: queries and keys are exchanged", wanted.swapaxes(1, 2)
    yield "all entries have the other sign", -wanted
    yield "heads in reverse order", wanted[::-1]
    size = float((wanted * wanted).sum())
    factor = float((given * wanted).sum()) / size if size else 0.0
    if factor:
        yield f"all entries times {factor:.6g}", factor * wanted


def _shared(given: Values, wanted: Values) -> str | None:
    """Return how the places with one value differ from those of the reference, in words."""
    if given.size > SHARED:
        return None
    ours, theirs = (
        np.unique(of.reshape(len(of), -1), axis=1, return_inverse=True)[1].ravel()
        for of in (given, wanted)
    )
    n_ours, n_theirs = int(ours.max()) + 1, int(theirs.max()) + 1
    pairs = np.unique(np.stack([ours, theirs]), axis=1).shape[1]
    if 4 * max(n_ours, n_theirs) > ours.size:
        return None  # hardly any place shares its value with another
    if pairs == n_ours == n_theirs:
        return "places that are alike in the reference are alike, with other numbers"
    if pairs == n_theirs > n_ours > 1:
        return "places are alike that the reference tells apart"
    if pairs == n_ours > n_theirs > 1:
        return "places are told apart that are alike in the reference"
    return None
