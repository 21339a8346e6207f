"""Tasks with an exact answer, drawn at random, and a text: word numbers, and labels.

A task is a function of a generator, a number of sentences and their length; it returns the
words, shape (B, L), and the labels: (B,), one for a sentence, or (B, L), one for each place,
-1 where nothing is asked.

The text is prose of this book, as it was when the first models were trained on it: fourteen
chapters without code, tables and lines beyond ASCII, a form feed, and a chapter held out. The
copy is kept for good, whatever becomes of the chapters, so that its bytes are the same
everywhere; those of a library, even Python's own, change from release to release.
"""

import gzip
import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Batch = tuple[NDArray[np.int64], NDArray[np.int64]]

BACK = 3  # places that `look_back` looks back
VALUES, NAMES = 8, 64  # words of `recall`
FADING = 0.8  # what a word of `fading` counts for, as a part of the next
GOOD, BAD, NOT, FILM = range(4)
TEXT = Path(__file__).parent / "data" / "text.txt.gz"
CHARACTERS = 96  # the end of a line, and all that ASCII can print
ASKED = slice(512, 512 + 4096)  # of the held-out characters, those that are asked for
PLACES = 32  # in a row, of which `unseen` asks for the same characters as for any other


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


def recall(rng: np.random.Generator, batch: int, seq_len: int) -> Batch:
    """Return sentences of names, each with a value behind it, and then all of them once more.

    The second half has the pairs of the first in another order; after each of its names, the value
    is asked for. Words below `VALUES` are values; no sentence has two pairs of the same name.
    """
    pairs = seq_len // 4
    names = rng.permuted(np.tile(np.arange(NAMES), (batch, 1)), axis=1)[:, :pairs] + VALUES
    once = np.stack([names, rng.integers(VALUES, size=names.shape)], axis=-1)
    order = rng.permuted(np.tile(np.arange(pairs), (batch, 1)), axis=1)
    again = np.take_along_axis(once, order[..., np.newaxis], axis=1)
    words = np.concatenate([once, again], axis=1).reshape(batch, -1)
    labels = np.full_like(words, -1)
    labels[:, 2 * pairs :: 2] = again[..., 1]
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


def text(rng: np.random.Generator, batch: int, seq_len: int) -> Batch:
    """Return pieces of the text, as numbers of characters: the next one is asked for."""
    trains, _ = parts()
    return _pieces(trains, rng.integers(len(trains) - seq_len, size=batch), seq_len)


def unseen(seq_len: int) -> Batch:
    """Return pieces of the held-out chapter that overlap, each `PLACES` further than the last.

    So the first `PLACES` places, the next, and so on, are asked for the same characters, those
    `ASKED`, once for each; they differ only in how much precedes them.
    """
    _, held_out = parts()
    starts = np.arange(ASKED.start - 1 - seq_len + PLACES, ASKED.stop - 1, PLACES)
    words, labels = _pieces(held_out, starts, seq_len)
    places = starts[:, np.newaxis] + 1 + np.arange(seq_len)
    labels[(places < ASKED.start) | (places >= ASKED.stop)] = -1
    return words, labels


@cache
def parts() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the chapters that train, and the one that is held out, as numbers of characters."""
    trains, held_out = (
        np.maximum(np.frombuffer(part, np.uint8).astype(np.int64) - 31, 0)
        for part in gzip.decompress(TEXT.read_bytes()).split(b"\f")
    )
    return trains, held_out


def digest() -> str:
    """Return the SHA-256 of the text, which a result names."""
    return hashlib.sha256(gzip.decompress(TEXT.read_bytes())).hexdigest()


def _pieces(part: NDArray[np.int64], starts: NDArray[np.int64], seq_len: int) -> Batch:
    pieces = part[starts[:, np.newaxis] + np.arange(seq_len + 1)]
    return pieces[:, :-1], pieces[:, 1:].copy()  # a copy, because callers change labels
