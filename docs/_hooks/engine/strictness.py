"""Strictness: how close a card looks, as far as its code says.

A check is weakened in ways that leave everything green: a bound grows, as from 5/70 to 5/7, or
nothing says any longer how near to it something comes; what all entries had to do is asked of
their mean; *if and only if* becomes *if*; what was drawn at random is written down, and a letter
is tried for less. So all of this is read off the prompts of a card, to be held against what it was.
"""

import ast
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from numbers import Real

from engine import comparisons, statements, trees
from engine.witnesses import prompts

BELOW = 1  # a bound; what is larger counts or orders
OF_ALL = ("max", "all", "array_equal")
DRAWN = ("choice", "draw", "integers", "normal", "permutation", "permuted", "random", "uniform")
ARITHMETIC = (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)


@dataclass(frozen=True)
class Strictness:
    """How close a card looks."""

    bounds: tuple[float, ...] = ()  # that things are held below, from the narrowest on
    floors: tuple[float, ...] = ()  # that things are held above, from the highest on
    of_all: int = 0  # how often it takes the largest, or asks all
    equal: int = 0  # how often it asks whether two things are the same
    draws: int = 0  # how often it draws at random
    tried: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of each letter, its domains

    def weaker(self, before: "Strictness") -> Iterator[str]:
        """Yield in what it is weaker than it was."""
        for bound, was in zip(self.bounds, before.bounds, strict=False):
            if bound > was:
                yield f"holds something below {bound:.3g}, and has held it below {was:.3g}"
                break
        floors = *self.floors, *[0.0] * len(before.floors)
        for floor, was in zip(floors, before.floors, strict=False):
            if floor < was:
                yield f"holds something above {floor:.3g}, and has held it above {was:.3g}"
                break
        yield from _fewer("takes the largest, or asks all,", self.of_all, before.of_all)
        yield from _fewer("asks for two things to be the same", self.equal, before.equal)
        yield from _fewer("draws at random", self.draws, before.draws)
        for letter, domains in self.tried.items():
            for now, then in zip(domains, before.tried.get(letter, ()), strict=False):
                if _narrower(now, then):
                    yield f"tries {letter}={now}, and has tried {letter}={then}"
                    break


def _fewer(what: str, times: int, before: int) -> Iterator[str]:
    if times < before:
        yield f"{what} {times} times, and has done so {before} times"


@lru_cache(maxsize=256)
def of_cards(text: str) -> dict[str, Strictness]:
    """Return how close each card of a page looks, to be looked at only."""
    found, left = dict[str, Strictness](), [*prompts(text)]
    for card in statements.cards(text):
        sources = list[str]()
        while left and left[0][0] < card.verification.end:
            place, source = left.pop(0)
            if place > card.start:
                sources.append(source)
        found[card.id] = of_prompts(sources)
    return found


def of_prompts(sources: Iterable[str]) -> Strictness:
    """Return how close some prompts look."""
    nodes, tried = list[ast.AST](), dict[str, tuple[str, ...]]()
    for source in sources:
        with suppress(SyntaxError):  # complained of where the prompt is run
            nodes += trees.nodes(trees.tree(source))
        for comparison in comparisons.found(source):
            for letter, domain in comparison.domain.items():
                tried[letter] = (*tried.get(letter, ()), domain)
    limits = [limit for node in nodes for limit in _limits(node)]
    return Strictness(
        bounds=tuple(sorted(-limit for limit in limits if -BELOW < limit < 0)),
        floors=tuple(sorted((limit for limit in limits if limit > 0), reverse=True)),
        of_all=sum(called(node) in OF_ALL for node in nodes),
        equal=sum(_asked(node, ast.Eq) for node in nodes),
        draws=sum(called(node) in DRAWN for node in nodes),
        tried=tried,
    )


def _narrower(now: str, was: str) -> bool:
    """Return whether a domain has less room than another; what cannot be read is told elsewhere."""
    with suppress(ValueError):
        (low, high), (least, most) = _ends(now), _ends(was)
        return low > least or high < most
    return False


def _ends(domain: str) -> tuple[float, float]:
    """Return the ends of a domain of numbers; of one of words, how many it has."""
    edges = comparisons.read_domain(domain).edges
    if edges and all(isinstance(edge, Real) for edge in edges):
        return float(min(edges)), float(max(edges))
    return 1.0, float(len(edges))


def _limits(node: ast.AST) -> Iterator[float]:
    """Yield the numbers, as written, that a comparison holds something above; others negative."""
    if isinstance(node, ast.Compare):
        sides = pairwise([node.left, *node.comparators])
        for (left, right), sign in zip(sides, node.ops, strict=True):
            if isinstance(sign, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
                small, large = (
                    (left, right) if isinstance(sign, ast.Lt | ast.LtE) else (right, left)
                )
                floor, bound = written(small), written(large)
                if floor is not None and floor > 0:
                    yield floor
                if bound is not None and bound > 0:
                    yield -bound


def written(node: ast.expr) -> float | None:
    """Return the value of arithmetic with numbers alone."""
    if not all(isinstance(part, ARITHMETIC) for part in trees.nodes(node)):
        return None
    with suppress(ArithmeticError, TypeError):
        found = eval(compile(ast.Expression(node), "limit", "eval"))
        return float(found) if isinstance(found, int | float) else None
    return None


def called(node: ast.AST) -> str:
    """Return the name of a function that is called, without what it belongs to."""
    return ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""


def _asked(node: ast.AST, sign: type[ast.cmpop]) -> int:
    """Return how often a comparison has a sign."""
    return sum(isinstance(one, sign) for one in node.ops) if isinstance(node, ast.Compare) else 0
