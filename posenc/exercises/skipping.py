"""Exercises of the chapter on what a model without positions can and cannot do."""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges

Table = NDArray[np.float64]

# Easy: which sentences are one for a model without positions that takes a mean?


# --8<-- [start:skipping-easy]
def same_for_the_mean(one: str, other: str) -> bool:
    """Return whether no blind model with a mean tells them apart, a bool."""

    def shares(sentence: str) -> dict[str, Fraction]:
        words = sentence.split()
        return {word: Fraction(words.count(word), len(words)) for word in words}

    return shares(one) == shares(other)
    # --8<-- [end:skipping-easy]


# --8<-- [start:skipping-easy-wrong]
def same_bag(one: str, other: str) -> bool:
    """Compare how often each word occurs."""
    return Counter(one.split()) == Counter(other.split())
    # --8<-- [end:skipping-easy-wrong]


def same_words(one: str, other: str) -> bool:
    """Compare which words occur."""
    return set(one.split()) == set(other.split())


def same_text(one: str, other: str) -> bool:
    """Compare word by word."""
    return one.split() == other.split()


def _verdicts(answer: Answer, pairs: dict[tuple[str, str], bool]) -> str | None:
    for (one, other), same in pairs.items():
        if bool(answer(one, other)) != same:
            return f"at {one!r} and {other!r}: found {not same}, expected {same}"
    return None


@judges(
    "reordered",
    hint="the order was looked at, which such a model does not see.",
    wrong=same_text,
)
def reordered(answer: Answer) -> str | None:
    """The order of words doesn't matter."""
    return _verdicts(answer, {("dog bites man", "man bites dog"): True})


@judges(
    "how often",
    hint="sets were compared; a word that occurs twice weighs twice.",
    wrong=same_words,
)
def how_often(answer: Answer) -> str | None:
    """How often words occur matters."""
    return _verdicts(answer, {("the dog bit the man", "the dog bit man"): False})


@judges(
    "as a model",
    hint="counts were compared; a mean knows shares, and everything said twice is the same.",
    wrong=same_bag,
)
def as_a_model(answer: Answer) -> str | None:
    """The answer is that of layers of attention, for all pairs of short sentences."""
    rng = np.random.default_rng(0)
    vector = dict(zip("ab", rng.normal(size=(2, 4)), strict=True))
    layers = rng.normal(size=(2, 4, 4))

    def pooled(words: tuple[str, ...]) -> Any:
        X = np.array([vector[word] for word in words])
        for weights in layers:
            powers = np.exp(X @ weights @ X.T / 2)
            X = np.tanh(X + powers / powers.sum(axis=1, keepdims=True) @ X)
        return X.mean(axis=0)

    sentences = [words for n in range(1, 5) for words in product("ab", repeat=n)]
    outputs = {" ".join(words): pooled(words) for words in sentences}
    near = {
        (one, other): abs(outputs[one] - outputs[other]).max() < 1e-9
        for one in outputs
        for other in outputs
    }
    return _verdicts(answer, near)


# Medium: the blind part of a matrix that mixes rows.


# --8<-- [start:skipping-medium]
def blind_part(mixing: Any) -> Any:
    """Return the mean over all orders of rows and columns, for n rows, n >= 2."""
    C = np.asarray(mixing, dtype=float)
    n, own = len(C), np.trace(C) / len(C)
    others = (C.sum() - n * own) / (n * (n - 1))
    return (own - others) * np.eye(n) + others
    # --8<-- [end:skipping-medium]


# --8<-- [start:skipping-medium-wrong]
def around_the_end(mixing: Any) -> Any:
    """Take a mean for each step around the end, as in a convolution."""
    C = np.asarray(mixing, dtype=float)
    places = np.arange(len(C))
    steps = (places[:, np.newaxis] - places) % len(C)
    means = np.array([C[steps == step].mean() for step in places])
    return means[steps]
    # --8<-- [end:skipping-medium-wrong]


def one_mean(mixing: Any) -> Any:
    """Take the mean of all entries."""
    return np.full(np.shape(mixing), np.mean(mixing))


def of_two_rows(mixing: Any) -> Any:
    """Read the two numbers off the first row."""
    C = np.asarray(mixing, dtype=float)
    return (C[0, 0] - C[0, 1]) * np.eye(len(C)) + C[0, 1]


