"""One side: a difference held below a tolerance without its absolute value.

`a - b < 1e-12` holds as well where *a* is far too small, so it checks one side of what it says,
and passes a function that returns 0. Neither do `a < b + 1e-12` and `a / b < 1 + 1e-12` look at
the other side. An absolute value does, a norm, or a bound from below in the same comparison; and
what a statement bounds from one side alone is compared so, by `share` or without a tolerance.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from sybil import Document, Region

from engine import trees
from engine.complaints import complaint
from engine.strictness import BELOW, called, written
from engine.texts import by_text
from engine.witnesses import FUNCTIONS, ORDERS, TOLERANCE, Helpers, learned, returned

KEEP_SIGN = {
    *("array", "asarray", "float", "fsum", "int", "item"),
    *("max", "mean", "min", "round", "sqrt", "sum"),
}
SIGNED = {"diff", "log", "log1p", "log2", "remainder", "sub", "subtract"}
MARGIN = 0.01  # more than this is a claim: at most a tenth worse than before
SAID = "is true of what is far below as well; take an absolute value, or bound it from below, too"


@by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each difference of which a prompt or a cell bounds one side."""
    for place, _, tree, helpers in learned(document.text):
        for said in one_sided(tree, helpers):
            yield complaint(place, f"{said} {SAID}")


def one_sided(tree: ast.Module, helpers: Helpers) -> Iterator[str]:
    """Yield the comparisons of some code that bound a difference from one side."""
    look = _Look(_within(tree, helpers))
    for node in trees.nodes(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for place, sign in enumerate(node.ops):
                floor, ceiling = place > 0, place < len(node.ops) - 1
                small, large = sides[place : place + 2]
                if isinstance(sign, ast.Gt | ast.GtE):
                    floor, ceiling, small, large = ceiling, floor, large, small
                ordered = isinstance(sign, ORDERS)
                if ordered and look.open(small, large, floor=floor, ceiling=ceiling):
                    yield ast.unparse(node)


def _within(tree: ast.Module, helpers: Helpers) -> Helpers:
    """Return what names stand for within the functions of some code."""
    inner = Helpers({**helpers.made}, helpers.imported)
    for node in trees.nodes(tree):
        if isinstance(node, FUNCTIONS):
            for name in (one.arg for one in trees.nodes(node.args) if isinstance(one, ast.arg)):
                inner.made.pop(name, None)
        if isinstance(node, ast.FunctionDef):
            inner.learn(ast.Module(node.body, []))
    return inner


@dataclass
class _Look:
    """Looks at both sides of a comparison, with what the names of the page stand for."""

    names: Helpers

    def open(self, small: ast.expr, large: ast.expr, *, floor: bool, ceiling: bool) -> bool:
        """Return whether the smaller side may lie anywhere below a tolerance, or the larger above.

        Unless the same comparison has a floor for the one, and a ceiling for the other.
        """
        if not floor:
            widens = widened(large, ast.Add) and not self.shares(small)
            if widens or (self.differs(small) and self.tolerance(large)):
                return True
        least = written(small) or 0
        under = widened(small, ast.Sub) or (-BELOW < least < 0 and self.differs(large))
        return under and not ceiling

    def differs(self, node: ast.AST | None, on_the_way: frozenset[str] = frozenset()) -> bool:
        """Return whether a value is a difference, by the look of it, and may be negative."""
        if isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Sub):
                extremes = called(node.left), called(node.right)
                return written(node) is None and extremes != ("max", "min")
            both = isinstance(node.op, ast.Mult) and ast.dump(node.left) != ast.dump(node.right)
            parts = [node.left, node.right] if both else [node.left]
            kept = both or isinstance(node.op, ast.Div | ast.MatMult)
            return kept and any(self.differs(part, on_the_way) for part in parts)
        if isinstance(node, ast.UnaryOp):
            return self.differs(node.operand, on_the_way)
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            return self.differs(node.elt, on_the_way)
        if isinstance(node, ast.Subscript):
            return self.differs(node.value, on_the_way)
        if isinstance(node, ast.Call):
            return self._call_differs(node, on_the_way)
        if isinstance(node, ast.Name) and node.id not in on_the_way:
            made = self.names.made.get(node.id)
            plain = not isinstance(made, FUNCTIONS)
            return plain and self.differs(made, on_the_way | {node.id})
        return False

    def _call_differs(self, node: ast.Call, on_the_way: frozenset[str]) -> bool:
        name = called(node)
        if name in SIGNED:
            return True
        if name in KEEP_SIGN:
            of = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            return any(self.differs(one, on_the_way) for one in [*node.args, *of])
        made = self.names.made.get(name)
        body = returned(made) if isinstance(made, FUNCTIONS) else None
        return name not in on_the_way and self.differs(body, on_the_way | {name})

    def tolerance(self, node: ast.expr) -> bool:
        """Return whether a bound stands for zero: a number below 1, or a tiny one times others."""
        number = written(node)
        if number is not None:
            return 0 < number < BELOW
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
            parts = [node.left] if isinstance(node.op, ast.Div) else [node.left, node.right]
            return any(self.tiny(part) for part in parts)
        return self.tiny(node)

    def tiny(self, node: ast.expr) -> bool:
        """Return whether something is a number as small as the rounding of others, or has it."""
        number = written(node)
        if isinstance(node, ast.Name) and isinstance(
            made := self.names.made.get(node.id), ast.expr
        ):
            number = written(made)
        product = isinstance(node, ast.BinOp) and self.tolerance(node)
        return product if number is None else 0 < number < TOLERANCE

    def shares(self, node: ast.expr) -> bool:
        """Return whether a side is what `share` returns, which is held below 1 and its rounding."""
        made = self.names.made.get(node.id) if isinstance(node, ast.Name) else node
        return made is not None and called(made) == "share"


def widened(node: ast.expr, sign: type[ast.operator]) -> bool:
    """Return whether a side is another value and a tolerance: 1 + 1e-12, or b * (1 + 1e-12)."""
    if not isinstance(node, ast.BinOp):
        return False
    if isinstance(node.op, ast.Mult) and sign is ast.Add:
        return any(widened(part, sign) for part in (node.left, node.right))
    if not isinstance(node.op, sign):
        return False
    number, parts = written(node), [node.right] if sign is ast.Sub else [node.left, node.right]
    most = MARGIN if number is None else BELOW
    small = any(0 < (written(part) or 0) < most for part in parts)
    return small and (number is None or sign is ast.Sub or number > BELOW)
