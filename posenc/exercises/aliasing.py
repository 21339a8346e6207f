"""Exercises of the chapter on aliasing."""

import math
from typing import Any

import numpy as np

from posenc.exercises._exercise import Answer, Exercise, Property, differs, first, pairs

# Easy: where one wave nearly returns.


def nearest_return(omega: float, up_to: int) -> int:
    """Look for the offset with the least distance, 2 |sin(omega k / 2)|."""
    return min(range(1, up_to + 1), key=lambda k: abs(math.sin(omega * k / 2)))


def by_half_turns(omega: float, up_to: int) -> int:
    """Take the sine of the whole angle, which is 0 after half a turn, too."""
    return min(range(1, up_to + 1), key=lambda k: abs(math.sin(omega * k)))


def by_remainder(omega: float, up_to: int) -> int:
    """Take what is left of the angle after whole turns, so that just short of one is far."""
    return min(range(1, up_to + 1), key=lambda k: omega * k % (2 * math.pi))


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


def many_turns(answer: Answer) -> str | None:
    """Several turns come nearer than one."""
    return _returns(answer, [(4.2, 30), (5.5, 20)])


def whole_turns(answer: Answer) -> str | None:
    """Half turns come nearer still, and do not count."""
    return _returns(answer, [(2 * math.pi, 20), (2 * math.pi, 1000), (9.3, 30)])


def either_side(answer: Answer) -> str | None:
    """Nearest just short of a whole turn."""
    return _returns(answer, [(7.02, 100), (9.3, 12), (12.34, 40)])


# Medium: positions through half precision, without a loss.


def in_halves(positions: Any) -> tuple[Any, Any]:
    """Send the number of full 32s as a position of its own."""
    positions = np.asarray(positions)
    return (positions // 32 * 32).astype(np.float16), (positions % 32).astype(np.float16)


def rounded(positions: Any) -> tuple[Any, Any]:
    """Cast, and leave nothing over."""
    return np.asarray(positions).astype(np.float16), np.zeros(np.shape(positions), np.float16)


def as_rest(positions: Any) -> tuple[Any, Any]:
    """Cast, and send the rest; the last positions round up to infinity."""
    positions = np.asarray(positions)
    with np.errstate(over="ignore", invalid="ignore"):
        high = positions.astype(np.float16)
        return high, (positions - high.astype(np.float64)).astype(np.float16)


def wider(positions: Any) -> tuple[Any, Any]:
    """Keep the positions as they are, in single precision."""
    return np.asarray(positions, dtype=np.float32), np.zeros(np.shape(positions))


def _sums(answer: Answer, positions: Any) -> str | None:
    with np.errstate(over="ignore", invalid="ignore"):
        sums = sum(np.asarray(part, dtype=float) for part in answer(positions))
    return differs(sums, positions, at=f"sums, from position {positions[0]} on")


def half_precision(answer: Answer) -> str | None:
    """Both parts are float16."""
    sizes = [np.asarray(part).dtype.itemsize for part in answer(np.arange(100))]
    return differs(sizes, [2, 2], at="bytes of a number", axes=("part",))


def beyond_2048(answer: Answer) -> str | None:
    """Positions that half precision rounds."""
    return _sums(answer, np.arange(2040, 40_000))


def to_the_last(answer: Answer) -> str | None:
    """Up to the last of 65 536."""
    return _sums(answer, np.arange(65_000, 65_536))


# Hard: a proof that a stretch has no alias.


def least(omega: Any, low: float, high: float) -> float:
    """Bound the distance of codes from below, for all real offsets of a stretch at once."""
    centre, reach = np.outer([(low + high) / 2, (high - low) / 2], omega)
    kept = np.sin(np.maximum(0, np.arcsin(abs(np.sin(centre / 2))) - reach / 2))
    return float(2 * math.sqrt(kept @ kept))


def proof(omega: Any, start: float, stop: float, distance: float) -> Any:
    """Halve a stretch until its bound is above the distance."""
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


def by_samples(omega: Any, start: float, stop: float, distance: float) -> Any:
    """Look at every whole offset, and clear what lies between it and the next."""
    near = any(least(omega, k, k) <= distance for k in range(int(start), int(stop) + 1))
    return None if near else [(k, k + 1) for k in range(int(start), int(stop))]


def by_middles(omega: Any, start: float, stop: float, distance: float) -> Any:
    """Cut the stretch into pieces of a hundred, and look at the middle of each."""
    low = np.arange(start, stop, 100.0)
    near = any(least(omega, k + 50, k + 50) <= distance for k in low)
    return None if near else [(k, k + 100) for k in low]


def whole_offsets(omega: Any, start: float, stop: float, distance: float) -> Any:
    """Clear every whole offset, and nothing between."""
    return [(k, k) for k in range(int(start), int(stop) + 1)]


CLEAR = ((64, 12_404, 34_713, 1.472), (64, 2, 3000, 1.4719), (8, 100, 5000, 0.6))


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


def cleared(answer: Answer) -> str | None:
    """Each stretch has a bound above the distance."""
    return first(
        differs(
            min(least(pairs(d_model), low, high), distance),
            distance,
            at=f"bound of {low:.6g} to {high:.6g}, d_model={d_model}",
        )
        for d_model, start, stop, distance in CLEAR
        for low, high in answer(pairs(d_model), start, stop, distance)
    )


def alias_inside(answer: Answer) -> str | None:
    """Where there is an alias, at the common period 2000π, there is no proof."""
    none = answer(pairs(8), 6000, 6500, 0.1) is None
    return differs(none, True, at="no proof of 6000 to 6500, d_model=8")


EXERCISES = (
    Exercise(
        "aliasing-easy",
        "nearest_return(omega, up_to): offset from 1 to up_to at which a wave is nearest to itself",
        (
            Property(
                "many turns",
                many_turns,
                "the period was rounded; several turns may end nearer to a whole offset than one.",
                at_rounded_period,
            ),
            Property(
                "whole turns",
                whole_turns,
                "half a turn was taken for a whole one; there the wave stands opposite.",
                by_half_turns,
            ),
            Property(
                "from either side",
                either_side,
                "only what goes beyond a whole turn was counted as near, not what falls short.",
                by_remainder,
            ),
        ),
        nearest_return,
    ),
    Exercise(
        "aliasing-medium",
        "in_halves(positions): two float16 arrays that add up to positions from 0 to 65535",
        (
            Property(
                "half precision",
                half_precision,
                "a part has another type; here only float16 gets through.",
                wider,
            ),
            Property(
                "beyond 2048",
                beyond_2048,
                "positions were rounded, and what rounding took away was not sent along.",
                rounded,
            ),
            Property(
                "to the last position",
                to_the_last,
                "the high part was rounded up, and above 65504 that is infinite; round down.",
                as_rest,
            ),
        ),
        in_halves,
    ),
    Exercise(
        "aliasing-hard",
        "proof(omega, start, stop, distance): stretches (low, high) that are cleared, or None",
        (
            Property(
                "no gap",
                no_gap,
                "whole offsets were cleared one by one, which leaves out all between them.",
                whole_offsets,
            ),
            Property(
                "all cleared",
                cleared,
                "one offset of a stretch was looked at; the bound must hold for all of it.",
                by_middles,
            ),
            Property(
                "an alias inside",
                alias_inside,
                "samples were taken, and the alias lies between two of them.",
                by_samples,
            ),
        ),
        proof,
    ),
)
