"""What a prompt finds in the names of its page, replaced while it runs.

A verdict that says that things differ is looked at with things that are the same; and one that
rests on nothing of the package, with wrong values in the names that it reads.
"""

import ast
import builtins
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from engine.misled import Misled, rebuilt

ALIKE, ZERO, ONE = "alike", "zero", "one"  # all that is handed over is the same, or is 0, or 1
ALL = (ALIKE, ZERO, ONE)
EXACT = (Fraction, Decimal)
DATA = (np.ndarray, np.generic, bool, int, float, complex, *EXACT)
HELD = (list, tuple, dict, set, str)
HANDED = "_handed_"  # what a prompt knows the function by


@dataclass
class Handed:
    """What a prompt is handed in place of what its names stand for."""

    misled: Misled
    namespace: dict[str, Any]
    sizes: bool = True  # whole numbers, too, of which arrays may be made
    only: str = ""  # the name that is replaced, if not all are
    first: dict[Any, Any] = field(default_factory=dict)  # value of each shape, or type

    def source(self, source: str) -> str:
        """Return the source of a prompt that asks for each of its names."""
        self.namespace[HANDED] = self
        tree = _Asking(parts=self.same).visit(ast.parse(source))
        return f"{ast.unparse(ast.fix_missing_locations(tree))}\n"

    @property
    def same(self) -> bool:
        """Return whether all that is handed over is the same."""
        return self.misled.kind in ALL

    def __call__(self, name: str, value: Any) -> Any:
        """Return what stands in the place of a name."""
        if self.only not in ("", name):
            return value
        if is_data(value):
            return self._other(value, name)
        own = isinstance(value, FunctionType) and value.__globals__ is self.namespace
        if not own and not isinstance(value, BuiltinFunctionType):
            return value

        def wrong(*args: Any, **words: Any) -> Any:
            found = value(*args, **words)
            judges = isinstance(found, bool | np.bool_)
            return found if judges or not is_data(found) else self._other(found, name, args, words)

        return wrong

    def _other(self, value: Any, name: str, *given: object) -> Any:
        if not self.same:
            return self.misled.moved(value, self.misled.key(name, *(given or (value,))))
        if isinstance(value, bool | int) and not self.sizes:
            return value
        if self.misled.kind == ALIKE:
            return self._first(value)
        if isinstance(value, list | tuple):
            return rebuilt(
                value, [self._other(one, name) if is_data(one) else one for one in value]
            )
        if isinstance(value, HELD):
            return value
        one = int(self.misled.kind == ONE)
        plain = isinstance(value, EXACT) or not isinstance(value, np.ndarray)
        return type(value)(one) if plain else np.full_like(value, one)

    def _first(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return self.first.setdefault(value.shape, value).astype(value.dtype)
        kind = "number" if isinstance(value, DATA) else type(value)
        return self.first.setdefault(kind, value)


@dataclass
class _Asking(ast.NodeTransformer):
    """Has each name of a prompt handed over, or each part that it takes of one, too."""

    parts: bool

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._asked(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        named = isinstance(node.value, ast.Name | ast.Subscript | ast.Attribute)
        self.generic_visit(node)
        return self._asked(node) if self.parts and named else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = node.func
        self.generic_visit(node)
        if isinstance(called, ast.Name) and hasattr(builtins, called.id):
            node.func = called
        return node

    def _asked(self, node: ast.Name | ast.Subscript) -> ast.AST:
        if not isinstance(node.ctx, ast.Load):
            return node
        given: list[ast.expr] = [ast.Constant(ast.unparse(node)), node]
        return ast.Call(ast.Name(HANDED, ast.Load()), given, [])


def is_data(value: object) -> bool:
    """Return whether something is a number, or holds what may be some."""
    number = isinstance(value, DATA) or hasattr(value, "_mpf_")  # which is one of mpmath
    return number or (isinstance(value, HELD) and bool(value))
