"""distance_biases: against fractions, powers and logarithms one at a time, and refusals."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mpmath import log, mpf, workdps
from numpy.testing import assert_allclose

from posenc import alibi_bias, alibi_slopes, fire_bias, kerple_bias

NEAR = 2.0**-49  # of a number: a logarithm or power within four units, and a product


def kerple(n: int, r1: float, r2: float, kind: str) -> float:
    with workdps(40):
        return float(-mpf(r1) * (log(1 + mpf(r2) * n) if kind == "log" else mpf(n) ** mpf(r2)))


@pytest.mark.parametrize("kind", ["log", "power"])
@pytest.mark.parametrize("form", ["causal", "symmetric"])
@pytest.mark.parametrize(("q_len", "k_len"), [(0, 0), (0, 2), (1, 1), (1, 40), (6, 6), (3, 8)])
def test_kerple_is_its_formula(kind: str, form: str, q_len: int, k_len: int) -> None:
    r1, r2 = [0.3, 1.0, 7.5], [1e-9, 2.0, 0.7]
    found = kerple_bias(r1, r2, q_len, k_len, kind=kind, form=form)

    assert found.shape == (3, q_len, k_len)
    for h, row, q in np.ndindex(found.shape):
        k = q - (row + k_len - q_len)
        hidden = form == "causal" and k > 0
        expected = -math.inf if hidden else kerple(abs(k), r1[h], r2[h], kind)
        assert math.isclose(found[h, row, q], expected, rel_tol=NEAR)


def test_straight_powers_are_alibi() -> None:
    slopes = alibi_slopes(6)
    for form in ("causal", "symmetric"):
        lines = kerple_bias(slopes, np.ones(6), 3, 9, kind="power", form=form)
        assert_allclose(lines, alibi_bias(6, 3, 9, form=form), rtol=NEAR, atol=0)


@pytest.mark.parametrize(("q_len", "k_len"), [(0, 0), (1, 1), (1, 40), (6, 6), (3, 8)])
@pytest.mark.parametrize(("c", "threshold"), [(1.0, 4.0), (0.01, 0.5), (30.0, 100.0)])
def test_fire_is_its_formula(q_len: int, k_len: int, c: float, threshold: float) -> None:
    found = fire_bias(lambda z: np.stack([z, 3 - z]), q_len, k_len, c=c, threshold=threshold)

    assert found.shape == (2, q_len, k_len)
    for row, q in np.ndindex(q_len, k_len):
        p = row + k_len - q_len
        if q > p:
            assert found[:, row, q].tolist() == [-math.inf] * 2
            continue
        with workdps(40):
            z = float(log(1 + mpf(c) * (p - q)) / log(1 + mpf(c) * max(threshold, p)))
        assert 0 <= z <= 1
        assert_allclose(found[:, row, q], [z, 3 - z], rtol=0, atol=3 * NEAR)


def test_fire_up_to_the_threshold_is_kerples_logarithm() -> None:
    scale = 2.5 * math.log1p(0.3 * 20)
    fire = fire_bias(lambda z: -scale * z, 40, c=0.3, threshold=20.0)
    log_bias = kerple_bias([2.5], [0.3], 40)[0]

    assert_allclose(fire[:21], log_bias[:21], rtol=4 * NEAR, atol=0)
    assert (fire[21:, 0] > log_bias[21:, 0] + 1e-3).all()


def test_fire_asks_for_no_later_keys() -> None:
    """Distances behind the query are not negative, where there is no logarithm."""
    given: list[Any] = []

    def function(z: Any) -> Any:
        given.append(z)
        return z

    fire_bias(function, 5, c=1.0, threshold=3.0)
    assert len(given) == 1
    assert given[0].min() == 0
    assert given[0].max() == 1


def fire(function: Any = lambda z: z, **options: Any) -> Any:
    return fire_bias(function, 2, 3, **{"c": 1.0, "threshold": 2.0} | options)


SHAPES = "r1 and r2 must have a number for each head, got shapes "
REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: kerple_bias([1.0], [1.0, 2.0], 3), ValueError, SHAPES + "(1,) and (2,)"),
    (lambda: kerple_bias([], [], 3), ValueError, SHAPES + "(0,) and (0,)"),
    (lambda: kerple_bias(1.0, 1.0, 3), ValueError, "r1 must have 1 axis, got shape ()"),
    (lambda: kerple_bias([0.0], [1.0], 3), ValueError, "r1 and r2 must be above 0, got 0.0"),
    (lambda: kerple_bias([1.0], [-1.0], 3), ValueError, "r1 and r2 must be above 0, got -1.0"),
    (lambda: kerple_bias([1.0], [math.nan], 3), ValueError, "r2 must be finite, got nan"),
    (
        lambda: kerple_bias([1.0], [2.5], 3, kind="power"),
        ValueError,
        "r2 must be at most 2 for powers, got 2.5",
    ),
    (lambda: kerple_bias([1.0], [1.0], -1), ValueError, "q_len must be at least 0, got q_len=-1"),
    (lambda: kerple_bias([1.0], [1.0], 3, 2), ValueError, "k_len must be at least 3, got k_len=2"),
    (
        lambda: kerple_bias([1.0], [1.0], 3, kind="line"),
        ValueError,
        "kind must be 'log' or 'power', got kind='line'",
    ),
    (
        lambda: kerple_bias([1.0], [1.0], 3, form="both"),
        ValueError,
        "form must be 'causal' or 'symmetric', got form='both'",
    ),
    (
        lambda: kerple_bias(["x"], [1.0], 3),
        TypeError,
        "r1 must hold real numbers, got dtype <U1",
    ),
    (
        lambda: kerple_bias([1e308], [2.0], 3, kind="power"),
        ValueError,
        "bias must be finite, got -inf",
    ),
    (
        lambda: fire(c=1e-200, threshold=1e-200),
        ValueError,
        "c * threshold must be above 0, got c * threshold=0.0",
    ),
    (lambda: fire(c=1e308), ValueError, "c * threshold must be finite, got c * threshold=inf"),
    (
        lambda: fire(c=1e308, threshold=1.0),
        ValueError,
        "c * k_len must be finite, got c * k_len=inf",
    ),
    (lambda: fire(None), TypeError, "function must be callable, got function=None"),
    (lambda: fire(c=0.0), ValueError, "c must be above 0, got c=0.0"),
    (lambda: fire(threshold=-1.0), ValueError, "threshold must be above 0, got threshold=-1.0"),
    (lambda: fire(c="1"), TypeError, "c must be a real number, got c='1'"),
    (
        lambda: fire(lambda z: z.T),
        ValueError,
        "function(z) must end with (2, 3), got shape (3, 2)",
    ),
    (lambda: fire(lambda z: z + np.inf), ValueError, "function(z) must be finite, got inf"),
    (
        lambda: fire(lambda z: 0.0),
        ValueError,
        "function(z) must have at least 2 axes, got shape ()",
    ),
    (
        lambda: fire_bias(lambda z: z, 3, 2, c=1.0, threshold=1.0),
        ValueError,
        "k_len must be at least 3, got k_len=2",
    ),
]


@pytest.mark.parametrize(("call", "kind", "complaint"), REFUSED, ids=[r[2] for r in REFUSED])
def test_refuses(call: Callable[[], Any], kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind) as refusal:
        call()
    assert str(refusal.value) == complaint
