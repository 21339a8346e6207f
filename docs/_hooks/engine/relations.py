"""Relations: the parts of a verification, each of which has to be able to fail by itself.

A claim of `everywhere` may say several things at once, and a fault that one of them notices says
nothing of the others. So a card is taken apart where it says *and*, and each part is watched
while single entries of what it computes are wrong: of what the package returns to the page, or,
where a part does not come to the package, of what the helpers of the page return. A part that
takes the least error for the largest, or asks whether some entry agrees, lets that pass.

Beside it, what a claim leaves out is counted: an alternative that holds by itself in most cases,
`… or near(i)`, and a condition that leaves out most of what a loop goes through. And whatever is
held below something else is made larger: where a margin has grown, fewer relations notice that.
"""

import ast
import doctest
import functools
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeGuard

import numpy as np

from engine import comparisons, statements
from engine.trees import tree as tree_of
from engine.witnesses import FUNCTIONS, PACKAGE, Helpers, prompts

WATCH = "_watch_"  # what the prompts of a card know it by
TRUE = "True\n"
EXCUSED = 0.5  # of the cases, at most, that a claim may leave to an alternative or leave out
WAYS: dict[str, Callable[[Any], Any]] = {  # in which an entry is wrong
    "more": lambda entry: entry + (1 + abs(entry)),
    "less": lambda entry: entry - (1 + abs(entry)),
    "half": lambda entry: entry / 2,
}
PLACES = ("any", "first", "last")  # of such an entry
BELOW, ABOVE = (ast.Lt, ast.LtE), (ast.Gt, ast.GtE)
TIMES = (1.01, 1.1, 2, 10)  # as large is what is held below something
LEAST = 1e-9  # what is smaller comes of rounding, and is another on another machine


@dataclass(frozen=True)
class Part:
    """One of the things that a verification says."""

    text: str
    functions: tuple[str, ...]  # of the package that it comes to, or else of the page


@dataclass(frozen=True)
class Watched:
    """The source of a prompt with the watch in it."""

    source: str
    parts: frozenset[int]  # that it evaluates
    answers: bool  # and does nothing else


@dataclass
class Watch:
    """Which parts have failed, and in how many cases nothing else than an excuse was needed."""

    parts: list[Part] = field(default_factory=list)
    excuses: list[str] = field(default_factory=list)
    asked: set[int] = field(default_factory=set)  # no other part is evaluated
    times: float = 1.0  # as large is what is held below something
    failed: list[int] = field(default_factory=list)
    cases: Counter[int] = field(default_factory=Counter)
    excused: Counter[tuple[int, int]] = field(default_factory=Counter)

    def holds(self, number: int, part: Callable[[], Any]) -> bool:
        """Note whether a part fails, and go on as if it held; one that crashes says nothing."""
        if number in self.asked:
            try:
                failed = not part()
            except AssertionError:
                failed = True
            except Exception:
                failed = False
            if failed:
                self.asked.discard(number)
                self.failed.append(number)
        return True

    def fallen(self) -> Iterator[int]:
        """Yield the parts that have failed since this was asked."""
        while self.failed:
            yield self.failed.pop()

    def either(self, number: int, *alternatives: Callable[[], Any]) -> bool:
        """Note for each alternative whether another one holds."""
        held = [_true(one) for one in alternatives]
        self.cases[number] += 1
        for place, one in enumerate(held):
            self.excused[number, place] += sum(held) > one
        return any(held)

    def small(self, value: Any) -> Any:
        """Return what is held below something, as large as it is to be."""
        if self.times == 1:
            return value
        with suppress(TypeError, ValueError):
            size = abs(value) * (abs(value) > LEAST)
            return value + (self.times - 1) * size
        return value

    def kept(self, number: int, condition: bool) -> bool:
        """Note whether a loop looks at a case."""
        self.cases[number] += 1
        self.excused[number, 0] += not condition
        return condition

    def most_excused(self) -> Iterator[tuple[str, float]]:
        """Yield what leaves out too much, with the share of the cases that it leaves out."""
        for number, cases in self.cases.items():
            share = min(n for (of, _), n in self.excused.items() if of == number) / cases
            if share > EXCUSED:
                yield self.excuses[number], share


