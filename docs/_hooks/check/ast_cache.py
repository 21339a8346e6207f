"""Parsed code of pages, cached because many rules read the same code.

The results are shared, so callers must not change them.
"""

import ast
import doctest
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache

from check.fences import find_fences


@lru_cache(maxsize=4096)
def parse_session(session: str) -> tuple[doctest.Example, ...]:
    """Return the prompts of a session; raise ValueError if it cannot be parsed."""
    return tuple(doctest.DocTestParser().get_examples(session))


def find_prompts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the position and the source of each prompt of a page, or of a part of one."""
    for fence in find_fences(text):
        if fence.language == "pycon" and "not-run" not in fence.classes:
            with suppress(ValueError):  # reported by the parser of code blocks
                for prompt in parse_session(fence.source):
                    yield fence.line_starts[prompt.lineno], prompt.source


@lru_cache(maxsize=4096)
def parse_source(source: str) -> ast.Module:
    """Return the syntax tree of a source; raise SyntaxError if it has none."""
    return ast.parse(source)


@lru_cache(maxsize=65536)
def list_nodes(node: ast.AST) -> tuple[ast.AST, ...]:
    """Return a node of a cached tree and all nodes within it."""
    return tuple(ast.walk(node))
