"""Bugs of ALiBi and of scaling: slopes off powers of two, a dynamic base that is constant."""

import itertools

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges

Slopes = NDArray[np.float64]

# Slopes of heads.


def alibi_slopes(n_heads: int) -> Slopes:
    """Return the slopes with which ALiBi models were trained, shape (H,)."""
    n = 2 ** (n_heads.bit_length() - 1)
    of_n, of_2n = in_one_formula(n), in_one_formula(2 * n)
    return np.concatenate([of_n, of_2n[::2][: n_heads - n]])


def in_one_formula(n_heads: int) -> Slopes:
    """Use the sequence for powers of two, whatever the number."""
    return 2.0 ** (-8 * np.arange(1, n_heads + 1) / n_heads)


def sorted_slopes(n_heads: int) -> Slopes:
    """Put the slopes of the authors in order."""
    return -np.sort(-alibi_slopes(n_heads))


# What the authors' code returns: for 6 heads those of 4, then the first two of 1/2, 1/8, ….
OF_SIX = [2.0**-2, 2.0**-4, 2.0**-6, 2.0**-8, 2.0**-1, 2.0**-3]
OF_TWELVE = [*(2.0**-h for h in range(1, 9)), *(2.0 ** (-h - 0.5) for h in range(4))]
OF_EIGHT = [2.0**-h for h in range(1, 9)]
OF_SIXTEEN = [2.0 ** (-h / 2) for h in range(1, 17)]


@judges(
    "which slopes",
    hint="2**(-8(h+1)/H) was used for every H; off powers of two, models were trained with"
    " the slopes of the power below, and some of the power above.",
    wrong=in_one_formula,
)
def which_slopes(answer: Answer) -> str | None:
    """The numbers, in whatever order."""
    return first(
        differs(np.sort(answer(len(right))), np.sort(right), at=f"{len(right)} heads, sorted")
        for right in (OF_EIGHT, OF_SIX, OF_TWELVE, OF_SIXTEEN)
    )


@judges(
    "whose slopes",
    hint="slopes were sorted; the jump upwards is there in training, each head has its own.",
    wrong=sorted_slopes,
)
def whose_slopes(answer: Answer) -> str | None:
    """The numbers, head by head."""
    return first(
        differs(answer(len(right)), right, at=f"{len(right)} heads", axes=("head",))
        for right in (OF_EIGHT, OF_SIX, OF_TWELVE, OF_SIXTEEN)
    )


SLOPES = Exercise("bug-slopes", alibi_slopes, (which_slopes, whose_slopes))

# The base of dynamic NTK scaling.


def dynamic_base(
    seq_len: int, max_len: int, head_dim: int, factor: float, base: float = 10000
) -> float:
    """Return the base of dynamic NTK."""
    stretch = factor * max(seq_len, max_len) / max_len - (factor - 1)
    return float(base * stretch ** (head_dim / (head_dim - 2)))


def of_the_longest(
    seq_len: int, max_len: int, head_dim: int, factor: float, base: float = 10000
) -> float:
    """Put the longest text that is served in the place of the text."""
    return dynamic_base(round(max_len * factor), max_len, head_dim, factor, base)


def below_too(
    seq_len: int, max_len: int, head_dim: int, factor: float, base: float = 10000
) -> float:
    """Use the formula for short texts as well."""
    stretch = factor * seq_len / max_len - (factor - 1)
    return float(base * stretch ** (head_dim / (head_dim - 2)))


def without_power(
    seq_len: int, max_len: int, head_dim: int, factor: float, base: float = 10000
) -> float:
    """Multiply the base by the stretch itself."""
    stretch = factor * max(seq_len, max_len) / max_len - (factor - 1)
    return base * stretch


@judges(
    "grows with the text",
    hint="the length in the formula is not that of the text, but the longest one, which is"
    " max_len times factor: all of it is a constant.",
    wrong=of_the_longest,
)
def grows(answer: Answer) -> str | None:
    """A longer text has a larger base, beyond the trained length."""
    bases = {n: answer(n, 2048, 64, 2.0) for n in (2048, 3000, 4096, 8192)}
    return first(
        differs(bases[later] > bases[n], True, at=f"{later} tokens, larger than at {n}")
        for n, later in itertools.pairwise(bases)
    )


@judges(
    "short texts",
    hint="the formula was used below max_len, where it shrinks the base, and far below"
    " takes a root of a negative number; start from max(seq_len, max_len).",
    wrong=below_too,
)
def short_texts(answer: Answer) -> str | None:
    """Up to the trained length nothing changes."""
    return first(
        differs(answer(n, 2048, 64, 2.0), 10000, at=f"{n} tokens of 2048", within=1e-6)
        for n in (2048, 1500, 2)
    )


@judges(
    "slowest pair",
    hint="the power d/(d-2) is missing; with it, the slowest pair is stretched in full.",
    wrong=without_power,
)
def slowest_pair(answer: Answer) -> str | None:
    """The lowest of the frequencies is divided by the stretch."""
    return first(
        differs(
            answer(4096, 2048, d, factor, base) ** (2 / d - 1) / base ** (2 / d - 1),
            1 / stretch,
            at=f"4096 tokens, d={d}: the lowest frequency, over what it was",
        )
        for d, factor, base, stretch in ((64, 2.0, 10000, 3), (128, 4.0, 500, 5))
    )


NTK = Exercise("bug-base", dynamic_base, (grows, short_texts, slowest_pair))
