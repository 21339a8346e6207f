"""The house: which package may import which, what the engine needs, and that nothing is global."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from textwrap import dedent

from engine.places import ROOT
from website import plugin

HOOKS = ROOT / "docs/_hooks"
MODULES = {
    ".".join(path.relative_to(HOOKS).with_suffix("").parts): ast.parse(path.read_text("utf-8"))
    for path in sorted(HOOKS.rglob("*.py"))
}

# Each package imports from itself, and from these alone of the house.
BELOW = {
    "engine": set(),
    "pages": {"engine"},
    "export": {"engine", "pages"},
    "website": {"engine", "pages", "export"},
    "swapped": {"engine", "pages"},
    "hooks": {"website"},
    "measure": {"engine", "pages"},
    "vouch": {"engine", "pages"},
}
HOUSE = set(BELOW)
MKDOCS = {"mkdocs", "mkdocs_autorefs", "mkdocs_jupyter", "mkdocstrings", "material"}


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the packages that a module imports from, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." if node.level else (node.module or "").partition(".")[0]


def wrong(name: str, tree: ast.AST) -> set[str]:
    """Return what a module imports and must not."""
    package = name.partition(".")[0]
    kept = MKDOCS if package != "website" else set()
    return set(imported(tree)) & ((HOUSE - BELOW[package] - {package}) | kept | {"."})


def test_imports_point_one_way_and_the_website_alone_knows_mkdocs():
    assert {name.partition(".")[0] for name in MODULES} == HOUSE

    found = {name: wrong(name, tree) for name, tree in MODULES.items()}
    assert {name: packages for name, packages in found.items() if packages} == {}


def test_an_import_that_points_the_wrong_way_is_seen():
    for name, code, found in [
        ("engine.labs", "from pages import rules", {"pages"}),
        ("engine.labs", "def later():\n    import mkdocs.utils", {"mkdocs"}),
        ("pages.api", "from website.html import mended", {"website"}),
        ("pages.api", "import export", {"export"}),
        ("export.wheel", "from mkdocs.config import base", {"mkdocs"}),
        ("export.wheel", "from . import cells", {"."}),
        ("website.html", "from hooks import book", {"hooks"}),
        ("website.html", "import mkdocs\nfrom pages import api", set()),
    ]:
        assert wrong(name, ast.parse(code)) == found


def alone(code: str, forbidden: str) -> str:
    """Run code in a process of its own, in which packages of which something holds cannot be had.

    `forbidden` says it of the `package`, in Python.
    """
    before = f"""
        import sys

        class Forbidden:
            def find_spec(self, name, path=None, target=None):
                package = name.partition(".")[0]
                if {forbidden}:
                    raise ImportError(f"nobody may import {{name}} here")

        sys.meta_path.insert(0, Forbidden())
        sys.path.insert(0, {str(HOOKS)!r})
        """
    run = subprocess.run(
        [sys.executable, "-c", dedent(before) + dedent(code)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_engine_pages_and_export_are_imported_without_mkdocs():
    names = [n for n in MODULES if n.partition(".")[0] in ("engine", "pages", "export")]
    code = f"import importlib\nfor name in {names!r}: importlib.import_module(name)"

    alone(code, f"package in {MKDOCS!r}")


PAGE = """\
# Turns

/// statement | A turn
    attrs: {id: eq-turn}

$$
2 + 2 = 4
$$
///

/// implementation
```{.python title="posenc/__init__.py"}
--8<-- "posenc/__init__.py"
```
///

/// verification
```pycon
>>> import posenc
>>> float(posenc.wavelengths(2)[0])
6.283
```
///

It is 6.28, and not 6.29.
"""


NEEDED = {"engine", "markdown", "numpy", "posenc", "sybil"}

CHECKED = f"""
from sybil import Document
from engine import checks, examples, quoted_numbers, statements

document = Document({PAGE!r}, "turns.md")
for parse in (examples.code, quoted_numbers.parse, statements.parse):
    for region in parse(document):
        document.add(region)
report = checks.check(document)
print(report.examples, *((failure.line, failure.message) for failure in report.failures))
"""


def test_a_page_is_checked_with_sybil_numpy_and_markdown_alone():
    said = alone(CHECKED, f"package not in {NEEDED!r} | sys.stdlib_module_names")

    (failure,) = said.splitlines()
    assert failure.startswith("4 (25, 'the text says 6.29, and no session of this page does")


def names_of(tree: ast.Module) -> set[str]:
    """Return the names that a module gives to lists, dicts and sets at its top."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and holds_more(node.value):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def holds_more(value: ast.expr | None) -> bool:
    """Return whether an expression makes a thing that more can be put into."""
    made = ast.Dict | ast.DictComp | ast.List | ast.ListComp | ast.Set | ast.SetComp
    if isinstance(value, ast.Call):
        called = value.func.value if isinstance(value.func, ast.Subscript) else value.func
        return getattr(called, "id", getattr(called, "attr", "")) in CONTAINERS
    return isinstance(value, made)


