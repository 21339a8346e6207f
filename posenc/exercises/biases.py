"""Exercises of the chapter on linear biases."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges

Table = NDArray[np.float64]

# Easy: the slopes that models were trained with.


# --8<-- [start:biases-easy]
def slopes(heads: int) -> list[float]:
    """Return the slopes that models were trained with, one for each head."""

    def sequence(n: int) -> list[float]:
        return [2 ** (-8 * (h + 1) / n) for h in range(n)]

    n = 2 ** (heads.bit_length() - 1)
    return sequence(n) + sequence(2 * n)[::2][: heads - n]
    # --8<-- [end:biases-easy]


# --8<-- [start:biases-easy-wrong]
def one_sequence(heads: int) -> list[float]:
    """Let one geometric sequence serve for any number."""
    return [2 ** (-8 * (h + 1) / heads) for h in range(heads)]
    # --8<-- [end:biases-easy-wrong]


def from_zero(heads: int) -> list[float]:
    """Begin each exponent with 0."""
    n = 2 ** (heads.bit_length() - 1)
    return [m * 2 ** (8 / n) for m in slopes(heads)]


@judges("powers of two", hint="the first exponent is 0; it is -8 / n.", wrong=from_zero)
def powers_of_two(answer: Answer) -> str | None:
    """The slopes are right for 1, 4 and 8 heads."""
    halves = [1 / 2**k for k in range(1, 9)]
    cases = {8: halves, 4: halves[1::2], 1: halves[7:]}
    return first(
        differs(answer(heads), right, at=f"{heads} heads", axes=("head",))
        for heads, right in cases.items()
    )


@judges(
    "6 and 12 heads",
    hint="one sequence was taken for all numbers of heads.",
    wrong=one_sequence,
)
def those_trained_with(answer: Answer) -> str | None:
    """The slopes are right for 6 and 12 heads."""
    root = math.sqrt(2)
    six = [1 / 4, 1 / 16, 1 / 64, 1 / 256, 1 / 2, 1 / 8]
    twelve = [1 / 2**k for k in range(1, 9)] + [1 / (root * 2**k) for k in range(4)]
    return differs(answer(6), six, at="6 heads", axes=("head",)) or differs(
        answer(12), twelve, at="12 heads", axes=("head",)
    )


# Medium: do two biases always give the same weights?


# --8<-- [start:biases-medium]
def same_weights(one: Table, other: Table) -> bool:
    """Return whether two biases (L, L) give equal weights, a bool."""
    seen = one > -math.inf
    if (seen != (other > -math.inf)).any():
        return False
    apart = [a[s] - b[s] for a, b, s in zip(one, other, seen, strict=True)]
    return all(row.max() - row.min() < 1e-9 for row in apart)
    # --8<-- [end:biases-medium]


# --8<-- [start:biases-medium-wrong]
def with_hidden(one: Table, other: Table) -> bool:
    """Subtract hidden keys as well: infinity minus infinity is not a number."""
    with np.errstate(invalid="ignore"):
        return bool((np.ptp(one - other, axis=1) < 1e-9).all())
    # --8<-- [end:biases-medium-wrong]


def one_constant(one: Table, other: Table) -> bool:
    """Look for one difference in the whole array."""
    seen = np.isfinite(one)
    if (seen != np.isfinite(other)).any():
        return False
    return bool(np.ptp(one[seen] - other[seen]) < 1e-9)


def where_both_see(one: Table, other: Table) -> bool:
    """Compare where both are finite, and nowhere else."""
    seen = np.isfinite(one) & np.isfinite(other)
    apart = [a[s] - b[s] for a, b, s in zip(one, other, seen, strict=True)]
    return all(np.ptp(row) < 1e-9 for row in apart)


QUERY, KEY = np.indices((5, 5))
USUAL = np.where(KEY <= QUERY, -(QUERY - KEY) / 4, -np.inf)
ONLY_KEYS = np.where(KEY <= QUERY, KEY / 4, -np.inf)


def _verdicts(answer: Answer, *cases: tuple[str, Any, Any, bool]) -> str | None:
    return first(
        differs(bool(answer(one, other)), same, at=name) for name, one, other, same in cases
    )


@judges(
    "hidden keys",
    hint="hidden keys were subtracted; infinity minus infinity is not a number.",
    wrong=with_hidden,
)
def hidden_keys(answer: Answer) -> str | None:
    """A causal bias is the same as itself."""
    symmetric = -abs(QUERY - KEY) / 4
    return _verdicts(
        answer,
        ("a constant added, no mask", symmetric, symmetric + 1, True),
        ("a causal bias and itself", USUAL, USUAL.copy(), True),
    )


@judges(
    "each row", hint="one constant was asked for; each row may have its own.", wrong=one_constant
)
def each_row(answer: Answer) -> str | None:
    """A reward for late keys is the usual bias; without a mask it is not."""
    symmetric = -abs(QUERY - KEY) / 4
    return _verdicts(
        answer,
        ("-m (p - q) and m q, causal", USUAL, ONLY_KEYS, True),
        ("-m |p - q| and m q, no mask", symmetric, KEY / 4, False),
        ("slopes 1/4 and 1/8", USUAL, USUAL / 2, False),
    )


@judges(
    "who is hidden",
    hint="keys were compared where both see them; one of the two hides more.",
    wrong=where_both_see,
)
def who_is_hidden(answer: Answer) -> str | None:
    """A key that only one of them hides makes two biases different."""
    symmetric = -abs(QUERY - KEY) / 4
    return _verdicts(answer, ("causal and symmetric", USUAL, symmetric, False))


# Hard: a bias for a kernel that takes none.


# --8<-- [start:biases-hard]
def folded(Q: Table, K: Table, slope: float) -> tuple[Table, Table]:
    """Return new queries and keys, so that plain attention has the bias."""
    d = K.shape[1]
    queries = np.column_stack([Q / math.sqrt(d), np.ones(len(Q))])
    keys = np.column_stack([K, slope * np.arange(len(K))])
    return queries * math.sqrt(d + 1), keys
    # --8<-- [end:biases-hard]


# --8<-- [start:biases-hard-wrong]
def of_old_width(Q: Table, K: Table, slope: float) -> tuple[Table, Table]:
    """Append two channels, and forget what attention divides by."""
    queries = np.column_stack([Q, np.ones(len(Q))])
    keys = np.column_stack([K, slope * np.arange(len(K))])
    return queries, keys
    # --8<-- [end:biases-hard-wrong]


def against_far(Q: Any, K: Any, slope: float) -> tuple[Table, Table]:
    """Punish late keys."""
    return folded(Q, K, -slope)


def from_the_end(Q: Any, K: Any, slope: float) -> tuple[Table, Table]:
    """Count the positions of the keys from the last one."""
    queries, keys = folded(Q, K, slope)
    keys[:, -1] -= keys[-1, -1]
    return queries, keys


Q, K = np.random.default_rng(0).normal(size=(2, 7, 4))


def _weights(scores: Table) -> Table:
    """Return causal weights, row by row."""
    rows = np.zeros(scores.shape)
    for p, row in enumerate(scores):
        powers = np.exp(row[: p + 1] - row[: p + 1].max())
        rows[p, : p + 1] = powers / powers.sum()
    return rows


@judges(
    "near keys", hint="late keys were punished; it is the far ones that lose.", wrong=against_far
)
def near_keys(answer: Answer) -> str | None:
    """Without contents, the query's own key gets the most."""
    queries, keys = (np.asarray(x) for x in answer(0 * Q, 0 * K, 0.25))
    return differs((keys @ queries[-1]).argmax(), 6, at="contents of zeros, favourite of query 6")


