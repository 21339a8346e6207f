"""Exercises of the chapter on aliasing."""

import math
from typing import Any

import numpy as np

from posenc.exercises.exercise import Answer, Exercise, differs, judges, pairs

# Easy: where one wave nearly returns.


# --8<-- [start:aliasing-easy]
def nearest_return(omega: float, up_to: int) -> int:
    """Return the offset from 1 to up_to at which a wave is nearest to itself."""
    return min(range(1, up_to + 1), key=lambda k: abs(math.sin(omega * k / 2)))
    # --8<-- [end:aliasing-easy]


def by_half_turns(omega: float, up_to: int) -> int:
    """Take the sine of the whole angle, which is 0 after half a turn, too."""
    return min(range(1, up_to + 1), key=lambda k: abs(math.sin(omega * k)))


# --8<-- [start:aliasing-easy-wrong]
def by_remainder(omega: float, up_to: int) -> int:
    """Take what is left after whole turns, so that just short of one is far."""
    return min(range(1, up_to + 1), key=lambda k: omega * k % (2 * math.pi))
    # --8<-- [end:aliasing-easy-wrong]


def at_rounded_period(omega: float, up_to: int) -> int:
    """Round the period, and take that."""
    return round(2 * math.pi / omega)


def _returns(answer: Answer, cases: list[tuple[float, int]]) -> str | None:
    """Judge by turns: how far k / period is from a whole number."""
    for period, up_to in cases:
        right = min(range(1, up_to + 1), key=lambda k: abs(k / period - round(k / period)))
        at = f"wavelength {period:.4g}, offsets up to {up_to}"
        if wrong := differs(answer(2 * math.pi / period, up_to), right, at=at):
            return wrong
    return None


@judges(
    "many turns",
    hint="the period was rounded; several turns may end nearer to a whole offset than one.",
    wrong=at_rounded_period,
)
def many_turns(answer: Answer) -> str | None:
    """Several turns come nearer than one."""
    return _returns(answer, [(4.2, 30), (5.5, 20), (5.5, 11)])


@judges(
    "whole turns",
    hint="half a turn was taken for a whole one; after it the wave is opposite.",
    wrong=by_half_turns,
)
def whole_turns(answer: Answer) -> str | None:
    """Half turns do not count, however near they come."""
    return _returns(answer, [(2 * math.pi, 20), (2 * math.pi, 1000), (9.3, 30)])


@judges(
    "from either side",
    hint="only what goes beyond a whole turn was counted as near, not what falls short.",
    wrong=by_remainder,
)
def either_side(answer: Answer) -> str | None:
    """An offset just short of a whole turn is found, too."""
    return _returns(answer, [(7.02, 100), (9.3, 12), (12.34, 40)])


# Medium: positions through half precision, without a loss.


# --8<-- [start:aliasing-medium]
def in_halves(positions: Any) -> tuple[Any, Any]:
    """Return two float16 arrays that add up to positions from 0 to 65535."""
    positions = np.asarray(positions)
    high, low = positions // 32 * 32, positions % 32
    return high.astype(np.float16), low.astype(np.float16)
    # --8<-- [end:aliasing-medium]


def rounded(positions: Any) -> tuple[Any, Any]:
    """Cast, and leave nothing over."""
    return np.asarray(positions).astype(np.float16), np.zeros(np.shape(positions), np.float16)


# --8<-- [start:aliasing-medium-wrong]
def as_rest(positions: Any) -> tuple[Any, Any]:
    """Cast, and send the rest; the last positions round up to infinity."""
    positions = np.asarray(positions)
    with np.errstate(over="ignore", invalid="ignore"):
        high = positions.astype(np.float16)
        return high, (positions - high.astype(np.float64)).astype(np.float16)
    # --8<-- [end:aliasing-medium-wrong]


def wider(positions: Any) -> tuple[Any, Any]:
    """Keep the positions as they are, in single precision."""
    return np.asarray(positions, dtype=np.float32), np.zeros(np.shape(positions))


def _sums(answer: Answer, positions: Any) -> str | None:
    with np.errstate(over="ignore", invalid="ignore"):
        sums = sum(np.asarray(part, dtype=float) for part in answer(positions))
    return differs(sums, positions, at=f"sums, from position {positions[0]} on")


@judges(
    "half precision",
    hint="a part has another type; here only float16 gets through.",
    wrong=wider,
)
def half_precision(answer: Answer) -> str | None:
    """Both parts are float16."""
    sizes = [np.asarray(part).dtype.itemsize for part in answer(np.arange(100))]
    return differs(sizes, [2, 2], at="bytes of a number", axes=("part",))


