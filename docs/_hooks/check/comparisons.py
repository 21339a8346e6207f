"""Comparisons: where a session holds both sides of a statement against each other.

They are the functions of `posenc.proofs`: equal sides (`gap`), a bound (`share`), the lines of a
derivation (`steps`), a claim (`everywhere`). Each names the domain of every variable in the
call, so that it can be read here: a card says what it was tried for.

The package is imported where it is used, and not above: processes that check pages come from
one that has read this file, and have to find the package as it is on disk.
"""

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from check import ast_cache
from check.fences import find_fences

if TYPE_CHECKING:
    from posenc.proofs import Domain

NAMES = ("gap", "share", "steps", "everywhere")
NO_VARIABLES = (None, "below", "tries")  # keywords that name no variable
MIN_TRIES = 20  # points


@dataclass(frozen=True)
class Comparison:
    """A call of one of the four, in the source of a prompt."""

    name: str
    relations: tuple[str, ...]  # between its sides
    domain: dict[str, str]  # what is written for each variable

    def words(self) -> list[str]:
        """Return each variable with its domain, as a card says it, or ValueError."""
        return [f"*{variable}* {read_domain(text).words}" for variable, text in self.domain.items()]


def find_comparisons(source: str) -> Iterator[Comparison]:
    """Yield the comparisons in the source of a prompt, in order."""
    try:
        tree = ast_cache.parse_source(source)
    except SyntaxError:  # complained of where the prompt is run
        return
    for name, call in _find_calls(tree):
        yield Comparison(
            name=name,
            relations=_list_relations(name, call),
            domain={
                word.arg: ast.unparse(word.value)
                for word in call.keywords
                if word.arg not in NO_VARIABLES
            },
        )


def list_prompts(text: str) -> Iterator[str]:
    """Yield the source of each prompt of a text."""
    for fence in find_fences(text):
        if fence.language == "pycon" and "not-run" not in fence.classes:
            with suppress(ValueError):  # complained of where the fence is read
                yield from (e.source for e in ast_cache.parse_session(fence.source))


def describe_domains(text: str) -> list[str]:
    """Return what the comparisons of a text were tried for, each variable in words.

    What cannot be read is left out; `unreadable` complains of it.
    """
    said: dict[str, None] = {}
    for source in list_prompts(text):
        for comparison in find_comparisons(source):
            with suppress(ValueError):
                said |= dict.fromkeys(comparison.words())
    return list(said)


def find_domain_problems(text: str) -> Iterator[str]:
    """Yield what is wrong with the domains of a text."""
    for source in list_prompts(text):
        for comparison in find_comparisons(source):
            try:
                comparison.words()
            except ValueError as error:
                yield str(error)
            else:
                yield from _find_constants(comparison)


def _find_constants(comparison: Comparison) -> Iterator[str]:
    """Yield the variables that do not vary."""
    for variable, text in comparison.domain.items():
        domain, rng = read_domain(text), np.random.default_rng(0)
        first, *others = *domain.edges, *map(domain.draw, [rng] * 9)
        if all(value == first for value in others):
            yield f"{variable}={text} has one value; write it into the sides, and vary something"


def find_vacuous(text: str) -> Iterator[str]:
    """Yield the comparisons of a text that cannot fail where they should, or say too much."""
    for source in list_prompts(text):
        with suppress(SyntaxError):  # complained of where the prompt is run
            tree = ast_cache.parse_source(source)
            judged = {
                id(call) for node in ast_cache.list_nodes(tree) for call in _list_bounded(node)
            }
            for name, call in _find_calls(tree):
                yield from _find_vacuous(name, call, id(call) in judged)


def _find_vacuous(name: str, call: ast.Call, judged: bool) -> Iterator[str]:
    sides = call.args[:: 2 if name == "steps" else 1]
    if name == "share" and not judged:
        yield "nothing bounds the number of share from above; compare it, as share(…) <= 1"
    if any(ast.dump(one) == ast.dump(other) for one, other in pairwise(sides)):
        yield f"{name} holds a side against itself; let them differ in how they are computed"
    for word in call.keywords:
        if word.arg == "tries" and getattr(word.value, "value", 0) < MIN_TRIES:
            yield f"{name} tries too few points; write a number of at least {MIN_TRIES}"
    read = _list_read_names(sides)
    for word in call.keywords:
        if read and word.arg not in (*NO_VARIABLES, *read):
            yield f"{name} names a domain for {word.arg}, which no side reads; leave it out"


def _list_read_names(sides: Iterable[ast.expr]) -> set[str]:
    """Return the names that sides read; none, where one is no lambda with its variables named."""
    read: set[str] = set()
    for side in sides:
        if not isinstance(side, ast.Lambda) or side.args.kwarg:
            return set()
        read |= {node.id for node in ast_cache.list_nodes(side.body) if isinstance(node, ast.Name)}
    return read


def _list_bounded(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what a comparison bounds from above, or a name keeps for one."""
    if isinstance(node, ast.Assign):
        yield from ast_cache.list_nodes(node)
    elif isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        for (left, right), sign in zip(pairwise(sides), node.ops, strict=True):
            if isinstance(sign, ast.Lt | ast.LtE | ast.Eq):
                yield from ast_cache.list_nodes(left)
            if isinstance(sign, ast.Gt | ast.GtE | ast.Eq):
                yield from ast_cache.list_nodes(right)


def calls(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls of the four; one without a domain is of the page."""
    return (call for _, call in _find_calls(tree))


def _find_calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of the four, each with its name; one without a domain is of the page."""
    for node in ast_cache.list_nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in NAMES and node.keywords:
                yield name, node


def _list_relations(name: str, call: ast.Call) -> tuple[str, ...]:
    if name == "steps":
        written = (part.value for part in call.args[1::2] if isinstance(part, ast.Constant))
        return tuple(str(relation) for relation in written)
    return {"gap": ("=",), "share": ("<=",)}.get(name, ())


def read_domain(text: str) -> "Domain":
    """Return a domain as it is written in a call: by names of `posenc.proofs` and numbers alone."""
    from posenc import proofs

    try:
        value = eval(text, {"__builtins__": {"range": range}, **vars(proofs)})
    except Exception as error:
        raise ValueError(
            f"the domain {text} cannot be read ({error}); write it out in the call, as even(512)"
        ) from None
    if not isinstance(value, proofs.Domain):
        raise ValueError(f"{text} is no domain; write one of posenc.proofs, as even(512)")
    return value
