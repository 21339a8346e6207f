"""Domains: the values that a variable of a statement may have."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

import numpy as np

from posenc.core import checks

SEED = 20170612  # of all points: the day on which "Attention Is All You Need" appeared
CORNERS = 30  # of sixty points, those at the edges of all variables at once


@dataclass(frozen=True)
class Domain:
    """The values that one variable may have.

    Attributes:
        edges: Values that are tried before any other: the ends, and those at which
            a formula is likely to break.
        draw: Draws one value from a `numpy.random.Generator`.
        kind: `"even"`, `"whole"`, `"real"`, `"above"`, `"one_of"` or `"seed"`, the function
            that made it; empty for others.
        least: The lower end of an interval, which `"above"` leaves out; None without one.
        most: The upper end of an interval; None without one.

    Raises:
        TypeError: `edges` or `draw` is missing.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc.proofs import even
        >>> even(512).edges
        (2, 4, 510, 512)
    """

    edges: tuple[Any, ...]
    draw: Callable[[np.random.Generator], Any]
    kind: str = ""
    least: float | None = None
    most: float | None = None


def even(most: int, least: int = 2) -> Domain:
    """Return the even numbers of an interval, such as widths; small ones as often as large.

    Args:
        most: The largest, even, at least 2.
        least: The smallest, even, from 2 to `most`.

    Returns:
        A `Domain` of Python integers; drawn evenly on a logarithmic scale.

    Raises:
        TypeError: An argument is not an integer.
        ValueError: An argument is odd or below 2, or `least` is above `most`.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc.proofs import even
        >>> even(6, least=4).edges
        (4, 6)
    """
    high, low = checks.even("most", most), checks.even("least", least)
    _ordered(low, high)
    inner = (low, low + 2, high - 2, high)
    return Domain(
        _within(inner, low, high),
        lambda rng: 2 * _scaled(rng, low // 2, high // 2),
        kind="even",
        least=low,
        most=high,
    )


def whole(most: int, least: int | None = None) -> Domain:
    """Return the whole numbers of an interval, such as positions; all sizes equally often.

    Args:
        most: The largest.
        least: The smallest, at most `most`; `None` stands for minus `most`.

    Returns:
        A `Domain` of Python integers; drawn evenly on a logarithmic scale, of both signs
        where the interval has both.

    Raises:
        TypeError: An argument is not an integer.
        ValueError: `least` is above `most`.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc.proofs import whole
        >>> whole(9, least=1).edges
        (1, 2, 8, 9)
    """
    high = checks.integer("most", most)
    low = -high if least is None else checks.integer("least", least)
    _ordered(low, high)
    inner = (low, low + 1, -1, 0, 1, high - 1, high)
    return Domain(
        _within(inner, low, high),
        lambda rng: _scaled(rng, low, high),
        kind="whole",
        least=low,
        most=high,
    )


def real(most: float, least: float | None = None) -> Domain:
    """Return the real numbers of an interval, such as positions between two tokens.

    Args:
        most: The largest, finite.
        least: The smallest, finite, at most `most`; `None` stands for minus `most`.

    Returns:
        A `Domain` of Python floats; drawn evenly, or near 0 on a logarithmic scale.

    Raises:
        TypeError: An argument is not a real number.
        ValueError: An argument is not finite, or `least` is above `most`.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc.proofs import real
        >>> real(1, least=0).edges
        (0.0, 1e-09, 0.1, 0.5, 1.0)
    """
    high = checks.real("most", most)
    low = -high if least is None else checks.real("least", least)
    _ordered(low, high)
    inner = (low, -0.5, -0.1, -1e-9, 0.0, 1e-9, 0.1, 0.5, high)

    def draw(rng: np.random.Generator) -> float:
        value = float(rng.uniform(low, high))
        return value * 10.0 ** float(rng.uniform(-6, 0)) if low <= 0 <= high else value

    return Domain(_within(inner, low, high), draw, kind="real", least=low, most=high)


def above(least: float, most: float) -> Domain:
    """Return the real numbers above one and up to another, such as bases or scales.

    Args:
        least: What all are above, finite; never drawn itself.
        most: The largest, finite, above `least`.

    Returns:
        A `Domain` of Python floats; their distance from `least` is drawn evenly on a
        logarithmic scale, down to a billionth of the whole.

    Raises:
        TypeError: An argument is not a real number.
        ValueError: An argument is not finite, or `most` is not above `least`.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc.proofs import above
        >>> min(above(1, 10**6).edges) > 1
        True
    """
    low, high = checks.real("least", least), checks.real("most", most)
    if not high > low:
        raise ValueError(f"most must be above least, got least={least!r}, most={most!r}")
    width = high - low
    return Domain(
        (low + 1e-9 * width, low + 1e-3 * width, high),
        lambda rng: low + width * 10.0 ** float(rng.uniform(-9, 0)),
        kind="above",
        least=low,
        most=high,
    )


def one_of(*values: Any) -> Domain:
    """Return the values that are named, all of which are tried.

    Args:
        values: One or more of any type.

    Returns:
        A `Domain` of these values.

    Raises:
        ValueError: No value is named.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc.proofs import one_of
        >>> one_of("interleaved", "half").edges
        ('interleaved', 'half')
    """
    if not values:
        raise ValueError("values must be one or more, got values=()")
    return Domain(values, lambda rng: values[int(rng.integers(len(values)))], kind="one_of")


def seed() -> Domain:
    """Return seeds, from which a side draws arrays: `numpy.random.default_rng(seed)`.

    Returns:
        A `Domain` of Python integers from 0 to 2³² − 1, drawn evenly.

    Source:
        Definition of this book.

    Examples:
        >>> from posenc.proofs import seed
        >>> seed().edges
        (0,)
    """
    return Domain((0,), lambda rng: int(rng.integers(2**32)), kind="seed")


def points(domain: Mapping[str, Domain], tries: int) -> Iterator[dict[str, Any]]:
    """Yield points of a domain, by the name of each variable: corners first, then others."""
    checks.integer("tries", tries, least=1)
    if not domain:
        raise ValueError("domain must name a variable, such as d=even(512)")
    for name, one in domain.items():
        if not isinstance(one, Domain):
            raise TypeError(f"{name} must be a Domain, such as even(512), got {name}={one!r}")
    rng = np.random.default_rng(SEED)
    corners = list(islice(_corners(domain, rng), min(tries, CORNERS)))
    yield from corners
    for _ in range(tries - len(corners)):
        yield {name: one.draw(rng) for name, one in domain.items()}


def at(point: Mapping[str, Any]) -> str:
    """Return a point as a message says it."""
    return ", ".join(f"{name}={value!r}" for name, value in point.items())


def _corners(domain: Mapping[str, Domain], rng: np.random.Generator) -> Iterator[dict[str, Any]]:
    """Yield the edges of all variables together: each with each, or each at least once."""
    if math.prod(len(one.edges) for one in domain.values()) <= CORNERS:
        for corner in product(*(one.edges for one in domain.values())):
            yield dict(zip(domain, corner, strict=True))
        return
    for end in (0, -1):
        yield {name: one.edges[end] for name, one in domain.items()}
    walks = {name: _shuffled(one.edges, rng) for name, one in domain.items()}
    while True:
        yield {name: next(walk) for name, walk in walks.items()}


def _shuffled(values: tuple[Any, ...], rng: np.random.Generator) -> Iterator[Any]:
    """Yield all values in some order, and again in another, without end."""
    while True:
        yield from (values[n] for n in rng.permutation(len(values)))


def _ordered(low: float, high: float) -> None:
    if low > high:
        raise ValueError(f"least must be at most most, got least={low!r}, most={high!r}")


def _within(values: tuple[Any, ...], low: Any, high: Any) -> tuple[Any, ...]:
    return tuple(sorted({value for value in values if low <= value <= high}))


def _scaled(rng: np.random.Generator, low: int, high: int) -> int:
    """Draw a whole number from low to high, its distance from 0 or from low at any scale."""
    if low == high:
        return low
    if low < 0 < high:
        return _scaled(rng, 0, high) if rng.random() < 0.5 else -_scaled(rng, 0, -low)
    if high <= 0:
        return -_scaled(rng, -high, -low)
    size = math.exp(rng.uniform(0, math.log(high - low + 1))) - 1
    return min(low + round(size), high)
