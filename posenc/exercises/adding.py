"""Exercises of the chapter on adding positions."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises._exercise import Answer, Exercise, Property, differs

Table = NDArray[np.float64]
Layer = Callable[[Any], Any]

TOKENS = np.array([[3.0, 1.0], [-2.0, 5.0], [4.0, -1.0], [0.0, 7.0]])
CODES = np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 1.0], [2.0, 2.0]])
ROUND = np.array([2, 0, 3, 1])  # no reversal: applied twice, it is not undone

# Easy: does a layer see order?


def shuffle_change(layer: Layer, tokens: Table, codes: Table, order: Any) -> float:
    """Bring the outputs of shuffled tokens back, and compare."""
    once, shuffled = layer(tokens + codes), layer(tokens[order] + codes)
    return float(abs(shuffled[np.argsort(order)] - once).max())


def undone_by_itself(layer: Layer, tokens: Table, codes: Table, order: Any) -> float:
    """Take the order for its inverse."""
    once, shuffled = layer(tokens + codes), layer(tokens[order] + codes)
    return float(abs(shuffled[order] - once).max())


def with_moving_codes(layer: Layer, tokens: Table, codes: Table, order: Any) -> float:
    """Let each code move with its token."""
    once, shuffled = layer(tokens + codes), layer((tokens + codes)[order])
    return float(abs(shuffled[np.argsort(order)] - once).max())


def by_means(layer: Layer, tokens: Table, codes: Table, order: Any) -> float:
    """Compare the means over the rows."""
    once, shuffled = layer(tokens + codes), layer(tokens[order] + codes)
    return float(abs(shuffled.mean(axis=0) - once.mean(axis=0)).max())


def _share_of_sum(rows: Any) -> Any:
    return rows * rows.sum(axis=0)  # every row meets every other, all of them alike


def blind_layer(answer: Answer) -> str | None:
    """Without codes, a layer that treats rows alike has nothing left."""
    found = answer(_share_of_sum, TOKENS, 0 * CODES, ROUND)
    return differs(found, 0, at="codes of zeros, order 2, 0, 3, 1")


def running_sums(answer: Answer) -> str | None:
    """A layer may see order without codes; sums up to each row do."""
    before, shuffled = np.cumsum(TOKENS, axis=0), np.cumsum(TOKENS[ROUND], axis=0)
    expected = max(abs(shuffled[i] - before[token]).max() for i, token in enumerate(ROUND))
    found = answer(lambda rows: np.cumsum(rows, axis=0), TOKENS, 0 * CODES, ROUND)
    return differs(found, expected, at="running sums, codes of zeros")


def with_codes(answer: Answer) -> str | None:
    """With codes, each token is compared with itself at its old place."""
    rows, total = TOKENS.tolist(), (TOKENS + CODES).sum(axis=0).tolist()
    changes = [
        abs((rows[token][c] + CODES[place, c]) - (rows[token][c] + CODES[token, c])) * abs(total[c])
        for place, token in enumerate(ROUND)
        for c in range(2)
    ]
    return differs(answer(_share_of_sum, TOKENS, CODES, ROUND), max(changes), at="codes added")


# Medium: the four terms, from a head that cannot be opened.


def four_terms(score: Layer, tokens: Table, codes: Table) -> Table:
    """Put tokens and codes below one another: the scores of that text hold all four."""
    n, scores = len(tokens), np.asarray(score(np.concatenate([tokens, codes])))
    return np.array([scores[:n, :n], scores[:n, n:], scores[n:, :n], scores[n:, n:]])


def halved(score: Layer, tokens: Table, codes: Table) -> Table:
    """Take what is left between the two terms, and give each half of it."""
    of_tokens, of_codes = score(tokens), score(codes)
    mixed = (score(tokens + codes) - of_tokens - of_codes) / 2
    return np.array([of_tokens, mixed, mixed, of_codes])


def two_terms(score: Layer, tokens: Table, codes: Table) -> Table:
    """Let the terms that mix token and position be zero."""
    of_tokens, of_codes = score(tokens), score(codes)
    return np.array([of_tokens, 0 * of_tokens, 0 * of_tokens, of_codes])


def _head(rows: Any) -> Table:
    queries, keys = np.array([[2.0, -1.0], [1.0, 3.0]]), np.array([[1.0, 4.0], [-2.0, 1.0]])
    return np.asarray((rows @ queries) @ (rows @ keys).T)


def their_sum(answer: Answer) -> str | None:
    """The four add up to the score of the sum."""
    found = sum(np.asarray(answer(_head, TOKENS, CODES)))
    return differs(found, _head(TOKENS + CODES), at="the sum", axes=("query", "key"))


def one_code(answer: Answer) -> str | None:
    """If all places have one code, a score of token with position cannot depend on the key."""
    same = np.tile(CODES[3], (4, 1))
    found = np.asarray(answer(_head, TOKENS, same))[1]
    return differs(
        found, found[:, [0]] + 0 * found, at="one code, token-position", axes=("query", "key")
    )


def twice_the_tokens(answer: Answer) -> str | None:
    """Tokens of twice the length: four times, twice, twice and once."""
    expected = np.array([4, 2, 2, 1])[:, None, None] * answer(_head, TOKENS, CODES)
    found = answer(_head, 2 * TOKENS, CODES)
    return differs(found, expected, at="twice the tokens", axes=("term", "query", "key"))


def codes_twice(score: Layer, tokens: Table, codes: Table) -> Table:
    """Take differences from the sum, and leave the codes in the tokens' term."""
    terms = four_terms(score, tokens, codes)
    terms[0] += terms[3]
    terms[3] -= terms[3]
    return terms


