"""scaling: the rules, judged by formulas in plain Python and by what must hold for each."""

import math
from typing import Any

import mpmath
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from posenc import RopeParameters, rope_parameters

# A few roundings of float64: a power, a quotient, a product, a sum.
CLOSE = 1e-14

BASES = st.sampled_from([500.0, 10000.0, 5e5, 1e6])
DIMS = st.sampled_from([8, 32, 64, 96, 128])
FACTORS = st.floats(1, 64)
LENGTHS = st.sampled_from([512, 2048, 4096, 8192])

SHORT = [1.0, 1.1, 1.5, 2.0]
LONG = [1.0, 4.0, 16.0, 64.0]


def plain(dim: int, base: float = 10000.0) -> list[float]:
    return [base ** (-2 * i / dim) for i in range(dim // 2)]


def config(rope_type: str, dim: int = 128, **keys: Any) -> dict[str, Any]:
    return {"rope_type": rope_type, "head_dim": dim, **keys}


def llama3(factor: float, dim: int = 128, **keys: Any) -> dict[str, Any]:
    return config(
        "llama3",
        dim,
        **{"rope_theta": 5e5, "factor": factor, "low_freq_factor": 1, "high_freq_factor": 4}
        | {"original_max_position_embeddings": 8192}
        | keys,
    )


def yarn(factor: float | None, dim: int = 128, **keys: Any) -> dict[str, Any]:
    return config("yarn", dim, factor=factor, original_max_position_embeddings=4096) | keys


def longrope(**keys: Any) -> dict[str, Any]:
    lengths = {"max_position_embeddings": 131072, "original_max_position_embeddings": 4096}
    return config("longrope", 8, short_factor=SHORT, long_factor=LONG) | lengths | keys


@given(DIMS, BASES)
def test_default_is_the_nearest_float(dim: int, base: float) -> None:
    found = rope_parameters(config("default", dim, rope_theta=base))
    assert isinstance(found, RopeParameters)
    assert found.inv_freq.dtype == np.float64
    with mpmath.workdps(40):
        exact = [float(mpmath.mpf(base) ** (mpmath.mpf(-2 * i) / dim)) for i in range(dim // 2)]
    assert found.inv_freq.tolist() == exact
    assert found.attention_factor == 1


@given(DIMS, BASES, FACTORS, LENGTHS, st.floats(1, 16))
def test_dynamic_has_the_base_of_its_length(
    dim: int, base: float, factor: float, original: int, times: float
) -> None:
    given_keys = config("dynamic", dim, rope_theta=base, factor=factor)
    given_keys["max_position_embeddings"] = original
    length = int(original * times)
    growth = factor * (length - original) / original + 1  # the same, written another way
    found = rope_parameters(given_keys, length)
    expected = [w * growth ** (-2 * i / (dim - 2)) for i, w in enumerate(plain(dim, base))]
    assert_allclose(found.inv_freq, expected, rtol=1e-12)  # differences of up to 1024 cancel
    assert found.attention_factor == 1


def test_llama3_is_three_pieces_by_turns() -> None:
    found = rope_parameters(llama3(8.0)).inv_freq
    for new, old in zip(found, plain(128, 5e5), strict=True):
        turns = 8192 * old / (2 * math.pi)
        if turns > 4:
            assert_allclose(new, old, rtol=CLOSE)
        elif turns < 1:
            assert_allclose(new, old / 8, rtol=CLOSE)
        else:
            smooth = (turns - 1) / 3
            assert_allclose(new, (1 - smooth) * old / 8 + smooth * old, rtol=CLOSE)


def test_longrope_switches_behind_its_length_and_keeps_its_attention_factor() -> None:
    # a² = 1 + ln 32 / ln 4096 = 1 + 5/12
    for length, table in [(None, SHORT), (0, SHORT), (4096, SHORT), (4097, LONG)]:
        found = rope_parameters(longrope(), length)
        expected = [w / f for w, f in zip(plain(8), table, strict=True)]
        assert_allclose(found.inv_freq, expected, rtol=CLOSE)
        assert_allclose(found.attention_factor, math.sqrt(17 / 12), rtol=CLOSE)


def test_longrope_takes_a_factor_or_an_attention_factor() -> None:
    assert rope_parameters(longrope(factor=1)).attention_factor == 1
    squared = rope_parameters(longrope(factor=64)).attention_factor ** 2
    assert_allclose(squared, 1.5, rtol=CLOSE)
    assert rope_parameters(longrope(factor=64, attention_factor=1.25)).attention_factor == 1.25


def test_calls_do_not_change_their_config() -> None:
    keys = config("dynamic", factor=2.0, max_position_embeddings=128)
    before = rope_parameters(keys, 100)
    kept = dict(keys)
    rope_parameters(keys, 9000)
    assert_array_equal(rope_parameters(keys, 100).inv_freq, before.inv_freq)
    assert keys == kept
    table = np.array(LONG)
    given_table = longrope(long_factor=table)
    rope_parameters(given_table, 5000)
    assert table.tolist() == LONG
    rope_parameters(given_table, 5000).inv_freq[0] = 7
    assert rope_parameters(given_table, 5000).inv_freq[0] == 1
