"""Rule for comparisons: the package must not be compared with itself.

For both sides of a `gap` or a `share`, this finds the functions of the package that they call,
directly or in helper functions of their page. If both sides call the same one, a mistake in it
makes both sides wrong, and the comparison still passes. Some statements do compare a function with
itself, such as *f(-k) = f(k)*: then a comment in the call must explain what *both sides* are.
"""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from sybil import Document, Region

from check import ast_cache
from check.page_source import cache_by_text
from check.problems import make_problem

PACKAGE, PROOFS = "posenc", "posenc.proofs"
DOTTED = re.compile(rf"{PACKAGE}(?:\.\w+)+")
COMPARISONS = ("gap", "share")


@dataclass
class Helpers:
    """The definitions and imports of a page up to some prompt."""

    definitions: dict[str, ast.AST] = field(default_factory=dict)
    imports: dict[str, str] = field(default_factory=dict)  # by local name: posenc.attention

    def add_prompt(self, tree: ast.Module) -> None:
        """Add the definitions and imports of a prompt."""
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif isinstance(node, ast.FunctionDef):
                self.definitions[node.name] = node
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    for name in ast.walk(target):
                        if isinstance(name, ast.Name):
                            self.definitions[name.id] = node.value

    def find_package_functions(
        self, node: ast.AST, visited: frozenset[str] = frozenset()
    ) -> set[str]:
        """Return the functions of the package that code calls, also in helpers."""
        functions = set[str]()
        own_names = _list_bound_names(node)
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute):
                dotted = ast.unparse(part)
                if DOTTED.fullmatch(dotted) and not dotted.startswith(PROOFS):
                    functions.add(part.attr)
            if not isinstance(part, ast.Name) or part.id in own_names | visited:
                continue
            if part.id in self.definitions:
                definition = self.definitions[part.id]
                functions |= self.find_package_functions(definition, visited | {part.id})
            elif not self.imports.get(part.id, PROOFS).startswith(PROOFS):
                functions.add(self.imports[part.id].rpartition(".")[2])
        return functions

    def unwrap(self, side: ast.expr) -> str:
        """Return the source of a side, without aliases and wrappers that only pass arguments on."""
        while True:
            if isinstance(side, ast.Name):
                alias = self.definitions.get(side.id)
                side = alias if isinstance(alias, ast.Name) else side
            function = self.definitions.get(side.id) if isinstance(side, ast.Name) else side
            value = _get_return_value(function)
            if not (
                isinstance(function, ast.FunctionDef | ast.Lambda)
                and isinstance(value, ast.Call)
                and _passes_arguments_on(function.args, value)
            ):
                return ast.unparse(side)
            side = value.func


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a problem for each comparison whose two sides are not independent."""
    helpers = Helpers()
    for position, source in ast_cache.find_prompts(document.text):
        with suppress(SyntaxError):  # reported when the prompt runs
            tree = ast_cache.parse_source(source)
            helpers.add_prompt(tree)
            for message in find_dependent_sides(tree, source, helpers):
                yield make_problem(position, message)


def find_dependent_sides(tree: ast.Module, source: str, helpers: Helpers) -> Iterator[str]:
    """Yield a message for each comparison of a prompt whose sides are not independent."""
    for call in ast_cache.list_nodes(tree):
        if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.keywords):
            continue
        name, sides = call.func.id, call.args
        if name not in COMPARISONS or len(sides) != 2:
            continue
        one, other = (helpers.unwrap(side) for side in sides)
        left, right = (helpers.find_package_functions(side) for side in sides)
        if one == other:
            yield f"{name} compares {one} with itself; compare it with something else"
        elif left and left == right and not _has_comment(call, source):
            yield (
                f"both sides of {name} call {', '.join(sorted(left))} of the package, so a mistake "
                "in it would go unnoticed; compute one side in another way, or explain in a "
                "comment in the call what both sides are"
            )
        elif left and right and left != right:
            yield (
                f"one side of {name} calls {', '.join(sorted(left))} of the package and the "
                f"other {', '.join(sorted(right))}; compute one side without the package"
            )


def _list_bound_names(node: ast.AST) -> set[str]:
    """Return the names that code binds itself: its arguments and what it assigns."""
    names = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    return names | {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _get_return_value(function: ast.AST | None) -> ast.expr | None:
    """Return the expression that a function returns in its last line."""
    if isinstance(function, ast.Lambda):
        return function.body
    if isinstance(function, ast.FunctionDef) and isinstance(function.body[-1], ast.Return):
        return function.body[-1].value
    return None


def _passes_arguments_on(parameters: ast.arguments, call: ast.Call) -> bool:
    """Return whether the arguments of a call are the parameters of its function, in order."""
    if parameters.vararg or parameters.kwonlyargs:
        return False
    names = [parameter.arg for parameter in parameters.args]
    positional = [ast.unparse(argument) for argument in call.args]
    keywords = {keyword.arg: ast.unparse(keyword.value) for keyword in call.keywords}
    expected: dict[str | None, str] = {None: parameters.kwarg.arg} if parameters.kwarg else {}
    expected |= {name: name for name in names[len(positional) :]}
    return positional == names[: len(positional)] and keywords == expected


def _has_comment(call: ast.Call, source: str) -> bool:
    """Return whether a comment in a call explains what both sides are."""
    lines = source.split("\n")[call.lineno - 1 : call.end_lineno]
    return any("both sides" in line.partition("#")[2] for line in lines)
