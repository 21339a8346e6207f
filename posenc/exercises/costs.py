"""Exercises of the chapter on costs."""

import math
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges

Table = NDArray[np.float64]
Blocks = Iterable[tuple[Table, Table]]

# Easy: the operations of a causal layer that skips what it may not see.


# --8<-- [start:costs-easy]
def causal_flops(L: int, d: int) -> int:
    """Return the FLOPs of a layer's products, without scores of later keys."""
    projections = 8 * L * d**2
    scores = L * (L + 1) // 2
    return projections + 2 * scores * 2 * d
    # --8<-- [end:costs-easy]


# --8<-- [start:costs-easy-wrong]
def half_of_all(L: int, d: int) -> int:
    """Halve the whole layer, projections and all."""
    return (8 * L * d**2 + 4 * L**2 * d) // 2
    # --8<-- [end:costs-easy-wrong]


def half_of_the_square(L: int, d: int) -> int:
    """Halve the square of the length, and with it the diagonal."""
    return 8 * L * d**2 + 2 * L**2 * d


@judges(
    "projections",
    hint="the projections were halved; a mask saves scores and sums alone.",
    wrong=half_of_all,
)
def projections(answer: Answer) -> str | None:
    """The part that grows as d squared is right."""
    return first(
        differs(answer(L, 32) - 2 * answer(L, 16), 16 * L * 16**2, at=f"L={L}, d=32 over 16 twice")
        for L in (5, 1, 300)
    )


@judges(
    "one more token",
    hint="half of L**2 leaves out half of the diagonal; L * (L + 1) / 2 keys are seen.",
    wrong=half_of_the_square,
)
def one_more_token(answer: Answer) -> str | None:
    """A token more costs its own projections, and scores and sums with all so far."""
    return first(
        differs(
            answer(L, 16) - answer(L - 1, 16),
            4 * 2 * 16**2 + 2 * 2 * 16 * L,
            at=f"d=16, from L={L - 1} to L={L}",
        )
        for L in (1, 9, 200)
    )


# Medium: how many texts at once, so that memory no longer decides?


# --8<-- [start:costs-medium]
def smallest_batch(d: int, itemsize: int, peak: Any, bandwidth: Any) -> int | None:
    """Return the rows B, or None where none are enough."""
    peak, bandwidth = Fraction(peak), Fraction(bandwidth)
    spare = 2 * (d * bandwidth - itemsize * peak)
    return math.ceil(itemsize * d * peak / spare) if spare > 0 else None
    # --8<-- [end:costs-medium]


# --8<-- [start:costs-medium-wrong]
def by_weights_alone(d: int, itemsize: int, peak: float, bandwidth: float) -> int:
    """Count the matrix as the only traffic."""
    return math.ceil(itemsize * peak / (2 * bandwidth))
    # --8<-- [end:costs-medium-wrong]


def whatever_comes_out(d: int, itemsize: int, peak: float, bandwidth: float) -> int | None:
    """Divide, and do not look at the sign."""
    return math.ceil(itemsize * d * peak / (2 * (d * bandwidth - itemsize * peak)))


def _slack(B: int, d: int, itemsize: int, peak: float, bandwidth: float) -> Fraction:
    working = Fraction(2 * B * d**2) / Fraction(peak)
    return working - Fraction(itemsize * (2 * B * d + d**2)) / Fraction(bandwidth)


MACHINES = ((64, 4, 1000.0, 100.0), (4096, 2, 989e12, 3.35e12), (96, 2, 160.0, 10.0))


def _at(machine: tuple[Any, ...]) -> str:
    return "d={}, itemsize={}, peak={:g}, bandwidth={:g}".format(*machine)


@judges(
    "smallest",
    hint="the matrix was counted, and not the rows that go in and come out.",
    wrong=by_weights_alone,
)
def smallest(answer: Answer) -> str | None:
    """The arithmetic takes at least as long as the traffic; with one row less, it does not."""
    for machine in MACHINES:
        B = answer(*machine)
        if not B or _slack(B, *machine) < 0:
            return f"at {_at(machine)}: found {B}, expected more"
        if _slack(B - 1, *machine) >= 0:
            return f"at {_at(machine)}: found {B}, expected {B - 1} or less"
        if int(B) != B:
            return f"at {_at(machine)}: found {B}, expected {math.ceil(B)}"
    return None


