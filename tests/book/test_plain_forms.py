"""Implementations can be copied: each runs in an empty session after `import numpy as np`."""

import ast
import builtins
import dis
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

import numpy as np
import pytest

from check import ast_cache
from check.cards import Block, find_blocks
from check.fences import INCLUDE, Fence, find_fences
from check.page_source import read_page
from check.paths import ROOT
from export.markdown import read_included_code

MOST_LINES = 8  # of a function


@dataclass
class Implementation:
    """The code that a reader copies from an implementation, and the block that verifies it."""

    place: str
    code: str
    verification: Block

    @property
    def functions(self) -> list[ast.FunctionDef]:
        """Return the functions that the code defines."""
        return [node for node in ast.parse(self.code).body if isinstance(node, ast.FunctionDef)]

    def run(self) -> dict[str, Any]:
        """Return the names of an empty session after the code has run in it."""
        namespace: dict[str, Any] = {"np": np}
        exec(compile(self.code, self.place, "exec"), namespace)
        return namespace


def read_code(fence: Fence) -> str:
    """Return the code of a fence without prompts and answers, as a page shows it."""
    if include := INCLUDE.fullmatch(fence.source):
        return read_included_code(include["path"], include["section"])
    if fence.language == "pycon":
        return "".join(prompt.source for prompt in ast_cache.parse_session(fence.source))
    return fence.source


def find_implementations(text: str, page: str) -> Iterator[Implementation]:
    """Yield the implementations of a page."""
    code = place = ""
    for block in find_blocks(text):
        if block.kind == "implementation":
            place = f"{page}:{text.count(chr(10), 0, block.start) + 1}"
            code = "\n".join(map(read_code, find_fences(block.text)))
        elif block.kind == "verification" and place:
            yield Implementation(place, code, block)
            place = ""


def list_global_names(code: CodeType) -> set[str]:
    """Return the names that compiled code looks up outside its functions."""
    names = {
        instruction.argval
        for instruction in dis.get_instructions(code)
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    inner = (constant for constant in code.co_consts if isinstance(constant, CodeType))
    return names.union(*map(list_global_names, inner))


IMPLEMENTATIONS = [
    implementation
    for page in sorted((ROOT / "docs/chapters").glob("*.md"))
    for implementation in find_implementations(read_page(page), page.stem)
]
each_implementation = pytest.mark.parametrize(
    "implementation", IMPLEMENTATIONS, ids=[each.place for each in IMPLEMENTATIONS]
)


@each_implementation
def test_it_runs_in_an_empty_session_and_defines_a_function(implementation):
    implementation.run()

    assert implementation.functions


@each_implementation
def test_it_uses_no_names_that_it_does_not_define(implementation):
    defined = {*implementation.run(), *dir(builtins)}
    compiled = compile(implementation.code, implementation.place, "exec")

    assert list_global_names(compiled) <= defined


@each_implementation
def test_its_functions_are_short_and_return_something(implementation):
    for function in implementation.functions:
        assert function.end_lineno - function.lineno < MOST_LINES, function.name
        assert isinstance(function.body[-1], ast.Return), function.name


@each_implementation
def test_its_functions_are_verified(implementation):
    functions = {function.name for function in implementation.functions}
    used = {
        node.id
        for _, source in ast_cache.find_prompts(implementation.verification.text)
        for node in ast.walk(ast_cache.parse_source(source))
        if isinstance(node, ast.Name)
    }

    assert functions <= used
