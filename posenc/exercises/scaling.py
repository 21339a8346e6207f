"""Exercises of the chapter on stretching rotary embeddings."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges, pairs

Table = NDArray[np.float64]

# Easy: the base that follows the length.


# --8<-- [start:scaling-easy]
def dynamic_base(
    d: int,
    base: float,
    factor: float,
    trained: int,
    length: int,
) -> float:
    """Return the base of dynamic NTK, a float."""
    g = factor * max(length, trained) / trained - (factor - 1)
    return float(base * g ** (d / (d - 2)))
    # --8<-- [end:scaling-easy]


def without_maximum(d: int, base: float, factor: float, trained: int, length: int) -> float:
    """Forget short texts."""
    return base * float((factor * length / trained - (factor - 1)) ** (d / (d - 2)))


def of_longest(d: int, base: float, factor: float, trained: int, length: int) -> float:
    """Put the longest text that is meant in the place of a longer one."""
    return dynamic_base(
        d, base, factor, trained, round(factor * trained) if length > trained else 1
    )


def without_exponent(d: int, base: float, factor: float, trained: int, length: int) -> float:
    """Multiply the base by what the last frequency is to be divided by."""
    return base * (factor * max(length, trained) / trained - (factor - 1))


@judges(
    "short texts",
    hint="the maximum is missing.",
    wrong=without_maximum,
)
def short_texts(answer: Answer) -> str | None:
    """Up to the length of training nothing is stretched."""
    return first(
        differs(answer(4, base, 4, 1000, length), base, at=f"trained=1000, length={length}")
        for base, length in ((10000.0, 1000), (10000.0, 999), (500.0, 1))
    )


@judges("growing", hint="the length does not enter; the base follows it.", wrong=of_longest)
def growing(answer: Answer) -> str | None:
    """Beyond it, every position makes the base larger."""
    for length in range(1000, 1100):
        one, next_one = (answer(4, 10000.0, 4, 1000, each) for each in (length, length + 1))
        if not next_one > one:
            return f"at trained=1000, length={length + 1}: found {next_one}, expected above {one}"
    return None


@judges(
    "slowest pair",
    hint="the exponent d / (d - 2) is missing; the last frequency is not 1 / base.",
    wrong=without_exponent,
)
def slowest_pair(answer: Answer) -> str | None:
    """The last frequency is divided by a number that follows the length."""
    cases = [(4, 1.0, 2000, 2), (4, 2.0, 3000, 5), (128, 4.0, 2000, 5), (64, 4.0, 16000, 61)]
    return first(
        differs(
            pairs(d)[-1] / pairs(d, answer(d, 10000.0, factor, 1000, length))[-1],
            growth,
            at=f"d={d}, factor={factor}, trained=1000, length={length}, last pair slower by",
        )
        for d, factor, length, growth in cases
    )


# Medium: how large must the factor of the larger base be?


# --8<-- [start:scaling-medium]
def safe_factor(d: int, base: float, trained: int, length: int) -> float:
    """Return the smallest NTK factor for known angles."""
    turned = trained * pairs(d, base)
    slow = [i for i, angle in enumerate(turned) if angle < 2 * math.pi]
    if length <= trained or not slow:
        return 1.0
    return float((length / trained) ** ((d / 2 - 1) / slow[0]))
    # --8<-- [end:scaling-medium]


def by_lengths(d: int, base: float, trained: int, length: int) -> float:
    """Take the ratio of the lengths, which suits the last pair."""
    return max(length / trained, 1.0)


def pair_before(d: int, base: float, trained: int, length: int) -> float:
    """Round the place of one turn down, to a pair that has completed its turn."""
    place = d / 2 * math.log(trained / (2 * math.pi), base)
    return max(float((length / trained) ** ((d / 2 - 1) / math.floor(place))), 1.0)


def for_shorter(d: int, base: float, trained: int, length: int) -> float:
    """Take short texts as well, and speed the pairs up."""
    if length < trained:
        return 1 / safe_factor(d, base, trained, trained**2 // length)
    return safe_factor(d, base, trained, length)


SETTINGS = ((128, 10000.0, 2048, 16384), (64, 500000.0, 8192, 32768), (16, 100.0, 50, 300))


def _reach(answer: Answer, setting: tuple[int, float, int, int]) -> float:
    """Return the furthest that a pair turns that had not completed a turn, over what it knows."""
    d, base, trained, length = setting
    s, w = answer(*setting), pairs(d, base)
    slower = np.array([s ** (-i / (d / 2 - 1)) for i in range(d // 2)])
    return float((slower * length / trained)[trained * w < 2 * math.pi].max())


@judges(
    "known angles",
    hint="the ratio of the lengths suits the last pair; faster ones are slowed less.",
    wrong=by_lengths,
)
def known_angles(answer: Answer) -> str | None:
    """No pair that had not completed a turn goes further than it knows."""
    return first(
        differs(max(_reach(answer, each), 1), 1, at=f"{_at(each)}, angle over known angles")
        for each in SETTINGS
    )


@judges(
    "no larger",
    hint="a pair that has completed a turn was asked to stay within its angles.",
    wrong=pair_before,
)
def no_larger(answer: Answer) -> str | None:
    """The smallest such factor: one pair uses all that it knows."""
    return first(
        differs(_reach(answer, each), 1, at=f"{_at(each)}, largest angle over known angles")
        for each in SETTINGS
    )


@judges(
    "nothing to do",
    hint="a factor below 1 makes pairs faster, where nothing needs to be done.",
    wrong=for_shorter,
)
def nothing_to_do(answer: Answer) -> str | None:
    """For short texts, and where all pairs complete a turn, the factor is 1."""
    cases = [(128, 10000.0, 2048, 1024), (8, 4.0, 400, 4000), (128, 10000.0, 2048, 2048)]
    return first(differs(answer(*case), 1, at=_at(case)) for case in cases)


def _at(setting: tuple[int, float, int, int]) -> str:
    return "d={}, base={:g}, trained={}, length={}".format(*setting)


# Hard: a cache of keys whose frequencies have changed.


# --8<-- [start:scaling-hard]
def refreshed(cache: Table, old: Table, new: Table) -> Table:
    """Return keys turned with old (L, d/2), as if turned with new."""
    missing = np.arange(len(cache))[:, np.newaxis] * (new - old)
    z = (cache[:, ::2] + 1j * cache[:, 1::2]) * np.exp(1j * missing)
    return np.stack([z.real, z.imag], axis=2).reshape(cache.shape)
    # --8<-- [end:scaling-hard]


def turned_twice(cache: Table, old: Table, new: Table) -> Table:
    """Turn the keys by the new angles, on top of the old ones."""
    return refreshed(cache, 0 * old, new)


# --8<-- [start:scaling-hard-wrong]
def of_the_last(cache: Table, old: Table, new: Table) -> Table:
    """Take the latest of the old frequencies for all keys."""
    return refreshed(cache, old[-1], new)
    # --8<-- [end:scaling-hard-wrong]


def backwards(cache: Table, old: Table, new: Table) -> Table:
    """Turn from the new frequencies to the old ones."""
    return refreshed(cache, new, old)


KEYS = np.random.default_rng(0).normal(size=(6, 8))
OLD = np.array([pairs(8, 10000.0 * (1 + p) ** 2) for p in range(6)])


def _turned(frequencies: Any) -> Table:
    """Return the keys, each turned with its own row of frequencies."""
    rows = np.empty((6, 8))
    for p, (key, w) in enumerate(zip(KEYS, np.broadcast_to(frequencies, (6, 4)), strict=True)):
        cos, sin = np.cos(w * p), np.sin(w * p)
        rows[p, ::2] = key[::2] * cos - key[1::2] * sin
        rows[p, 1::2] = key[::2] * sin + key[1::2] * cos
    return rows


def _judge(answer: Answer, old: Any, new: Any, name: str) -> str | None:
    found = answer(_turned(old), np.broadcast_to(old, (6, 4)).copy(), new)
    return differs(found, _turned(new), at=name, axes=("key", "channel"))


@judges(
    "fresh already",
    hint="the keys were turned once more, on top of the turn that they have.",
    wrong=turned_twice,
)
def fresh_already(answer: Answer) -> str | None:
    """Where nothing changed, nothing turns."""
    return _judge(answer, pairs(), pairs(), "equal frequencies")


@judges("one change", hint="the sign is wrong: turn by new - old.", wrong=backwards)
def one_change(answer: Answer) -> str | None:
    """Keys that were turned with the same frequencies are refreshed."""
    return _judge(answer, pairs(), pairs(base=500.0), "one change of the base")


@judges("each its own", hint="each key has a list of its own.", wrong=of_the_last)
def each_its_own(answer: Answer) -> str | None:
    """Keys that were turned with frequencies of their own are refreshed."""
    return _judge(answer, OLD, OLD[-1], "a base that grew with each key")


EXERCISES = (
    Exercise("scaling-easy", dynamic_base, (short_texts, growing, slowest_pair)),
    Exercise("scaling-medium", safe_factor, (known_angles, no_larger, nothing_to_do)),
    Exercise("scaling-hard", refreshed, (fresh_already, one_change, each_its_own)),
)
