"""Make mutants: functions of the package with one small fault in the lines that a card shows.

A mutant has another operator, constant, comparison or sign, a name swapped for its opposite (sine
and cosine, minimum and maximum), a result that is too large by a thousandth, or lacks a transpose
or an assignment. Code that refuses bad arguments, docstrings and defaults stay as they are, since
no statement is about them.
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

LIMIT = 12  # mutants of one card, spread over its lines
RESULT_FACTOR = 1.001

ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
OPPOSITE_PAIRS = (
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
OPPOSITES = {a: b for pair in OPPOSITE_PAIRS for a, b in (pair, pair[::-1])}

NUMERIC_RESULTS = (ast.Attribute, ast.BinOp, ast.Call, ast.Name, ast.Subscript, ast.UnaryOp)

T = TypeVar("T")
Change = Callable[[ast.AST], None]


@dataclass(frozen=True)
class SourceLines:
    """Lines of a file of the package, counted from 1, with the last one included."""

    file: str  # posenc/core/frequencies.py
    first: int
    last: int

    def read(self) -> str:
        """Return the text of the lines."""
        return self.select((ROOT / self.file).read_text("utf-8"))

    def select(self, text: str) -> str:
        """Return these lines of a text."""
        return "\n".join(text.split("\n")[self.first - 1 : self.last])


@dataclass(frozen=True)
class Mutant:
    """A function of the package with one fault."""

    file: str
    line: int
    was: str
    now: str
    function: str  # Judge.check
    code: CodeType
    start: int = 0  # the part of the file's text that has the fault instead
    end: int = 0
    replacement: str = ""

    def __str__(self) -> str:
        """Return the change, for a message."""
        return f"{self.function}: {self.was} -> {self.now}"

    def to_dict(self) -> dict[str, Any]:
        """Return all fields that JSON can hold."""
        return {key: value for key, value in vars(self).items() if key != "code"}

    def change_source(self) -> str:
        """Return the text of the file with the fault."""
        text = (ROOT / self.file).read_text("utf-8")
        return text[: self.start] + self.replacement + text[self.end :]

    def apply(self) -> None:
        """Give the function of the package the code of the mutant, wherever it is imported."""
        get_function(self.file, self.function).__code__ = self.code
        clear_caches()


def find_shown_lines(block: str) -> Iterator[SourceLines]:
    """Yield the lines of the package that a block includes, without includes that are wrong."""
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
            yield SourceLines(include["path"], ends[0] + 1, ends[1] - 1)


def make_mutants(lines: SourceLines) -> Iterator[Mutant]:
    """Yield all mutants of some lines, in the order of the lines."""
    path = ROOT / lines.file
    text = path.read_text("utf-8")
    tree = parse_module(text)
    for function, name in list_functions(tree):
        nodes = [node for node in _walk_body(function) if lines.first <= _line(node) <= lines.last]
        for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):  # type: ignore[attr-defined]
            for change in list_changes(node):
                original = copy.copy(vars(node))
                was = ast.unparse(node)
                change(node)
                now = ast.unparse(node)
                code = compile_function(tree, str(path), name)
                vars(node).clear()
                vars(node).update(original)
                if code and was != now:
                    span, shown = _find_span(text, node), _add_parentheses(node, now)
                    yield Mutant(lines.file, _line(node), was, now, name, code, *span, shown)


def _find_span(text: str, node: ast.AST) -> tuple[int, int]:
    """Return where a node begins and ends in the text of its module."""
    lines = text.splitlines(keepends=True)

    def find(line: int, column: int) -> int:
        before = len(lines[line - 1].encode()[:column].decode())  # columns count bytes
        return len("".join(lines[: line - 1])) + before

    return (
        find(node.lineno, node.col_offset),  # type: ignore[attr-defined]
        find(node.end_lineno, node.end_col_offset),  # type: ignore[attr-defined]
    )


def _add_parentheses(node: ast.AST, now: str) -> str:
    """Return the source of a fault in parentheses if it binds less than the original node."""
    binds_less = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow)
    return f"({now})" if binds_less else now


def spread_evenly(items: Sequence[T], limit: int = LIMIT) -> Sequence[T]:
    """Return at most `limit` of the items, from the first to the last at even distances."""
    if len(items) <= limit:
        return items
    return [items[round(n * (len(items) - 1) / (limit - 1))] for n in range(limit)]


def list_changes(node: ast.AST) -> Iterator[Change]:
    """Yield functions that put a fault into a node, in place."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield _set_field("op", ARITHMETIC[type(node.op)]())
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        yield _set_field("ops", [COMPARISONS[type(node.ops[0])](), *node.ops[1:]])
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield _set_field("value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield _set_field("value", node.value + 1)
        if isinstance(node.value, float):
            yield _set_field("value", node.value * 1.01)
    elif isinstance(node, ast.Attribute) and node.attr in OPPOSITES:
        yield _set_field("attr", OPPOSITES[node.attr])
    elif isinstance(node, ast.Name) and node.id in OPPOSITES:
        yield _set_field("id", OPPOSITES[node.id])
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield _set_field("op", ast.UAdd())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _set_field("operand", ast.UnaryOp(ast.Not(), node.operand))
    elif isinstance(node, ast.Slice) and node.lower is None:
        yield _set_field("lower", ast.Constant(1))
    elif isinstance(node, ast.IfExp):
        yield _set_field("body", node.orelse)
    elif isinstance(node, ast.Attribute) and node.attr in ("T", "mT"):
        yield _set_field("attr", "real")
    elif isinstance(node, ast.Return) and isinstance(node.value, NUMERIC_RESULTS):
        yield _set_field("value", ast.BinOp(node.value, ast.Mult(), ast.Constant(RESULT_FACTOR)))
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        yield _set_field("targets", [ast.Name("_", ast.Store())])
    elif isinstance(node, ast.Expr):
        yield _set_field("value", ast.Constant(None))


def _set_field(name: str, value: object) -> Change:
    return lambda node: setattr(node, name, value)


def _line(node: ast.AST) -> int:
    return getattr(node, "lineno", 0)


def parse_module(text: str) -> ast.Module:
    """Return a module without the overloads of its functions, which only type checkers read."""
    tree = ast.parse(text)
    tree.body = [node for node in tree.body if "overload" not in _list_decorators(node)]
    return tree


def _list_decorators(node: ast.stmt) -> list[str]:
    return [ast.unparse(decorator) for decorator in getattr(node, "decorator_list", [])]


def list_functions(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef, str]]:
    """Yield the functions at the top of a module, and the methods of its classes, by name."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node, node.name
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, ast.FunctionDef):
                    yield method, f"{node.name}.{method.name}"


def _walk_body(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes in the body of a function that a statement may be about."""
    waiting: list[ast.AST] = [*reversed(function.body)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Raise | ast.Assert) or _only_checks_arguments(node):
            continue
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            waiting += reversed(node.body if isinstance(node.body, list) else [node.body])
            continue
        yield node
        children = [
            child
            for name, value in ast.iter_fields(node)
            if name not in ("annotation", "decorator_list", "returns")
            for child in (value if isinstance(value, list) else [value])
            if isinstance(child, ast.AST)
        ]
        waiting += reversed(children)


