"""Explain by which convention a bias differs from ALiBi or from T5's buckets."""

from posenc.judging.explanations import KIND_NAMES
from posenc.judging.identity import Identity
from posenc.judging.references import T5, Alibi

FORMS = {
    "causal": "later keys hidden",
    "symmetric": "the same on both sides",
    "lower": "zero for later keys",
    "signed": "rising for later keys",
    "key": "of the key's position only",
}


def explain_bias(found: Identity, reference: Alibi | T5) -> str | None:
    """Return the conventions in which a bias differs from a known one, in words, or None."""
    if found.kind == "unknown" or found.cause:
        return found.cause
    own_kind, other_kind = ("alibi", "t5") if isinstance(reference, Alibi) else ("t5", "alibi")
    if found.kind == other_kind:
        return f"it is {KIND_NAMES[found.kind]}"
    if found.kind != own_kind:
        return None
    if isinstance(reference, Alibi):
        differences = _list_alibi_differences(found, reference)
    else:
        differences = _list_bucket_differences(found, reference)
    return "; ".join(differences) or None


def _list_alibi_differences(found: Identity, reference: Alibi) -> list[str]:
    """Return each convention of ALiBi that differs, in words."""
    differences = []
    if found.slopes_rule != "paper":
        rule = found.slopes_rule or "of no known rule"
        rule = "2**(-8(h+1)/H) at every H" if rule == "geometric" else rule
        differences.append(f"slopes {rule}")
    if found.sign == -1:
        differences.append("it rises with the distance instead of falling")
    if found.form != reference.form:
        form = FORMS[found.form or "causal"]
        differences.append(f"{form} instead of {FORMS[reference.form]}")
    if found.row_constants and found.form != "key":
        differences.append("a constant in each row, which softmax ignores")
    for note in found.notes:
        if note.startswith("Query"):
            differences.append(f"q{note[1:-1]}")
    return differences


def _list_bucket_differences(found: Identity, reference: T5) -> list[str]:
    """Return each convention of T5's buckets that differs, in words."""
    differences = []
    if found.bidirectional != reference.bidirectional:
        directions = ("past keys only", "both directions")
        ours, theirs = directions[bool(found.bidirectional)], directions[reference.bidirectional]
        differences.append(f"buckets for {ours} instead of {theirs}")
    if found.num_buckets != 32:
        differences.append(f"{found.num_buckets} buckets instead of 32")
    if found.max_distance != 128:
        differences.append(f"maximum distance {found.max_distance} instead of 128")
    if found.sign == -1:
        differences.append("offsets of the other sign (query minus key)")
    return differences
