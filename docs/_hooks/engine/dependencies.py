"""What code rests on of the package: the functions that it names, those that these name, and so on.

Found out by reading, before anything runs: a name of the package stands for a definition at
the top of a module (a function, a class, a constant), and whatever that definition names
belongs to it. What a module does besides defining something belongs to each definition in it.
Where a name cannot be followed, the whole module counts; where the package imports by a name
that it has made up, the modules that a text names with which it is called, or the whole folder.
So an edit of one function runs again only what rests on it. Docstrings and comments do not
run, and count only where code asks for them.

Tests trace what really runs and see that nothing is missing here: of chapters and labs where
their notebooks run, of other pages in `tests/engine/test_dependencies.py`.
"""

import ast
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path

from engine import trees
from engine.fences import Fence

IMPORTERS = {"importlib", "pkgutil", "__import__"}  # import what no name tells
NO_IMPORTERS = {"metadata", "resources"}  # of importlib
OWN_FILES = {"__file__", "resources"}  # read files that lie beside the module
# Read what does not run.
OWN_TEXTS = {"__doc__", "getcomments", "getdoc", "getsource", "getsourcelines", "help", "linecache"}
DATA = (".json", ".npz", ".gz")

Chain = tuple[str, ...]  # posenc.laws.check as ("posenc", "laws", "check")
Texts = tuple[str, ...]
Use = tuple[Chain, Texts | None]  # a name in code, and the texts that it is called with, if known
Definition = tuple[str, str]  # module and name

BESIDES = ""  # stands for what a module does besides defining something
ALL = "*"  # for all that can be asked of a module


@dataclass
class Module:
    """A module of the package, taken apart."""

    name: str  # posenc.laws
    path: Path
    definitions: dict[str, list[ast.stmt]] = field(default_factory=dict)
    imports: dict[str, set[Chain]] = field(default_factory=dict)  # what a name may stand for
    besides: list[ast.stmt] = field(default_factory=list)
    later: set[str] = field(default_factory=set)  # names that its __getattr__ imports when asked
    text: str = ""
    nodes: list[ast.AST] = field(default_factory=list)  # of all of it

    @property
    def announced(self) -> list[str] | None:
        """Return the names in its `__all__`, if it has one."""
        for node in self.definitions.get("__all__", ()):
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.List):
                return [str(n.value) for n in node.value.elts if isinstance(n, ast.Constant)]
        return None

    @cached_property
    def lines(self) -> list[str]:
        """Return its lines as they stand."""
        return self.text.splitlines()

    @cached_property
    def running(self) -> list[str | None]:
        """Return its lines without docstrings and comments; None for one that held nothing else."""
        lines: list[str | None] = [*self.lines]
        if not self.nodes:  # it cannot be read
            return lines
        found = [*_docstrings(self.nodes, self.lines), *_comments(self.nodes, self.lines)]
        for first, start, last, end in sorted(found, reverse=True):  # what is before stays there
            left = f"{(lines[first] or '')[:start]}{(lines[last] or '')[end:]}".rstrip()
            lines[first : last + 1] = [left or None, *[None] * (last - first)]
        return lines


def source(lines: Sequence[str | None], statements: Iterable[ast.stmt]) -> str:
    """Return those of the lines of a module that statements take, with decorators."""
    taken = (line for node in statements for line in lines[_first(node) - 1 : node.end_lineno])
    return "\n".join(line for line in taken if line is not None)


def _first(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


Span = tuple[int, int, int, int]  # line and column where it starts, and where it ends; from 0


def _span(node: ast.stmt | ast.expr, lines: list[str]) -> Span:
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    start = _column(lines[first], node.col_offset)
    return first, start, last, _column(lines[last], node.end_col_offset or 0)


def _column(line: str, offset: int) -> int:
    """Return the column of an offset, which `ast` counts in bytes."""
    return offset if line.isascii() else len(line.encode()[:offset].decode())


def _docstrings(nodes: Iterable[ast.AST], lines: list[str]) -> Iterator[Span]:
    documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    for node in nodes:
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
            yield _span(node.body[0], lines)


def _comments(nodes: Iterable[ast.AST], lines: list[str]) -> Iterator[Span]:
    """Yield where comments stand, but for those between texts that Python joins."""
    within: dict[int, list[tuple[int, int]]] = {
        number: [] for number, line in enumerate(lines) if "#" in line
    }
    for node in nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr):
            first, start, last, end = _span(node, lines)
            for number in within.keys() & range(first, last + 1):
                to = end if number == last else len(lines[number])
                within[number].append((start if number == first else 0, to))
    for number, taken in within.items():
        marks = (mark.start() for mark in re.finditer("#", lines[number]))
        outside = (at for at in marks if not any(start <= at < end for start, end in taken))
        if (begins := next(outside, None)) is not None:
            yield number, begins, number, len(lines[number])


