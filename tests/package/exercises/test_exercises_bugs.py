"""Exercises of bugs: their solutions against the package, and what shows a bug to be itself."""

from typing import Any

import numpy as np
import pytest

import posenc
from posenc import exercises

NAMES = exercises.names("bug")


def solution(name: str) -> Any:
    return exercises.find(f"bug-{name}").solution


def bug(name: str) -> Any:
    return exercises.find(f"bug-{name}").properties[0].wrong


@pytest.mark.parametrize("name", NAMES)
def test_a_bug_and_its_repair_take_the_same_arguments(name):
    """A reader changes what is inside."""
    exercise = exercises.find(name)
    code = exercise.solution.__code__
    names = code.co_varnames[: code.co_argcount]

    for asked in exercise.properties:
        wrong = asked.wrong.__code__
        assert wrong.co_varnames[: wrong.co_argcount] == names


@pytest.mark.parametrize("name", NAMES)
def test_a_report_is_the_same_when_asked_for_again(name):
    """Also where the bug is a memory that lasts."""
    exercise = exercises.find(name)
    for asked in exercise.properties:
        reports = [repr(exercises.check(name, asked.wrong)) for _ in range(2)]
        assert len(set(reports)) == 1


@pytest.mark.parametrize(("d", "base"), [(8, 10000), (64, 10000), (16, 500000)])
def test_frequencies(d, base):
    expected = posenc.inv_freq(d, base=base)

    np.testing.assert_allclose(solution("precedence")(d, base), expected, rtol=1e-14)
    factors = np.log(bug("precedence")(d, base))[1]
    assert factors == int(factors) < 0


def test_codes():
    expected = posenc.sinusoidal_positional_encoding(50, 16)
    np.testing.assert_allclose(solution("cosine")(50, 16), expected, atol=1e-13)
    wrong = bug("cosine")(50, 16)
    np.testing.assert_array_equal(wrong[:, 0], expected[:, 0])  # a sine is as it was
    assert abs(wrong - expected)[:, 1].max() > 1

    for dtype in (np.float16, np.float32):
        rounded = solution("precision")([5, 70000], 8, dtype)
        np.testing.assert_array_equal(rounded, posenc.sinusoidal_at([5, 70000], 8, dtype=dtype))


@pytest.mark.parametrize("n_heads", range(1, 41))
def test_slopes(n_heads):
    expected = posenc.alibi_slopes(n_heads)

    np.testing.assert_allclose(solution("slopes")(n_heads), expected, rtol=1e-15)
    same = np.allclose(bug("slopes")(n_heads), expected)
    assert same == (n_heads & (n_heads - 1) == 0)


@pytest.mark.parametrize("seq_len", [1, 1500, 2048, 2049, 8192])
def test_dynamic_base(seq_len):
    config = {"rope_type": "dynamic", "factor": 2.0, "rope_theta": 10000.0, "head_dim": 64}
    expected = posenc.rope_parameters({**config, "max_position_embeddings": 2048}, seq_len).inv_freq
    base = solution("ntk")(seq_len, 2048, 64, 2.0)

    np.testing.assert_allclose(base ** (-np.arange(32) / 32), expected, rtol=1e-13)
    assert bug("ntk")(seq_len, 2048, 64, 2.0) == solution("ntk")(4096, 2048, 64, 2.0)


def test_turns():
    x, at = np.random.default_rng(0).normal(size=(6, 8)), np.arange(3, 9)
    expected = posenc.apply_rotary(x, at)
    halves = posenc.apply_rotary(x, at, layout="half")

    np.testing.assert_allclose(solution("sign")(x, at), expected, atol=1e-14)
    np.testing.assert_allclose(solution("layout")(x, at), halves, atol=1e-14)
    np.testing.assert_allclose(solution("cache")(x, 3), expected, atol=1e-14)
    for name in ("sign", "layout"):
        assert abs(bug(name)(x, at) - (expected if name == "sign" else halves)).max() > 0.5


def test_positions():
    rng = np.random.default_rng(0)
    real = rng.random((20, 9)) < 0.7
    real[:, 4] = True
    ids = solution("padding")(real)
    np.testing.assert_array_equal(ids[real], posenc.position_ids(real)[real])

    table = posenc.sinusoidal_positional_encoding(30, 8)
    tokens = rng.normal(size=(3, 7, 8))
    np.testing.assert_array_equal(solution("axes")(tokens, table), tokens + table[:7])
