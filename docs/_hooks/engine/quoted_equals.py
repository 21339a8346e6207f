r"""Numbers side by side that say the same: a fraction and its words, and both sides of a sum.

"6/18, a third" and "a quarter, 1/4" agree, and so do both sides of an equation of plain numbers,
as in $2 \cdot 8 + 1 = 17$; the second side may be rounded to the digits that it shows.
"""

import ast
import operator
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

from sybil import Document, Region

from engine.complaints import complaint
from engine.fences import prose
from engine.formulas import INLINE
from engine.quoted_shares import COUNTS, PARTS
from engine.texts import by_text

PARTS_AND_HALF = {"half": 2, "halve": 2, **PARTS}
_SHARE = rf"(?P<count>{'|'.join(COUNTS)})[ -](?P<part>{'|'.join(PARTS_AND_HALF)})s?\b"
_FRACTION = r"(?<![\w./])(?P<above>\d+) ?/ ?(?P<below>\d+)(?![\w/]|\.\d)"
BESIDE = tuple(
    re.compile(rf"{one}(?:,|,? or|,? that is,?| is| \() ?{other}", re.IGNORECASE)
    for one, other in ((_FRACTION, _SHARE), (_SHARE, _FRACTION))
)
SIGNS = {r"\cdot": "*", r"\times": "*", r"\,": "", "{,}": "", r"\;": " ", "^": "**"}
PLAIN = re.compile(r"[\d.()+*/ -]+")
DIGITS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
DO: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
LARGEST = 64  # exponent


@by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each two numbers that stand for the same and are not."""
    text = prose(document.text)
    for place, one, other in unequal(text):
        yield complaint(place, f"the text says that {one} is {other}; it is not")


def unequal(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield where two things said to be equal are not, each with what is said."""
    for pattern in BESIDE:
        for match in pattern.finditer(text):
            part = PARTS_AND_HALF[match["part"].lower()]
            share = Fraction(COUNTS[match["count"].lower()], part)
            if Fraction(int(match["above"]), int(match["below"])) != share:
                yield match.start(), f"{match['above']}/{match['below']}", str(share)
    for match in INLINE.finditer(text):
        for one, other in pairwise(match[0].strip("$").split("=")):
            left, right = value(one), value(other)
            if left is not None and right is not None and not same(left, right, other.strip()):
                yield match.start(), one.strip(), other.strip()


def same(one: Fraction, other: Fraction, written: str) -> bool:
    """Return whether two values are equal, to the digits of the second if it has a point."""
    _, point, digits = written.partition(".")
    return abs(one - other) <= (Fraction(1, 2 * 10 ** len(digits)) if point else 0)


def value(formula: str) -> Fraction | None:
    """Return what a formula of plain numbers comes to, and of any other None."""
    for sign, meant in SIGNS.items():
        formula = formula.replace(sign, meant)
    formula = DIGITS.sub("", re.sub(r"\*\*\{([\d ]+)\}", r"**\1", formula)).strip()
    if not PLAIN.fullmatch(formula) or not re.search(r"\d", formula):
        return None
    try:
        return _value(ast.parse(formula, mode="eval").body)
    except (SyntaxError, KeyError, ValueError, ZeroDivisionError, AttributeError):
        return None


def _value(node: ast.expr) -> Fraction:
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left), _value(node.right)
        if isinstance(node.op, ast.Pow) and (right.denominator > 1 or abs(right) > LARGEST):
            raise ValueError
        return DO[type(node.op)](left, right)
    if isinstance(node, ast.UnaryOp):
        return -_value(node.operand)
    return Fraction(str(node.value))  # type: ignore[attr-defined]