@dataclass(frozen=True)
class Code:
    """What can be read off a piece of code alone."""

    imports: dict[str, set[Chain]]
    uses: frozenset[Use]
    texts: frozenset[str]
    asks: bool = False  # what docstrings or sources say


@lru_cache(maxsize=16384)
def read_off(source: str) -> Code:
    """Return what a piece of code outside of the package names; nothing if it cannot be read."""
    outside = Module("", Path())
    try:
        tree = ast.parse(source)
    except SyntaxError:  # complained of where the code is run
        return Code({}, frozenset(), frozenset())
    nodes = [*ast.walk(tree)]
    for node in nodes:
        learn(node, outside)
    return Code(outside.imports, frozenset(uses(tree)), frozenset(texts(nodes)), asks(nodes))


class Package:
    """A package as it stands on disk when this is made."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = contents(folder)
        self.modules = Modules(folder, self.files)
        self._known: dict[Definition, Known] = {}
        self._reached: dict[Definition, frozenset[Definition]] = {}
        self._digests: dict[tuple[str, ...], str] = {}

    @staticmethod
    def now(folder: Path, before: "Package | None" = None) -> "Package":
        """Return the package as it now stands: the one from before, where nothing is edited.

        That one remembers what it has followed.
        """
        return before if before and before.files == contents(folder) else Package(folder)

    @cached_property
    def content(self) -> str:
        """Return a digest of all of it."""
        files = [(str(path.relative_to(self.folder)), text) for path, text in self.files.items()]
        return hashlib.sha256(repr(files).encode()).hexdigest()

    def digest(self, sources: Iterable[str]) -> str:
        """Return a digest of everything in the package that code rests on."""
        sources = tuple(sources)
        if sources not in self._digests:
            self._digests[sources] = self._digest(sources)
        return self._digests[sources]

    def _digest(self, sources: tuple[str, ...]) -> str:
        text, folders = hashlib.sha256(), set[Path]()
        closure = sorted(self.closure(sources))
        asked = self._asked(closure)
        if any(read_off(source).asks for source in sources):
            asked.add(self.folder)
        for module, name in closure:
            known, there = self.known((module, name)), self.modules[module].path
            whole = any(there.is_relative_to(folder) for folder in asked)
            text.update(f"\0{module}.{name}\0{known.text if whole else known.runs}".encode())
            if known.reads:
                folders.add(there.parent)
        for path, content in self.files.items():
            if path.suffix in DATA and any(path.is_relative_to(folder) for folder in folders):
                text.update(f"\0{path.name}\0".encode() + content)
        return text.hexdigest()

    def _asked(self, definitions: Iterable[Definition]) -> set[Path]:
        """Return the folders of those definitions that ask what docstrings or sources say.

        As with files, of what lies there.
        """
        found = (module for module, name in definitions if self.known((module, name)).asks)
        return {self.modules[module].path.parent for module in found}

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

        The sources run in this order, and what one imports the next ones may use.
        """
        codes = [read_off(source) for source in sources]
        written = tuple({text for code in codes for text in code.texts})
        outside, found, followed = Module("", self.folder), set[Definition](), set[str]()
        for code in codes:
            for name, chains in code.imports.items():
                outside.imports.setdefault(name, set()).update(chains)
            for chain, said in code.uses:
                if any(map(imports_by_name, expanded(outside, chain))):
                    found |= self.reached((self.folder.name, ALL))
                for definition in self.meant(outside, chain):
                    found |= self.reached(definition)
                    importers = self._importers(self.reached(definition))
                    followed |= importers
                    found |= self._imported(importers, written if said is None else said)
        while left := self._importers(found) - followed:
            followed |= left
            found |= self._imported(left, ())
        return found

    def reached(self, definition: Definition) -> frozenset[Definition]:
        """Return a definition and all that it rests on, but for what is imported by name."""
        if definition not in self._reached:
            found, left = set[Definition](), [definition]
            while left:
                if (one := left.pop()) not in found:
                    found.add(one)
                    left += self.known(one).named
            self._reached[definition] = frozenset(found)
        return self._reached[definition]

    def known(self, definition: Definition) -> "Known":
        """Return what there is to know of a definition."""
        if definition not in self._known:
            module, name = self.modules[definition[0]], definition[1]
            found = self._all(module) if name == ALL else self._read(module, name)
            self._known[definition] = found
        return self._known[definition]

    def _read(self, module: Module, name: str) -> "Known":
        nodes = module.besides if name == BESIDES else module.definitions[name]
        chains = {chain for node in nodes for chain, _ in uses(node)}
        named = {(module.name, BESIDES)}.union(*(self.meant(module, chain) for chain in chains))
        whole = set[Chain]().union(*(expanded(module, chain) for chain in chains))
        return Known(
            text=source(module.lines, nodes),
            runs=source(module.running, nodes),
            named=named,
            imports=any(map(imports_by_name, whole)),
            reads=any(part in OWN_FILES for chain in whole for part in chain),
            asks=any(asks(ast.walk(node)) for node in nodes),
        )

    def _all(self, module: Module) -> "Known":
        """Return what may be asked of a module that somebody holds as a value."""
        named = {(module.name, name) for name in (BESIDES, *module.definitions)}
        for inner in self.modules:
            if inner.rpartition(".")[0] == module.name:
                named.add((inner, ALL))
        for chain in set[Chain]().union(*module.imports.values()):
            found = self.resolved(chain)
            if not any(name == ALL for _, name in found):  # a module that it imports is not its own
                named |= found
        return Known("", "", named)

    def meant(self, module: Module, chain: Chain) -> set[Definition]:
        """Return the definitions that a dotted name in a module may stand for."""
        found = {(module.name, chain[0])} if chain[0] in module.definitions else set()
        if chain[0] in module.imports:
            found = found.union(*map(self.resolved, expanded(module, chain)))
        return found  # nothing for a name of another package, or a local one

    def resolved(self, chain: Chain) -> set[Definition]:
        """Return the definitions of a dotted name that begins with the package."""
        if chain[0] != self.folder.name:
            return set()
        module, rest = self.modules[chain[0]], chain[1:]
        passed = {(module.name, BESIDES)}
        while rest:
            name, inner = rest[0], (*module.name.split("."), rest[0])
            found = {(module.name, name)} if name in module.definitions else set()
            for target in module.imports.get(name, set()) - {inner}:
                found |= self.resolved((*target, *rest[1:]))
            if name in module.later and "__getattr__" in module.definitions:
                found.add((module.name, "__getattr__"))
            if found:
                return passed | found
            if ".".join(inner) not in self.modules:
                return passed if name.startswith("__") else passed | {(module.name, ALL)}
            module, rest = self.modules[".".join(inner)], rest[1:]
            passed.add((module.name, BESIDES))
        return passed | {(module.name, ALL)}

    def _importers(self, definitions: Iterable[Definition]) -> set[str]:
        """Return the modules of those definitions that import by a name that they make up."""
        return {one[0] for one in definitions if self.known(one).imports}

    def _imported(self, importers: Iterable[str], said: Texts) -> set[Definition]:
        """Return what they may import: of their folders, what a text names, if it names any."""
        found: set[Definition] = set()
        for importer in importers:
            folder = self.modules[importer].path.parent
            beside = [module for module in self.modules.values() if module.path.parent == folder]
            there = [module for module in beside if not module.path.stem.startswith("_")]
            meant = [m for m in there if any(names(text, m.path.stem) for text in said)]
            found = found.union(*(self.reached((module.name, ALL)) for module in meant or there))
        return found


