"""posenc.laws of scores: each measure against plain loops, and what is refused."""

import math
from typing import Any

import numpy as np
import pytest

from posenc import laws
from tests.package.laws.scores import LAWS, both, turned


@pytest.mark.parametrize("seed", range(4))
def test_equal_offsets_is_the_widest_diagonal(seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(20, 20)).tolist()
    found = []
    for k in range(-19, 20):
        same = [(scores[p][p + k], (p, p + k)) for p in range(20) if 0 <= p + k < 20]
        (low, first), (high, last) = min(same), max(same)
        found.append((high - low, (*first, *last)))
    spread, where = max(found)

    finding = laws.equal_offsets(lambda x, p, y, q: scores, 20)
    largest = max(abs(score) for row in scores for score in row)
    assert finding == ("equal_offsets", False, spread / largest, 2**-8, where)
    assert laws.equal_offsets(lambda x, p, y, q: scores, 20, limit=spread / largest).holds


def test_equal_offsets_puts_one_query_and_one_key_everywhere() -> None:
    calls: list[Any] = []

    def score(x: Any, p: Any, y: Any, q: Any) -> Any:
        calls.append((x, p, y, q))
        return np.ones((16, 16))

    assert laws.equal_offsets(score, 16, head_dim=5) == (
        "equal_offsets",
        True,
        0,
        2**-8,
        (15, 0) * 2,
    )
    ((x, p, y, q),) = calls
    assert x.shape == y.shape == (16, 5)
    assert (x == x[0]).all()
    assert (y == y[0]).all()
    assert (x != y).all()
    assert p.tolist() == q.tolist() == list(range(16))


@pytest.mark.parametrize("alone", ["query", "key"])
@pytest.mark.parametrize(("p", "q"), [(0, 0), (7, 3), (15, 15), (15, 0)])
def test_cached_equals_full_looks_at_each_key_alone_and_each_query_alone(
    alone: str, p: int, q: int
) -> None:
    def score(x: Any, at: Any, y: Any, of: Any) -> Any:
        scores = np.full((len(x), len(y)), 4.0)
        if len(x if alone == "query" else y) == 1 != len(y if alone == "query" else x):
            scores[(at == p)[:, None] & (of == q)] = 5
        elif (len(x), len(y)) == (1, 1) and at == p and of == q:
            scores[:] = 5
        return scores

    finding = laws.cached_equals_full(score, 16)
    assert finding == ("cached_equals_full", False, 0.25, 2**-10, (p, q))
    assert laws.cached_equals_full(score, 16, limit=0.25).holds


def test_cached_equals_full_does_not_look_ahead() -> None:
    def score(x: Any, p: Any, y: Any, q: Any) -> Any:
        return np.where(q > p[:, None], len(x) + len(y), 1.0)

    assert laws.cached_equals_full(score, 16) == ("cached_equals_full", True, 0, 2**-10, (0, 0))


def test_cached_equals_full_gives_every_token_its_own_contents() -> None:
    calls: list[Any] = []

    def score(x: Any, p: Any, y: Any, q: Any) -> Any:
        calls.append((x, p, y, q))
        return np.ones((len(x), len(y)))

    laws.cached_equals_full(score, 16, head_dim=3)
    (X, _, Y, _), *steps = calls
    assert len({tuple(row) for row in [*X, *Y]}) == 32
    assert len(steps) == 32
    for x, p, y, q in steps:
        assert (x == X[p]).all()
        assert (y == Y[q]).all()
        assert 1 in (len(p), len(q))


CONSISTENT = {name: law for name, law in LAWS.items() if name != "sees_position"}


@pytest.mark.parametrize("law", CONSISTENT.values(), ids=CONSISTENT)
def test_a_score_that_is_hidden_here_and_shown_there_is_not(law: Any) -> None:
    def score(x: Any, p: Any, y: Any, q: Any) -> Any:
        hidden = (p == 9)[:, None] & (q == 4) & (len(x) > 1)
        return np.where(hidden, -np.inf, 1.0)

    finding = law(score, 16)
    assert (finding.holds, finding.measured) == (False, math.inf)
    assert finding.where[:2] == (9, 4)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_work_in_place_spoils_nothing(law: Any) -> None:
    memory = np.zeros((32, 32))

    def score(x: Any, p: Any, y: Any, q: Any) -> Any:
        part = memory[: len(x), : len(y)]
        part[:] = turned(x, p) @ turned(y, q).T
        for array in (x, p, y, q):
            array[:] = 0
        return part

    assert law(score, 32) == law(both(turned), 32)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_options_are_checked_before_the_function_is_called(law: Any) -> None:
    with pytest.raises(TypeError, match="score must be callable"):
        law([[1.0]], 16)
    with pytest.raises(ValueError, match="seq_len must be at least 16, got seq_len=15"):
        law(lambda *given: 1 / 0, 15)
    with pytest.raises(ValueError, match="head_dim must be at least 1, got head_dim=0"):
        law(lambda *given: 1 / 0, 16, head_dim=0)
    with pytest.raises(ValueError, match="limit must be above 0, got limit=0"):
        law(lambda *given: 1 / 0, 16, limit=0)


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (np.zeros((16, 8)), "must have shape (16, 16), got shape (16, 8)"),
        (np.full((16, 16), math.nan), "must be finite or -inf, got nan"),
        (np.full((16, 16), math.inf), "must be finite or -inf, got inf"),
    ],
)
def test_what_the_function_returns_must_be_scores(answer: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match="score of") as refusal:
        laws.equal_offsets(lambda *given: answer, 16)
    assert str(refusal.value) == f"score of 16 queries and 16 keys {complaint}"