MIXING = np.array([[7, -3, 5, 2], [0, 1, 4, -6], [8, 8, -1, 3], [2, 9, 1, 5]])
ORDERS = [np.array(order) for order in permutations(range(4))]


@judges(
    "every order",
    hint="only steps around the end were averaged: that is a convolution.",
    wrong=around_the_end,
)
def every_order(answer: Answer) -> str | None:
    """Reordering rows and columns alike changes nothing."""
    part = np.asarray(answer(MIXING))
    return first(
        differs(part[order][:, order], part, at=f"order {order.tolist()}", axes=("row", "column"))
        for order in ORDERS
    )


@judges(
    "blind already",
    hint="a row was mixed with itself as with any other; the diagonal has its own number.",
    wrong=one_mean,
)
def blind_already(answer: Answer) -> str | None:
    """A matrix that commutes with all orders is its own blind part."""
    blind = 5 * np.eye(6) - 2
    return differs(answer(blind), blind, at="5 and -2 off the diagonal", axes=("row", "column"))


@judges("mean of orders", hint="two entries were read off, not two means taken.", wrong=of_two_rows)
def mean_of_orders(answer: Answer) -> str | None:
    """The result is the mean over all ways to reorder the rows and columns."""
    expected = sum(MIXING[order][:, order] for order in ORDERS) / len(ORDERS)
    return differs(answer(MIXING), expected, at="mean of 24 orders", axes=("row", "column"))


# Hard: a sentence, read back from the unordered outputs of one causal layer.


# --8<-- [start:skipping-hard]
def read_back(rows: Any) -> list[int]:
    """Return the words, as numbers from 0, from rows of shares in any order."""
    rows = rows[np.argsort(-rows[:, 0])]
    sums = rows * np.arange(1, len(rows) + 1)[:, np.newaxis]
    return [int(word) for word in np.diff(sums, axis=0)[:, 1:].argmax(axis=1)]
    # --8<-- [end:skipping-hard]


def as_they_come(rows: Any) -> list[int]:
    """Trust the order of the rows."""
    sums = rows / rows[:, :1]
    return [int(word) for word in np.diff(sums, axis=0)[:, 1:].argmax(axis=1)]


# --8<-- [start:skipping-hard-wrong]
def most_frequent(rows: Any) -> list[int]:
    """Take the largest share of each row for its word."""
    rows = rows[np.argsort(-rows[:, 0])]
    return [int(word) for word in rows[1:, 1:].argmax(axis=1)]
    # --8<-- [end:skipping-hard-wrong]


def _outputs(words: tuple[int, ...]) -> Table:
    """Return what a causal layer of plain means makes of a mark and three kinds of words."""
    X = np.eye(4)[[0, *(word + 1 for word in words)]]
    return np.array([X[: p + 1].mean(axis=0) for p in range(len(X))])


@judges(
    "every sentence",
    hint="the largest share was read; it belongs to the most frequent word so far.",
    wrong=most_frequent,
)
def every_sentence(answer: Answer) -> str | None:
    """All sentences of up to four words are read back."""
    sentences = (words for n in range(1, 5) for words in product(range(3), repeat=n))
    return first(
        differs(answer(_outputs(words)), words, at=f"sentence {list(words)}", axes=("word",))
        for words in sentences
    )


@judges(
    "shuffled rows",
    hint="rows were taken as they came; the share of the mark says which is which.",
    wrong=as_they_come,
)
def shuffled_rows(answer: Answer) -> str | None:
    """Rows may come in any order."""
    words = (2, 0, 0, 1)
    orders = list(permutations(range(5)))
    return first(
        differs(
            answer(_outputs(words)[list(order)]),
            words,
            at=f"sentence {list(words)}, rows in the order {list(order)}",
            axes=("word",),
        )
        for order in orders
    )


EXERCISES = (
    Exercise("skipping-easy", same_for_the_mean, (reordered, how_often, as_a_model)),
    Exercise("skipping-medium", blind_part, (every_order, blind_already, mean_of_orders)),
    Exercise("skipping-hard", read_back, (every_sentence, shuffled_rows)),
)