@dataclass(frozen=True)
class Known:
    """What is known of a definition of the package."""

    text: str
    runs: str  # of the text, without docstrings and comments
    named: set[Definition]
    imports: bool = False  # by names that are made up
    reads: bool = False  # files that lie beside its module
    asks: bool = False  # what docstrings or sources say


class Modules(Mapping[str, Module]):
    """The modules of a package by their names, each taken apart when it is first asked for."""

    def __init__(self, folder: Path, files: Mapping[Path, bytes]) -> None:
        self.folder = folder
        self.files = files
        self.paths = {called(path, folder): path for path in files if path.suffix == ".py"}
        self._asked: dict[str, Module] = {}

    def __getitem__(self, name: str) -> Module:
        if name not in self._asked:
            path = self.paths[name]
            text = self.files[path].decode("utf-8")
            self._asked[name] = taken_apart(path, self.folder, text)
        return self._asked[name]

    def __contains__(self, name: object) -> bool:
        return name in self.paths

    def __iter__(self) -> Iterator[str]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


def called(path: Path, folder: Path) -> str:
    """Return the name of a module of the package in a folder."""
    parts = path.relative_to(folder.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def contents(folder: Path) -> dict[Path, bytes]:
    """Return what is in each file of a package, by its path."""
    files = (path for path in folder.rglob("*") if path.suffix in (".py", *DATA))
    return {path: path.read_bytes() for path in sorted(files)}


@lru_cache(maxsize=512)
def taken_apart(path: Path, folder: Path, text: str) -> Module:
    """Return a module of the package in a folder, taken apart; a broken one is a single piece.

    To be looked at only: whoever asks again for the same text is given the same module.
    """
    module = Module(called(path, folder), path, text=text)
    try:
        tree = ast.parse(module.text)
    except SyntaxError:
        whole = ast.Pass(lineno=1, end_lineno=len(module.lines))
        module.besides.append(whole)
        return module
    module.nodes = [*ast.walk(tree)]
    for node in module.nodes:
        learn(node, module)
    for node in tree.body:
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            module.later |= _imported(node)
        for name in (defined := list(_defined(node))):
            module.definitions.setdefault(name, []).append(node)
        if not defined and not _is_followed(node):
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


def _imported(node: ast.stmt) -> set[str]:
    """Return the names that a statement imports."""
    froms = (inner for inner in ast.walk(node) if isinstance(inner, ast.ImportFrom))
    return {alias.asname or alias.name for inner in froms for alias in inner.names}


def _is_followed(node: ast.stmt) -> bool:
    """Return whether a statement only makes names known, or is no more than a docstring."""
    if isinstance(node, ast.ImportFrom):
        return not _is_star(node)
    docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return docstring or isinstance(node, ast.Import)


def _is_star(node: ast.ImportFrom) -> bool:
    return any(alias.name == "*" for alias in node.names)


def learn(node: ast.AST, module: Module) -> None:
    """Note what an import makes names stand for."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            whole = (*alias.name.split("."),)
            stands_for = whole if alias.asname else whole[:1]
            module.imports.setdefault(alias.asname or whole[0], set()).add(stands_for)
    elif isinstance(node, ast.ImportFrom):
        start = _start(node, module)
        for alias in node.names:
            stands_for = start if alias.name == "*" else (*start, alias.name)
            module.imports.setdefault(alias.asname or alias.name, set()).add(stands_for)


def _start(node: ast.ImportFrom, module: Module) -> Chain:
    """Return the module that names are imported from; dots lead up from the one that does."""
    own = (*module.name.split("."), *(["__init__"] if module.path.stem == "__init__" else []))
    above = own[: len(own) - node.level] if node.level else ()
    return (*above, *(node.module.split(".") if node.module else ()))


def uses(tree: ast.AST) -> Iterator[Use]:
    """Yield each dotted name in code, whole, with the texts that it is called with.

    None stands for texts that are not known: it is called with what has a name, or not called.
    """
    if isinstance(tree, ast.Call) and (chain := dotted(tree.func)):
        first = tree.args[:1] or [keyword.value for keyword in tree.keywords]
        said = (*texts(first),)
        yield chain, said if said or not first else None
        for part in (*tree.args, *tree.keywords):
            yield from uses(part)
    elif isinstance(tree, ast.Name | ast.Attribute) and (chain := dotted(tree)):
        yield chain, None
    elif isinstance(tree, ast.ImportFrom) and _is_star(tree):
        yield ("*",), None
    else:
        for node in ast.iter_child_nodes(tree):
            yield from uses(node)


def texts(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield those that are texts."""
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def asks(nodes: Iterable[ast.AST]) -> bool:
    """Return whether code asks what docstrings or sources say."""
    parts = ("attr", "id", "name", "value")  # of an attribute, a name, an import, a text
    return any(getattr(node, part, None) in OWN_TEXTS for node in nodes for part in parts)


def dotted(node: ast.expr) -> Chain:
    """Return `a.b.c` as its parts, or nothing for what does not begin with a name."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return (*before, node.attr) if before else ()
    return (node.id,) if isinstance(node, ast.Name) else ()


def expanded(module: Module, chain: Chain) -> set[Chain]:
    """Return a dotted name as what it may begin with stands for."""
    return {(*whole, *chain[1:]) for whole in module.imports.get(chain[0], ())} or {chain}


def imports_by_name(chain: Chain) -> bool:
    """Return whether it is a function that imports what no name tells."""
    return chain[0] in IMPORTERS and not NO_IMPORTERS.intersection(chain)


def names(text: str, module: str) -> bool:
    """Return whether a text names a module: "order-easy" does order, and "bug-sign" bugs."""
    first = re.match(r"\w*", text)
    return text.startswith(module) or bool(first and first[0] and module.startswith(first[0]))


def code_of(fence: Fence) -> tuple[str, ...]:
    """Return the code of a fence of Python: all of it, or what stands behind its prompts."""
    return prompted(fence.source) if fence.language == "pycon" else (fence.source,)


@lru_cache(maxsize=4096)
def prompted(session: str) -> tuple[str, ...]:
    """Return the code behind the prompts of a session."""
    try:
        return tuple(prompt.source for prompt in trees.prompts(session))
    except ValueError:  # complained of where the session is run
        return ()
