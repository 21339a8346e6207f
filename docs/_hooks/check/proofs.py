r"""Rule for proofs: a session compares the lines of each derivation with each other.

A derivation is a displayed formula with `&=`, `&\le` and the like. After it, and before the next
derivation, a prompt must call `steps` of `posenc.proofs` with the same relations in the same order.
"""

import re
from collections.abc import Iterator

from check.comparisons import find_comparisons
from check.fences import keep_prose
from check.formulas import DISPLAY

RELATION = re.compile(r"&\s*(=|<|>|\\(?:leq?|geq?|lt|gt)\b)")
IN_CODE = {r"\le": "<=", r"\leq": "<=", r"\ge": ">=", r"\geq": ">=", r"\lt": "<", r"\gt": ">"}


def find_derivations(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the end of each derivation of a text, and the relations between its lines."""
    for display in DISPLAY.finditer(keep_prose(text)):
        if relations := RELATION.findall(display["tex"]):
            yield display.end(), tuple(IN_CODE.get(relation, relation) for relation in relations)


def find_proof_problems(text: str) -> Iterator[str]:
    """Yield a message for each part that a proof lacks."""
    derivations = list(find_derivations(text))
    if not derivations:
        yield r"a proof without a derivation; display one whose lines begin with &= or &\le"
    ends = [*(start for start, _ in derivations[1:]), len(text)][: len(derivations)]
    for (start, relations), end in zip(derivations, ends, strict=True):
        calls = [
            call.relations for call in find_comparisons(text[start:end]) if call.name == "steps"
        ]
        if relations not in calls:
            signs = ", ".join(relations)
            yield (
                f"no session checks the lines of a derivation ({signs}); after it, call "
                f"steps of posenc.proofs with a side for each line and the relations {signs}"
            )