@judges(
    "beyond 2048",
    hint="positions were rounded, and what rounding took away was not sent along.",
    wrong=rounded,
)
def beyond_2048(answer: Answer) -> str | None:
    """Positions beyond 2048 are exact, though half precision rounds them."""
    return _sums(answer, np.arange(2040, 40_000))


@judges(
    "to the last position",
    hint="the high part was rounded up, and above 65504 that is infinite; round down.",
    wrong=as_rest,
)
def to_the_last(answer: Answer) -> str | None:
    """All positions up to 65 535 are exact."""
    return _sums(answer, np.arange(65_000, 65_536))


# Hard: a proof that a stretch has no alias.


# --8<-- [start:aliasing-hard]
def least(omega: Any, low: float, high: float) -> float:
    """Bound the distance of codes from below, for all real offsets of a stretch."""
    centre, reach = np.outer([(low + high) / 2, (high - low) / 2], omega)
    nearest = np.arcsin(abs(np.sin(centre / 2)))
    kept = np.sin(np.maximum(0, nearest - reach / 2))
    return float(2 * math.sqrt(kept @ kept))


def proof(omega: Any, start: float, stop: float, distance: float) -> Any:
    """Return stretches (low, high) that are cleared, or None."""
    todo, cleared = [(float(start), float(stop))], []
    while todo:
        low, high = todo.pop()
        middle = (low + high) / 2
        if least(omega, low, high) > distance:
            cleared.append((low, high))
        elif least(omega, middle, middle) <= distance or high - low < 1e-9:
            return None  # an alias, or as good as one
        else:
            todo += [(middle, high), (low, middle)]
    return cleared
    # --8<-- [end:aliasing-hard]


# --8<-- [start:aliasing-hard-wrong]
def by_samples(omega: Any, start: int, stop: int, distance: float) -> Any:
    """Look at every whole offset, and clear what lies between it and the next."""
    offsets = range(start, stop)
    if any(least(omega, k, k) <= distance for k in offsets):
        return None
    return [(k, k + 1) for k in offsets]
    # --8<-- [end:aliasing-hard-wrong]


def by_middles(omega: Any, start: float, stop: float, distance: float) -> Any:
    """Cut the stretch into pieces of a hundred, and look at the middle of each."""
    low = np.arange(start, stop, 100.0)
    near = any(least(omega, k + 50, k + 50) <= distance for k in low)
    return None if near else [(k, k + 100) for k in low]


def whole_offsets(omega: Any, start: float, stop: float, distance: float) -> Any:
    """Clear every whole offset, and nothing between."""
    return [(k, k) for k in range(int(start), int(stop) + 1)]


CLEAR = ((64, 12_404, 34_713, 1.472), (64, 2, 3000, 1.4719), (8, 100, 5000, 0.6))


@judges(
    "no gap",
    hint="whole offsets were cleared one by one, which leaves out all between them.",
    wrong=whole_offsets,
)
def no_gap(answer: Answer) -> str | None:
    """The stretches cover all real offsets."""
    for d_model, start, stop, distance in CLEAR:
        found = sorted(answer(pairs(d_model), start, stop, distance))
        reached = np.maximum.accumulate([start, *(high for _, high in found)])
        gaps = np.maximum(0, [*(low for low, _ in found), stop] - reached)
        at = f"gap of {start} to {stop}, d_model={d_model}"
        if wrong := differs(gaps, np.zeros(len(gaps)), at=at, axes=("before stretch",)):
            return wrong
    return None


@judges(
    "all cleared",
    hint="one offset of a stretch was looked at; the bound must hold for all of it.",
    wrong=by_middles,
)
def cleared(answer: Answer) -> str | None:
    """Each stretch has a bound above the distance."""
    for d_model, start, stop, distance in CLEAR:
        omega = pairs(d_model)
        for low, high in answer(omega, start, stop, distance):
            bound = least(omega, low, high)
            if bound >= distance:  # most often, and there may be many thousands
                continue
            at = f"bound of {low:.6g} to {high:.6g}, d_model={d_model}"
            if wrong := differs(bound, distance, at=at):
                return wrong
    return None


@judges(
    "an alias inside",
    hint="samples were taken, and the alias lies between two of them.",
    wrong=by_samples,
)
def alias_inside(answer: Answer) -> str | None:
    """Where there is an alias, at the common period 2000π, there is no proof."""
    none = answer(pairs(8), 6000, 6500, 0.1) is None
    return differs(none, True, at="no proof of 6000 to 6500, d_model=8")


EXERCISES = (
    Exercise("aliasing-easy", nearest_return, (many_turns, whole_turns, either_side)),
    Exercise("aliasing-medium", in_halves, (half_precision, beyond_2048, to_the_last)),
    Exercise("aliasing-hard", proof, (no_gap, cleared, alias_inside)),
)
