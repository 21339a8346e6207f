"""Expressions with a comparison turned round, which are to be false where the others are true."""

import ast
import copy
from collections.abc import Iterator

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.LtE: ast.Gt,
    ast.Gt: ast.Lt,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
EQUALS = ("np.allclose", "np.isclose", "np.array_equal", "math.isclose")


def turned(expression: str, *, asserted: bool = False) -> Iterator[str]:
    """Yield an expression with one of its comparisons turned round, each in its turn.

    Of all, or of those alone that it asserts: not what selects rows, or defines a mask.
    """
    tree = ast.parse(f"(\n{expression}\n)", mode="eval")
    among = {*asserts(tree)} if asserted else {*ast.walk(tree)}
    for number, node in enumerate(ast.walk(tree)):
        if node not in among:
            continue
        changed = copy.deepcopy(tree)
        copied = [*ast.walk(changed)][number]
        if isinstance(copied, ast.Call) and ast.unparse(copied.func) in EQUALS:
            other = f"lambda *a, **k: not {ast.unparse(copied.func)}(*a, **k)"
            copied.func = ast.parse(other, mode="eval").body
            yield ast.unparse(changed)
        signs = copied.ops if isinstance(copied, ast.Compare) else []
        for place, sign in enumerate([*signs]):
            signs[place] = TURNED[type(sign)]()
            yield ast.unparse(changed)
            signs[place] = sign


def asserts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of an expression that have to be true for it to be true."""
    inner: list[ast.expr] = []
    if isinstance(node, ast.Expression):
        inner = [node.body]
    elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        inner = node.values
    elif isinstance(node, ast.GeneratorExp | ast.ListComp):
        inner = [node.elt]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Lambda):
        inner = [node.func.body]
    elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("all", "bool"):
        inner = node.args
    else:
        yield node
    for part in inner:
        yield from asserts(part)
