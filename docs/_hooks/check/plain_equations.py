r"""Equations of plain numbers within a line: both sides of $2 \cdot 8 + 1 = 17$ are computed.

The second side may be rounded to the digits that it shows. What has letters is left alone.
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

SIGNS = {r"\cdot": "*", r"\times": "*", r"\,": "", "{,}": "", r"\;": " ", "^": "**"}
PLAIN = re.compile(r"[\d.()+*/ -]+")
GROUPS = re.compile(r"(?<=\d) (?=\d{3}(?!\d))")
OPERATIONS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
LARGEST = 64  # exponent


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each equation whose sides differ."""
    for place, one, other in find_unequal(keep_prose(document.text)):
        yield make_problem(place, f"the text says that {one} is {other}; it is not")


def find_unequal(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield where two sides differ, with both."""
    for match in INLINE.finditer(text):
        for one, other in pairwise(match[0].strip("$").split("=")):
            left, right = evaluate(one), evaluate(other)
            if left is not None and right is not None and not are_equal(left, right, other.strip()):
                yield match.start(), one.strip(), other.strip()


def are_equal(one: Fraction, other: Fraction, written: str) -> bool:
    """Return whether two values are equal, to the digits of the second if it has a point."""
    _, point, digits = written.partition(".")
    return abs(one - other) <= (Fraction(1, 2 * 10 ** len(digits)) if point else 0)


def evaluate(formula: str) -> Fraction | None:
    """Return the value of a formula of plain numbers; None for any other."""
    for sign, meaning in SIGNS.items():
        formula = formula.replace(sign, meaning)
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
        if isinstance(node.op, ast.Pow) and (right.denominator > 1 or abs(right) > LARGEST):
            raise ValueError
        return OPERATIONS[type(node.op)](left, right)
    if isinstance(node, ast.UnaryOp):
        return -_evaluate(node.operand)
    return Fraction(str(node.value))  # type: ignore[attr-defined]
