"""Witnesses: what a comparison holds the package against may not be the package itself.

Names are followed through the helpers of a page, up to functions of the package. Where both sides
of a `gap` or a `share` come to some, whatever these share may be wrong on both, and nothing is
noticed. Some statements hold one function against itself, as *f(−k) = f(k)*; then a comment in the
call says what *both sides* are. One side may never be the other, in whatever it is wrapped.

And a claim of `everywhere` may not hold of itself: `x == x`, `… or True`, a square that is at
least 0. Nor do one or two rows speak for all: where sides pick some, they pick three or more.
And truths are not ordered: *a* ≤ *b* says *if*, and would pass for *if and only if*.
In no session is the least of many differences held below a tolerance: one equal entry would do.
Nor is the best of several held above a floor, in a session or in the cell of a lab.
"""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from sybil import Document, Region

from engine import trees
from engine.complaints import complaint
from engine.fences import fences
from engine.texts import by_text

PACKAGE, PROOFS = "posenc", "posenc.proofs"
AT_LEAST_ZERO = {"abs", "len", "norm", "hypot", "dist", "sqrt", "exp", "var", "std", "fabs"}
KEEP_SIGN = {"float", "int", "sum", "fsum", "max", "min", "mean", "round", "bool"}
DOTTED = re.compile(rf"{PACKAGE}(?:\.\w+)+")
PLAIN = ("abs", "bool", "float", "int", "round")
COMPARED = ("gap", "share", "everywhere")
TOLERANCE = 1e-6  # and below
FEWEST = 3  # rows, columns or places that are picked out of many
MANY = 1000
FUNCTIONS = (ast.FunctionDef, ast.Lambda)
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
TRUTHS = (ast.Compare, ast.BoolOp)


@dataclass
class Helpers:
    """What the names of a page stand for, as far as it has been read."""

    made: dict[str, ast.AST] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)  # posenc.attention

    def learn(self, tree: ast.Module) -> None:
        """Note what a prompt defines."""
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
                for alias in node.names:
                    self.imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif isinstance(node, ast.FunctionDef):
                self.made[node.name] = node
            elif isinstance(node, ast.Assign):
                for target in node.targets:
                    for name in ast.walk(target):
                        if isinstance(name, ast.Name):
                            self.made[name.id] = node.value

    def reached(self, node: ast.AST, on_the_way: frozenset[str] = frozenset()) -> set[str]:
        """Return the functions of the package that code comes to, by their last names."""
        found = set[str]()
        own = bound_in(node)
        for part in ast.walk(node):
            name = ast.unparse(part) if isinstance(part, ast.Attribute) else ""
            if DOTTED.fullmatch(name) and not name.startswith(PROOFS):
                found.add(name.rpartition(".")[2])
            if not isinstance(part, ast.Name) or part.id in own | on_the_way:
                continue
            if part.id in self.made:
                found |= self.reached(self.made[part.id], on_the_way | {part.id})
            elif not self.imported.get(part.id, PROOFS).startswith(PROOFS):
                found.add(self.imported[part.id].rpartition(".")[2])
        return found

    def unwrapped(self, side: ast.expr) -> str:
        """Return a side without what only hands its arguments on, as code."""
        while True:
            if isinstance(side, ast.Name) and isinstance(self.made.get(side.id), ast.Name):
                side = self.made[side.id]  # type: ignore[assignment]
            made = self.made.get(side.id) if isinstance(side, ast.Name) else side
            body = returned(made) if isinstance(made, FUNCTIONS) else None
            if not isinstance(made, FUNCTIONS) or not _hands_on(made.args, body):
                return ast.unparse(side)
            side = body.func  # type: ignore[union-attr]

    def at_least_zero(self, node: ast.AST | None, on_the_way: frozenset[str] = frozenset()) -> bool:
        """Return whether a value cannot be negative, by the look of it."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, int | float) and node.value >= 0
        if isinstance(node, ast.BinOp):
            even = isinstance(node.right, ast.Constant) and node.right.value in (2, 4, 6)
            if isinstance(node.op, ast.Pow) and even:
                return True
            if isinstance(node.op, ast.Mult) and ast.dump(node.left) == ast.dump(node.right):
                return True
            both = (self.at_least_zero(side, on_the_way) for side in (node.left, node.right))
            return isinstance(node.op, ast.Add | ast.Mult | ast.Div) and all(both)
        if isinstance(node, ast.GeneratorExp | ast.ListComp):
            return self.at_least_zero(node.elt, on_the_way)
        if isinstance(node, ast.Subscript):
            return self.at_least_zero(node.value, on_the_way)
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            if name in AT_LEAST_ZERO:
                return True
            if name in KEEP_SIGN:
                of_it = node.func.value if isinstance(node.func, ast.Attribute) else None
                there = node.args or ([of_it] if of_it else [])
                return bool(there) and all(self.at_least_zero(one, on_the_way) for one in there)
            made = self.made.get(name)
            if name not in on_the_way and isinstance(made, FUNCTIONS):
                return self.at_least_zero(returned(made), on_the_way | {name})
        return False


@by_text
def parse(document: Document) -> Iterator[Region]:
    """Yield a complaint for each comparison that has no witness, or cannot fail."""
    for place, source, tree, helpers in learned(document.text):
        for message in hollow(tree, source, helpers):
            yield complaint(place, message)


def prompts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the source of each prompt of a page, and where it stands."""
    for fence in fences(text):
        if fence.language == "pycon" and "not-run" not in fence.classes:
            with suppress(ValueError):  # complained of where the fence is read
                for prompt in trees.prompts(fence.source):
                    yield fence.line_starts[prompt.lineno], prompt.source


