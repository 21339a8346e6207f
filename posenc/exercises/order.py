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


ROWS = np.array([[1.0, 5.0], [2.0, 0.0], [6.0, -3.0]])


@judges(
    "equivariant",
    usually="f(PX) was compared with f(X), which asks for invariance.",
    wrong=gap_to_the_same,
)
def equivariant(answer: Answer) -> str | None:
    """Rows less their mean: shuffled rows come out shuffled."""
    found = answer(_centred, ROWS, [1, 0, 2])
    return differs(found, 0.0, at="rows less their mean, order [1, 0, 2]")


@judges("places", usually="sums were compared; they have no order.", wrong=gap_of_sums)
def places(answer: Answer) -> str | None:
    """Each row plus its place: two that trade places are off by one."""
    found = answer(_placed, ROWS, [1, 0, 2])
    return differs(found, 1.0, at="rows plus their places, order [1, 0, 2]")


@judges(
    "circle",
    usually="rows were shuffled a second time, not put back; a swap does not show it.",
    wrong=gap_shuffled_twice,
)
def circle(answer: Answer) -> str | None:
    """An order that does not undo itself."""
    found = answer(_centred, ROWS, [1, 2, 0])
    return differs(found, 0.0, at="rows less their mean, order [1, 2, 0]")


# Medium: the least loss of a model that does not see order.


# --8<-- [start:order-medium]
def least_loss(sentence: str) -> float:
    """Return the least mean loss of guessing its order from its bag, a float."""
    words = sentence.split()
    alike = sum(math.lgamma(m + 1) for m in Counter(words).values())
    return math.lgamma(len(words) + 1) - alike
    # --8<-- [end:order-medium]


def of_places(sentence: str) -> float:
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


@judges("different words", usually="words were counted, not orders.", wrong=of_places)
def different_words(answer: Answer) -> str | None:
    """Three words have six orders."""
    return differs(answer("dog bites man"), math.log(6), at="'dog bites man'")


@judges(
    "repeated words",
    usually="orders that differ by a swap of equal words were counted twice.",
    wrong=of_all_orders,
)
def repeated_words(answer: Answer) -> str | None:
    """The orders that can be told apart are listed, and counted."""
    for sentence in ("the dog bit the man", "a rose is a rose"):
        count = len(set(permutations(sentence.split())))
        if said := differs(answer(sentence), math.log(count), at=repr(sentence)):
            return said
    return None


@judges("long sentence", usually="a product went beyond 64 bits.", wrong=by_product)
def long_sentence(answer: Answer) -> str | None:
    """The logarithm of a product is a sum."""
    sentence = " ".join(f"w{place}" for place in range(25))
    expected = math.fsum(math.log(n) for n in range(1, 26))
    return differs(answer(sentence), expected, at="25 different words")


# Hard: a sentence from a heap of tokens with places.


# --8<-- [start:order-hard]
def restored(heap: Table, codes: Table, tokens: Table) -> list[int]:
    """Return the number of the token at each place, a list."""

    def extended(taken: dict[int, int]) -> dict[int, int]:
        if len(taken) == len(heap):
            return taken
        row = heap[len(taken)]
        for place in set(range(len(codes))) - set(taken):
            for token, vector in enumerate(tokens):
                fits = abs(codes[place] + vector - row).max() < 1e-9
                if fits and (found := extended({**taken, place: token})):
                    return found
        return {}

    found = extended({})
    return [found[place] for place in sorted(found)]
    # --8<-- [end:order-hard]


def as_they_lie(heap: Table, codes: Table, tokens: Table) -> list[int]:
    """Take the number of the row for the place."""
    return [int(np.linalg.norm(tokens - rest, axis=1).argmin()) for rest in heap - codes]


def each_token_once(heap: Table, codes: Table, tokens: Table) -> list[int]:
    """Note where each token stands, the last time only."""
    place_of: dict[int, int] = {}
    for row in heap:
        gaps = abs(codes[:, np.newaxis] + tokens - row).max(axis=-1)
        place, token = np.unravel_index(gaps.argmin(), gaps.shape)
        place_of[int(token)] = int(place)
    token_at = {place: token for token, place in place_of.items()}
    return [token_at.get(place, 0) for place in range(len(heap))]


# --8<-- [start:order-hard-wrong]
def row_by_row(heap: Table, codes: Table, tokens: Table) -> list[int]:
    """Take the nearest place and token, whatever the other rows have taken."""
    sentence = [0] * len(heap)
    for row in heap:
        gaps = abs(codes[:, np.newaxis] + tokens - row).max(axis=-1)
        place, token = np.unravel_index(gaps.argmin(), gaps.shape)
        sentence[place] = int(token)
    return sentence
    # --8<-- [end:order-hard-wrong]


def _heaped(answer: Answer, sentence: list[int], codes: Any, tokens: Any) -> str | None:
    """Put a sentence on several heaps; each must give it back."""
    codes, tokens = np.asarray(codes, dtype=float), np.asarray(tokens, dtype=float)
    rows = tokens[sentence] + codes
    turns = [np.roll(np.arange(len(rows)), turn) for turn in (1, 2, 0)]
    return first(
        differs(
            answer(rows[order], codes, tokens),
            sentence,
            at=f"sentence {sentence}, rows in the order {order.tolist()}",
            axes=("place",),
        )
        for order in turns
    )


TOKENS = [[7.0, 1.0], [2.0, 9.0], [4.0, 4.0], [0.0, 3.0]]


@judges(
    "any heap",
    usually="the number of a row was taken for its place; a heap has no order.",
    wrong=as_they_lie,
)
def any_heap(answer: Answer) -> str | None:
    """Places are told by the codes, not by the rows."""
    return _heaped(answer, [2, 0, 3, 1], [[0, 0], [0.1, 0], [0.2, 0], [0.3, 0]], TOKENS)


@judges(
    "same token twice",
    usually="one place was kept for each token; a token may have several.",
    wrong=each_token_once,
)
def same_token_twice(answer: Answer) -> str | None:
    """The dog bit the man."""
    return _heaped(answer, [1, 2, 0, 1], [[0, 0], [0.1, 0], [0.2, 0], [0.3, 0]], TOKENS)


@judges(
    "each place once",
    usually="each row was read by itself; two fits are decided by the places left.",
    wrong=row_by_row,
)
def each_place_once(answer: Answer) -> str | None:
    """Token 0 at place 1 is token 1 at place 0; what else stands on the heap decides."""
    return _heaped(answer, [2, 0, 2], [[0, 0], [1, 0], [2, 0]], [[5, 0], [6, 0], [0, 9]])


EXERCISES = (
    Exercise("order-easy", equivariance_gap, (equivariant, places, circle)),
    Exercise("order-medium", least_loss, (different_words, repeated_words, long_sentence)),
    Exercise("order-hard", restored, (any_heap, same_token_twice, each_place_once)),
)
