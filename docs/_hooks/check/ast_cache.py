"""Code of a page as Python reads it, once for all rules that look at it.

Prompts and trees are to be looked at only: whoever asks for the same source is given the same.
"""

import ast
import doctest
from functools import lru_cache


@lru_cache(maxsize=4096)
def parse_session(session: str) -> tuple[doctest.Example, ...]:
    """Return the prompts of a session; ValueError says why it cannot be read."""
    return tuple(doctest.DocTestParser().get_examples(session))


@lru_cache(maxsize=4096)
def parse_source(source: str) -> ast.Module:
    """Return the tree of a source; SyntaxError says why there is none."""
    return ast.parse(source)


@lru_cache(maxsize=65536)
def list_nodes(node: ast.AST) -> tuple[ast.AST, ...]:
    """Return a node of such a tree, and all within it."""
    return tuple(ast.walk(node))
