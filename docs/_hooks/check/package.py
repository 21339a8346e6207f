"""The source of the package: its digest, its public names, and what depends on a function.

Files are parsed and not imported, so that edits have an effect without a restart.
"""

import ast
import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType

from check.paths import PACKAGE

DATA = (".json", ".npz", ".gz")


def list_files() -> list[Path]:
    """Return the modules and data files of the package."""
    return sorted(path for path in PACKAGE.rglob("*") if path.suffix in (".py", *DATA))


def digest_package() -> str:
    """Return a digest of all files of the package, as they are on disk now."""
    digest = hashlib.sha256()
    for path in list_files():
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def find_module(name: str) -> Path | None:
    """Return the file of the module with a dotted name; None if there is no such module."""
    path = PACKAGE.parent.joinpath(*name.split("."))
    files = (path / "__init__.py", path.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


def is_public(name: str) -> bool:
    """Return whether a dotted name is a module with `__all__`, a name in one, or a member."""
    parts = name.split(".")
    if parts[0] != PACKAGE.name or any(part.startswith("_") for part in parts):
        return False
    for end in range(1, len(parts)):
        module = find_module(".".join(parts[:end]))
        if module is None:
            return False
        if parts[end] in list_exports(module.read_text("utf-8")):
            return not parts[end + 1 :] or ".".join(parts[end:]) in _list_members(digest_package())
    module = find_module(name)
    return module is not None and bool(list_exports(module.read_text("utf-8")))


def list_public_names() -> list[str]:
    """Return every public name, with the module that exports it."""
    names = []
    for path in PACKAGE.rglob("*.py"):
        module = path.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".")
        exports = list_exports(path.read_text("utf-8"))
        names += [f"{module.removesuffix('.__init__')}.{name}" for name in exports]
    return names


@lru_cache(maxsize=512)
def list_exports(source: str) -> tuple[str, ...]:
    """Return the names in the `__all__` of a module; an empty tuple without `__all__`."""
    match = re.search(r"^__all__(?:: [^=\n]+)? = (\[[^\]]*\])", source, re.MULTILINE)
    return tuple(ast.literal_eval(match[1])) if match else ()


@lru_cache(maxsize=1)
def _list_members(digest: str) -> set[str]:
    """Return the members of all classes of the package, as Class.member."""
    members = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                names = (name for part in node.body for name in _list_definitions(part))
                members |= {f"{node.name}.{name}" for name in names}
    return members


def find_dependents(function: str) -> set[str]:
    """Return the names of a function and of all definitions that use it, directly or indirectly.

    Names are compared without their modules, so the result may be too large but not too small.
    """
    uses: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for name, used in _list_uses(path.read_text("utf-8")):
            uses.setdefault(name, set()).update(used)
    dependents, size = {function}, 0
    while len(dependents) > size:
        size = len(dependents)
        dependents |= {name for name, used in uses.items() if used & dependents}
    return dependents


@lru_cache(maxsize=512)
def _list_uses(source: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return each name that a module defines or imports under another name, and what it uses."""
    tree, uses = ast.parse(source), []
    for node in tree.body:
        names = frozenset(find_names(compile(ast.Module([node], []), "", "exec")))
        uses += [(name, names) for name in _list_definitions(node)]
    for part in ast.walk(tree):
        if isinstance(part, ast.alias) and part.asname:
            uses.append((part.asname, frozenset(part.name.split("."))))
    return tuple(uses)


def find_names(code: CodeType) -> Iterator[str]:
    """Yield the names that compiled code refers to: globals, attributes and imports."""
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from find_names(part)


def _list_definitions(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for target in targets:
            yield from (name.id for name in ast.walk(target) if isinstance(name, ast.Name))
