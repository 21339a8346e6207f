"""What code rests on of the package: the functions that it names, those that these name, and so on.

Found out by reading, before anything runs: a name of the package stands for a definition at
the top of a module (a function, a class, a constant), and whatever that definition names
belongs to it. What a module does besides defining something belongs to each definition in it.
Where a name cannot be followed, or code imports by a name that it has made up, the whole
folder counts. So an edit of one function runs again only what rests on it.

`tests/engine/test_dependencies.py` traces what really runs and sees that nothing is missing here.
"""

import ast
import doctest
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from engine.fences import Fence

IMPORTERS = {"importlib", "pkgutil", "__import__"}  # import what no name tells
OWN_FILES = {"__file__", "resources"}  # read files that lie beside the module
DATA = (".json", ".npz")

Chain = tuple[str, ...]  # posenc.laws.check as ("posenc", "laws", "check")
Definition = tuple[str, str]  # module and name; an empty name is what a module does besides


@dataclass
class Module:
    """A module of the package, taken apart."""

    name: str  # posenc.laws
    path: Path
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, Chain] = field(default_factory=dict)  # what a name stands for
    besides: list[ast.stmt] = field(default_factory=list)
    text: str = ""

    @property
    def announced(self) -> list[str] | None:
        """Return the names in its `__all__`, if it has one."""
        for node in self.definitions.get("__all__", ()):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.List):
                return [str(n.value) for n in node.value.elts if isinstance(n, ast.Constant)]
        return None

    def source(self, statements: Iterable[ast.stmt]) -> str:
        """Return the lines of statements, with the decorators of functions."""
        lines = self.text.splitlines()
        return "\n".join(
            line for node in statements for line in lines[_first(node) - 1 : node.end_lineno]
        )


