"""What a name of the package promises, as plain code: its signature and its docstring."""

import ast
from collections.abc import Iterator
from functools import lru_cache

from engine.dependencies import Package
from engine.texts import read

Promise = ast.FunctionDef | ast.ClassDef


def stub(name: str, package: Package) -> str:
    """Return a heading and code for what the API page shows: a name, or a module of names."""
    if name in package.modules:
        shown = [
            _shown(f"{name}.{member}", code)
            for module in package.modules.values()
            if f"{module.name}.".startswith(f"{name}.")
            for member, code in promises(read(module.path)).items()
        ]
        return "\n".join(shown)
    *_, last = name.split(".")
    for module, member in package.resolved((*name.split("."),)):
        if member == last and (code := promises(read(package.modules[module].path)).get(last)):
            return _shown(name, code)
    return _shown(name, f"{last} = ...")


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
