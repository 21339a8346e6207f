"""Tolerances: a bound that is far wider than what is measured would pass much that is wrong.

While a page runs, both sides of `gap(…) < 2e-15`, and of any number held below 1, are
looked at: the bound may be ten thousand times what was measured. The bounds of the book, which
are derived from the arithmetic and not from what a machine shows, lie within half of that. What
is smaller than a few roundings counts as 10⁻¹⁵, since other machines round in another way.
"""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from sybil import Example

WIDEST = 10_000  # times what is measured
ROUNDED = 1e-15  # and no less than that
REACHED = 1 + 1e-6  # of a bound, and its rounding
SMALL = 1  # bounds of numbers, in place of counts and lengths; those of `gap` are all looked at
NAME = "_bounds_"  # what prompts know the bounds of a page by
OWN = (ast.FunctionDef, ast.ClassDef, ast.JoinedStr)  # not looked into


@dataclass
class Bound:
    """A comparison in a prompt, and what stood on its sides while the prompt ran."""

    text: str  # of the side that is bounded
    of: str  # which comparison it is of, if any
    measured: list[float] = field(default_factory=list)
    bound: list[float] = field(default_factory=list)

    def left(self, value: Any) -> Any:
        """Note what is measured, and hand it on."""
        self.measured += _sizes(value)
        return value

    def right(self, value: Any) -> Any:
        """Note the bound, and hand it on."""
        self.bound += _sizes(value)
        return value

    def wide(self) -> str:
        """Return what is wrong with it, if anything; no sentence makes a bound narrower."""
        bound, most = max(self.bound, default=0), max(self.measured, default=np.inf)
        if self.of == "share" and bound > REACHED:
            return f"share(…) is held below {bound:g}; a bound that holds has a share of at most 1"
        tolerance = self.of == "gap" or bound < SMALL
        if not tolerance or not bound > WIDEST * max(most, ROUNDED):
            return ""
        return (
            f"{bound:.2g} is more than {WIDEST} times what {self.text} is, {most:.2g}; a bound so "
            "wide would pass what is wrong, so derive a narrower one from the arithmetic"
        )


class Page(list[Bound]):
    """The bounds of a page, and the names that it gives to what `gap` and `share` return."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, str] = {}

    def note(self, tree: ast.Module) -> None:
        """Note what a prompt gives a name."""
        for node in tree.body:
            if isinstance(node, ast.Assign):
                names = (ast.unparse(target) for target in node.targets)
                self.names |= dict.fromkeys(names, _called(node.value))


@contextmanager
def watched(example: Example) -> Iterator[list[Bound]]:
    """Note what the comparisons of a prompt hold against each other while it is evaluated."""
    prompt, bounds = example.parsed, list[Bound]()
    source = prompt.source
    page = example.namespace.setdefault(NAME, Page())
    if "<" in source or "gap(" in source or "share(" in source:
        prompt.source = _noting(source, page, bounds)
    try:
        yield bounds
    finally:
        prompt.source = source


def _noting(source: str, page: Page, bounds: list[Bound]) -> str:
    """Return a prompt that tells what it compares; each line stays where it is."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # complained of where the prompt is run
        return source
    page.note(tree)
    put: list[tuple[int, int, bool, str]] = []
    for left, right in _compared(tree):
        of = _called(left) or page.names.get(ast.unparse(left), "")
        bound = Bound(_short(left), of)
        for side, note in ((left, "left"), (right, "right")):
            end = (side.end_lineno or 0, side.end_col_offset or 0)
            put.append((side.lineno, side.col_offset, True, f"{NAME}[{len(page)}].{note}("))
            put.append((*end, False, ")"))
        page.append(bound)
        bounds.append(bound)
    lines = [line.encode() for line in source.split("\n")]
    for number, column, _, text in sorted(put, key=lambda one: one[:3], reverse=True):
        line = lines[number - 1]
        lines[number - 1] = line[:column] + text.encode() + line[column:]
    return b"\n".join(lines).decode()


def _compared(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what is held below what, but for the insides of functions, which others may call."""
    if isinstance(node, ast.Compare):
        for (left, right), sign in zip(
            pairwise([node.left, *node.comparators]), node.ops, strict=True
        ):
            if isinstance(sign, ast.Lt | ast.LtE) and not isinstance(left, ast.Constant):
                yield left, right
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, OWN):
            yield from _compared(child)


def _called(side: ast.expr) -> str:
    return ast.unparse(side.func) if isinstance(side, ast.Call) else ""


def _short(side: ast.expr) -> str:
    text = ast.unparse(side)
    return "gap(…)" if _called(side) == "gap" else text if len(text) < 60 else f"{text[:57]}…"


def _sizes(value: Any) -> list[float]:
    """Return how large a number is, or the largest of an array; nothing for anything else."""
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return []
    return [float(abs(array).max())] if array.size else []