# Hard: a matrix that forgets the positions, and nothing else.


def without_places(codes: Table) -> Any:
    """Project along the differences of the codes."""
    differences = codes - codes[0]
    return np.eye(codes.shape[1]) - np.linalg.pinv(differences, 1e-9) @ differences


def without_codes(codes: Table) -> Any:
    """Project along the codes themselves."""
    return np.eye(codes.shape[1]) - np.linalg.pinv(codes, 1e-9) @ codes


def without_mean(codes: Table) -> Any:
    """Project along the mean of the codes."""
    mean = codes.mean(axis=0, keepdims=True)
    return np.eye(codes.shape[1]) - np.linalg.pinv(mean) @ mean


# Eight directions at right angles, of ones and minus ones; three of them tell the places.
SIGNS = np.array([[(-1.0) ** (i & j).bit_count() for j in range(8)] for i in range(8)])
PLACES = SIGNS[4] + np.array([[0, 0, 0], [1, 0, 0], [2, 1, 0], [1, 3, 5], [0, 4, 1]]) @ SIGNS[1:4]


def one_place(answer: Answer) -> str | None:
    """A token comes out as the same vector at every place."""
    found = PLACES @ np.asarray(answer(PLACES)).T
    expected = np.tile(found[0], (len(found), 1))
    return differs(found, expected, at="a token of zeros", axes=("position", "channel"))


def all_else(answer: Answer) -> str | None:
    """What no two places differ by stays as it is."""
    kept = SIGNS[[0, 4, 5, 6, 7]]
    found = kept @ np.asarray(answer(PLACES)).T
    return differs(found, kept, at="what the places share", axes=("vector", "channel"))


EXERCISES = (
    Exercise(
        "adding-easy",
        "shuffle_change(layer, tokens, codes, order): largest change of an output, a float",
        (
            Property(
                "blind layer",
                blind_layer,
                "rows were brought back with the order itself; np.argsort(order) is its inverse.",
                undone_by_itself,
            ),
            Property(
                "running sums",
                running_sums,
                "means over the rows were compared, where an output can trade with another.",
                by_means,
            ),
            Property(
                "with codes",
                with_codes,
                "the codes were shuffled with the tokens; a code belongs to its place.",
                with_moving_codes,
            ),
        ),
        shuffle_change,
    ),
    Exercise(
        "adding-medium",
        "four_terms(score, tokens, codes): the four terms of [eq-four-terms], shape (4, L, L)",
        (
            Property(
                "their sum",
                their_sum,
                "the terms that mix token and position are missing.",
                two_terms,
            ),
            Property(
                "one code",
                one_code,
                "what mixes was halved, or its two terms changed places.",
                halved,
            ),
            Property(
                "twice the tokens",
                twice_the_tokens,
                "a share of the codes was left in the term of the tokens.",
                codes_twice,
            ),
        ),
        four_terms,
    ),
    Exercise(
        "adding-hard",
        "without_places(codes): d x d matrix that forgets the position of a token, and no more",
        (
            Property(
                "one place",
                one_place,
                "the mean of the codes was removed, and their differences stayed.",
                without_mean,
            ),
            Property(
                "all else",
                all_else,
                "the codes were projected away, where their differences are enough.",
                without_codes,
            ),
        ),
        without_places,
    ),
)
