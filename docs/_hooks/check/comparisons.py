"""Comparisons in the sessions of a page: calls of the functions of `posenc.proofs`.

These compare two equal sides (`gap`), a side with its bound (`share`), the lines of a derivation
(`steps`), or check a claim (`everywhere`). Each call specifies the domain of every variable as
source text, so that a card can say for which values it is checked.

`posenc` is imported inside functions, since the processes that check pages are forked from one
that has already imported this module, and must import the package as it is on disk.
"""

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from check import ast_cache

if TYPE_CHECKING:
    from posenc.proofs import Domain

NAMES = ("gap", "share", "steps", "everywhere")
OPTIONS = (None, "below", "tries")  # keywords that are not the name of a variable
MIN_TRIES = 20


@dataclass(frozen=True)
class Comparison:
    """A call of one of these functions in a prompt."""

    name: str
    relations: tuple[str, ...]  # between its sides
    domains: dict[str, str]  # the source text of each variable's domain


def find_comparisons(text: str) -> Iterator[Comparison]:
    """Yield the comparisons in the prompts of a text, in order."""
    for tree in _parse_prompts(text):
        for name, call in _find_calls(tree):
            yield Comparison(
                name=name,
                relations=_list_relations(name, call),
                domains={
                    keyword.arg: ast.unparse(keyword.value)
                    for keyword in call.keywords
                    if keyword.arg not in OPTIONS
                },
            )


def find_domain_problems(text: str) -> Iterator[str]:
    """Yield a message for each domain that is invalid or has only one value."""
    for comparison in find_comparisons(text):
        for variable, source in comparison.domains.items():
            try:
                domain = read_domain(source)
            except ValueError as error:
                yield str(error)
            else:
                if _is_constant(domain):
                    yield f"{variable}={source} has one value; write it into the sides instead"


def _is_constant(domain: "Domain") -> bool:
    rng = np.random.default_rng(0)
    first, *others = *domain.edges, *map(domain.draw, [rng] * 9)
    return all(value == first for value in others)


def find_vacuous(text: str) -> Iterator[str]:
    """Yield a message for each comparison that cannot fail or has a useless argument."""
    for tree in _parse_prompts(text):
        bounded = {id(call) for node in ast_cache.list_nodes(tree) for call in _list_bounded(node)}
        for name, call in _find_calls(tree):
            yield from _find_vacuous(name, call, id(call) in bounded)


def _find_vacuous(name: str, call: ast.Call, bounded: bool) -> Iterator[str]:
    sides = call.args[:: 2 if name == "steps" else 1]
    if name == "share" and not bounded:
        yield "the result of share has no upper bound; compare it, as in share(…) <= 1"
    if any(ast.dump(one) == ast.dump(other) for one, other in pairwise(sides)):
        yield f"{name} compares a side with itself; compute the two sides in different ways"
    for keyword in call.keywords:
        if keyword.arg == "tries" and getattr(keyword.value, "value", 0) < MIN_TRIES:
            yield f"{name} tries too few points; write a number of at least {MIN_TRIES}"
    read = _list_read_names(sides)
    for keyword in call.keywords:
        if read and keyword.arg not in (*OPTIONS, *read):
            yield f"{name} has a domain for {keyword.arg}, but no side uses it; remove it"


def _list_read_names(sides: Iterable[ast.expr]) -> set[str]:
    """Return the names that lambdas read; none if a side isn't one, or takes any keyword."""
    names: set[str] = set()
    for side in sides:
        if not isinstance(side, ast.Lambda) or side.args.kwarg:
            return set()
        names |= {node.id for node in ast_cache.list_nodes(side.body) if isinstance(node, ast.Name)}
    return names


def _list_bounded(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that a comparison bounds from above, or an assignment stores for later."""
    if isinstance(node, ast.Assign):
        yield from ast_cache.list_nodes(node)
    elif isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        for (left, right), sign in zip(pairwise(sides), node.ops, strict=True):
            if isinstance(sign, ast.Lt | ast.LtE | ast.Eq):
                yield from ast_cache.list_nodes(left)
            if isinstance(sign, ast.Gt | ast.GtE | ast.Eq):
                yield from ast_cache.list_nodes(right)


def _parse_prompts(text: str) -> Iterator[ast.Module]:
    for _, source in ast_cache.find_prompts(text):
        with suppress(SyntaxError):  # reported when the prompt runs
            yield ast_cache.parse_source(source)


def _find_calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of these functions, each with its name.

    A call without keywords is of a function that the page itself defines.
    """
    for node in ast_cache.list_nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in NAMES and node.keywords:
                yield name, node


def _list_relations(name: str, call: ast.Call) -> tuple[str, ...]:
    if name == "steps":
        constants = (part.value for part in call.args[1::2] if isinstance(part, ast.Constant))
        return tuple(str(relation) for relation in constants)
    return {"gap": ("=",), "share": ("<=",)}.get(name, ())


def read_domain(source: str) -> "Domain":
    """Return the domain that an expression creates from names of `posenc.proofs` and numbers."""
    from posenc import proofs

    try:
        value = eval(source, {"__builtins__": {"range": range}, **vars(proofs)})
    except Exception as error:
        raise ValueError(
            f"the domain {source} cannot be read ({error}); write it out in the call, as even(512)"
        ) from None
    if not isinstance(value, proofs.Domain):
        raise ValueError(f"{source} is not a domain; use one of posenc.proofs, as even(512)")
    return value
