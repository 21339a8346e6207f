"""Describe pair by pair how frequencies differ, where no single cause explains it."""

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def describe_pairs(ours: Values, theirs: Values, off: Values) -> str | None:
    """Return which pairs have other frequencies, and by which factors, in words, or None.

    `off` is how far each of our frequencies may be from the true one.
    """
    n = len(theirs)
    if len(ours) != n:
        return None
    wrong = np.flatnonzero(abs(ours - theirs) > off)
    if not len(wrong):
        return None
    if len(wrong) > 1 and bool((abs(np.sort(ours) - np.sort(theirs)) <= np.sort(off)).all()):
        reverse = bool((abs(ours[::-1] - theirs) <= off).all())
        return f"the frequencies of the reference in {'reverse' if reverse else 'another'} order"
    still = wrong[ours[wrong] == 0]
    if len(still) == len(wrong):
        return f"{name_pairs(still, n)} {'does' if len(still) == 1 else 'do'} not rotate"
    turning = wrong[theirs[wrong] == 0]
    if len(turning) == len(wrong):
        return f"{name_pairs(turning, n)} should not rotate"
    rest = wrong[(ours[wrong] != 0) & (theirs[wrong] != 0)]
    if not len(rest):
        return f"{name_pairs(wrong, n)} differ"
    first = int(rest[0])
    example = f"pair {first}: {ours[first]:.6g} instead of {theirs[first]:.6g} radians per position"
    words = f"{name_pairs(rest, n)} {_describe_ratios(ours[rest] / theirs[rest])} ({example})"
    if len(still):
        words += f", and {name_pairs(still, n)} {'does' if len(still) == 1 else 'do'} not rotate"
    return words


def name_pairs(pairs: NDArray[np.intp], n: int) -> str:
    """Return some of n pairs in words, with their range."""
    first, last = int(pairs[0]), int(pairs[-1])
    if len(pairs) == n:
        return f"all {n} pairs"
    if len(pairs) == 1:
        return f"pair {first} of {n}"
    if len(pairs) == last - first + 1:
        return f"pairs {first} to {last} of {n}"
    return f"{len(pairs)} of {n} pairs, from pair {first} to pair {last},"


def _describe_ratios(ratios: Values) -> str:
    """Return by which factors frequencies differ, in words."""
    verb = "is" if len(ratios) == 1 else "are"
    faster, slower = ratios[ratios > 1], ratios[ratios < 1]
    if len(faster) and len(slower):
        return (
            f"{verb} between {_format(1 / slower.min())} times slower and"
            f" {_format(faster.max())} times faster"
        )
    way, times = ("faster", faster) if len(faster) else ("slower", 1 / slower)
    low, high = _format(times.min()), _format(times.max())
    factors = f"a factor of {low}" if low == high else f"factors from {low} to {high}"
    return f"{verb} {way} by {factors}"


def _format(times: float) -> str:
    """Return a factor with as many digits as show that it isn't 1."""
    return f"{times:.3g}" if abs(times - 1) >= 0.005 else f"{times:.6g}"