def learned(text: str) -> Iterator[tuple[int, str, ast.Module, Helpers]]:
    """Yield the code of a page in order, as it is written and read, and what its names stand for.

    What each name stands for is known of all code so far.
    """
    helpers = Helpers()
    for place, source in code(text):
        with suppress(SyntaxError):  # complained of where it is run
            tree = trees.tree(source)
            helpers.learn(tree)
            yield place, source, tree, helpers


def code(text: str) -> Iterator[tuple[int, str]]:
    """Yield the prompts of a page, and its fences of Python: the cells of a lab among them."""
    plain = (one for one in fences(text) if one.language == "python")
    yield from sorted([*prompts(text), *((one.start, one.source) for one in plain)])


def hollow(tree: ast.Module, source: str, helpers: Helpers) -> Iterator[str]:
    """Yield what is wrong with the comparisons of a prompt."""
    for said in nearest(tree):
        yield f"{said} holds where one entry of many is close; ask it of the largest, or of all"
    for said in best(tree, helpers):
        yield f"{said} holds where one of several is large; ask it of the smallest, or of all"
    for node in trees.nodes(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.keywords):
            continue
        name, sides = node.func.id, node.args
        if name in ("gap", "share") and len(sides) == 2:
            one, other = (helpers.unwrapped(side) for side in sides)
            left, right = (helpers.reached(side) for side in sides)
            if one == other:
                yield f"{name} holds {one} against itself; compare it with something else"
            elif left and left == right and not _says_so(node, source):
                yield (
                    f"both sides of {name} come to {', '.join(sorted(left))} of the package, and "
                    "would be wrong together; compute one of them in another way, or say in a "
                    "comment of the call what both sides are"
                )
            elif left and right and left != right:
                yield (
                    f"a side of {name} comes to {', '.join(sorted(left))} of the package and the "
                    f"other to {', '.join(sorted(right))}; compute one side without the package"
                )
        if name in COMPARED:
            for said in implied(node, helpers):
                yield (
                    f"{said} orders what is true and false, and holds wherever the left side is "
                    "false; write ==, or not … or …, as the statement says it"
                )
            for said in few(node, helpers):
                yield f"{name} looks at {said} alone; look at {FEWEST} or more, or at all"
        if name == "everywhere" and sides and isinstance(sides[0], ast.Lambda):
            for said in truisms(sides[0].body, helpers):
                yield f"everywhere claims {said}, which holds whatever is computed; say more"


