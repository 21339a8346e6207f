"""Run the code that a reader has pasted, and choose what to judge among what it defines."""

import ast
import math
import re
import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np

FILE = "<your code>"  # the name of the code in tracebacks
MODULE = "your_code"
PROMPT = re.compile(r"(?:>>>|\.\.\.)(?: |$)")
COMMAND = re.compile(r"[%!]")  # of a notebook


class InputError(Exception):
    """Something about the input that the reader can change."""


def clean_code(text: str) -> str:
    """Return code without fences, prompts and notebook commands; lines keep their numbers."""
    lines = textwrap.dedent(text).splitlines()
    fences = [n for n, line in enumerate(lines) if line.startswith("```")]
    if fences:
        first, last = fences[0], [*fences, len(lines)][1]
        lines = [line if first < n < last else "" for n, line in enumerate(lines)]
    if any(line.startswith(">>> ") for line in lines):
        lines = [PROMPT.sub("", line, count=1) if PROMPT.match(line) else "" for line in lines]
    return "\n".join("" if COMMAND.match(line) else line for line in lines) + "\n"


def run_code(text: str, chosen: str = "") -> tuple[Any, str, list[str]]:
    """Run code; return what it defines under the chosen name or another, the name, and all names.

    Without a choice, it is the last function that takes arguments and that no other function
    uses, or the last array, or the arrays `cos` and `sin` together.
    """
    code = clean_code(text)
    tree = ast.parse(code, FILE)
    defined: dict[str, Any] = {"__name__": MODULE, "np": np, "math": math}
    exec(compile(tree, FILE, "exec"), defined)
    functions = [name for name, value in defined.items() if _is_function(value)]
    if functions:
        name = chosen if chosen in functions else _choose_function(functions, defined, tree)
        return defined[name], name, functions
    arrays = [name for name, value in defined.items() if isinstance(value, np.ndarray)]
    if {"cos", "sin"} <= set(arrays):
        return (defined["cos"], defined["sin"]), "cos, sin", []
    if arrays:
        return defined[arrays[-1]], arrays[-1], []
    for name, value in defined.items():
        if isinstance(value, type) and value.__module__ == MODULE:
            raise InputError(
                f"{name} is a class. Add a function or an object that can be called, such as"
                f" rope = {name}(64)."
            )
    raise InputError("The code defines no function and no array, so there is nothing to judge.")


def _is_function(value: Any) -> bool:
    own = getattr(value, "__module__", "") == MODULE
    return own and callable(value) and not isinstance(value, type)


def _choose_function(names: list[str], defined: dict[str, Any], tree: ast.Module) -> str:
    """Return the last function that takes arguments and that no other such function uses."""
    codes = {name: getattr(defined[name], "__code__", None) for name in names}
    bare = {name for name, code in codes.items() if code and not code.co_argcount}
    used = set(_list_used_names(tree, bare))
    return max(names, key=lambda name: (name not in used | bare, names.index(name)))


def _list_used_names(tree: ast.Module, skipped: set[str]) -> Iterator[str]:
    """Yield the names that functions and classes use, except their own."""
    for part in tree.body:
        if isinstance(part, ast.FunctionDef | ast.ClassDef) and part.name not in skipped:
            for node in ast.walk(part):
                if isinstance(node, ast.Name) and node.id != part.name:
                    yield node.id
