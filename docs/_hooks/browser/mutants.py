"""Faults: the lines that a card shows with one small thing wrong, as a function to put in place.

A fault changes an operator, a constant, a comparison, a name for its opposite (sine and cosine,
least and greatest), a sign; returns a thousandth more; or leaves out a transposition, or a
statement that changes an array. What refuses bad arguments is left alone, since no statement
speaks of it, and so are docstrings and defaults.
"""

import ast
import copy
import importlib
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any, TypeVar

from check.fences import INCLUDE, find_fences
from check.paths import ROOT

MOST = 12  # faults of one card, spread over its lines
MORE = 1.001  # times what is returned

ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
PAIRS = (
    ("sin", "cos"),
    ("min", "max"),
    ("minimum", "maximum"),
    ("argmin", "argmax"),
    ("floor", "ceil"),
    ("any", "all"),
    ("zeros", "ones"),
    ("triu", "tril"),
    ("log", "exp"),
)
OPPOSITE = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}

WORTH = (ast.Attribute, ast.BinOp, ast.Call, ast.Name, ast.Subscript, ast.UnaryOp)  # may be numbers

T = TypeVar("T")
Change = Callable[[ast.AST], None]


@dataclass(frozen=True)
class Lines:
    """Lines of a file that a card shows, counted from 1, the last one included."""

    file: str  # posenc/core/frequencies.py
    first: int
    last: int

    def text(self) -> str:
        """Return what stands there."""
        lines = (ROOT / self.file).read_text("utf-8").split("\n")
        return "\n".join(lines[self.first - 1 : self.last])


@dataclass(frozen=True)
class Fault:
    """A function with one thing wrong."""

    file: str
    line: int
    was: str
    now: str
    function: str  # Judge.check
    code: CodeType

    def __str__(self) -> str:
        """Return what it does, for a message."""
        return f"{self.function}: {self.was} -> {self.now}"

    def told(self) -> dict[str, Any]:
        """Return what a register says of it."""
        return {key: value for key, value in vars(self).items() if key != "code"}

    def put(self, namespace: dict[str, Any]) -> None:
        """Put it in the place of the function, for all who have imported that."""
        found = function(self.file, self.function)
        found.__code__ = self.code
        forget()


def shown(block: str) -> Iterator[Lines]:
    """Yield the lines that an implementation shows; what is missing is complained of elsewhere."""
    for fence in find_fences(block):
        include = INCLUDE.fullmatch(fence.source)
        if include is None or not include["path"].startswith("posenc/"):
            continue
        if not (ROOT / include["path"]).is_file():
            continue
        lines = (ROOT / include["path"]).read_text("utf-8").split("\n")
        ends = [0, len(lines) + 1]
        if section := include["section"]:
            marks = (f"[{end}:{section}]" for end in ("start", "end"))
            ends = [n for mark in marks for n, line in enumerate(lines, 1) if mark in line]
        if len(ends) == 2:
            yield Lines(include["path"], ends[0] + 1, ends[1] - 1)


def of(lines: Lines, wrong: Callable[[ast.AST], Iterator[Change]] | None = None) -> Iterator[Fault]:
    """Yield all faults of some lines, in their order; `wrong` says what there is in a node."""
    path = ROOT / lines.file
    tree = parsed(path.read_text("utf-8"))
    for outer, name in functions(tree):
        places = [node for node in _followed(outer) if lines.first <= _line(node) <= lines.last]
        for place in sorted(places, key=lambda node: (node.lineno, node.col_offset)):  # type: ignore[attr-defined]
            for change in (wrong or changes)(place):
                kept = copy.copy(vars(place))
                was = ast.unparse(place)
                change(place)
                now = ast.unparse(place)
                code = compiled(tree, str(path), name)
                vars(place).clear()
                vars(place).update(kept)
                if code and was != now:
                    yield Fault(lines.file, _line(place), was, now, name, code)


def spread(faults: Sequence[T], most: int = MOST) -> Sequence[T]:
    """Return some of many faults, as far apart as can be."""
    if len(faults) <= most:
        return faults
    return [faults[round(n * (len(faults) - 1) / (most - 1))] for n in range(most)]