def _true(alternative: Callable[[], Any]) -> bool:
    try:
        return bool(alternative())
    except Exception:  # it needs another alternative not to hold
        return False


def taken_apart(
    examples: Sequence[doctest.Example], helpers: Helpers
) -> tuple[list[Watched], Watch]:
    """Return prompts with each of their parts watched, and the watch."""
    trees = [ast.parse(prompt.source) for prompt in examples]
    watching = _Watching(claims(trees), helpers)
    told = [watching.tell(*both) for both in zip(trees, examples, strict=True)]
    return told, watching.watch


def claims(trees: Iterable[ast.Module]) -> set[str]:
    """Return the names of the functions that prompts define and claim everywhere."""
    named = {
        node.args[0].id
        for tree in trees
        for node in ast.walk(tree)
        if _is_claim(node) and isinstance(node.args[0], ast.Name)
    }
    made = {node.name for tree in trees for node in tree.body if isinstance(node, ast.FunctionDef)}
    return named & made


@functools.lru_cache(maxsize=256)
def of_cards(text: str) -> dict[str, int]:
    """Return how many relations each card of a page holds, to be looked at only.

    Each end of a chain is one by itself, and so is each thing that a side holds beside others.
    """
    found, helpers, left = dict[str, int](), Helpers(), [*prompts(text)]
    for card in statements.cards(text):
        found[card.id] = 0
        while left and left[0][0] < card.verification.end:
            place, source = left.pop(0)
            with suppress(SyntaxError):  # complained of where the prompt is run
                tree = tree_of(source)
                helpers.learn(tree)
                if place > card.start:
                    found[card.id] += counted(tree, helpers)
    return found


def counted(tree: ast.Module, helpers: Helpers) -> int:
    """Return how many relations a prompt holds."""
    return sum(_count(node.value, helpers) for node in tree.body if isinstance(node, ast.Expr))


def _count(node: ast.AST | None, helpers: Helpers) -> int:
    if isinstance(node, ast.BoolOp | ast.Tuple):
        inner = node.values if isinstance(node, ast.BoolOp) else node.elts
        return sum(_count(one, helpers) for one in inner)
    if isinstance(node, ast.Compare):
        sides = [side for call in comparisons.calls(node) for side in call.args]
        return len(node.ops) - 1 + max((_beside(side, helpers) for side in sides), default=1)
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "steps":
        return len(node.args) // 2
    if _is_claim(node):
        claim = node.args[0]
        made = helpers.made.get(claim.id) if isinstance(claim, ast.Name) else claim
        return sum(_count(one, helpers) for one in _returned(made)) or 1
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("bool", "all") and node.args:
        return _count(node.args[0], helpers)
    return _count(node.elt, helpers) if isinstance(node, ast.GeneratorExp) else 1


def _beside(side: ast.expr, helpers: Helpers) -> int:
    """Return how many things a side of a comparison holds beside each other."""
    made = helpers.made.get(side.id) if isinstance(side, ast.Name) else side
    for shown in _returned(made):
        listed = shown.args[0] if isinstance(shown, ast.Call) and shown.args else shown
        if isinstance(listed, ast.List | ast.Tuple):
            return len(listed.elts)
    return 1


def _returned(made: ast.AST | None) -> Iterator[ast.expr]:
    if isinstance(made, ast.Lambda):
        yield made.body
    elif isinstance(made, ast.FunctionDef):
        yield from (node.value for node in _returns(made) if node.value)


def _returns(made: ast.FunctionDef) -> Iterator[ast.Return]:
    """Yield where a function returns, not those within it."""
    left: list[ast.AST] = [*made.body]
    while left:
        node = left.pop()
        if isinstance(node, ast.Return):
            yield node
        elif not isinstance(node, FUNCTIONS):
            left += ast.iter_child_nodes(node)


def _is_claim(node: ast.AST | None) -> TypeGuard[ast.Call]:
    if not isinstance(node, ast.Call):
        return False
    return ast.unparse(node.func) == "everywhere" and bool(node.args)


