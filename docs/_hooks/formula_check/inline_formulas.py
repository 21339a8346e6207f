r"""Check the formulas in a line of text that only use the notation of the book.

A sentence or a summary may repeat that $\omega_i = b^{-2i/d}$, without a statement. If the
notation defines each letter of such a formula, it has to hold for all values of the others. A
formula with numbers of its own, such as $\omega_1 = 0.1$, belongs to an example.
"""

import re
from collections.abc import Iterator

from mpmath import mp

from check.cards import find_blocks
from check.fences import blank_out, keep_prose
from check.formulas import DISPLAY, INLINE, convert_to_mathml
from check.page_source import FRONT_MATTER
from formula_check.displays import DIGITS, EVALUATION_ERRORS, POINTS
from formula_check.evaluate import Scope, check_chain
from formula_check.letters import DEFAULT_DOMAINS, collect_names, order_letters
from formula_check.notation import NOTATION
from formula_check.parse import UnsupportedFormula, parse_chains
from formula_check.sample_points import draw_points

USES_NOTATION = re.compile(r"\\(?:omega|lambda)_|\\mathrm\{PE\}|\b[DM]\(")
HAS_RELATION = re.compile(r"=|<|>|\\[lg][et]\b")
EXAMPLE = re.compile(r"\d\.\d|\d{2,}")
INTRODUCTION = re.compile(
    r"\b(?:[Ll]et|[Ww]rite|[Ww]here|[Ss]uppose|[Ii]f|[Ww]ith|(?:any|all)(?: \w+)?) \Z"
)
NOTATION_SYMBOLS = {"ω", "λ", "PE", "D", "M"}  # symbols of the notation
ALLOWED = NOTATION_SYMBOLS | {"π", "e", "i!", *DEFAULT_DOMAINS}


def find_wrong_formulas(text: str) -> Iterator[tuple[int, str]]:
    """Yield the position of each inline formula that does not hold, with a message."""
    visible = FRONT_MATTER.sub(lambda match: blank_out(match[0]), keep_prose(text))
    visible = DISPLAY.sub(lambda match: blank_out(match[0]), visible)
    statements = [block.body_range for block in find_blocks(text) if block.kind == "statement"]
    for match in INLINE.finditer(visible):
        tex, position = match["tex"], match.start()
        if not USES_NOTATION.search(tex) or not HAS_RELATION.search(tex) or EXAMPLE.search(tex):
            continue
        if INTRODUCTION.search(visible, max(0, position - 20), position) or any(
            position in one for one in statements
        ):
            continue
        try:
            failure = _find_failure(tex)
        except (UnsupportedFormula, *EVALUATION_ERRORS):  # it cannot be parsed or computed
            continue
        if failure:
            yield position, f"${tex}$ does not hold: {failure}"


def _find_failure(tex: str) -> str:
    """Return how a formula fails at a point, or an empty string."""
    chains = [*parse_chains(convert_to_mathml(tex, display=False))]
    names = collect_names(chains)
    letters = {name for name in names if name.partition("_")[0] not in NOTATION_SYMBOLS}
    if not letters <= ALLOWED or not letters & {*DEFAULT_DOMAINS}:
        return ""
    with mp.workdps(DIGITS):
        for point in draw_points(order_letters({}, {}, names, "d"), POINTS):
            try:
                for chain in chains:
                    check_chain(chain, Scope(point, NOTATION))
            except AssertionError as error:
                return str(error)
            except ArithmeticError:  # such as 0/0 at an edge
                continue
    return ""
