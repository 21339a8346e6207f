"""Tasks with an exact answer, drawn at random: sentences of word numbers, and labels.

A task is a function of a generator, a number of sentences and their length; it returns the
words, shape (B, L), and the labels: (B,), one for a sentence, or (B, L), one for each place,
-1 where nothing is asked.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Batch = tuple[NDArray[np.int64], NDArray[np.int64]]

BACK = 3  # places that `look_back` looks back
FADING = 0.8  # what a word of `fading` counts for, as a part of the next
GOOD, BAD, NOT, FILM = range(4)


def which_first(rng: np.random.Generator, batch: int, seq_len: int) -> Batch:
    """Return sentences of 10 words in which 8 and 9 occur once: 1 if 8 comes before 9."""
    words = rng.integers(8, size=(batch, seq_len))
    places = rng.permuted(np.tile(np.arange(seq_len), (batch, 1)), axis=1)[:, :2]
    np.put_along_axis(words, places, [[8, 9]], axis=1)
    return words, (places[:, 0] < places[:, 1]).astype(np.int64)


def more_good(rng: np.random.Generator, batch: int, seq_len: int) -> Batch:
    """Return reviews of good, bad, not, film: 1 if more words are good than bad; no ties."""
    return _reviews(rng, batch, seq_len, lambda words: _worth(words).sum(axis=1))


def more_praise(rng: np.random.Generator, batch: int, seq_len: int) -> Batch:
    """Return reviews, and 1 if they praise more than they blame; "not" turns the next word."""
    return _reviews(rng, batch, seq_len, praise)


def praise(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return praise minus blame of each review, shape (B,): a word after "not" counts turned."""
    turns = np.where(words[:, :-1] == NOT, -1, 1)
    worth = _worth(words)
    worth[:, 1:] *= turns
    total: NDArray[np.int64] = worth.sum(axis=1)
    return total


def _worth(words: NDArray[np.int64]) -> NDArray[np.int64]:
    worth: NDArray[np.int64] = (words == GOOD).astype(np.int64) - (words == BAD)
    return worth


def _reviews(
    rng: np.random.Generator,
    batch: int,
    seq_len: int,
    judge: Callable[[NDArray[np.int64]], NDArray[np.int64]],
) -> Batch:
    """Return reviews without ties; half of all reviews, at most, are drawn in vain."""
    found: NDArray[np.int64] = np.empty((0, seq_len), dtype=np.int64)
    while len(found) < batch:
        words = rng.integers(4, size=(2 * batch, seq_len))
        found = np.concatenate([found, words[judge(words) != 0]])
    found = found[:batch]
    return found, (judge(found) > 0).astype(np.int64)


def look_back(rng: np.random.Generator, batch: int, seq_len: int) -> Batch:
    """Return sentences of 8 words: at each place, the word `BACK` places before is asked for."""
    words = rng.integers(8, size=(batch, seq_len))
    labels = np.full_like(words, -1)
    labels[:, BACK:] = words[:, :-BACK]
    return words, labels


def fading(rng: np.random.Generator, batch: int, seq_len: int) -> Batch:
    """Return sentences of a 0 or 1: 1 where recent ones outweigh recent zeros.

    A word counts `FADING` times as much as the next; the sum is never zero.
    """
    words = rng.integers(2, size=(batch, seq_len))
    labels = np.empty_like(words)
    total = np.zeros(batch)
    for p in range(seq_len):
        total = FADING * total + (2 * words[:, p] - 1)
        labels[:, p] = total > 0
    return words, labels