@dataclass
class _Watching:
    """Puts the watch into the prompts of a card."""

    claims: set[str]
    helpers: Helpers
    watch: Watch = field(default_factory=Watch)
    own: dict[str, set[int]] = field(default_factory=dict)  # parts of functions that are claimed

    def tell(self, tree: ast.Module, prompt: doctest.Example) -> Watched:
        """Return a prompt with its parts watched."""
        before = len(self.watch.parts)
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.name in self.claims:
                for returned in _returns(node):
                    if returned.value:
                        returned.value = self.part(returned.value, node)
                self.own[node.name] = {*range(before, len(self.watch.parts))}
            elif isinstance(node, ast.Expr) and prompt.want == TRUE:
                node.value = self.part(node.value)
        parts = {*range(before, len(self.watch.parts))}
        for name in (node.id for node in ast.walk(tree) if isinstance(node, ast.Name)):
            parts |= self.own.get(name, set())
        source = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        answers = bool(prompt.want) and all(isinstance(node, ast.Expr) for node in tree.body)
        return Watched(source, frozenset(parts), answers)

    def part(self, node: ast.expr, within: ast.AST | None = None) -> ast.expr:
        """Return what tells of each part of an expression, which may be one of a function."""
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            node.values = [self.part(one, within) for one in node.values]
            return node
        if isinstance(node, ast.Compare) and _all_equal(node):
            sides = [node.left, *node.comparators]
            pairs = [*map(_equal, sides, sides[1:])]
            return self.part(ast.BoolOp(ast.And(), pairs), within)
        if _is_claim(node):
            claim = node.args[0]
            if isinstance(claim, ast.Lambda):
                claim.body = self.part(claim.body)
                return node
            if isinstance(claim, ast.Name) and claim.id in self.claims:
                return node
        reached = functions(within or node, self.helpers)
        self.watch.parts.append(Part(ast.unparse(node), reached))
        number = len(self.watch.parts) - 1
        return _call("holds", number, _Excuses(self.watch).visit(node))


class _Excuses(ast.NodeTransformer):
    """Has the alternatives of a part, and the conditions of its loops, told.

    And whatever it holds below something handed over.
    """

    def __init__(self, watch: Watch) -> None:
        self.watch = watch

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        text = ast.unparse(node)
        self.generic_visit(node)
        if not isinstance(node.op, ast.Or):
            return node
        self.watch.excuses.append(text)
        return _call("either", len(self.watch.excuses) - 1, *node.values)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        sides = [node.left, *node.comparators]
        below = [place for place, sign in enumerate(node.ops) if isinstance(sign, BELOW)]
        below += [place for place, sign in enumerate(node.ops, 1) if isinstance(sign, ABOVE)]
        for place in {*below}:
            if not isinstance(sides[place], ast.Constant):
                handed = ast.Attribute(ast.Name(WATCH, ast.Load()), "small", ast.Load())
                sides[place] = ast.Call(handed, [sides[place]], [])
        node.left, *node.comparators = sides
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        for place, condition in enumerate(node.ifs):
            self.watch.excuses.append(f"if {ast.unparse(condition)}")
            told = _call("kept", len(self.watch.excuses) - 1)
            told.args.append(condition)
            node.ifs[place] = told
        return node


def _all_equal(node: ast.Compare) -> bool:
    """Return whether three things or more are said to be equal."""
    return len(node.ops) > 1 and all(isinstance(sign, ast.Eq) for sign in node.ops)


def _equal(left: ast.expr, right: ast.expr) -> ast.expr:
    return ast.Compare(left, [ast.Eq()], [right])


def _call(name: str, number: int, *thunks: ast.expr) -> ast.Call:
    """Return a call of the watch with expressions that it evaluates itself."""
    none = ast.arguments([], [], None, [], [], None, [])
    args = [ast.Constant(number), *(ast.Lambda(none, thunk) for thunk in thunks)]
    return ast.Call(ast.Attribute(ast.Name(WATCH, ast.Load()), name, ast.Load()), args, [])


