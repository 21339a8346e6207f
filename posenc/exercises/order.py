"""Exercises of the chapter on attention without order."""

import math
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, first, judges

Table = NDArray[np.float64]
Layer = Callable[[Table], Table]

# Easy: judge whether a function is equivariant.


# --8<-- [start:order-easy]
def equivariance_gap(f: Layer, X: Table, order: list[int]) -> float:
    """Return how far f is from equivariant at X, for a list of rows."""
    return float(abs(f(X[order]) - f(X)[order]).max())
    # --8<-- [end:order-easy]


def gap_to_the_same(f: Layer, X: Table, order: list[int]) -> float:
    """Ask for invariance."""
    return float(abs(f(X[order]) - f(X)).max())


def gap_of_sums(f: Layer, X: Table, order: list[int]) -> float:
    """Compare what is pooled."""
    return float(abs(f(X[order]).sum(axis=0) - f(X).sum(axis=0)).max())


# --8<-- [start:order-easy-wrong]
def gap_shuffled_twice(f: Layer, X: Table, order: list[int]) -> float:
    """Shuffle once more, where the rows should be put back."""
    return float(abs(f(X[order])[order] - f(X)).max())
    # --8<-- [end:order-easy-wrong]


def _centred(X: Table) -> Table:
    return np.asarray(X - X.mean(axis=0))


def _placed(X: Table) -> Table:
    return X + np.arange(len(X))[:, np.newaxis]


def _scaled(X: Table) -> Table:
    return X * np.arange(len(X))[:, np.newaxis]


ROWS = np.array([[1.0, 5.0], [2.0, 0.0], [6.0, -3.0]])


@judges(
    "equivariant",
    hint="f(PX) was compared with f(X), which asks for invariance.",
    wrong=gap_to_the_same,
)
def equivariant(answer: Answer) -> str | None:
    """Rows minus their mean have no gap."""
    found = answer(_centred, ROWS, [1, 0, 2])
    return differs(found, 0.0, at="rows minus their mean, order [1, 0, 2]")


@judges("positions", hint="sums were compared; they have no order.", wrong=gap_of_sums)
def positions(answer: Answer) -> str | None:
    """Functions that use positions have a gap of the right size."""
    cases = (("plus", _placed, 1.0), ("times", _scaled, 5.0))
    return first(
        differs(answer(f, ROWS, [1, 0, 2]), gap, at=f"rows {word} their positions, order [1, 0, 2]")
        for word, f, gap in cases
    )


@judges(
    "circle",
    hint="rows were shuffled a second time, not put back; a swap does not show it.",
    wrong=gap_shuffled_twice,
)
def circle(answer: Answer) -> str | None:
    """This holds for orders that do not undo themselves."""
    found = answer(_centred, ROWS, [1, 2, 0])
    return differs(found, 0.0, at="rows minus their mean, order [1, 2, 0]")


# Medium: the least loss of a model that does not see order.


# --8<-- [start:order-medium]
def least_loss(sentence: str) -> float:
    """Return the least mean loss of guessing its order from its bag, a float."""
    words = sentence.split()
    alike = sum(math.lgamma(m + 1) for m in Counter(words).values())
    return math.lgamma(len(words) + 1) - alike
    # --8<-- [end:order-medium]


def of_positions(sentence: str) -> float:
    """Count the words, not their orders."""
    return math.log(len(sentence.split()))


def of_all_orders(sentence: str) -> float:
    """Count orders that look the same."""
    return math.lgamma(len(sentence.split()) + 1)


# --8<-- [start:order-medium-wrong]
def by_product(sentence: str) -> float:
    """Multiply in 64 bits, which is enough up to 20 words."""
    words = sentence.split()
    orders = np.prod(np.arange(1, len(words) + 1, dtype=np.int64))
    for m in Counter(words).values():
        orders //= math.factorial(m)
    return math.log(orders)
    # --8<-- [end:order-medium-wrong]


@judges("different words", hint="words were counted, not orders.", wrong=of_positions)
def different_words(answer: Answer) -> str | None:
    """Three words have six orders."""
    return differs(answer("dog bites man"), math.log(6), at="'dog bites man'")


@judges(
    "repeated words",
    hint="orders that differ by a swap of equal words were counted twice.",
    wrong=of_all_orders,
)
def repeated_words(answer: Answer) -> str | None:
    """The orders that can be told apart are listed, and counted."""
    for sentence in ("the dog bit the man", "a rose is a rose", "no no no yes"):
        count = len(set(permutations(sentence.split())))
        if said := differs(answer(sentence), math.log(count), at=repr(sentence)):
            return said
    return None


