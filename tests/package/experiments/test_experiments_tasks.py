"""The tasks of the experiments: their labels, told again in plain Python."""

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


@pytest.mark.parametrize("name", ["which_first", "more_good", "more_praise"])
def test_both_answers_are_equally_frequent(name):
    """Or a model that always says the same would seem to know something."""
    _, labels = getattr(tasks, name)(np.random.default_rng(6), 4096, 8)

    assert abs(labels.mean() - 0.5) < 4 * 0.5 / 64  # four standard deviations


@pytest.mark.parametrize("name", NAMES)
def test_the_generator_decides_all(name):
    task = getattr(tasks, name)
    one, same, other = (task(np.random.default_rng(seed), 40, 9)[0] for seed in (1, 1, 2))

    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


def test_no_review_is_a_tie():
    words, _ = tasks.more_praise(np.random.default_rng(7), 500, 4)

    assert np.all(tasks.praise(words) != 0)
