"""Check the displayed formulas of a statement at points of its domain."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from formula_check.displays import (
    check_at_points,
    list_defined_letters,
    read_displays,
    read_statement_definitions,
)
from formula_check.evaluate import FormulaError
from formula_check.letters import Letters, collect_names, order_letters
from formula_check.parse import Chain, UnsupportedFormula


@dataclass(frozen=True)
class Result:
    """The result of checking the formulas of a statement or a proof."""

    checked: int = 0  # relations, over all points
    unused_definition: bool = False  # a name is defined and nothing compares it
    failure: str = ""  # the relation that does not hold, and where
    step: int = 0  # which relation of its chain that is, from 0
    unsupported: str = ""  # why a formula could not be computed


def check_statement(text: str, domain: Mapping[str, str], letters: Letters) -> Result:
    """Check the formulas of a statement; if it is listed as unsupported, only those that parse."""
    lenient = bool(letters.unsupported)
    try:
        displayed = [*read_displays(text, lenient=lenient)]
        definitions = [*read_statement_definitions(text, displayed)]
        names = collect_names([*definitions, *displayed])
        expressions = order_letters(
            letters.values, domain, names, text, list_defined_letters(definitions)
        )
        counts = check_at_points(displayed, definitions, expressions, lenient=lenient)
    except FormulaError as error:
        return Result(failure=str(error))
    except UnsupportedFormula as error:
        return Result(unsupported=str(error))
    if lenient:
        return Result(checked=counts.total())
    if any(chain.condition and not counts[chain] for chain in displayed):
        return Result(unsupported="the condition of a formula is never met where it is tried")
    return Result(
        checked=counts.total(), unused_definition=_has_unused_definition(displayed, counts)
    )


def _has_unused_definition(displayed: list[Chain], counts: Counter[Chain]) -> bool:
    """Return whether a name is defined that no relation uses, nor the definition of one."""
    used, waiting = [chain for chain in displayed if counts[chain]], {*displayed}
    while used:
        waiting -= {*used}
        names = collect_names(used)
        used = [chain for chain in waiting if collect_names(chain.sides[0]) & names]
    return bool(waiting)
