"""Forgotten rounds and calls: what code leaves behind, though it looks as if it were there.

A loop may hand on what its last round has left, and nothing of the others.

`worst = max(worst, error)` keeps the largest of all errors, `worst = max(0, error)` that of the
last one, and both are small where the package is right. So a name that a loop binds anew in each
round, and reads in none, is not read behind the loop.

And `(a == b).all` without its parentheses is a method, which is true whatever a and b are.
"""

import ast
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache

from sybil import Document, Region

from engine import trees
from engine.complaints import complaint
from engine.texts import by_text
from engine.witnesses import FUNCTIONS, code

LOOPS = (ast.For, ast.While)
VERDICTS = ("all", "any")
MODULES = ("np", "jnp", "numpy")  # whose functions of these names are handed to others


@by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each forgotten call, and each loop that forgets all but a round."""
    places, body = [], list[ast.stmt]()
    for place, source in code(document.text):
        with suppress(SyntaxError):  # complained of where it is run
            found = trees.tree(source).body
            body += found
            places += [place] * len(found)
    for number, name in forgotten(body):
        said = f"{name} is of the last round of this loop alone; keep something of all rounds"
        yield complaint(places[number], said)
    for number, node in enumerate(body):
        for call in uncalled(node):
            said = f"{call} is a method, which is true whatever it would say; call it: {call}()"
            yield complaint(places[number], said)


def uncalled(node: ast.AST) -> Iterator[str]:
    """Yield what has a verdict, all or any, and is not asked for it."""
    nodes = trees.nodes(node)
    verdicts = [one for one in nodes if isinstance(one, ast.Attribute) and one.attr in VERDICTS]
    called = {id(one.func) for one in nodes if isinstance(one, ast.Call)} if verdicts else set()
    for one in verdicts:
        if id(one) not in called and ast.unparse(one.value) not in MODULES:
            yield ast.unparse(one)


def forgotten(body: Sequence[ast.stmt]) -> Iterator[tuple[int, str]]:
    """Yield the names that are left by a last round and read behind it, with their statements."""
    read = cache(_read)  # a statement stands behind several loops
    for number, node in enumerate(body):
        for inner in trees.nodes(node):
            if isinstance(inner, ast.FunctionDef):
                yield from ((number, name) for _, name in forgotten(inner.body))
        if isinstance(node, LOOPS):
            left = _bound(node) - read(node)
            for later in body[number + 1 :]:
                yield from ((number, name) for name in sorted(read(later) & left))
                left -= read(later) | _bound(later)


def _bound(node: ast.AST) -> set[str]:
    """Return the names that a statement binds, but for those of functions in it."""
    return set[str]() if isinstance(node, FUNCTIONS) else _names(node, ast.Store)


def _read(node: ast.AST) -> set[str]:
    added = (one.target for one in trees.nodes(node) if isinstance(one, ast.AugAssign))
    return _names(node, ast.Load) | {name for one in added for name in _names(one, ast.Store)}


def _names(node: ast.AST, context: type[ast.expr_context]) -> set[str]:
    named = (one for one in trees.nodes(node) if isinstance(one, ast.Name))
    return {one.id for one in named if isinstance(one.ctx, context)}
