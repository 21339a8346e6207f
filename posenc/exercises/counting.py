"""Exercises of the chapter on bits, waves and clocks."""

import math
from collections.abc import Sequence
from fractions import Fraction

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges

# Easy: how many bits change in one step.


# --8<-- [start:counting-easy]
def changed_bits(p: int) -> int:
    """Return how many binary digits change from p to p + 1, for p at least 0."""
    return (p ^ (p + 1)).bit_count()
    # --8<-- [end:counting-easy]


def change_of_sum(p: int) -> int:
    """Subtract the numbers of ones."""
    return abs((p + 1).bit_count() - p.bit_count())


# --8<-- [start:counting-easy-wrong]
def of_eight(p: int) -> int:
    """Look at eight digits of each number."""
    here, there = format(p, "08b"), format(p + 1, "08b")
    return sum(x != y for x, y in zip(here, there, strict=False))
    # --8<-- [end:counting-easy-wrong]


@judges(
    "carry",
    hint="ones were counted before and after; a carry makes zeros of several ones.",
    wrong=change_of_sum,
)
def carry(answer: Answer) -> str | None:
    """The count is that of digits compared one by one."""
    for p in (0, 1, 6, 7, 23, 127):
        pairs = zip(format(p, "08b"), format(p + 1, "08b"), strict=True)
        count = sum(here != there for here, there in pairs)
        if said := differs(answer(p), count, at=f"position {p}"):
            return said
    return None


@judges(
    "new digit",
    hint="the number of digits is fixed, and a digit that is new was dropped.",
    wrong=of_eight,
)
def new_digit(answer: Answer) -> str | None:
    """From n ones to a one with n zeros, all change, and one is new."""
    lengths = (3, 8, 40)
    return first(differs(answer(2**n - 1), n + 1, at=f"position {2**n - 1}") for n in lengths)


# Medium: tell the time from hands that are read to a mark.


# --8<-- [start:counting-medium]
def time_of(hour: int, minute: int, second: int) -> int:
    """Return the seconds after twelve, from the nearest mark of each hand."""
    minutes = (minute - (second >= 30)) % 60
    hours = (hour - minutes // 12) // 5 % 12
    return 3600 * hours + 60 * minutes + second
    # --8<-- [end:counting-medium]


def hours_of_marks(hour: int, minute: int, second: int) -> int:
    """Take a mark of the hour hand for an hour."""
    minutes = (minute - (second >= 30)) % 60
    return 3600 * hour + 60 * minutes + second


def minutes_as_read(hour: int, minute: int, second: int) -> int:
    """Take the mark of the minute hand for the minute."""
    return 3600 * (hour // 5) + 60 * minute + second


# --8<-- [start:counting-medium-wrong]
def hours_as_read(hour: int, minute: int, second: int) -> int:
    """Take the last full hour before the mark."""
    minutes = (minute - (second >= 30)) % 60
    return 3600 * (hour // 5) + 60 * minutes + second
    # --8<-- [end:counting-medium-wrong]


def _marks(t: int) -> tuple[int, int, int]:
    """Return the nearest of sixty marks for each hand; halfway is the next."""

    def mark(period: int) -> int:
        return (120 * t + period) // (2 * period) % 60

    return mark(43_200), mark(3600), mark(60)


def _told(answer: Answer, times: Sequence[int]) -> str | None:
    return first(
        differs(answer(*_marks(t)), t, at=f"{t // 3600}:{t // 60 % 60:02}:{t % 60:02}")
        for t in times
    )


@judges(
    "last full hour",
    hint="the mark of the hour hand was taken for hours; five marks are one hour.",
    wrong=hours_of_marks,
)
def first_half_minute(answer: Answer) -> str | None:
    """Times just after a mark are read correctly."""
    return _told(answer, [0, 3661, 3 * 3600 + 600, 4 * 3600 + 30 * 60 + 15])


@judges(
    "second half of a minute",
    hint="the mark of the minute hand was taken for the minute, which it is ahead of.",
    wrong=minutes_as_read,
)
def second_half_minute(answer: Answer) -> str | None:
    """Times at which the minute hand is nearer to the next mark are read correctly."""
    return _told(answer, [31, 59, 4 * 3600 + 30 * 60 + 45])


@judges(
    "all 43200 seconds",
    hint="the hour hand was rounded down; just before the hour it is read as the next.",
    wrong=hours_as_read,
)
def all_times(answer: Answer) -> str | None:
    """Each second of half a day is read correctly."""
    return _told(answer, range(43_200))


# Hard: when all hands are back.


# --8<-- [start:counting-hard]
def back_after(periods: Sequence[Fraction]) -> Fraction:
    """Return when hands of these periods are all back, a Fraction."""
    unit = math.lcm(*(Fraction(period).denominator for period in periods))
    return Fraction(math.lcm(*(int(period * unit) for period in periods)), unit)
    # --8<-- [end:counting-hard]


def product(periods: Sequence[Fraction]) -> Fraction:
    """Multiply the periods."""
    return Fraction(math.prod(periods))


def longest(periods: Sequence[Fraction]) -> Fraction:
    """Wait for the slowest hand."""
    return Fraction(max(periods))


def both_multiples(periods: Sequence[Fraction]) -> Fraction:
    """Take common multiples above and below the line."""
    numerators = math.lcm(*(Fraction(period).numerator for period in periods))
    denominators = math.lcm(*(Fraction(period).denominator for period in periods))
    return Fraction(numerators, denominators)


def _back(answer: Answer, periods: Sequence[Fraction], expected: Fraction) -> str | None:
    said, found = ", ".join(map(str, periods)), Fraction(answer(list(periods)))
    return None if found == expected else f"at periods {said}: found {found}, expected {expected}"


@judges(
    "wall clock",
    hint="periods were multiplied; hands with a common factor are back sooner.",
    wrong=product,
)
def wall_clock(answer: Answer) -> str | None:
    """The hands of a wall clock are back after twelve hours."""
    return _back(answer, [Fraction(T) for T in (60, 3600, 43_200)], Fraction(43_200))


@judges(
    "other gears",
    hint="the longest period was taken; the others need not be back then.",
    wrong=longest,
)
def other_gears(answer: Answer) -> str | None:
    """The slowest hand is not the last to be back."""
    return _back(answer, [Fraction(8), Fraction(12)], Fraction(24))


@judges(
    "fractions",
    hint="denominators were treated as numerators; they need a common factor, not multiple.",
    wrong=both_multiples,
)
def fractions(answer: Answer) -> str | None:
    """Periods may be fractions."""
    cases = [("3/2", "5/4", "15/2"), ("1/2", "1/3", "1"), ("6/5", "9/10", "18/5")]
    return first(
        _back(answer, [Fraction(one), Fraction(other)], Fraction(both))
        for one, other, both in cases
    )


EXERCISES = (
    Exercise("counting-easy", changed_bits, (carry, new_digit)),
    Exercise("counting-medium", time_of, (first_half_minute, second_half_minute, all_times)),
    Exercise("counting-hard", back_after, (wall_clock, other_gears, fractions)),
)
