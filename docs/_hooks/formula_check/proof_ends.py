"""Compare the end of a proof with its statement.

A bound that is too small may hold at every point that is drawn, if it is seldom reached. A proof
of a bound is checked line by line, so its last side has to be a side of the statement.
"""

from contextlib import suppress

from mpmath import mp

from formula_check.blocks import Proof
from formula_check.displays import (
    DIGITS,
    EVALUATION_ERRORS,
    check_displays,
    define_letters,
    format_point,
    read_displays,
    read_statement_definitions,
)
from formula_check.evaluate import Scope, compare, evaluate, format_value
from formula_check.letters import Letters, collect_names, order_letters
from formula_check.notation import NOTATION
from formula_check.parse import Tree, UnsupportedFormula
from formula_check.sample_points import draw_points

INEQUALITIES = {"<", "≤", ">", "≥"}
POINTS = 4


def check_proof_end(proof: Proof, letters: Letters) -> str:
    """Return the end of a proof of a bound, and a point, if the statement has no such side."""
    statement = proof.statement
    if statement is None:
        return ""
    text = statement.block.text
    with suppress(UnsupportedFormula, *EVALUATION_ERRORS):
        steps = [*read_displays(proof.text, lenient=True)]
        displayed = [*read_displays(text, lenient=True)]
        bounds = [chain for chain in displayed if INEQUALITIES & {*chain.relations}]
        definitions = [*read_statement_definitions(text, displayed)]
        names = collect_names([*definitions, *displayed])
        if not steps or not bounds or not INEQUALITIES & {*steps[-1].relations}:
            return ""
        end = steps[-1].sides[-1]
        if not collect_names(end) <= names:  # a bound of something else, such as a square
            return ""
        expressions = order_letters(letters.values, statement.domain, names, text)
        with mp.workdps(DIGITS):
            for point in draw_points(expressions, POINTS):
                scope = Scope(point, NOTATION)
                define_letters(definitions, scope)
                with suppress(AssertionError):  # the check of the statement reports it
                    check_displays(displayed, scope, lenient=True)
                sides = [side for chain in bounds for side in chain.sides]
                if not any(_are_equal(side, end, scope) for side in sides):
                    value = format_value(evaluate(end, scope))
                    return f"{value}, which is no side of the statement, at {format_point(point)}"
    return ""


def _are_equal(side: Tree, end: Tree, scope: Scope) -> bool:
    with suppress(UnsupportedFormula, *EVALUATION_ERRORS):
        return compare(evaluate(side, scope), "=", evaluate(end, scope))
    return False
