"""Independence: the package may not be compared with itself.

The two sides of a `gap` or a `share` are followed through the helper functions of their page to
the functions of the package that they call. If both sides call the same one, a mistake in it
makes both wrong and the comparison still holds. Some statements do compare a function with
itself, as *f(-k) = f(k)* does: then a comment in the call says what *both sides* are.
"""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from sybil import Document, Region

from check import ast_cache
from check.fences import find_fences
from check.page_source import cache_by_text
from check.problems import make_problem

PACKAGE, PROOFS = "posenc", "posenc.proofs"
DOTTED = re.compile(rf"{PACKAGE}(?:\.\w+)+")
COMPARED = ("gap", "share")
FUNCTIONS = (ast.FunctionDef, ast.Lambda)


@dataclass
class Helpers:
    """The definitions and imports of a page, as far as it has been read."""

    definitions: dict[str, ast.AST] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)  # by local name: posenc.attention

    def learn(self, tree: ast.Module) -> None:
        """Add what a prompt defines and imports."""
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
                for alias in node.names:
                    self.imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif isinstance(node, ast.FunctionDef):
                self.definitions[node.name] = node
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    for name in ast.walk(target):
                        if isinstance(name, ast.Name):
                            self.definitions[name.id] = node.value

    def package_functions(self, node: ast.AST, visited: frozenset[str] = frozenset()) -> set[str]:
        """Return the last names of the package's functions that code reaches."""
        found = set[str]()
        own = list_bound_names(node)
        for part in ast.walk(node):
            name = ast.unparse(part) if isinstance(part, ast.Attribute) else ""
            if DOTTED.fullmatch(name) and not name.startswith(PROOFS):
                found.add(name.rpartition(".")[2])
            if not isinstance(part, ast.Name) or part.id in own | visited:
                continue
            if part.id in self.definitions:
                found |= self.package_functions(self.definitions[part.id], visited | {part.id})
            elif not self.imported.get(part.id, PROOFS).startswith(PROOFS):
                found.add(self.imported[part.id].rpartition(".")[2])
        return found

    def unwrap(self, side: ast.expr) -> str:
        """Return a side as code, without wrappers that only pass their arguments on."""
        while True:
            if isinstance(side, ast.Name):
                named = self.definitions.get(side.id)
                if isinstance(named, ast.Name):
                    side = named
            made = self.definitions.get(side.id) if isinstance(side, ast.Name) else side
            body = get_return_value(made)
            if (
                not isinstance(made, FUNCTIONS)
                or not isinstance(body, ast.Call)
                or not is_wrapper(made.args, body)
            ):
                return ast.unparse(side)
            side = body.func


@cache_by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each comparison whose two sides are not independent."""
    helpers = Helpers()
    for place, source in find_prompts(document.text):
        with suppress(SyntaxError):  # complained of where the prompt is run
            tree = ast_cache.parse_source(source)
            helpers.learn(tree)
            for message in find_dependent_sides(tree, source, helpers):
                yield make_problem(place, message)


def find_prompts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the position and the source of each prompt of a page."""
    for fence in find_fences(text):
        if fence.language == "pycon" and "not-run" not in fence.classes:
            with suppress(ValueError):  # complained of where the fence is read
                for prompt in ast_cache.parse_session(fence.source):
                    yield fence.line_starts[prompt.lineno], prompt.source


def find_dependent_sides(tree: ast.Module, source: str, helpers: Helpers) -> Iterator[str]:
    """Yield what is wrong with the sides of each comparison of a prompt."""
    for node in ast_cache.list_nodes(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.keywords):
            continue
        name, sides = node.func.id, node.args
        if name not in COMPARED or len(sides) != 2:
            continue
        one, other = (helpers.unwrap(side) for side in sides)
        left, right = (helpers.package_functions(side) for side in sides)
        if one == other:
            yield f"{name} compares {one} with itself; compare it with something else"
        elif left and left == right and not has_comment(node, source):
            yield (
                f"both sides of {name} call {', '.join(sorted(left))} of the package and would "
                "be wrong together; compute one of them in another way, or say in a comment of "
                "the call what both sides are"
            )
        elif left and right and left != right:
            yield (
                f"one side of {name} calls {', '.join(sorted(left))} of the package and the "
                f"other {', '.join(sorted(right))}; compute one side without the package"
            )


def list_bound_names(node: ast.AST) -> set[str]:
    """Return the names that code binds itself: arguments and what it assigns."""
    names = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    return names | {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def get_return_value(made: ast.AST | None) -> ast.expr | None:
    """Return the expression that a function returns at its end."""
    if isinstance(made, ast.Lambda):
        return made.body
    if isinstance(made, ast.FunctionDef) and isinstance(made.body[-1], ast.Return):
        return made.body[-1].value
    return None


def is_wrapper(args: ast.arguments, body: ast.Call) -> bool:
    """Return whether a call has just the arguments of its function, in their order."""
    if args.vararg or args.kwonlyargs:
        return False
    given = [ast.unparse(one) for one in body.args]
    words = {word.arg: ast.unparse(word.value) for word in body.keywords}
    names = [one.arg for one in args.args]
    rest: dict[str | None, str] = {None: args.kwarg.arg} if args.kwarg else {}
    rest |= {name: name for name in names[len(given) :]}
    return given == names[: len(given)] and words == rest


def has_comment(call: ast.Call, source: str) -> bool:
    """Return whether a comment in a call explains what both sides are."""
    lines = source.split("\n")[call.lineno - 1 : call.end_lineno]
    return any("both sides" in line.partition("#")[2] for line in lines)
