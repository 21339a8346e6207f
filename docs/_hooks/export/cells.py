"""The parts of a page as cells of a notebook: each answer of a session ends one.

The answers are those of the page, which were checked there. An error that a session
expects is caught and printed, so that the whole runs to its end. A figure's code was
written to run alone: where it sets names of its own, it becomes a function.
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
    """Text, or code with what it prints and the value that it ends with."""

    kind: str  # "markdown" or "code"
    source: str
    printed: str = ""
    value: str = ""
    figure: str = ""  # the id of the figure that it draws
    solves: bool = False  # whether it is the solution of a task


def make_cells(parts: Iterable[Part]) -> list[Cell]:
    """Return the cells of a page; text that only code of the book parts stays in one."""
    found: list[Cell] = []
    text: list[str] = []
    for part in parts:
        if part.kind == "text":
            text += [part.text] if part.text else []
            continue
        if part.kind in ("printed", "value"):
            setattr(found[-1], part.kind, part.code)
            continue
        if part.caption:
            text.append(part.caption)
        found += [Cell("markdown", "\n\n".join(text))] if text else []
        text = []
        found += _make_code_cells(part)
    return [*found, Cell("markdown", "\n\n".join(text))] if text else found


def _make_code_cells(part: Part) -> Iterator[Cell]:
    if part.kind == "pycon":
        yield from split_session(part.code)
    elif part.kind == "figure":
        yield Cell("code", wrap_in_function(part.code, part.id), figure=part.id)
    else:
        solves = part.kind == "solution"
        yield Cell("code", part.code.rstrip("\n"), figure=part.id, solves=solves)


def split_session(source: str) -> Iterator[Cell]:
    """Yield the cells of a session with prompts, cut behind each answer."""
    lines: list[str] = []
    for example in doctest.DocTestParser().get_examples(source):
        code = example.source.rstrip("\n")
        if example.exc_msg:
            yield from [Cell("code", _join_statements(lines))] if lines else []
            yield Cell("code", wrap_in_try(code, example.exc_msg), printed=example.exc_msg)
            lines = []
            continue
        lines.append(code)
        if example.want:
            answer = re.sub(r"^<BLANKLINE>$", "", example.want, flags=re.MULTILINE)
            found = Cell("code", _join_statements(lines))
            setattr(found, _find_channel(code), answer)
            yield found
            lines = []
    if lines:
        yield Cell("code", _join_statements(lines))


def _find_channel(code: str) -> str:
    """Return how code answers: it prints, or its last line has a value."""
    last = ast.parse(code).body[-1]
    if not isinstance(last, ast.Expr):
        return "printed"
    called = last.value.func if isinstance(last.value, ast.Call) else None
    return "printed" if isinstance(called, ast.Name) and called.id == "print" else "value"


def _join_statements(lines: list[str]) -> str:
    """Return statements as lines, with an empty one around those that have bodies."""
    text = ""
    for before, line in zip(["", *lines], lines, strict=False):
        apart = any("\n" in code and code.split("\n")[1][:4].isspace() for code in (before, line))
        text += ("\n\n" if apart else "\n") + line if before else line
    return text


def wrap_in_try(code: str, message: str) -> str:
    """Return code that fails as expected, with its error printed."""
    name = message.partition(":")[0].strip()
    known = hasattr(builtins, name)
    said = f'"{name}:", error' if known else 'f"{type(error).__name__}:", error'
    return (
        f"try:\n{indent(code, '    ')}\n"
        f"except {name if known else 'Exception'} as error:\n    print({said})"
    )


def wrap_in_function(source: str, name: str) -> str:
    """Return the code of a figure, which sets no name that other cells use."""
    source = source.rstrip("\n")
    tree = ast.parse(source)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names &= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and _sets(n)}
    names |= {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    names |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    if names <= {"posenc"}:
        return source
    last = tree.body[-1].lineno - 1
    lines = source.split("\n")
    lines[last] = f"return {lines[last]}"
    function = name.replace("-", "_")
    return f"def {function}():\n{_indented(lines)}\n\n\n{function}()"


def _sets(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _indented(lines: list[str]) -> str:
    return indent("\n".join(lines), "    ")
