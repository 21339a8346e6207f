r"""Proofs: a derivation, whose lines are each held against the next by a session.

A displayed formula with `&=`, `&\le` and the like is a chain. Behind it, before the next one,
a prompt calls `steps` of `posenc.proofs` with the same relations in the same order.
"""

import re
from collections.abc import Iterator

from check.comparisons import find_comparisons, list_prompts
from check.fences import keep_prose
from check.formulas import DISPLAY

RELATION = re.compile(r"&\s*(=|<|>|\\(?:leq?|geq?|lt|gt)\b)")
WRITTEN = {r"\le": "<=", r"\leq": "<=", r"\ge": ">=", r"\geq": ">=", r"\lt": "<", r"\gt": ">"}


def find_derivations(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield where each chain of a text ends, and the relations between its lines."""
    for display in DISPLAY.finditer(keep_prose(text)):
        if signs := RELATION.findall(display["tex"]):
            yield display.end(), tuple(WRITTEN.get(sign, sign) for sign in signs)


def find_proof_problems(text: str) -> Iterator[str]:
    """Yield what the text of a proof lacks."""
    all_chains = list(find_derivations(text))
    if not all_chains:
        yield r"a proof without a derivation; display one whose lines begin with &= or &\le"
    ends = [*(start for start, _ in all_chains[1:]), len(text)][: len(all_chains)]
    for (start, relations), end in zip(all_chains, ends, strict=True):
        calls = [
            call.relations
            for source in list_prompts(text[start:end])
            for call in find_comparisons(source)
            if call.name == "steps"
        ]
        if relations not in calls:
            said = ", ".join(relations)
            yield (
                f"a derivation ({said}) that nothing holds line against line; behind it, call "
                f"steps of posenc.proofs with a side for each line and the relations {said}"
            )
