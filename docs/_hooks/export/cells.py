"""The parts of a page as cells of a notebook: a cell ends after each answer of a session.

The answers are those of the page, which were checked there. An error that a session expects is
caught and printed, so that the whole notebook runs. The code of a figure was written to run alone:
if it defines names of its own, it becomes a function.
"""

import ast
import builtins
import doctest
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from textwrap import indent

from export.markdown import Part


@dataclass
class Cell:
    """Text, or code with its output."""

    kind: str  # "markdown" or "code"
    source: str
    printed: str = ""
    value: str = ""  # of the last expression
    figure: str = ""  # the id of the figure that the code draws


def make_cells(parts: Iterable[Part]) -> list[Cell]:
    """Return the cells of a page; consecutive parts of text become one cell."""
    cells: list[Cell] = []
    text: list[str] = []
    for part in parts:
        if part.kind == "text":
            text += [part.text] if part.text else []
            continue
        if part.kind in ("printed", "value"):
            setattr(cells[-1], part.kind, part.code)
            continue
        if part.caption:
            text.append(part.caption)
        cells += [Cell("markdown", "\n\n".join(text))] if text else []
        text = []
        cells += _make_code_cells(part)
    return [*cells, Cell("markdown", "\n\n".join(text))] if text else cells


def _make_code_cells(part: Part) -> Iterator[Cell]:
    if part.kind == "pycon":
        yield from split_session(part.code)
    elif part.kind == "figure":
        yield Cell("code", wrap_in_function(part.code, part.id), figure=part.id)
    else:
        yield Cell("code", part.code.rstrip("\n"), figure=part.id)


def split_session(source: str) -> Iterator[Cell]:
    """Yield the cells of a session with prompts; each answer ends a cell."""
    statements: list[str] = []
    for example in doctest.DocTestParser().get_examples(source):
        code = example.source.rstrip("\n")
        if example.exc_msg:
            yield from [Cell("code", _join_statements(statements))] if statements else []
            yield Cell("code", wrap_in_try(code, example.exc_msg), printed=example.exc_msg)
            statements = []
            continue
        statements.append(code)
        if example.want:
            answer = re.sub(r"^<BLANKLINE>$", "", example.want, flags=re.MULTILINE)
            cell = Cell("code", _join_statements(statements))
            setattr(cell, _find_channel(code), answer)
            yield cell
            statements = []
    if statements:
        yield Cell("code", _join_statements(statements))


def _find_channel(code: str) -> str:
    """Return "printed" or "value": where the output of some code belongs."""
    last = ast.parse(code).body[-1]
    if not isinstance(last, ast.Expr):
        return "printed"
    function = last.value.func if isinstance(last.value, ast.Call) else None
    return "printed" if isinstance(function, ast.Name) and function.id == "print" else "value"


def _join_statements(statements: list[str]) -> str:
    """Return statements below each other, with blank lines around those that have a body."""
    text = ""
    for previous, code in zip(["", *statements], statements, strict=False):
        has_body = any("\n" in c and c.split("\n")[1][:4].isspace() for c in (previous, code))
        text += ("\n\n" if has_body else "\n") + code if previous else code
    return text


def wrap_in_try(code: str, message: str) -> str:
    """Return code that catches the expected error and prints it."""
    name = message.partition(":")[0].strip()
    if hasattr(builtins, name):
        caught, printed = name, f'"{name}:", error'
    else:
        caught, printed = "Exception", 'f"{type(error).__name__}:", error'
    return f"try:\n{indent(code, '    ')}\nexcept {caught} as error:\n    print({printed})"


def wrap_in_function(source: str, name: str) -> str:
    """Return the code of a figure, as a function if it defines names that other cells could see."""
    source = source.rstrip("\n")
    tree = ast.parse(source)
    if _list_defined_names(tree) <= {"posenc"}:
        return source
    lines = source.split("\n")
    last = tree.body[-1].lineno - 1
    lines[last] = f"return {lines[last]}"
    function = name.replace("-", "_")
    body = indent("\n".join(lines), "    ")
    return f"def {function}():\n{body}\n\n\n{function}()"


def _list_defined_names(tree: ast.Module) -> set[str]:
    """Return the names that code assigns, imports, or defines as functions."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
    return names