def nearest(tree: ast.Module) -> Iterator[str]:
    """Yield where the closest of many, or any of them, is held below a tolerance."""
    for node in trees.nodes(tree):
        if isinstance(node, ast.Compare) and _tolerated(node):
            if _called(_plain(node.left)) in ("min", "amin", "nanmin"):
                yield ast.unparse(node)
        elif isinstance(node, ast.Call) and _called(node) == "any":
            value = node.func.value if isinstance(node.func, ast.Attribute) else None
            for part in (*node.args, *([value] if value else [])):
                held = part.elt if isinstance(part, ast.GeneratorExp | ast.ListComp) else part
                if isinstance(held, ast.Compare) and _tolerated(held):
                    yield ast.unparse(node)


def best(tree: ast.Module, helpers: Helpers) -> Iterator[str]:
    """Yield where the largest of several is held above a number, but for what is an error."""
    for node in trees.nodes(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            large, floor = node.left, node.comparators[0]
            if isinstance(node.ops[0], ast.Lt | ast.LtE):
                large, floor = floor, large
            positive = isinstance(floor, ast.Constant) and _number(floor) > 0
            if positive and isinstance(node.ops[0], ORDERS) and _is_best(large, helpers):
                yield ast.unparse(node)


def _is_best(node: ast.AST | None, helpers: Helpers, way: frozenset[str] = frozenset()) -> bool:
    """Return whether a value is the largest of several, or the smallest of such values."""
    if isinstance(node, ast.Call):
        name = _called(node)
        value = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        of = [*node.args, *value]
        if name in ("max", "amax", "nanmax"):
            return not any(helpers.at_least_zero(one) for one in of)  # an error, or a difference
        return name in (*PLAIN, "min") and any(_is_best(one, helpers, way) for one in of)
    if isinstance(node, ast.ListComp | ast.GeneratorExp):
        return _is_best(node.elt, helpers, way)
    if isinstance(node, ast.Name) and node.id not in way:
        made = helpers.made.get(node.id)
        return not isinstance(made, FUNCTIONS) and _is_best(made, helpers, way | {node.id})
    return False


def _plain(node: ast.expr) -> ast.expr:
    """Return what a call only turns into a plain number, as in `float(a.min())`."""
    while isinstance(node, ast.Call) and _called(node) in PLAIN and node.args:
        node = node.args[0]
    return node


def _tolerated(node: ast.Compare) -> bool:
    """Return whether something is held below a number so small that it stands for zero."""
    below = isinstance(node.ops[0], ast.Lt | ast.LtE)
    bound = node.comparators[0]
    return below and isinstance(bound, ast.Constant) and 0 < _number(bound) < TOLERANCE


def _number(node: ast.Constant) -> float:
    return float(node.value) if isinstance(node.value, int | float) else 0.0


def _called(node: ast.expr) -> str:
    """Return the last name of what is called for all entries at once, if something is."""
    if not isinstance(node, ast.Call) or any(word.arg == "axis" for word in node.keywords):
        return ""
    return ast.unparse(node.func).rpartition(".")[2]


def few(call: ast.Call, helpers: Helpers) -> Iterator[str]:
    """Yield the numbers that the sides of a comparison pick, where they are too few."""
    picked = dict[str, None]()
    for side in call.args:
        for part in trees.nodes(side):
            if isinstance(part, ast.Subscript):
                chosen: ast.AST = part.slice
            elif isinstance(part, ast.comprehension):
                chosen = part.iter
            else:
                continue
            if isinstance(chosen, ast.Name):
                chosen = helpers.made.get(chosen.id, chosen)
            if isinstance(chosen, ast.List) and len(chosen.elts) < FEWEST:
                numbers = [one for one in chosen.elts if isinstance(one, ast.Constant)]
                if len(numbers) == len(chosen.elts):
                    picked[ast.unparse(chosen)] = None
    parts = [{_part(side), *_slices(side, helpers)} - {""} for side in call.args]
    if len(parts) == 2:
        picked |= dict.fromkeys(sorted(parts[0] & parts[1]))
    yield from picked


def implied(call: ast.Call, helpers: Helpers) -> Iterator[str]:
    """Yield where the sides of a comparison, or the functions that they name, order truths."""
    for side in call.args:
        made = helpers.made.get(side.id, side) if isinstance(side, ast.Name) else side
        for part in trees.nodes(made):
            if not isinstance(part, ast.Compare) or not isinstance(part.ops[0], ORDERS):
                continue
            if any(isinstance(one, TRUTHS) for one in (part.left, *part.comparators)):
                yield ast.unparse(part)


def _part(side: ast.expr) -> str:
    """Return the fixed part of its value that a side compares, if it leaves the rest away."""
    body = returned(side)
    if not isinstance(body, ast.Subscript):
        return ""
    names = [part for part in trees.nodes(body.slice) if isinstance(part, ast.Name)]
    return "" if names else f"[{ast.unparse(body.slice)}]"


def _slices(side: ast.expr, helpers: Helpers) -> Iterator[str]:
    """Yield the slices of too few rows that a side takes, itself or the function that it names."""
    made = helpers.made.get(side.id, side) if isinstance(side, ast.Name) else side
    for part in trees.nodes(made):
        if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice):
            ends = (part.slice.lower, part.slice.upper, part.slice.step)
            with suppress(ValueError):  # an end is computed
                cut = slice(*(ast.literal_eval(end) if end else None for end in ends))
                if 0 < len(range(MANY)[cut]) < FEWEST:
                    yield f"[{ast.unparse(part.slice)}]"


