"""Exercises of the chapter on adding positions."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from posenc.exercises.exercise import Answer, Exercise, differs, judges

Table = NDArray[np.float64]
Layer = Callable[[Any], Any]

TOKENS = np.array([[3.0, 1.0], [-2.0, 5.0], [4.0, -1.0], [0.0, 7.0]])
CODES = np.array([[1.0, 0.0], [0.0, 2.0], [-1.0, 1.0], [2.0, 2.0]])
ROUND = np.array([2, 0, 3, 1])  # no reversal: applied twice, it is not undone

# Easy: does a layer see order?


# --8<-- [start:adding-easy]
def shuffle_change(layer: Layer, tokens: Table, codes: Table, order: Any) -> float:
    """Return the largest change of an output, a float."""
    once, shuffled = layer(tokens + codes), layer(tokens[order] + codes)
    back = shuffled[np.argsort(order)]
    return float(abs(back - once).max())
    # --8<-- [end:adding-easy]


def undone_by_itself(layer: Layer, tokens: Table, codes: Table, order: Any) -> float:
    """Take the order for its inverse."""
    once, shuffled = layer(tokens + codes), layer(tokens[order] + codes)
    return float(abs(shuffled[order] - once).max())


# --8<-- [start:adding-easy-wrong]
def carried(layer: Layer, tokens: Table, codes: Table, order: Any) -> float:
    """Let each code move with its token."""
    once, shuffled = layer(tokens + codes), layer((tokens + codes)[order])
    return float(abs(shuffled[np.argsort(order)] - once).max())
    # --8<-- [end:adding-easy-wrong]


def by_means(layer: Layer, tokens: Table, codes: Table, order: Any) -> float:
    """Compare the means over the rows."""
    once, shuffled = layer(tokens + codes), layer(tokens[order] + codes)
    return float(abs(shuffled.mean(axis=0) - once.mean(axis=0)).max())


def _share_of_sum(rows: Any) -> Any:
    return rows * rows.sum(axis=0)  # every row meets every other, all of them alike


@judges(
    "blind layer",
    hint="rows were brought back with the order itself; np.argsort(order) is its inverse.",
    wrong=undone_by_itself,
)
def blind_layer(answer: Answer) -> str | None:
    """Without codes, a layer that treats rows alike has nothing left."""
    found = answer(_share_of_sum, TOKENS, 0 * CODES, ROUND)
    return differs(found, 0, at="codes of zeros, order 2, 0, 3, 1")


@judges(
    "running sums",
    hint="means over the rows were compared, where an output can trade with another.",
    wrong=by_means,
)
def running_sums(answer: Answer) -> str | None:
    """A layer may see order without codes; sums up to each row do."""
    before, shuffled = np.cumsum(TOKENS, axis=0), np.cumsum(TOKENS[ROUND], axis=0)
    expected = max(abs(shuffled[i] - before[token]).max() for i, token in enumerate(ROUND))
    found = answer(lambda rows: np.cumsum(rows, axis=0), TOKENS, 0 * CODES, ROUND)
    return differs(found, expected, at="running sums, codes of zeros")


@judges(
    "with codes",
    hint="the codes were shuffled with the tokens; a code belongs to its position.",
    wrong=carried,
)
def with_codes(answer: Answer) -> str | None:
    """With codes, each token is compared with itself at its old position."""
    rows, total = TOKENS.tolist(), (TOKENS + CODES).sum(axis=0).tolist()
    changes = [
        abs((rows[token][c] + CODES[p, c]) - (rows[token][c] + CODES[token, c])) * abs(total[c])
        for p, token in enumerate(ROUND)
        for c in range(2)
    ]
    return differs(answer(_share_of_sum, TOKENS, CODES, ROUND), max(changes), at="codes added")


# Medium: the four terms, from a head that cannot be opened.


# --8<-- [start:adding-medium]
def four_terms(score: Layer, tokens: Table, codes: Table) -> Table:
    """Return the four terms of [eq-four-terms], shape (4, L, L)."""
    L, scores = len(tokens), score(np.concatenate([tokens, codes]))
    of_tokens, of_codes = scores[:L], scores[L:]
    terms = [of_tokens[:, :L], of_tokens[:, L:], of_codes[:, :L], of_codes[:, L:]]
    return np.array(terms)
    # --8<-- [end:adding-medium]


# --8<-- [start:adding-medium-wrong]
def halved(score: Layer, tokens: Table, codes: Table) -> Table:
    """Take what is left between the two terms, and give each half of it."""
    alone, of_codes = score(tokens), score(codes)
    mixed = (score(tokens + codes) - alone - of_codes) / 2
    return np.array([alone, mixed, mixed, of_codes])
    # --8<-- [end:adding-medium-wrong]


def two_terms(score: Layer, tokens: Table, codes: Table) -> Table:
    """Let the terms that mix token and position be zero."""
    of_tokens, of_codes = score(tokens), score(codes)
    return np.array([of_tokens, 0 * of_tokens, 0 * of_tokens, of_codes])


def codes_twice(score: Layer, tokens: Table, codes: Table) -> Table:
    """Take differences from the sum, and leave the codes in the tokens' term."""
    terms = four_terms(score, tokens, codes)
    terms[0] += terms[3]
    terms[3] -= terms[3]
    return terms


