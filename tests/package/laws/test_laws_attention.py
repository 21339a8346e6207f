"""posenc.laws of scores: what softmax does not see, fewer samples, bfloat16, likely causes."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from posenc import laws
from tests.package.laws.scores import both, turned

BFLOAT16: Any = ml_dtypes.bfloat16


def key_only(x: Any, p: Any, y: Any, q: Any) -> Any:
    """ALiBi as its authors have it, with the key's position alone, and a causal mask."""
    return np.where(q > p[:, None], -np.inf, x @ y.T / 8 + q / 2)


def test_sees_position_is_the_widest_row() -> None:
    scores = np.random.default_rng(0).normal(size=(20, 20))
    spreads = [(max(row) - min(row), p) for p, row in enumerate(scores.tolist())]
    spread, p = max(spreads)

    finding = laws.sees_position(lambda x, p, y, q: scores, 20)

    where = (p, int(scores[p].argmin()), int(scores[p].argmax()))
    measured = spread / abs(scores).max()
    assert finding == ("sees_position", True, measured, 2**-8, where)
    assert not laws.sees_position(lambda x, p, y, q: scores, 20, limit=measured).holds


def test_row_constants_are_ignored_on_request() -> None:
    assert not laws.equal_offsets(key_only).holds
    assert laws.equal_offsets(key_only, ignore_row_constants=True).holds
    # The two layouts, one for each: no constant of a row makes that right.
    broken = both(lambda x, p: x + turned(x, p))
    assert not laws.equal_offsets(broken, ignore_row_constants=True).holds


def test_row_constants_need_a_finite_diagonal() -> None:
    def hides_itself(x: Any, p: Any, y: Any, q: Any) -> Any:
        return np.where(q >= p[:, None], -np.inf, x @ y.T)

    with pytest.raises(ValueError, match="must be finite at k = 0"):
        laws.equal_offsets(hides_itself, ignore_row_constants=True)
    with pytest.raises(TypeError, match="ignore_row_constants must be a bool"):
        laws.equal_offsets(key_only, ignore_row_constants=1)


def test_few_samples_need_few_calls_and_find_the_same_breach() -> None:
    calls: list[int] = []

    def restarted(x: Any, p: Any, y: Any, q: Any) -> Any:
        calls.append(len(x))
        return both(turned)(x, np.arange(len(x)), y, np.arange(len(y)))

    finding = laws.cached_equals_full(restarted, 256, samples=8)

    assert not finding.holds
    assert len(calls) == 2 * 8 + 1
    assert laws.cached_equals_full(both(turned), 256, samples=8).holds
    everything = laws.cached_equals_full(restarted, 32)
    assert laws.cached_equals_full(restarted, 32, samples=1000) == everything
    with pytest.raises(ValueError, match="samples must be at least 4, got samples=3"):
        laws.cached_equals_full(restarted, samples=3)


def test_correct_bfloat16_scores_keep_all_laws() -> None:
    """Queries, keys and scores rounded: within 2**-8 of each, eight times float16's."""

    def score(x: Any, p: Any, y: Any, q: Any) -> Any:
        narrow = (turned(z, r).astype(BFLOAT16).astype(np.float32) for z, r in ((x, p), (y, q)))
        queries, keys = narrow
        return (queries @ keys.T).astype(BFLOAT16)

    findings = [
        laws.equal_offsets(score, 256),
        laws.cached_equals_full(score, 256, samples=8),
        laws.sees_position(score, 256),
    ]

    assert [finding.limit for finding in findings] == [2**-5, 2**-7, 2**-5]
    assert all(finding.holds for finding in findings)
    rounded = both(lambda x, p: turned(x, p.astype(BFLOAT16).astype(float)))
    assert not laws.equal_offsets(
        lambda x, p, y, q: rounded(x, p, y, q).astype(BFLOAT16), 1024
    ).holds


def test_each_law_has_a_likely_cause_for_its_breach() -> None:
    for name in set(laws.__all__) - {"Finding", "check"}:
        broken = laws.Finding(name, False, 1.0, 0.5, (0,))
        assert broken.cause.endswith(".")
        assert broken._replace(holds=True).cause == ""
