r"""Formulas within a line that speak of the notation alone, computed as displayed ones are.

A sentence or a summary repeats that $\omega_i = b^{-2i/d}$, and no card stands behind it. Where
each letter of such a formula is known to the book, it has to hold for all values of the others.
One with numbers of its own, as $\omega_1 = 0.1$, is of an example, and left to its session.
"""

import re
from collections.abc import Iterator

from mpmath import mp

from engine.fences import blank, prose
from engine.formula_check.evaluate import Scope, holds
from engine.formula_check.notation import NOTATION
from engine.formula_check.parse import Unread, chains
from engine.formula_check.sample_points import drawn
from engine.formula_check.statement_formulas import (
    CRASHES,
    DIGITS,
    POINTS,
    USUAL,
    letters_of,
    ordered,
)
from engine.formulas import DISPLAY, INLINE, mathml
from engine.statements import blocks
from engine.texts import FRONT_MATTER

SPEAKS = re.compile(r"\\(?:omega|lambda)_|\\mathrm\{PE\}|\b[DM]\(")
RELATED = re.compile(r"=|<|>|\\[lg][et]\b")
EXAMPLE = re.compile(r"\d\.\d|\d{2,}")
LOCAL = re.compile(
    r"\b(?:[Ll]et|[Ww]rite|[Ww]here|[Ss]uppose|[Ii]f|[Ww]ith|(?:any|all)(?: \w+)?) \Z"
)
OWN = {"ω", "λ", "PE", "D", "M"}  # of the notation, of which such a formula speaks
KNOWN = OWN | {"π", "e", "i!", *USUAL}


def wrong(text: str) -> Iterator[tuple[int, str]]:
    """Yield where a formula within a line does not hold, with what it comes to."""
    seen = FRONT_MATTER.sub(lambda match: blank(match[0]), prose(text))
    seen = DISPLAY.sub(lambda match: blank(match[0]), seen)
    stated = [block.within for block in blocks(text) if block.kind == "statement"]
    for match in INLINE.finditer(seen):
        tex, place = match["tex"], match.start()
        if not SPEAKS.search(tex) or not RELATED.search(tex) or EXAMPLE.search(tex):
            continue
        if LOCAL.search(seen, max(0, place - 20), place) or any(place in one for one in stated):
            continue
        try:
            said = _wrong(tex)
        except (Unread, *CRASHES):  # what cannot be read, and what cannot be computed
            continue
        if said:
            yield place, f"${tex}$ does not hold: {said}"


def _wrong(tex: str) -> str:
    read = [*chains(mathml(tex, display=False))]
    letters = {name for name in letters_of(read) if name.partition("_")[0] not in OWN}
    if not letters <= KNOWN or not letters & {*USUAL}:
        return ""
    with mp.workdps(DIGITS):
        for point in drawn(ordered({}, {}, letters, "d"), POINTS):
            try:
                for chain in read:
                    holds(chain, Scope(point, NOTATION))
            except AssertionError as said:
                return str(said)
            except ArithmeticError:  # such as 0/0 at an edge
                continue
    return ""