def changes(node: ast.AST) -> Iterator[Change]:
    """Yield what can be made wrong in a node, in place."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield _set("op", ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARED:
        yield _set("ops", [COMPARED[type(node.ops[0])](), *node.ops[1:]])
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield _set("value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield _set("value", node.value + 1)
        if isinstance(node.value, float):
            yield _set("value", node.value * 1.01)
    elif isinstance(node, ast.Attribute) and node.attr in OPPOSITE:
        yield _set("attr", OPPOSITE[node.attr])
    elif isinstance(node, ast.Name) and node.id in OPPOSITE:
        yield _set("id", OPPOSITE[node.id])
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield _set("op", ast.UAdd())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _set("operand", ast.UnaryOp(ast.Not(), node.operand))
    elif isinstance(node, ast.Slice) and node.lower is None:
        yield _set("lower", ast.Constant(1))
    elif isinstance(node, ast.IfExp):
        yield _set("body", node.orelse)
    elif isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        yield _set("attr", "real")
    elif isinstance(node, ast.Return) and isinstance(node.value, WORTH):
        yield _set("value", ast.BinOp(node.value, ast.Mult(), ast.Constant(MORE)))
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        yield _set("targets", [ast.Name("_", ast.Store())])
    elif isinstance(node, ast.Expr):
        yield _set("value", ast.Constant(None))


def constants(node: ast.AST) -> Iterator[Change]:
    """Yield the constants with a name that a node holds, each a hundredth more."""
    for field, value in ast.iter_fields(node):
        held = value if isinstance(value, list) else [value]
        for place, one in enumerate(held):
            if isinstance(one, ast.Name) and one.id.isupper():
                more = ast.BinOp(one, ast.Mult(), ast.Constant(1.01))
                changed = [*held[:place], more, *held[place + 1 :]]
                yield _set(field, changed if isinstance(value, list) else more)


def _set(name: str, value: object) -> Change:
    return lambda node: setattr(node, name, value)


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def parsed(text: str) -> ast.Module:
    """Return a module without the overloads of its functions, which only type checkers read."""
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if "overload" not in _decorators(node)]
    return tree


def _decorators(node: ast.stmt) -> list[str]:
    return [ast.unparse(decorator) for decorator in getattr(node, "decorator_list", [])]


def functions(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Yield the functions at the top of a module, and the methods of its classes, by name."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node, node.name
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield inner, f"{node.name}.{inner.name}"


def _followed(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes in the body of a function that a statement may speak of."""
    left: list[ast.AST] = [*reversed(getattr(function, "body", []))]
    while left:
        node = left.pop()
        if isinstance(node, ast.Raise | ast.Assert) or _refuses(node):
            continue
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            body = node.body if isinstance(node.body, list) else [node.body]
            left += reversed(body)
            continue
        yield node
        children = [
            child
            for name, value in ast.iter_fields(node)
            if name not in ("annotation", "decorator_list", "returns")
            for child in (value if isinstance(value, list) else [value])
            if isinstance(child, ast.AST)
        ]
        left += reversed(children)


def _refuses(node: ast.AST) -> bool:
    """Return whether a statement does no more than refuse arguments, or say what a function is."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or "check" in ast.unparse(node.value)
    return isinstance(node, ast.If) and all(isinstance(inner, ast.Raise) for inner in node.body)


def compiled(tree: ast.Module, path: str, name: str) -> CodeType | None:
    """Return the code of a function in a module, or nothing where it cannot be compiled."""
    try:
        module = compile(ast.fix_missing_locations(tree), path, "exec")
    except (SyntaxError, TypeError, ValueError):
        return None
    found: CodeType | None = module
    for part in name.split("."):
        inner = [c for c in found.co_consts if isinstance(c, CodeType)] if found else []
        found = next((code for code in inner if code.co_name == part), None)
    return found


def function(file: str, name: str) -> FunctionType:
    """Return a function of the package as it is called, without what is wrapped around it."""
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return inner(importlib.import_module(module), name)


def inner(found: object, name: str) -> FunctionType:
    """Return a function of a module, or of a class in it, without what is wrapped around it."""
    for part in name.split("."):
        found = inspect.getattr_static(found, part)
    found = getattr(found, "fget", None) or getattr(found, "func", None) or found
    found = inspect.unwrap(getattr(found, "__func__", found))  # type: ignore[arg-type]
    assert isinstance(found, FunctionType), f"{name} is no function"
    return found


def forget() -> None:
    """Make the package forget what it has returned before."""
    for name in [name for name in sys.modules if re.match(r"posenc\b", name)]:
        for thing in list(vars(sys.modules[name]).values()):
            getattr(thing, "cache_clear", int)()
