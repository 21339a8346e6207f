"""What a name of the package promises, as plain code: its signature and its docstring."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import griffe

from check.package import find_module, list_exports
from check.page_source import read_page
from check.paths import PACKAGE

Promise = ast.FunctionDef | ast.ClassDef


def stub(name: str, package: str) -> str:
    """Return an entry of an API page: the code of a name, or a list of the names of a module.

    `package` is a digest of the package.
    """
    if module := find_module(name):
        names = ", ".join(f"`{member}`" for member in list_exports(read_page(module)))
        return f"### `{name}`\n\n{names}\n"
    *_, last = name.split(".")
    definition = _load(package)[name.removeprefix(f"{PACKAGE.name}.")]
    while definition.is_alias:
        definition = definition.target
    code = promises(read_page(Path(definition.filepath))).get(last)
    return _shown(name, code or f"{last} = ...")


@lru_cache(maxsize=1)
def _load(package: str) -> Any:
    """Return the package as griffe reads it; an edit of it gives another digest."""
    return griffe.load(PACKAGE.name, search_paths=[PACKAGE.parent], try_relative_path=False)


def _shown(name: str, code: str) -> str:
    return f"### `{name}`\n\n```{{.python .not-run}}\n{code}\n```\n"


@lru_cache(maxsize=128)
def promises(source: str) -> dict[str, str]:
    """Return the code of each public function and class of a module, without its insides."""
    lines = source.splitlines()
    return {
        node.name: "\n".join(_bare(node, lines))
        for node in ast.parse(source).body
        if isinstance(node, Promise) and not node.name.startswith("_")
    }


def _bare(node: Promise, lines: list[str]) -> Iterator[str]:
    """Yield the lines of a function or a class down to its docstring, and those of methods."""
    first = node.body[0]
    documented = ast.get_docstring(node, clean=False) is not None
    last = first.end_lineno if documented else first.lineno - 1
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    yield from lines[start - 1 : last]
    if isinstance(node, ast.ClassDef):
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and _of_interest(part.name):
                yield ""
                yield from _bare(part, lines)
            elif isinstance(part, ast.AnnAssign):
                yield from lines[part.lineno - 1 : part.end_lineno]


def _of_interest(name: str) -> bool:
    return not name.startswith("_") or name in ("__init__", "__call__")
