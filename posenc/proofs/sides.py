"""Compare the two sides of a statement: equal within a tolerance, or one a bound of the other."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.core import checks
from posenc.proofs.domains import Domain, at, points

Side = Callable[..., Any]

WIDEST = 10_000  # times the largest difference: how wide the tolerance of `gap` may be
ROUNDED = 1e-15  # smaller differences are rounding, which varies with the machine


def gap(left: Side, right: Side, /, *, below: float, tries: int = 60, **domain: Domain) -> bool:
    """Check that two sides that should be equal differ by no more than a tolerance.

    Args:
        left: A function of the variables that `domain` names; returns a number or an
            array of numbers.
        right: Another, of the same variables; returns the same shape.
        below: The largest absolute difference of two entries that is allowed, at least 0;
            0 asks for equal values. Derive it from the arithmetic: a tolerance of more than
            10 000 times the difference that is found would let mistakes pass, and is refused.
            Differences below 1e-15 count as 1e-15 there, since they vary with the machine.
        tries: How many points are tried, at least 1: corners of the domain first.
        domain: A `Domain` for each variable, by its name.

    Returns:
        True.

    Raises:
        AssertionError: The sides differ by more than `below`, with the point at which they
            do; or `below` is far wider than what was found.
        TypeError: A side is not callable, `below` is not a number, `tries` is not an integer,
            or a variable has no `Domain`.
        ValueError: No variable is named, `below` is negative or not finite, `tries` is below
            1, or the two sides have different shapes.

    Source:
        Definition of this book.

    Examples:
        >>> import math
        >>> from posenc.proofs import gap, real, whole
        >>> gap(
        ...     lambda x: math.sin(2 * x),
        ...     lambda x: 2 * math.sin(x) * math.cos(x),
        ...     below=1e-15, x=real(1000),
        ... )
        True
        >>> gap(lambda n: n * n, lambda n: 2 * n, below=0, n=whole(9))
        Traceback (most recent call last):
        AssertionError: the sides differ by 99, more than below=0, at n=-9
    """
    tolerance = checks.at_least_zero("below", below)

    def apart(one: NDArray[Any], other: NDArray[Any]) -> Any:
        return abs(one - other).max(initial=0)

    most, point = _worst(apart, left, right, tries, domain)
    if not most <= tolerance:
        raise AssertionError(
            f"the sides differ by {most:.2g}, more than below={below:g}, at {at(point)}"
        )
    if tolerance > WIDEST * max(most, ROUNDED):
        raise AssertionError(
            f"below={below:g} is more than {WIDEST} times the largest difference, {most:.2g}; "
            "derive a narrower one from the arithmetic"
        )
    return True


def share(left: Side, right: Side, /, *, tries: int = 60, **domain: Domain) -> float:
    """Return the largest share of a bound that is reached: left divided by right.

    Args:
        left: A function of the variables that `domain` names; returns a number or an
            array of numbers.
        right: Another, of the same variables; returns the same shape, at least 0.
        tries: How many points are tried, at least 1: corners of the domain first.
        domain: A `Domain` for each variable, by its name.

    Returns:
        The largest left/right of two entries at any point, at least 0: above 1 where the
        bound is broken, 1 where it is reached, and NaN where a side is NaN. Where right
        is 0, it is inf if left is above 0, and else 0.

    Raises:
        TypeError: A side is not callable, `tries` is not an integer, or a variable has
            no `Domain`.
        ValueError: No variable is named, `tries` is below 1, the two sides have different
            shapes, or a bound is negative.

    Source:
        Definition of this book.

    Examples:
        >>> import math
        >>> from posenc.proofs import real, share
        >>> reached = share(lambda x: abs(math.sin(x)), lambda x: abs(x), x=real(1000))
        >>> 0.99 < reached <= 1
        True
    """

    def reached(one: NDArray[Any], bound: NDArray[Any]) -> Any:
        if (bound < 0).any():
            raise ValueError(f"right must be at least 0, got right={bound!r}")
        none = bound == 0
        part = one / np.where(none, 1, bound)
        part = np.where(none, np.where(one > 0, np.inf, 0 * part), part)
        return part.max(initial=0)

    return _worst(reached, left, right, tries, domain)[0]


def everywhere(claim: Callable[..., bool], /, *, tries: int = 60, **domain: Domain) -> bool:
    """Check a claim at every point that is tried.

    Args:
        claim: A function of the variables that `domain` names; returns whether it holds.
        tries: How many points are tried, at least 1: corners of the domain first.
        domain: A `Domain` for each variable, by its name.

    Returns:
        True.

    Raises:
        AssertionError: The claim does not hold, with the point at which it does not.
        TypeError: `claim` is not callable or returns no bool, `tries` is not an integer, or
            a variable has no `Domain`.
        ValueError: No variable is named, or `tries` is below 1.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc.proofs import everywhere, whole
        >>> everywhere(lambda n: n * (n + 1) % 2 == 0, n=whole(2**53))
        True
    """
    checks.function("claim", claim)
    for point in points(domain, tries):
        holds = claim(**point)
        if not isinstance(holds, bool | np.bool_):
            raise TypeError(f"claim must return a bool, got {holds!r} at {at(point)}")
        if not holds:
            raise AssertionError(f"the claim does not hold at {at(point)}")
    return True


def _worst(
    measure: Callable[[NDArray[Any], NDArray[Any]], Any],
    left: Side,
    right: Side,
    tries: int,
    domain: dict[str, Domain],
) -> tuple[float, dict[str, Any]]:
    """Return the largest measure of two sides and the point that has it; NaN is the largest."""
    checks.function("left", left)
    checks.function("right", right)
    found = []
    for point in points(domain, tries):
        one, other = np.asarray(left(**point)), np.asarray(right(**point))
        if one.shape != other.shape:
            raise ValueError(
                "left and right must have one shape, "
                f"got {one.shape} and {other.shape} at {at(point)}"
            )
        found.append((float(measure(one, other)), point))
    return found[int(np.argmax([value for value, _ in found]))]
