"""The API in plain Markdown: the signature and the docstring of a name, as code."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import griffe

from check.package import find_module, list_exports
from check.page_source import read_page
from check.paths import PACKAGE

Definition = ast.FunctionDef | ast.ClassDef


def render_stub(name: str, package: str) -> str:
    """Return an entry of an API page: the stub of a name, or a list of the names of a module.

    `package` is a digest of the package.
    """
    if module := find_module(name):
        names = ", ".join(f"`{member}`" for member in list_exports(read_page(module)))
        return f"### `{name}`\n\n{names}\n"
    *_, last = name.split(".")
    file = Path(find_definition(name, package).filepath)
    code = extract_stubs(read_page(file)).get(last, f"{last} = ...")
    return f"### `{name}`\n\n```{{.python .not-run}}\n{code}\n```\n"


def find_definition(name: str, package: str) -> Any:
    """Return what griffe knows of a public name, where it is defined; nothing is imported."""
    definition = _load_package(package)[name.removeprefix(f"{PACKAGE.name}.")]
    while definition.is_alias:
        definition = definition.target
    return definition


@lru_cache(maxsize=1)
def _load_package(package: str) -> Any:
    """Return the package as griffe reads it; `package`, its digest, makes an edit load it again."""
    return griffe.load(PACKAGE.name, search_paths=[PACKAGE.parent], try_relative_path=False)


@lru_cache(maxsize=128)
def extract_stubs(source: str) -> dict[str, str]:
    """Return each public function and class of a module, without bodies."""
    lines = source.splitlines()
    return {
        node.name: "\n".join(_list_stub_lines(node, lines))
        for node in ast.parse(source).body
        if isinstance(node, Definition) and not node.name.startswith("_")
    }


def _list_stub_lines(node: Definition, lines: list[str]) -> Iterator[str]:
    """Yield the lines of a function or a class up to its docstring, and those of its methods."""
    first = node.body[0]
    documented = ast.get_docstring(node, clean=False) is not None
    last = first.end_lineno if documented else first.lineno - 1
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    yield from lines[start - 1 : last]
    if isinstance(node, ast.ClassDef):
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and _is_public(part.name):
                yield ""
                yield from _list_stub_lines(part, lines)
            elif isinstance(part, ast.AnnAssign):
                yield from lines[part.lineno - 1 : part.end_lineno]


def _is_public(name: str) -> bool:
    return not name.startswith("_") or name in ("__init__", "__call__")
