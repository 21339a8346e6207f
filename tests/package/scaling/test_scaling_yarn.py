"""scaling: YaRN, judged by formulas in plain Python."""

import math
from typing import Any

import pytest
from numpy.testing import assert_allclose

from posenc import rope_parameters
from tests.package.scaling.test_scaling import (
    CLOSE,
    plain,
    yarn,
)


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
