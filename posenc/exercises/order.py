"""Exercises of the chapter on attention without order."""

import math
from collections import Counter
from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises._exercise import Answer, Exercise, Property, differs, first

Table = NDArray[np.float64]
Layer = Callable[[Table], Table]

# Easy: judge whether a function is equivariant.


def equivariance_gap(f: Layer, X: Table, order: list[int]) -> float:
    """Shuffle first on the left, and last on the right."""
    return float(abs(f(X[order]) - f(X)[order]).max())


def gap_to_the_same(f: Layer, X: Table, order: list[int]) -> float:
    """Ask for invariance."""
    return float(abs(f(X[order]) - f(X)).max())


def gap_of_sums(f: Layer, X: Table, order: list[int]) -> float:
    """Compare what is pooled."""
    return float(abs(f(X[order]).sum(axis=0) - f(X).sum(axis=0)).max())


def gap_shuffled_twice(f: Layer, X: Table, order: list[int]) -> float:
    """Shuffle once more, where the rows should be put back."""
    return float(abs(f(X[order])[order] - f(X)).max())


def _centred(X: Table) -> Table:
    return np.asarray(X - X.mean(axis=0))


def _placed(X: Table) -> Table:
    return X + np.arange(len(X))[:, np.newaxis]


ROWS = np.array([[1.0, 5.0], [2.0, 0.0], [6.0, -3.0]])


def equivariant(answer: Answer) -> str | None:
    """Rows less their mean: shuffled rows come out shuffled."""
    found = answer(_centred, ROWS, [1, 0, 2])
    return differs(found, 0.0, at="rows less their mean, order [1, 0, 2]")


def places(answer: Answer) -> str | None:
    """Each row plus its place: two that trade places are off by one."""
    found = answer(_placed, ROWS, [1, 0, 2])
    return differs(found, 1.0, at="rows plus their places, order [1, 0, 2]")


def circle(answer: Answer) -> str | None:
    """An order that does not undo itself."""
    found = answer(_centred, ROWS, [1, 2, 0])
    return differs(found, 0.0, at="rows less their mean, order [1, 2, 0]")


# Medium: the least loss of a model that does not see order.


def least_loss(sentence: str) -> float:
    """Count the orders that can be told apart, in logarithms."""
    words = sentence.split()
    repeated = sum(math.lgamma(count + 1) for count in Counter(words).values())
    return math.lgamma(len(words) + 1) - repeated


def of_places(sentence: str) -> float:
    """Count the words, not their orders."""
    return math.log(len(sentence.split()))


def of_all_orders(sentence: str) -> float:
    """Count orders that look the same."""
    return math.lgamma(len(sentence.split()) + 1)


def by_product(sentence: str) -> float:
    """Multiply in 64 bits, which is enough up to 20 words."""
    words = sentence.split()
    orders = np.prod(np.arange(1, len(words) + 1))
    for count in Counter(words).values():
        orders //= math.factorial(count)
    return math.log(orders)


def different_words(answer: Answer) -> str | None:
    """Three words have six orders."""
    return differs(answer("dog bites man"), math.log(6), at="'dog bites man'")


def repeated_words(answer: Answer) -> str | None:
    """The orders that can be told apart are listed, and counted."""
    for sentence in ("the dog bit the man", "a rose is a rose"):
        count = len(set(permutations(sentence.split())))
        if said := differs(answer(sentence), math.log(count), at=repr(sentence)):
            return said
    return None


def long_sentence(answer: Answer) -> str | None:
    """The logarithm of a product is a sum."""
    sentence = " ".join(f"w{place}" for place in range(25))
    expected = math.fsum(math.log(n) for n in range(1, 26))
    return differs(answer(sentence), expected, at="25 different words")


# Hard: a sentence from a heap of tokens with places.