def _only_checks_arguments(node: ast.AST) -> bool:
    """Return whether a statement only checks arguments, or is a docstring."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant) or "check" in ast.unparse(node.value)
    return isinstance(node, ast.If) and all(isinstance(child, ast.Raise) for child in node.body)


def compile_function(tree: ast.Module, path: str, name: str) -> CodeType | None:
    """Return the code of a function in a module, or None if it cannot be compiled."""
    try:
        code: CodeType | None = compile(ast.fix_missing_locations(tree), path, "exec")
    except (SyntaxError, TypeError, ValueError):
        return None
    for part in name.split("."):
        constants = code.co_consts if code else ()
        codes = (constant for constant in constants if isinstance(constant, CodeType))
        code = next((each for each in codes if each.co_name == part), None)
    return code


def get_function(file: str, name: str) -> FunctionType:
    """Return a function of the package, without its decorators."""
    return unwrap_function(importlib.import_module(name_module(file)), name)


def name_module(file: str) -> str:
    """Return the name of the module in a file: `posenc.core` for `posenc/core/__init__.py`."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def unwrap_function(module: object, name: str) -> FunctionType:
    """Return a function of a module, or of a class in it, without its decorators."""
    value = module
    for part in name.split("."):
        value = inspect.getattr_static(value, part)
    value = getattr(value, "fget", None) or getattr(value, "func", None) or value
    value = inspect.unwrap(getattr(value, "__func__", value))  # type: ignore[arg-type]
    assert isinstance(value, FunctionType), f"{name} is not a function"
    return value


def clear_caches() -> None:
    """Clear the caches of all functions of the package."""
    for name in [name for name in sys.modules if re.match(r"posenc\b", name)]:
        for value in list(vars(sys.modules[name]).values()):
            getattr(value, "cache_clear", int)()