def _first(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


@dataclass(frozen=True)
class Code:
    """What can be read off a piece of code alone."""

    imports: tuple[tuple[str, Chain], ...]
    chains: frozenset[Chain]
    strings: frozenset[str]


@lru_cache(maxsize=16384)
def read_off(source: str) -> Code:
    """Return what a piece of code outside of the package names; nothing if it cannot be read."""
    outside = Module("", Path())
    try:
        tree = ast.parse(source)
    except SyntaxError:  # complained of where the code is run
        return Code((), frozenset(), frozenset())
    found: set[str] = set()
    for node in ast.walk(tree):
        learn(node, outside)
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return Code((*outside.imports.items(),), frozenset(chains(tree)), frozenset(found))


class Package:
    """A package as it stands on disk when this is made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.modules: dict[str, Module] = {}
        for path in sorted(folder.rglob("*.py")):
            module = taken_apart(path, folder)
            self.modules[module.name] = module
        self._known: dict[Definition, Known] = {}
        self._digests: dict[tuple[str, ...], str] = {}

    @cached_property
    def data(self) -> dict[Path, str]:
        """Return the digest of each file of data, by its path."""
        files = (path for path in self.folder.rglob("*") if path.suffix in DATA)
        return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(files)}

    def digest(self, sources: Iterable[str]) -> str:
        """Return a digest of everything in the package that code rests on."""
        sources = tuple(sources)
        if sources not in self._digests:
            self._digests[sources] = self._digest(sources)
        return self._digests[sources]

    def _digest(self, sources: tuple[str, ...]) -> str:
        text, folders = hashlib.sha256(), set[Path]()
        for module, name in sorted(self.closure(sources)):
            known = self.known((module, name))
            text.update(f"\0{module}.{name}\0{known.text}".encode())
            if known.reads:
                folders.add(self.modules[module].path.parent)
        for path, digest in self.data.items():
            if any(path.is_relative_to(folder) for folder in folders):
                text.update(f"\0{path.name}\0{digest}".encode())
        return text.hexdigest()

    def public(self, name: str) -> bool:
        """Return whether a dotted name is public in the package, or a module of it."""
        first, *rest = name.split(".")
        module = self.modules[self.folder.name]
        if first != module.name or any(part.startswith("_") for part in rest):
            return False
        for place, part in enumerate(rest):
            announced = module.announced
            if part in announced if announced is not None else part in module.definitions:
                return self._has(module, part, rest[place + 1 :])
            if f"{module.name}.{part}" not in self.modules:
                return False
            module = self.modules[f"{module.name}.{part}"]
        return True

    def names(self) -> list[str]:
        """Return every public name, as its own module announces it."""
        return [
            f"{module.name}.{name}"
            for module in self.modules.values()
            for name in module.announced or ()
        ]

    def _has(self, module: Module, name: str, members: list[str]) -> bool:
        """Return whether what a module calls by a name has members, if any are asked for."""
        if not members:
            return True
        for there, definition in self.resolved((*module.name.split("."), name)):
            for node in self.modules[there].definitions.get(definition, ()):
                if isinstance(node, ast.ClassDef) and len(members) == 1:
                    return members[0] in {n for part in node.body for n in _defined(part)}
        return False

    def closure(self, sources: Iterable[str]) -> set[Definition]:
        """Return the definitions that code outside of the package names, with all they rest on.

        Where the package imports a module by a name, it is one that begins a string in this
        code, if there is any such module.
        """
        outside, strings, left = Module("", self.folder), set[str](), list[Definition]()
        for code in map(read_off, sources):
            outside.imports.update(code.imports)
            strings |= code.strings
            for chain in code.chains:
                left += self.meant(outside, chain)
        found: set[Definition] = set()
        while left:
            definition = left.pop()
            if definition not in found:
                found.add(definition)
                known = self.known(definition)
                left += known.named
                left += self._imported(definition[0], strings) if known.imports else ()
        return found

    def known(self, definition: Definition) -> "Known":
        """Return what there is to know of a definition."""
        if definition not in self._known:
            module, name = self.modules[definition[0]], definition[1]
            nodes = module.definitions[name] if name else module.besides
            named = {chain for node in nodes for chain in chains(node)}
            self._known[definition] = Known(
                text=module.source(nodes),
                named={(module.name, "")}.union(*(self.meant(module, chain) for chain in named)),
                imports=any(chain[0] in IMPORTERS for chain in named),
                reads=any(part in OWN_FILES for chain in named for part in chain),
            )
        return self._known[definition]

    def meant(self, module: Module, chain: Chain) -> set[Definition]:
        """Return the definitions that a dotted name in a module may stand for."""
        root, *rest = chain
        if root in module.definitions:
            return {(module.name, root)}
        if root not in module.imports:
            return set()  # of another package, or a local name
        return self.resolved((*module.imports[root], *rest))

    def resolved(self, chain: Chain) -> set[Definition]:
        """Return the definitions of a dotted name that begins with the package."""
        if chain[0] != self.folder.name:
            return set()
        module, rest = self.modules[chain[0]], chain[1:]
        passed = {(module.name, "")}
        while rest:
            inner = f"{module.name}.{rest[0]}"
            if rest[0] in module.definitions:
                return passed | {(module.name, rest[0])}
            if rest[0] in module.imports and module.imports[rest[0]] != (*inner.split("."),):
                return passed | self.resolved((*module.imports[rest[0]], *rest[1:]))
            if inner not in self.modules:
                return passed if rest[0].startswith("__") else self.everything(module)
            module, rest = self.modules[inner], rest[1:]
            passed.add((module.name, ""))
        return self.everything(module)  # the module itself, which somebody may ask for any name

    def everything(self, module: Module) -> set[Definition]:
        """Return all definitions of a module, and of all modules in its folder."""
        prefix = f"{module.name}."
        inside = [m for m in self.modules.values() if f"{m.name}.".startswith(prefix)]
        return {(m.name, name) for m in inside for name in ("", *m.definitions)}

    def _imported(self, importer: str, strings: Iterable[str]) -> set[Definition]:
        """Return what may be imported by name: of the same folder, what a string begins with."""
        folder = self.modules[importer].path.parent
        beside = [module for module in self.modules.values() if module.path.parent == folder]
        there = [module for module in beside if not module.path.stem.startswith("_")]
        meant = [m for m in there if any(s.startswith(m.path.stem) for s in strings)]
        return set().union(*(self.everything(module) for module in meant or there))


@dataclass(frozen=True)
class Known:
    """What is known of a definition of the package."""

    text: str
    named: set[Definition]
    imports: bool  # by names that are made up
    reads: bool  # files that lie beside its module


def taken_apart(path: Path, folder: Path) -> Module:
    """Return a module of the package in a folder, taken apart; a broken one is a single piece."""
    parts = path.relative_to(folder.parent).with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    module = Module(name, path, text=path.read_text("utf-8"))
    try:
        body = ast.parse(module.text).body
    except SyntaxError:
        whole = ast.Pass(lineno=1, end_lineno=len(module.text.splitlines()))
        module.besides.append(whole)
        return module
    for node in body:
        for inner in ast.walk(node):
            learn(inner, module)
        for name in (names := list(_defined(node))):
            module.definitions.setdefault(name, []).append(node)
        if not names and not isinstance(node, ast.Import | ast.ImportFrom) and not _is_text(node):
            module.besides.append(node)
    return module


def _defined(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement at the top of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            yield from (
                name.id
                for name in ast.walk(target)
                if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
            )


def _is_text(node: ast.stmt) -> bool:
    """Return whether a statement is no more than a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def learn(node: ast.AST, module: Module) -> None:
    """Note what an import makes names stand for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            whole = (*alias.name.split("."),)
            module.imports[alias.asname or whole[0]] = whole if alias.asname else whole[:1]
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        for alias in node.names:
            module.imports[alias.asname or alias.name] = (*node.module.split("."), alias.name)


def chains(tree: ast.AST) -> Iterator[Chain]:
    """Yield each dotted name in code, whole."""
    if isinstance(tree, ast.Name):
        yield (tree.id,)
    elif isinstance(tree, ast.Attribute) and (chain := dotted(tree)):
        yield chain
    else:
        for node in ast.iter_child_nodes(tree):
            yield from chains(node)


def dotted(node: ast.expr) -> Chain:
    """Return `a.b.c` as its parts, or nothing for what does not begin with a name."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return (*before, node.attr) if before else ()
    return (node.id,) if isinstance(node, ast.Name) else ()


def code_of(fence: Fence) -> tuple[str, ...]:
    """Return the code of a fence of Python: all of it, or what stands behind its prompts."""
    return prompted(fence.source) if fence.language == "pycon" else (fence.source,)


@lru_cache(maxsize=4096)
def prompted(session: str) -> tuple[str, ...]:
    """Return the code behind the prompts of a session."""
    try:
        return tuple(prompt.source for prompt in doctest.DocTestParser().get_examples(session))
    except ValueError:  # complained of where the session is run
        return ()
