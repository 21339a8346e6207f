"""The steps of a derivation, each against the next, at fifty digits."""

from collections.abc import Callable, Iterable
from typing import Any

from posenc.core import checks
from posenc.proofs.domains import Domain, at, points

DIGITS = 50
ROUNDED = 30  # digits that must agree: twenty are left for what subtractions cancel

HOLDS: dict[str, Callable[[Any, Any, Any], bool]] = {
    "=": lambda one, other, rounding: bool(abs(one - other) <= rounding),
    "<=": lambda one, other, rounding: bool(one <= other + rounding),
    ">=": lambda one, other, rounding: bool(one >= other - rounding),
    "<": lambda one, other, rounding: bool(one < other),
    ">": lambda one, other, rounding: bool(one > other),
}


def steps(*chain: Callable[..., Any] | str, tries: int = 60, **domain: Domain) -> str:
    """Hold each line of a derivation against the next, at points of a domain.

    Args:
        chain: Sides and the relations between them, in turn, as they are written:
            `left, "=", middle, "<=", right`. A side is a function of the variables that
            `domain` names, and returns a number or a sequence of numbers, of the same
            length as the next. Real numbers reach it as `mpmath.mpf`, whole ones as `int`;
            it should compute with `mpmath`, in which fifty digits are kept.
        tries: How many points are tried, at least 1: corners of the domain first.
        domain: A `Domain` for each variable, by its name.

    Returns:
        How many steps hold at how many points, as a sentence.

    Raises:
        AssertionError: A step does not hold: which, where, and by how much. Equal means
            within 10⁻³⁰ of the larger side, or of 1.
        ImportError: mpmath is missing.
        TypeError: A side is not callable, `tries` is not an integer, or a variable has
            no `Domain`.
        ValueError: Fewer than two sides, a relation that is none of `=`, `<=`, `>=`, `<`
            and `>`, no variable, `tries` below 1, or two sides of different lengths.

    Source:
        Definition of this book.

    Examples:
        >>> from mpmath import cos, sin
        >>> from posenc.proofs import real, steps
        >>> steps(
        ...     lambda x: cos(2 * x),
        ...     "=", lambda x: cos(x) ** 2 - sin(x) ** 2,
        ...     "=", lambda x: 1 - 2 * sin(x) ** 2,
        ...     x=real(1000),
        ... )
        '2 steps hold at 60 points'
    """
    sides, relations = chain[::2], chain[1::2]
    if len(sides) < 2 or len(sides) != len(relations) + 1:
        raise ValueError(f"chain must be sides with relations between them, got {len(chain)} parts")
    for number, side in enumerate(sides, 1):
        checks.function(f"side {number}", side)
    for relation in relations:
        if relation not in HOLDS:
            raise ValueError(f"a relation must be one of {', '.join(HOLDS)}, got {relation!r}")
    import mpmath

    with mpmath.workdps(DIGITS):
        for point in points(domain, tries):
            exact = {name: _exact(value) for name, value in point.items()}
            values = [_entries(side(**exact)) for side in sides]  # type: ignore[operator]
            for number, relation in enumerate(relations):
                _hold(number, str(relation), values[number], values[number + 1], point)
    many = "steps hold" if len(relations) > 1 else "step holds"
    return f"{len(relations)} {many} at {tries} points"


def _exact(value: Any) -> Any:
    import mpmath

    return mpmath.mpf(value) if isinstance(value, float) else value


def _entries(value: Any) -> list[Any]:
    return [*value] if isinstance(value, Iterable) else [value]


def _hold(
    number: int, relation: str, one: list[Any], other: list[Any], point: dict[str, Any]
) -> None:
    if len(one) != len(other):
        raise ValueError(
            f"sides {number + 1} and {number + 2} must have one length, "
            f"got {len(one)} and {len(other)} at {at(point)}"
        )
    for left, right in zip(one, other, strict=True):
        rounding = max(1, abs(left), abs(right)) / 10**ROUNDED
        if not HOLDS[relation](left, right, rounding):
            import mpmath

            said = f"{mpmath.nstr(left, 17)} {relation} {mpmath.nstr(right, 17)}"
            raise AssertionError(f"step {number + 1} does not hold: {said} at {at(point)}")