@judges("long sentence", hint="a product went beyond 64 bits.", wrong=by_product)
def long_sentence(answer: Answer) -> str | None:
    """The logarithm of a product is a sum."""
    sentence = " ".join(f"w{n}" for n in range(25))
    expected = math.fsum(math.log(n) for n in range(1, 26))
    return differs(answer(sentence), expected, at="25 different words")


# Hard: a sentence from a bag of tokens with positions.


# --8<-- [start:order-hard]
def restored(bag: Table, codes: Table, tokens: Table) -> list[int]:
    """Return the index of the token at each position, a list."""

    def extended(taken: dict[int, int]) -> dict[int, int]:
        if len(taken) == len(bag):
            return taken
        row = bag[len(taken)]
        for position in set(range(len(codes))) - set(taken):
            for token, vector in enumerate(tokens):
                fits = abs(codes[position] + vector - row).max() < 1e-9
                if fits and (found := extended({**taken, position: token})):
                    return found
        return {}

    found = extended({})
    return [found[position] for position in sorted(found)]
    # --8<-- [end:order-hard]


def as_they_come(bag: Table, codes: Table, tokens: Table) -> list[int]:
    """Take the index of the row for the position."""
    return [int(np.linalg.norm(tokens - rest, axis=1).argmin()) for rest in bag - codes]


def each_token_once(bag: Table, codes: Table, tokens: Table) -> list[int]:
    """Keep only the last position of each token."""
    position_of: dict[int, int] = {}
    for row in bag:
        gaps = abs(codes[:, np.newaxis] + tokens - row).max(axis=-1)
        position, token = np.unravel_index(gaps.argmin(), gaps.shape)
        position_of[int(token)] = int(position)
    token_at = {position: token for token, position in position_of.items()}
    return [token_at.get(position, 0) for position in range(len(bag))]


# --8<-- [start:order-hard-wrong]
def row_by_row(bag: Table, codes: Table, tokens: Table) -> list[int]:
    """Take the nearest position and token, whatever the other rows have taken."""
    sentence = [0] * len(bag)
    for row in bag:
        gaps = abs(codes[:, np.newaxis] + tokens - row).max(axis=-1)
        position, token = np.unravel_index(gaps.argmin(), gaps.shape)
        sentence[position] = int(token)
    return sentence
    # --8<-- [end:order-hard-wrong]


def _shuffled(answer: Answer, sentence: list[int], codes: Any, tokens: Any) -> str | None:
    """Put a sentence into several orders; each must give it back."""
    codes, tokens = np.asarray(codes, dtype=float), np.asarray(tokens, dtype=float)
    rows = tokens[sentence] + codes
    turns = [np.roll(np.arange(len(rows)), turn) for turn in (1, 2, 0)]
    return first(
        differs(
            answer(rows[order], codes, tokens),
            sentence,
            at=f"sentence {sentence}, rows in the order {order.tolist()}",
            axes=("position",),
        )
        for order in turns
    )


TOKENS = [[7.0, 1.0], [2.0, 9.0], [4.0, 4.0], [0.0, 3.0]]


@judges(
    "any order",
    hint="the index of a row was taken for its position; a bag has no order.",
    wrong=as_they_come,
)
def any_order(answer: Answer) -> str | None:
    """Places are told by the codes, not by the rows."""
    return _shuffled(answer, [2, 0, 3, 1], [[0, 0], [0.1, 0], [0.2, 0], [0.3, 0]], TOKENS)


@judges(
    "same token twice",
    hint="one position was kept for each token; a token may have several.",
    wrong=each_token_once,
)
def same_token_twice(answer: Answer) -> str | None:
    """A sentence may use a token twice."""
    return _shuffled(answer, [1, 2, 0, 1], [[0, 0], [0.1, 0], [0.2, 0], [0.3, 0]], TOKENS)


@judges(
    "each position once",
    hint="each row was read by itself; the positions that are left decide between two fits.",
    wrong=row_by_row,
)
def each_position_once(answer: Answer) -> str | None:
    """Token 0 at position 1 is token 1 at position 0; the rest of the bag decides."""
    return _shuffled(answer, [2, 0, 2], [[0, 0], [1, 0], [2, 0]], [[5, 0], [6, 0], [0, 9]])


EXERCISES = (
    Exercise("order-easy", equivariance_gap, (equivariant, positions, circle)),
    Exercise("order-medium", least_loss, (different_words, repeated_words, long_sentence)),
    Exercise("order-hard", restored, (any_order, same_token_twice, each_position_once)),
)