CONTAINERS = {"dict", "list", "set", "deque", "defaultdict", "Counter", "OrderedDict"}
CHANGES = {"add", "append", "clear", "discard", "extend", "insert", "pop", "popitem", "remove"}
CHANGES |= {"setdefault", "update"}


def changed(tree: ast.Module, known: set[str]) -> Iterator[str]:
    """Yield the names at the top of a module that its functions bind anew or change.

    `known` are those that lists, dicts and sets have in all modules.
    """
    modules = {
        (alias.asname or alias.name).partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom) and set(imported(node)) & HOUSE
        for alias in node.names
    }
    functions = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for function in functions:
        own = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
        own |= {
            node.id
            for node in ast.walk(function)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        for node in ast.walk(function):
            if isinstance(node, ast.Global):
                yield from node.names
            match node:
                case ast.Attribute(value=ast.Name(id=of), ctx=ast.Store()) if of in modules - own:
                    yield f"{of}.{node.attr}"
            target: ast.expr | None = None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                target = node.func.value if node.func.attr in CHANGES else None
            elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                target = node.value
            elif isinstance(node, ast.AugAssign):
                target = node.target
            if isinstance(target, ast.Name) and target.id in known - own:
                yield target.id
            elif isinstance(target, ast.Attribute) and target.attr in known:
                yield target.attr


def test_no_module_carries_anything_from_one_call_to_another():
    known = set[str]().union(*map(names_of, MODULES.values()))
    found = {name: set(changed(tree, known)) for name, tree in MODULES.items()}

    assert len(known) > 15
    assert {name: names for name, names in found.items() if names} == {}


def test_what_is_carried_along_is_seen():
    start = "KEPT = {}\nSEEN: list[int] = list()\n"
    for code in (
        "def f():\n    global KEPT\n    KEPT = 1",
        "def f(x):\n    KEPT[x] = 1",
        "def f(x):\n    del KEPT[x]",
        "def f(x):\n    SEEN.append(x)",
        "def f(x):\n    other.SEEN += [x]",
        "class A:\n    def f(self):\n        KEPT.update(self)",
        "from engine import labs\ndef f():\n    labs.MOST = 1",
    ):
        tree = ast.parse(start + code)
        assert [*changed(tree, names_of(tree))], code
    for code in ("KEPT[1] = 2", "def f(KEPT):\n    KEPT[1] = 2", "def f():\n    return KEPT[1]"):
        tree = ast.parse(start + code)
        assert [*changed(tree, names_of(tree))] == [], code


REMEMBERING = ("Once", "cache", "lru_cache")  # decorators
# What lives as long as a process that checks pages.
ONCE = {"engine.formulas.converter", "pages.workers._context"}
READS = {
    "exists",
    "glob",
    "is_dir",
    "is_file",
    "iterdir",
    "read",
    "read_bytes",
    "read_text",
    "rglob",
}


def cached(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a module that remember what they returned."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                named = decorator.func if isinstance(decorator, ast.Call) else decorator
                if getattr(named, "id", getattr(named, "attr", "")) in REMEMBERING:
                    yield node


def test_what_is_found_out_once_of_a_text_is_kept_for_the_next_build():
    found = {
        f"{name}.{function.name}"
        for name, tree in MODULES.items()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        and any(getattr(one, "id", "") == "Once" for one in function.decorator_list)
    }

    assert found == {one.name for one in plugin.FOUND_OUT}


def test_what_is_remembered_follows_from_arguments_alone():
    """A function that takes none, or reads a file, would say tomorrow what held today."""
    without, reading = set(), set()
    for name, tree in MODULES.items():
        for function in cached(tree):
            if not any(isinstance(node, ast.arg) for node in ast.walk(function.args)):
                without.add(f"{name}.{function.name}")
                continue
            for node in ast.walk(function):
                called = node.func if isinstance(node, ast.Call) else None
                if getattr(called, "id", getattr(called, "attr", "")) in READS:
                    reading.add(f"{name}.{function.name}")

    assert without == ONCE
    assert reading == set()
