"""distance_biases: against fractions, powers and logarithms one at a time, and refusals."""

import math
from typing import Any

import numpy as np
import pytest
from mpmath import log, mpf, workdps
from numpy.testing import assert_allclose

from posenc import fire_bias, kerple_bias

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


def test_fire_does_not_evaluate_later_keys() -> None:
    """Distances behind the query are not negative, where there is no logarithm."""
    given: list[Any] = []

    def function(z: Any) -> Any:
        given.append(z)
        return z

    fire_bias(function, 5, c=1.0, threshold=3.0)
    assert len(given) == 1
    assert given[0].min() == 0
    assert given[0].max() == 1