def _head(rows: Any) -> Table:
    queries, keys = np.array([[2.0, -1.0], [1.0, 3.0]]), np.array([[1.0, 4.0], [-2.0, 1.0]])
    return np.asarray((rows @ queries) @ (rows @ keys).T)


@judges("their sum", hint="the terms that mix token and position are missing.", wrong=two_terms)
def their_sum(answer: Answer) -> str | None:
    """The four add up to the score of the sum."""
    found = sum(np.asarray(answer(_head, TOKENS, CODES)))
    return differs(found, _head(TOKENS + CODES), at="the sum", axes=("query", "key"))


@judges("one code", hint="what mixes was halved.", wrong=halved)
def one_code(answer: Answer) -> str | None:
    """If all positions have one code, a score of token with position cannot depend on the key."""
    same = np.tile(CODES[3], (4, 1))
    found = np.asarray(answer(_head, TOKENS, same))[1]
    return differs(
        found, found[:, [0]] + 0 * found, at="one code, token-position", axes=("query", "key")
    )


@judges(
    "twice the tokens",
    hint="a share of the codes was left in the term of the tokens.",
    wrong=codes_twice,
)
def twice_the_tokens(answer: Answer) -> str | None:
    """With tokens of twice the length, the terms grow by factors of 4, 2, 2 and 1."""
    expected = np.array([4, 2, 2, 1])[:, None, None] * answer(_head, TOKENS, CODES)
    found = answer(_head, 2 * TOKENS, CODES)
    return differs(found, expected, at="twice the tokens", axes=("term", "query", "key"))


# Hard: a matrix that forgets the positions, and nothing else.


# --8<-- [start:adding-hard]
def without_positions(codes: Table) -> Any:
    """Return the d x d matrix that forgets the position of a token, and no more."""
    D = codes - codes[0]
    return np.eye(codes.shape[1]) - np.linalg.pinv(D, 1e-9) @ D
    # --8<-- [end:adding-hard]


# --8<-- [start:adding-hard-wrong]
def without_codes(codes: Table) -> Any:
    """Project along the codes themselves."""
    return np.eye(codes.shape[1]) - np.linalg.pinv(codes, 1e-9) @ codes
    # --8<-- [end:adding-hard-wrong]


def without_mean(codes: Table) -> Any:
    """Project along the mean of the codes."""
    mean = codes.mean(axis=0, keepdims=True)
    return np.eye(codes.shape[1]) - np.linalg.pinv(mean) @ mean


# Eight directions at right angles, of ones and minus ones; three of them tell the positions apart.
SIGNS = np.array([[(-1.0) ** (i & j).bit_count() for j in range(8)] for i in range(8)])
PLACES = SIGNS[4] + np.array([[0, 0, 0], [1, 0, 0], [2, 1, 0], [1, 3, 5], [0, 4, 1]]) @ SIGNS[1:4]


@judges(
    "one position",
    hint="the mean of the codes was removed, and their differences stayed.",
    wrong=without_mean,
)
def one_position(answer: Answer) -> str | None:
    """A token comes out as the same vector at every position."""
    found = PLACES @ np.asarray(answer(PLACES)).T
    expected = np.tile(found[0], (len(found), 1))
    return differs(found, expected, at="a token of zeros", axes=("position", "channel"))


@judges(
    "all else",
    hint="the codes were projected away, where their differences are enough.",
    wrong=without_codes,
)
def all_else(answer: Answer) -> str | None:
    """What no two positions differ by stays as it is."""
    kept = SIGNS[[0, 4, 5, 6, 7]]
    found = kept @ np.asarray(answer(PLACES)).T
    return differs(found, kept, at="what the positions share", axes=("vector", "channel"))


EXERCISES = (
    Exercise("adding-easy", shuffle_change, (blind_layer, running_sums, with_codes)),
    Exercise("adding-medium", four_terms, (their_sum, one_code, twice_the_tokens)),
    Exercise("adding-hard", without_positions, (one_position, all_else)),
)
