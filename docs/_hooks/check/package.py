"""The source of the package: its digest, its public names, and what depends on a function.

Files are read and parsed, never imported, so an edited module is seen at once.
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
    """Return all files of the package that its code reads or consists of."""
    return sorted(path for path in PACKAGE.rglob("*") if path.suffix in (".py", *DATA))


def digest_package() -> str:
    """Return a digest of all files of the package, as they are on disk now."""
    found = hashlib.sha256()
    for path in list_files():
        found.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + path.read_bytes())
    return found.hexdigest()


def find_module(name: str) -> Path | None:
    """Return the file of a module, given its dotted name; None if there is none."""
    place = PACKAGE.parent.joinpath(*name.split("."))
    files = (place / "__init__.py", place.with_suffix(".py"))
    return next((file for file in files if file.is_file()), None)


def is_public(name: str) -> bool:
    """Return whether a dotted name is a public module, name, or member of a class."""
    parts = name.split(".")
    if parts[0] != PACKAGE.name or any(part.startswith("_") for part in parts):
        return False
    for end in range(1, len(parts)):
        module = find_module(".".join(parts[:end]))
        if module is None:
            return False
        if parts[end] in list_exports(module.read_text("utf-8")):
            return not parts[end + 1 :] or ".".join(parts[end:]) in _list_members(digest_package())
    return find_module(name) is not None


def list_public_names() -> list[str]:
    """Return every public name, as its own module exports it."""
    found = []
    for path in PACKAGE.rglob("*.py"):
        module = path.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".")
        exports = list_exports(path.read_text("utf-8"))
        found += [f"{module.removesuffix('.__init__')}.{name}" for name in exports]
    return found


@lru_cache(maxsize=512)
def list_exports(source: str) -> tuple[str, ...]:
    """Return the names in the `__all__` of a module; none if it has no such list."""
    match = re.search(r"^__all__(?:: [^=\n]+)? = (\[[^\]]*\])", source, re.MULTILINE)
    return tuple(ast.literal_eval(match[1])) if match else ()


@lru_cache(maxsize=1)
def _list_members(digest: str) -> set[str]:
    """Return the members of all classes of the package, as Class.member."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found |= {
                    f"{node.name}.{name}" for part in node.body for name in _list_definitions(part)
                }
    return found


def find_dependents(function: str) -> set[str]:
    """Return the function's name and those of all definitions that use it, directly or not.

    Names are compared without their modules, so the result may be too large but not too small.
    """
    uses: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        for name, used in _list_uses(path.read_text("utf-8")):
            uses.setdefault(name, set()).update(used)
    found, size = {function}, 0
    while len(found) > size:
        size = len(found)
        found |= {name for name, used in uses.items() if used & found}
    return found


@lru_cache(maxsize=512)
def _list_uses(source: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return each name that a module defines or imports under another name, and what it uses."""
    tree, found = ast.parse(source), []
    for node in tree.body:
        names = frozenset(find_names(compile(ast.Module([node], []), "", "exec")))
        found += [(name, names) for name in _list_definitions(node)]
    for part in ast.walk(tree):
        if isinstance(part, ast.alias) and part.asname:
            found.append((part.asname, frozenset(part.name.split("."))))
    return tuple(found)


def find_names(code: CodeType) -> Iterator[str]:
    """Yield the names that compiled code takes from elsewhere: globals, attributes, imports."""
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
