"""Read the formulas of a text, and check them at one point."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from mpmath import mp

from check.formulas import DISPLAY, INLINE, convert_to_mathml
from formula_check.evaluate import (
    FormulaError,
    Scope,
    Value,
    check_chain,
    define,
    format_value,
)
from formula_check.letters import collect_names
from formula_check.notation import NOTATION
from formula_check.parse import Chain, Name, UnsupportedFormula, parse_chains
from formula_check.sample_points import draw_points

POINTS = 10
DIGITS = 40
# What evaluating a formula may raise when a letter has the wrong type, shape or value.
EVALUATION_ERRORS = (ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError)


def read_displays(text: str, *, lenient: bool) -> Iterator[Chain]:
    """Yield the displayed formulas; a lenient reader skips those that it cannot parse."""
    for match in DISPLAY.finditer(text):
        try:
            yield from [*parse_chains(convert_to_mathml(match["tex"], display=True))]
        except UnsupportedFormula:
            if not lenient:
                raise


def read_definitions(text: str) -> Iterator[Chain]:
    """Yield the definitions in the sentences of a text, such as "with $k = p - q$"."""
    for match in INLINE.finditer(DISPLAY.sub("", text)):
        try:
            chains = [*parse_chains(convert_to_mathml(match["tex"], display=False))]
        except (UnsupportedFormula, ValueError):
            continue
        if len(chains) == 1 and chains[0].relations[:1] == ("=",):
            yield chains[0]


def read_statement_definitions(text: str, displayed: list[Chain]) -> Iterator[Chain]:
    """Yield the definitions in the sentences of a statement.

    Sentences after the display only define names that the display doesn't define.
    """
    first = DISPLAY.search(text)
    if first is None:
        return
    yield from read_definitions(text[: first.start()])
    defined = {name for chain in displayed for name in collect_names(chain.sides[0])}
    for chain in read_definitions(text[first.start() :]):
        if not collect_names(chain.sides[0]) & defined:
            yield chain


def list_defined_letters(definitions: Iterable[Chain]) -> set[str]:
    """Return the letters that definitions define."""
    return {chain.sides[0].text for chain in definitions if isinstance(chain.sides[0], Name)}


def define_letters(definitions: list[Chain], scope: Scope) -> None:
    """Add to a scope the names that definitions define, unless they have a value."""
    failed = [chain for chain in definitions if not _try_definition(chain, scope)]
    for chain in failed:  # they may need definitions that come later
        _try_definition(chain, scope)


def _try_definition(chain: Chain, scope: Scope) -> bool:
    """Define the name that an equation defines, and return whether it could be computed."""
    try:
        define(chain.sides[0], chain.sides[1], scope)
    except (UnsupportedFormula, *EVALUATION_ERRORS):
        return False
    return True


def check_at_points(
    displayed: list[Chain],
    definitions: list[Chain],
    expressions: Mapping[str, str],
    *,
    lenient: bool = False,
) -> Counter[Chain]:
    """Count the relations of each formula that hold, over all points.

    Raise `FormulaError` if one does not hold, and `UnsupportedFormula` if one cannot be
    computed; a lenient check skips those.
    """
    counts: Counter[Chain] = Counter()
    try:
        with mp.workdps(DIGITS):
            for point in draw_points(expressions, POINTS):
                scope = Scope(point, NOTATION)
                define_letters(definitions, scope)
                try:
                    counts += check_displays(displayed, scope, lenient=lenient)
                except FormulaError as error:
                    raise FormulaError(error.step, f"{error} at {format_point(point)}") from None
    except EVALUATION_ERRORS as error:
        raise UnsupportedFormula(f"{type(error).__name__}: {error}") from error
    return counts


def check_displays(displayed: list[Chain], scope: Scope, *, lenient: bool) -> Counter[Chain]:
    """Count the relations of each formula that hold at a point.

    A formula that uses a name is checked after the formula that defines it.
    """
    counts: Counter[Chain] = Counter()
    waiting = [*displayed]
    while waiting:
        later = []
        for chain in waiting:
            try:
                counts[chain] += check_chain(chain, scope)
            except UnsupportedFormula as error:
                later.append((chain, error))
        if len(later) == len(waiting):
            if lenient:
                break
            raise later[0][1]
        waiting = [chain for chain, _ in later]
    return counts


def format_point(point: Mapping[str, Value]) -> str:
    """Return the numbers of a point, for a message."""
    numbers = {name: value for name, value in point.items() if isinstance(value, mp.mpf | mp.mpc)}
    return ", ".join(f"{name} = {format_value(value)}" for name, value in numbers.items())