def functions(node: ast.AST, helpers: Helpers) -> tuple[str, ...]:
    """Return the functions of the package that code comes to, or else those of the page."""
    names = [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
    of_page = (name for name in names if isinstance(helpers.made.get(name), FUNCTIONS))
    return tuple(sorted(helpers.reached(node)) or dict.fromkeys(of_page))


@dataclass(frozen=True)
class Larger:
    """A fault of the comparisons: whatever is held below something is so many times as large."""

    times: float

    def __str__(self) -> str:
        """Return what it does, for a message."""
        return f"what is held below something, {self.times:g} times as large"

    def put(self, namespace: dict[str, Any]) -> None:
        """Have the watch tell the parts so."""
        namespace[WATCH].times = self.times


class Replaced:
    """A function of the package, or of the page, with another in its place there."""

    function: str

    def __init__(self) -> None:
        self.put_in_place: set[int] = set()

    def put(self, namespace: dict[str, Any]) -> None:
        """Put another in the place of the function, as the page knows that."""
        package = sys.modules.get(PACKAGE)
        for holder in (vars(package) if package else {}, namespace):
            for name, found in [*holder.items()]:
                if getattr(found, "__name__", "") != self.function and name != self.function:
                    continue
                if isinstance(found, type):
                    self.of_class(found, namespace)
                elif callable(found) and id(found) not in self.put_in_place:
                    holder[name] = functools.wraps(found)(self.other(found))
                    self.put_in_place.add(id(holder[name]))

    def other(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return what stands in the place of a function."""
        raise NotImplementedError

    def of_class(self, found: type, namespace: dict[str, Any]) -> None:
        """Change what a page asks an object for, if anything."""


@dataclass
class Moved(Replaced):
    """A function of which half of the results have one entry wrong, not always the same."""

    function: str
    way: str
    place: str

    def __post_init__(self) -> None:
        super().__init__()
        self.rng = np.random.default_rng(0)
        self.calls = 0

    def __str__(self) -> str:
        """Return what it does, for a message."""
        return f"{self.place} entry of {self.function}, {self.way}"

    def other(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function of which some results are wrong."""
        return lambda *args, **words: self._some(call(*args, **words))

    def _some(self, value: Any) -> Any:
        """Return the first result and half of the others wrong, since two such might agree."""
        self.calls += 1
        wrong = self.calls == 1 or self.rng.random() < 0.5
        return self.moved(value) if wrong else value

    def of_class(self, found: type, namespace: dict[str, Any]) -> None:
        """Have all that a page asks an object for be wrong, but not what that asks itself for."""
        if id(found) in self.put_in_place:
            return
        self.put_in_place.add(id(found))

        def asked(this: Any, name: str) -> Any:
            value = object.__getattribute__(this, name)
            if sys._getframe(1).f_globals is not namespace:
                return value
            return self.other(value) if callable(value) else self._some(value)

        found.__getattribute__ = asked  # type: ignore[assignment, method-assign]

    def moved(self, value: Any) -> Any:
        """Return a result with one entry wrong, or each of several results."""
        if isinstance(value, np.ndarray) and value.ndim and value.size:
            changed = value.copy()
            place = np.unravel_index(self._chosen(value.size), value.shape)
            changed[place] = self.moved(value[place])
            return changed
        if isinstance(value, dict):  # of results, each with its name
            return {name: self.moved(one) for name, one in value.items()}
        if isinstance(value, list | tuple) and value:
            each = isinstance(value[0], np.ndarray)  # several results
            chosen = self._chosen(len(value))
            entries = (
                self.moved(one) if each or place == chosen else one
                for place, one in enumerate(value)
            )
            return getattr(type(value), "_make", type(value))(entries)  # which one with names has
        if isinstance(value, bool | np.bool_):
            return not value
        try:
            return WAYS[self.way](value)
        except TypeError:  # words, or something that has no entries
            return value

    def _chosen(self, size: int) -> int:
        return {"first": 0, "last": size - 1}.get(self.place, int(self.rng.integers(size)))