@judges(
    "never",
    hint="an inequality was divided by a number that may be 0 or below.",
    wrong=whatever_comes_out,
)
def never(answer: Answer) -> str | None:
    """A narrow matrix does too little with each row, however many there are."""
    for machine in ((10, 4, 1000.0, 100.0), (40, 4, 1000.0, 100.0)):
        try:
            found = answer(*machine)
        except ZeroDivisionError:
            found = "a division by zero"
        if found is not None:
            return f"at {_at(machine)}: found {found}, expected None"
    return None


# Hard: attention that never has all scores.


# --8<-- [start:costs-hard]
def streamed(query: Table, blocks: Blocks) -> Any:
    """Return the attention of one query; blocks yields pairs (keys, values)."""
    top, total = -math.inf, 0.0
    mixed: Any = 0.0
    for keys, values in blocks:
        scores = keys @ query / math.sqrt(len(query))
        new_top = max(top, scores.max())
        shrink, weights = math.exp(top - new_top), np.exp(scores - new_top)
        total = shrink * total + weights.sum()
        mixed = shrink * mixed + weights @ values
        top = new_top
    return mixed / total
    # --8<-- [end:costs-hard]


# --8<-- [start:costs-hard-wrong]
def mean_of_blocks(query: Table, blocks: Blocks) -> Any:
    """Attend within each block, and take the mean of the outputs."""
    return np.mean([streamed(query, [block]) for block in blocks], axis=0)
    # --8<-- [end:costs-hard-wrong]


def without_largest(query: Table, blocks: Blocks) -> Any:
    """Take the exponentials as they are."""
    total, mixed = 0.0, np.zeros(1)
    for keys, values in blocks:
        with np.errstate(over="ignore", invalid="ignore"):
            weights = np.exp(keys @ query / math.sqrt(len(query)))
            total, mixed = total + weights.sum(), mixed + weights @ values
    with np.errstate(invalid="ignore"):
        return mixed / total


def of_a_list(query: Table, blocks: Blocks) -> Any:
    """Gather all blocks first."""
    keys, values = zip(*list(blocks), strict=True)
    return streamed(query, [(np.concatenate(keys), np.concatenate(values))])


def _text(scale: float = 1.0) -> tuple[Table, Table, Table]:
    query, keys, values = np.random.default_rng(0).normal(size=(3, 12, 4))
    return scale * query[0], keys, values


def _expected(query: Table, keys: Table, values: Table) -> list[float]:
    scores = [math.fsum(key * query) / 2 for key in keys]
    powers = [math.exp(score - max(scores)) for score in scores]
    return [math.fsum(np.array(powers) * column) / math.fsum(powers) for column in values.T]


def _cut(keys: Table, values: Table, *ends: int) -> Iterator[tuple[Table, Table]]:
    start = 0
    for end in (*ends, len(keys)):
        yield keys[start:end], values[start:end]
        start = end


def _judge(
    answer: Answer, name: str, scale: float, *ends: int, cut: Callable[..., Any] = _cut
) -> str | None:
    query, keys, values = _text(scale)
    found = answer(query, cut(keys, values, *ends))
    return differs(found, _expected(query, keys, values), at=name, axes=("channel",))


@judges(
    "uneven blocks",
    hint="all blocks got the same weight, whatever their scores.",
    wrong=mean_of_blocks,
)
def uneven_blocks(answer: Answer) -> str | None:
    """Blocks of 1, 4 and 7 keys are the same as one of 12."""
    return _judge(answer, "blocks of 1, 4 and 7 keys", 1.0, 1, 5)


@judges(
    "large scores",
    hint="exponentials overflow; subtract the largest score so far, and correct the past.",
    wrong=without_largest,
)
def large_scores(answer: Answer) -> str | None:
    """Scores in the thousands do not overflow."""
    return _judge(answer, "scores in the thousands", 2000.0, 4, 8)


@judges(
    "memory of one",
    hint="blocks were gathered; the memory of one is used again for the next.",
    wrong=of_a_list,
)
def memory_of_one(answer: Answer) -> str | None:
    """There is room for one block: the next one takes its place."""

    def reused(keys: Table, values: Table, *ends: int) -> Iterator[tuple[Table, Table]]:
        room = np.zeros((2, 4, 4))
        for block in _cut(keys, values, *ends):
            room[:] = block
            yield room[0], room[1]

    return _judge(answer, "blocks of 4 in one place", 1.0, 4, 8, cut=reused)


EXERCISES = (
    Exercise("costs-easy", causal_flops, (projections, one_more_token)),
    Exercise("costs-medium", smallest_batch, (smallest, never)),
    Exercise("costs-hard", streamed, (uneven_blocks, large_scores, memory_of_one)),
)
