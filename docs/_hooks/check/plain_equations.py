r"""Rule for inline equations of plain numbers: both sides of $2 \cdot 8 + 1 = 17$ are computed.

The second side may be rounded to the digits that it shows. Formulas with letters are ignored.
"""

import ast
import operator
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

from sybil import Document, Region

from check.fences import keep_prose
from check.formulas import INLINE
from check.page_source import cache_by_text
from check.problems import make_problem

LATEX_TO_PYTHON = {r"\cdot": "*", r"\times": "*", r"\,": "", "{,}": "", r"\;": " ", "^": "**"}
PLAIN = re.compile(r"[\d.()+*/ -]+")
GROUPS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
MAX_EXPONENT = 64


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each equation whose sides differ."""
    for position, left, right in find_unequal(keep_prose(document.text)):
        yield make_problem(position, f"{left} is not equal to {right}")


def find_unequal(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield the position of each equation whose sides differ, with both sides."""
    for match in INLINE.finditer(text):
        sides = [side.strip() for side in match[0].strip("$").split("=")]
        for left, right in pairwise(sides):
            one, other = evaluate(left), evaluate(right)
            if one is not None and other is not None and not are_equal(one, other, right):
                yield match.start(), left, right


def are_equal(left: Fraction, right: Fraction, source: str) -> bool:
    """Return whether two values are equal, to the digits that the source of the second shows."""
    _, point, digits = source.partition(".")
    return abs(left - right) <= (Fraction(1, 2 * 10 ** len(digits)) if point else 0)


def evaluate(formula: str) -> Fraction | None:
    """Return the value of a formula of plain numbers; None for any other."""
    for latex, python in LATEX_TO_PYTHON.items():
        formula = formula.replace(latex, python)
    formula = GROUPS.sub("", re.sub(r"\*\*\{([\d ]+)\}", r"**\1", formula)).strip()
    if not PLAIN.fullmatch(formula) or not re.search(r"\d", formula):
        return None
    try:
        return _evaluate(ast.parse(formula, mode="eval").body)
    except (SyntaxError, KeyError, ValueError, ZeroDivisionError, AttributeError):
        return None


def _evaluate(node: ast.expr) -> Fraction:
    if isinstance(node, ast.BinOp):
        left, right = _evaluate(node.left), _evaluate(node.right)
        if isinstance(node.op, ast.Pow) and (right.denominator > 1 or abs(right) > MAX_EXPONENT):
            raise ValueError
        return OPERATIONS[type(node.op)](left, right)
    if isinstance(node, ast.UnaryOp):
        return -_evaluate(node.operand)
    return Fraction(str(node.value))  # type: ignore[attr-defined]