def truisms(claim: ast.expr, helpers: Helpers) -> Iterator[str]:
    """Yield the parts of a claim that cannot fail."""
    parts = claim.values if isinstance(claim, ast.BoolOp) else [claim]
    for part in parts:
        if isinstance(part, ast.BoolOp):
            yield from truisms(part, helpers)
        elif isinstance(part, ast.Constant) and part.value:
            yield ast.unparse(part)
        elif isinstance(part, ast.Compare) and len(part.ops) == 1:
            left, sign, right = part.left, part.ops[0], part.comparators[0]
            same = ast.dump(left) == ast.dump(right)
            if isinstance(sign, ast.Lt | ast.LtE):
                left, right = right, left
            below = _below(right, strictly=isinstance(sign, ast.Lt | ast.Gt))
            ordered = isinstance(sign, ORDERS)
            if (same and isinstance(sign, ast.Eq | ast.LtE | ast.GtE)) or (
                ordered and below and helpers.at_least_zero(left)
            ):
                yield ast.unparse(part)


def bound_in(node: ast.AST) -> set[str]:
    """Return the names that code binds itself: arguments, and what it assigns."""
    names = {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}
    return names | {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def returned(made: ast.AST | None) -> ast.expr | None:
    """Return what a function ends with."""
    if isinstance(made, ast.Lambda):
        return made.body
    if isinstance(made, ast.FunctionDef) and isinstance(made.body[-1], ast.Return):
        return made.body[-1].value
    return None


def _hands_on(args: ast.arguments, body: ast.expr | None) -> bool:
    """Return whether a function calls another with just its own arguments, in their order."""
    if not isinstance(body, ast.Call) or args.vararg or args.kwonlyargs:
        return False
    given = [ast.unparse(one) for one in body.args]
    words = {word.arg: ast.unparse(word.value) for word in body.keywords}
    names = [one.arg for one in args.args]
    rest = {None: args.kwarg.arg} if args.kwarg else {}
    for name in names[len(given) :]:
        rest[name] = name  # type: ignore[index]
    return given == names[: len(given)] and words == rest


def _below(node: ast.expr, *, strictly: bool) -> bool:
    """Return whether what is written as a number lies below all that is at least 0."""
    with suppress(ValueError, TypeError):
        number = ast.literal_eval(node)
        return bool(number < 0 if strictly else number <= 0)
    return False


def _says_so(call: ast.Call, source: str) -> bool:
    lines = source.split("\n")[call.lineno - 1 : call.end_lineno]
    return any("both sides" in line.partition("#")[2] for line in lines)
