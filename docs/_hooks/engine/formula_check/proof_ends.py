"""Where a proof ends, and what its statement says: a bound that was derived is the bound stated.

A bound that is too small may hold at all points that are drawn, if it is seldom reached. But a
proof that leads to a bound is checked line by line, so its last side is one of the statement.
"""

from contextlib import suppress

from mpmath import mp

from engine.formula_check.evaluate import Scope, compute, related, shown
from engine.formula_check.notation import NOTATION
from engine.formula_check.parse import Tree, Unread
from engine.formula_check.sample_points import drawn
from engine.formula_check.statement_formulas import (
    ABOUT,
    CRASHES,
    DIGITS,
    WIDTH,
    Stated,
    displayed_in,
    explained_in,
    held_in,
    letters_of,
    ordered,
)

BOUNDS = {"<", "≤", ">", "≥"}
POINTS = 4


def elsewhere(one: Stated, draws: dict[str, str]) -> str:
    """Return where else than its statement a proof ends that leads to a bound, if it does."""
    if one.proof is None:
        return ""
    with suppress(Unread, *CRASHES):
        steps = [*displayed_in(one.proof.text, lenient=True)]
        displayed = [*displayed_in(one.block.text, lenient=True)]
        bounds = [chain for chain in displayed if BOUNDS & {*chain.relations}]
        explained = [*explained_in(one.block.text, displayed)]
        there = letters_of([*explained, *displayed])
        if not steps or not bounds or not BOUNDS & {*steps[-1].relations}:
            return ""
        end = steps[-1].sides[-1]
        if not letters_of(end) <= there:  # of the proof alone, as when it bounds a square
            return ""
        known = {name: text for name, text in draws.items() if name not in ABOUT}
        width = "d_k" if "d_k" in one.block.text and not WIDTH.search(one.block.text) else "d"
        with mp.workdps(DIGITS):
            for point in drawn(ordered(known, one.domain, there, width), POINTS):
                scope = Scope(point, NOTATION)
                with suppress(AssertionError):  # told of the statement itself
                    held_in(explained, displayed, scope, lenient=True)
                if not any(_same(side, end, scope) for chain in bounds for side in chain.sides):
                    at = ", ".join(f"{name} = {shown(value)}" for name, value in point.items())
                    return (
                        f"{shown(compute(end, scope))}, which no side of the statement is at {at}"
                    )
    return ""


def _same(side: Tree, end: Tree, scope: Scope) -> bool:
    with suppress(Unread, *CRASHES):
        return related(compute(side, scope), "=", compute(end, scope))
    return False