def restored(
    heap: Table, codes: Table, tokens: Table, taken: tuple[tuple[int, int], ...] = ()
) -> list[int]:
    """Try for each row the places and tokens that fit, and step back where none is left."""
    if len(taken) == len(heap):
        return [token for place, token in sorted(taken)]
    for place, token in product(range(len(codes)), range(len(tokens))):
        fits = abs(codes[place] + tokens[token] - heap[len(taken)]).max() < 1e-9
        more = (*taken, (place, token))
        free = all(place != other for other, _ in taken)
        if fits and free and (found := restored(heap, codes, tokens, more)):
            return found
    return []


def _first_fits(heap: Table, codes: Table, tokens: Table) -> list[tuple[int, int]]:
    """Return the first place and token that fit each row."""
    gaps = abs(heap[:, np.newaxis, np.newaxis] - codes[:, np.newaxis] - tokens).max(axis=-1)
    return [(int(p), int(t)) for p, t in (np.argwhere(gap < 1e-9)[0] for gap in gaps)]


def as_they_lie(heap: Table, codes: Table, tokens: Table) -> list[int]:
    """Take the number of the row for the place."""
    return [int(np.linalg.norm(tokens - rest, axis=1).argmin()) for rest in heap - codes]


def each_token_once(heap: Table, codes: Table, tokens: Table) -> list[int]:
    """Note where each token stands, the last time only."""
    place_of = {token: place for place, token in _first_fits(heap, codes, tokens)}
    token_at = {place: token for token, place in place_of.items()}
    return [token_at.get(place, 0) for place in range(len(heap))]


def row_by_row(heap: Table, codes: Table, tokens: Table) -> list[int]:
    """Take the first place and token that fit, whatever the other rows have taken."""
    token_at = dict(_first_fits(heap, codes, tokens))
    return [token_at.get(place, 0) for place in range(len(heap))]


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


def any_heap(answer: Answer) -> str | None:
    """Places are told by the codes, not by the rows."""
    return _heaped(answer, [2, 0, 3, 1], [[0, 0], [0.1, 0], [0.2, 0], [0.3, 0]], TOKENS)


def same_token_twice(answer: Answer) -> str | None:
    """The dog bit the man."""
    return _heaped(answer, [1, 2, 0, 1], [[0, 0], [0.1, 0], [0.2, 0], [0.3, 0]], TOKENS)


def each_place_once(answer: Answer) -> str | None:
    """Token 0 at place 1 is token 1 at place 0; what else stands on the heap decides."""
    return _heaped(answer, [2, 0, 2], [[0, 0], [1, 0], [2, 0]], [[5, 0], [6, 0], [0, 9]])


EXERCISES = (
    Exercise(
        "order-easy",
        "equivariance_gap(f, X, order): how far f is from equivariant at X, for a list of rows",
        (
            Property(
                "equivariant",
                equivariant,
                "f(PX) was compared with f(X), which asks for invariance.",
                gap_to_the_same,
            ),
            Property("places", places, "sums were compared; they have no order.", gap_of_sums),
            Property(
                "circle",
                circle,
                "rows were shuffled a second time, not put back; a swap does not show it.",
                gap_shuffled_twice,
            ),
        ),
        equivariance_gap,
    ),
    Exercise(
        "order-medium",
        "least_loss(sentence): least mean loss of guessing its order from its bag, a float",
        (
            Property(
                "different words", different_words, "words were counted, not orders.", of_places
            ),
            Property(
                "repeated words",
                repeated_words,
                "orders that differ by a swap of equal words were counted twice.",
                of_all_orders,
            ),
            Property("long sentence", long_sentence, "a product went beyond 64 bits.", by_product),
        ),
        least_loss,
    ),
    Exercise(
        "order-hard",
        "restored(heap, codes, tokens): the number of the token at each place, a list",
        (
            Property(
                "any heap",
                any_heap,
                "the number of a row was taken for its place; a heap has no order.",
                as_they_lie,
            ),
            Property(
                "same token twice",
                same_token_twice,
                "one place was kept for each token; a token may have several.",
                each_token_once,
            ),
            Property(
                "each place once",
                each_place_once,
                "each row was read by itself; two fits are decided by the places left.",
                row_by_row,
            ),
        ),
        restored,
    ),
)
