"""What a name of the package promises, as plain code: its signature and its docstring."""

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from engine.places import ROOT
from engine.texts import read

Promise = ast.FunctionDef | ast.ClassDef


def stub(name: str) -> str:
    """Return a heading and code for what the API page shows: a name, or a module of names."""
    _, *way = name.split(".")
    for last in ("", ".py"):
        if (there := ROOT.joinpath("posenc", *way).with_suffix(last)).exists():
            return "\n".join(_shown(f"{name}.{member}", code) for member, code in _public(there))
    within = [path for path in files(ROOT / "posenc") if set(way[:-1]) <= set(_words(path))]
    found = [code for path in within if (code := promises(read(path)).get(way[-1]))]
    return _shown(name, found[0] if found else f"{way[-1]} = ...")


def _shown(name: str, code: str) -> str:
    return f"### `{name}`\n\n```{{.python .not-run}}\n{code}\n```\n"


def _public(there: Path) -> Iterator[tuple[str, str]]:
    for path in files(there):
        yield from promises(read(path)).items()


def files(there: Path) -> list[Path]:
    """Return a file as a list, or the files of a folder."""
    return sorted(there.rglob("*.py")) if there.is_dir() else [there]


def _words(path: Path) -> tuple[str, ...]:
    return path.relative_to(ROOT).with_suffix("").parts


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
