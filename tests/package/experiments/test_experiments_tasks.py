"""The tasks of the experiments: their labels, told again in plain Python."""

import gzip
from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest

from posenc.experiments import tasks

NAMES = ("which_first", "more_good", "more_praise", "look_back", "fading")


def first(words):
    return int(words.index(8) < words.index(9))


def good(words):
    return int(words.count(tasks.GOOD) > words.count(tasks.BAD))


def praised(words):
    total = 0
    for before, word in zip([tasks.FILM, *words], words, strict=False):
        worth = {tasks.GOOD: 1, tasks.BAD: -1}.get(word, 0)
        total += -worth if before == tasks.NOT else worth
    return int(total > 0)


def back(words):
    return [words[p - 3] if p >= 3 else -1 for p in range(len(words))]


def faded(words):
    return [
        int(sum(0.8 ** (p - q) * (1 if words[q] else -1) for q in range(p + 1)) > 0)
        for p in range(len(words))
    ]


@pytest.mark.parametrize(
    ("name", "told"),
    [*zip(NAMES, (first, good, praised, back, faded), strict=True)],
)
def test_labels_are_what_the_task_says(name, told):
    words, labels = getattr(tasks, name)(np.random.default_rng(5), 300, 11)

    assert words.shape == (300, 11)
    assert labels.tolist() == [told(sentence) for sentence in words.tolist()]


@pytest.mark.parametrize("seq_len", [8, 32, 256])
def test_recall_asks_for_the_value_behind_each_name(seq_len):
    words, labels = tasks.recall(np.random.default_rng(5), 300, seq_len)

    assert words.shape == labels.shape == (300, seq_len)
    orders = set()
    for sentence, wanted in zip(words.tolist(), labels.tolist(), strict=True):
        pairs = list(zip(sentence[::2], sentence[1::2], strict=True))
        once, again = pairs[: seq_len // 4], pairs[seq_len // 4 :]
        known = dict(once)
        assert len(known) == len(once)
        assert all(8 <= name < 72 and 0 <= value < 8 for name, value in once)
        assert sorted(again) == sorted(once)
        asked = [part for name, _ in again for part in (known[name], -1)]
        assert wanted == [-1] * (seq_len // 2) + asked
        orders.add(tuple(once.index(pair) for pair in again))
    assert len(orders) > 1


@pytest.mark.parametrize("name", ["which_first", "more_good", "more_praise"])
def test_both_answers_are_equally_frequent(name):
    """Or a model that always says the same would seem to know something."""
    _, labels = getattr(tasks, name)(np.random.default_rng(6), 4096, 8)

    assert abs(labels.mean() - 0.5) < 4 * 0.5 / 64  # four standard deviations


def written(numbers: Iterable[int]) -> str:
    """Characters by their numbers."""
    return "".join(chr(31 + n) if n else "\n" for n in numbers)


def parts() -> list[str]:
    return gzip.decompress(tasks.TEXT.read_bytes()).decode("ascii").split("\f")


def test_text_file_is_unchanged():
    """It is kept for good: stored results are about it, and not about the chapters of today."""
    assert tasks.digest() == "c6475446cea76b038dfc7cc8035df1e95335973d60c7fe85c4cc3e0bcd4fb6c9"
    assert [written(part) for part in tasks.parts()] == parts()
    for part in tasks.parts():
        assert part.min() >= 0
        assert part.max() < tasks.CHARACTERS


def test_pieces_of_the_text_ask_for_the_next_character():
    words, labels = tasks.text(np.random.default_rng(5), 300, 40)

    assert words.shape == labels.shape == (300, 40)
    for piece, wanted in zip(words, labels, strict=True):
        assert written([*piece, wanted[-1]]) in parts()[0]
        assert wanted[:-1].tolist() == piece[1:].tolist()


@pytest.mark.parametrize("seq_len", [64, 128, 512])
def test_unseen_pieces_ask_for_the_same_characters_at_all_places(seq_len):
    text = parts()[1]
    asked: dict[int, Counter[int]]
    asked = {place: Counter() for place in range(0, seq_len, tasks.PLACES)}
    for k, (piece, wanted) in enumerate(zip(*tasks.unseen(seq_len), strict=True)):
        start = tasks.ASKED.start - 1 - seq_len + (k + 1) * tasks.PLACES
        assert written(piece) == text[start : start + seq_len]
        for p, label in enumerate(wanted):
            if label >= 0:
                assert written([label]) == text[start + p + 1]
                asked[p - p % tasks.PLACES][start + p + 1] += 1

    once = dict.fromkeys(range(tasks.ASKED.start, tasks.ASKED.stop), 1)
    assert all(found == once for found in asked.values())