@judges(
    "any contents",
    hint="attention divides by the root of the new width; make up for it.",
    wrong=of_old_width,
)
def any_contents(answer: Answer) -> str | None:
    """A plain kernel gives the weights of the bias."""
    queries, keys = (np.asarray(x, dtype=float) for x in answer(Q, K, 0.25))
    found = _weights(queries @ keys.T / math.sqrt(queries.shape[1]))
    expected = _weights(Q @ K.T / 2 - np.subtract.outer(np.arange(7), np.arange(7)) / 4)
    return differs(found, expected, at="random contents", axes=("query", "key"))


@judges(
    "longer sequence",
    hint="keys were counted from the end, and the end moves.",
    wrong=from_the_end,
)
def longer_sequence(answer: Answer) -> str | None:
    """Keys in a cache stay as they are when others come."""
    early, late = (np.asarray(answer(Q[:n], K[:n], 0.25)[1])[:4] for n in (4, 7))
    return differs(late, early, at="keys of 7 tokens, not of 4", axes=("key", "channel"))


EXERCISES = (
    Exercise("biases-easy", slopes, (powers_of_two, those_trained_with)),
    Exercise("biases-medium", same_weights, (hidden_keys, each_row, who_is_hidden)),
    Exercise("biases-hard", folded, (near_keys, any_contents, longer_sequence)),
)
