"""Explain how two tables of M-RoPE differ: which axis each pair belongs to.

A column of such a table holds the cosines (or sines) of one axis's positions times the frequency of
its pair. Neither the positions nor the axes are passed, so both are read off: a column shows
which positions its rows may have, and columns that share their positions share an axis.

Letters in this module
    r  a row    i  a pair, 0..n-1    p  a position, 0..P-1    a  an axis
"""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from posenc.judging import precision
from posenc.judging.frequencies.published import BASES

Values = NDArray[np.float64]
Allowed = NDArray[np.bool_]  # (n, rows, P): which positions a pair may have in each row
Axes = NDArray[np.int64]

NAMES = ("time", "height", "width")
LARGEST = 2**27  # numbers of such an array


@dataclass(frozen=True)
class Pattern:
    """A rule that shares out the pairs to three axes."""

    name: str  # "contiguous" or "interleaved"
    sections: tuple[int, int, int]
    axes: Axes  # of each pair, counted in the order of the sections


def explain_sections(given: Values, wanted: Values, dtype: str) -> str | None:
    """Return by which sections two M-RoPE tables (L, d/2) or (L, d) differ, in words, or None."""
    given, wanted = _drop_copies(given), _drop_copies(wanted)
    length, n = wanted.shape
    positions = np.arange(2 * length + 64)
    if given.shape != wanted.shape or n < 3 or length < 2 or length * n * len(positions) > LARGEST:
        return None
    wave = {0.0: np.sin, 1.0: np.cos}.get(float(wanted[0, 0]))
    base = _find_base(given, wanted, wave, dtype) if wave else None
    if wave is None or base is None:
        return None
    omega = base ** (-np.arange(n) / n)
    table = wave(np.multiply.outer(positions, omega))
    angles = precision.get_angle_dtype(dtype)
    allowed = precision.bound_angle_error(positions.astype(np.float64), omega, angles)
    limit = precision.bound_entry_error(table, allowed, dtype, angles, 1.0)
    ours, theirs = (_list_positions(of, table, limit) for of in (given, wanted))
    axes = _find_axes(theirs) or _find_axes([*theirs, *ours])
    if axes is None:
        return None
    single = _find_single_axis(ours, axes)
    return single or _explain(*(_find_pattern(_match(of, axes)) for of in (ours, theirs)))


def _drop_copies(table: Values) -> Values:
    """Return a table without the second of two equal halves, or of two equal neighbours."""
    n = table.shape[1]
    if n % 2 == 0 and np.array_equal(table[:, : n // 2], table[:, n // 2 :]):
        return table[:, : n // 2]
    if n % 2 == 0 and np.array_equal(table[:, ::2], table[:, 1::2]):
        return table[:, ::2]
    return table


def _find_base(given: Values, wanted: Values, wave: np.ufunc, dtype: str) -> float | None:
    """Return the base of the frequencies, read off the first row after row 0, or None."""
    n = wanted.shape[1]
    for base in BASES:
        angle = base ** (-np.arange(n) / n)
        limit = 8 * precision.UNITS[precision.get_angle_dtype(dtype)] + precision.UNITS[dtype]
        if all((abs(of[1] - wave(angle)) <= limit).all() for of in (given, wanted)):
            return base
    return None


def _list_positions(of: Values, table: Values, limit: Values) -> list[Allowed]:
    """Return which positions each pair may have in each row, (rows, P) for each pair."""
    return [
        abs(of[:, i, np.newaxis] - table[np.newaxis, :, i]) <= limit[np.newaxis, :, i]
        for i in range(of.shape[1])
    ]


def _find_axes(pairs: list[Allowed]) -> list[Axes] | None:
    """Return the positions of each axis, read off pairs that have one position in each row."""
    axes: list[Axes] = []
    for allowed in pairs:
        if not (allowed.sum(axis=1) == 1).all():
            continue
        axis = allowed.argmax(axis=1)
        if not any(np.array_equal(axis, known) for known in axes):
            axes.append(axis)
        if len(axes) > len(NAMES):
            return None
    return axes if len(axes) == len(NAMES) else None


def _find_single_axis(pairs: list[Allowed], axes: list[Axes]) -> str | None:
    """Return which positions all pairs share, in words, or None."""
    rows = np.arange(len(axes[0]))
    if all(allowed[rows, rows].all() for allowed in pairs):
        return f"no M-RoPE: all pairs have the positions 0 to {len(rows) - 1}"
    for name, axis in zip(NAMES, axes, strict=True):
        if all(allowed[rows, axis].all() for allowed in pairs):
            return f"no M-RoPE: all pairs have the positions of the {name} axis"
    return None


def _match(pairs: list[Allowed], axes: list[Axes]) -> NDArray[np.bool_]:
    """Return which axes each pair may belong to, (n, 3)."""
    rows = np.arange(len(axes[0]))
    return np.array([[bool(allowed[rows, axis].all()) for axis in axes] for allowed in pairs])


def _find_pattern(possible: NDArray[np.bool_]) -> tuple[Pattern, tuple[int, ...]] | None:
    """Return the rule that shares out the pairs, and the axis of each section, or None."""
    n = len(possible)
    for pattern in _list_patterns(n):
        for order in itertools.permutations(range(len(NAMES))):
            if possible[np.arange(n), np.array(order)[pattern.axes]].all():
                return pattern, order
    return None


def _list_patterns(n: int) -> Iterator[Pattern]:
    """Yield all rules for n pairs, those of published models first."""
    usual = [tuple(n * part // 64 for part in of) for of in ((16, 24, 24), (24, 20, 20))]
    every = ((n - a - b, a, b) for a in range(1, n - 1) for b in range(1, n - a))
    for sections in dict.fromkeys((*usual, *every)):
        first, second, third = sections
        if sum(sections) != n or min(sections) < 1:
            continue
        contiguous = np.repeat(np.arange(3), sections)
        yield Pattern("contiguous", (first, second, third), contiguous)
        if max(3 * second - 2, 3 * third - 1) >= n:
            continue
        interleaved = np.zeros(n, dtype=np.int64)
        interleaved[1 : 3 * second : 3], interleaved[2 : 3 * third : 3] = 1, 2
        yield Pattern("interleaved", (first, second, third), interleaved)


def _explain(
    found: tuple[Pattern, tuple[int, ...]] | None, target: tuple[Pattern, tuple[int, ...]] | None
) -> str | None:
    """Return what differs between two rules, in words, or None."""
    if found is None or target is None:
        return None
    (ours, order), (theirs, right) = found, target
    words = []
    alternating = np.array_equal(ours.axes, np.arange(len(ours.axes)) % 3)
    if alternating and ours.sections != theirs.sections:
        meant = f"{theirs.name} sections {theirs.sections}"
        words.append(f"M-RoPE axes alternate over all pairs (::3) instead of {meant}")
    elif ours.name != theirs.name:
        words.append(f"M-RoPE sections {ours.name} instead of {theirs.name}")
    elif ours.sections != theirs.sections:
        words.append(f"M-RoPE sections {ours.sections} instead of {theirs.sections}")
    if order != right:
        names = [NAMES[right.index(axis)] for axis in order]
        words.append(f"M-RoPE axes in the order {', '.join(names)} instead of {', '.join(NAMES)}")
    return "; ".join(words) or None
