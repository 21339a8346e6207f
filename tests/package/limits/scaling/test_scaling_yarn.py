"""scaling: YaRN, judged by formulas in plain Python."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from posenc import rope_parameters
from tests.package.limits.scaling.test_scaling import (
    BASES,
    CLOSE,
    DIMS,
    FACTORS,
    LENGTHS,
    plain,
    yarn,
)


@given(DIMS, BASES, FACTORS, LENGTHS, st.booleans())
def test_yarn_keeps_fast_pairs_divides_slow_ones_and_falls_between(
    dim: int, base: float, factor: float, original: int, truncate: bool
) -> None:
    keys = yarn(factor, dim, rope_theta=base, truncate=truncate)
    keys["original_max_position_embeddings"] = original
    ratio = rope_parameters(keys).inv_freq / plain(dim, base)
    turns = [original * w / (2 * math.pi) for w in plain(dim, base)]
    fast = [i for i, n in enumerate(turns) if n >= 32]
    slow = [i for i, n in enumerate(turns) if n <= 1]
    # The ramp begins at the last pair of more than 32 turns and ends at the first below 1.
    if truncate:
        fast, slow = fast[:-1], slow[1:]
    assert_allclose(ratio[fast], 1, rtol=CLOSE)
    assert_allclose(ratio[slow], 1 / factor, rtol=CLOSE)
    assert (np.diff(ratio) <= CLOSE).all()


def test_yarn_step_by_step() -> None:
    # d = 16, b = 10000, L_0 = 4096: corr(32) = 16 ln(4096/201.06)/18.42 = 2.618 and
    # corr(1) = 5.628, so the ramp goes from pair 2 to pair 6 in quarters.
    kept = [1, 1, 1, 0.75, 0.5, 0.25, 0, 0]
    expected = [w * (k + (1 - k) / 8) for w, k in zip(plain(16), kept, strict=True)]
    assert_allclose(rope_parameters(yarn(8, 16)).inv_freq, expected, rtol=CLOSE)
    low, high = (16 * math.log(4096 / (n * 2 * math.pi)) / math.log(1e8) for n in (32, 1))
    assert (round(low, 3), round(high, 3)) == (2.618, 5.628)
    ramp = [min(max((i - low) / (high - low), 0), 1) for i in range(8)]
    expected = [w * (1 - r + r / 8) for w, r in zip(plain(16), ramp, strict=True)]
    found = rope_parameters(yarn(8, 16, truncate=False)).inv_freq
    assert_allclose(found, expected, rtol=CLOSE)


def test_yarn_betas_move_the_ramp() -> None:
    # corr(8) = 3.822 and corr(2) = 5.026: from pair 3 to pair 6.
    kept = [1, 1, 1, 1, 2 / 3, 1 / 3, 0, 0]
    expected = [w * (k + (1 - k) / 8) for w, k in zip(plain(16), kept, strict=True)]
    found = rope_parameters(yarn(8, 16, beta_fast=8, beta_slow=2)).inv_freq
    assert_allclose(found, expected, rtol=CLOSE)


def test_yarn_ramp_of_no_width_is_a_step() -> None:
    ends = yarn(8, 16, beta_fast=1, beta_slow=1, truncate=False)
    expected = [w / (1 if i < 6 else 8) for i, w in enumerate(plain(16))]
    assert_allclose(rope_parameters(ends).inv_freq, expected, rtol=CLOSE)


def test_yarn_ramp_ends_beyond_the_pairs_at_the_last_channel() -> None:
    # corr(32) = 22.5 and corr(1) = 34.6 of 32 pairs: the ramp goes from 22 to 35, not to 31.
    keys = yarn(4.0, 64, original_max_position_embeddings=131072)
    low, high = (64 * math.log(131072 / (n * 2 * math.pi)) / math.log(1e8) for n in (32, 1))
    assert (math.floor(low), math.ceil(high)) == (22, 35)
    ratio = rope_parameters(keys).inv_freq[31] / plain(64)[31]
    assert_allclose(ratio, 1 - 9 / 13 * 0.75, rtol=CLOSE)


M40 = 0.1 * math.log(40) + 1


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({}, M40),
        ({"attention_factor": None}, M40),
        ({"attention_factor": 0.75}, 0.75),
        ({"attention_factor": 0.75, "mscale": 1, "mscale_all_dim": 0.5}, 0.75),
        ({"mscale": 1, "mscale_all_dim": 1}, 1),
        ({"mscale": 1, "mscale_all_dim": 0.5}, M40 / (0.05 * math.log(40) + 1)),
        ({"mscale": 0.707}, M40),  # one of the two alone is not looked at
        ({"mscale_all_dim": 0.707}, M40),
        ({"mscale": 0.707, "mscale_all_dim": 0}, M40),  # and zero counts as absent
    ],
    ids=str,
)
def test_attention_factor_of_yarn(keys: dict[str, Any], expected: float) -> None:
    assert_allclose(rope_parameters(yarn(40, **keys)).attention_factor, expected, rtol=CLOSE)
