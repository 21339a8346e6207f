"""t5_buckets: buckets by exact fractions and by the library's float32, biases by loops."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from posenc import relative_position_bucket, t5_bias
from posenc.biases.t5 import bucket_starts
from tests.goldens import load_cases

CASES = {case.name: case for case in load_cases("relative")}


def by_hand(k: int, both: bool, num_buckets: int, max_distance: int) -> int:
    """Count how many steps of the logarithm fit, in whole numbers raised to whole powers."""
    directed = num_buckets // 2 if both else num_buckets
    upper = directed if both and k > 0 else 0
    n = abs(k) if both else max(-k, 0)
    exact = directed // 2
    if n < exact:
        return upper + n
    wide = directed - exact
    steps = 0
    # n/exact >= (max_distance/exact)**(j/wide), both sides times exact, to the power of wide
    while steps + 1 < wide and n**wide >= max_distance ** (steps + 1) * exact ** (wide - steps - 1):
        steps += 1
    return upper + exact + steps


configurations = st.booleans().flatmap(
    lambda both: st.integers(2, 40).flatmap(
        lambda directed: st.tuples(
            st.just(both),
            st.just(2 * directed if both else directed),
            st.integers(directed // 2 + 1, 3000),
        )
    )
)


@given(configurations, st.integers(-4000, 4000))
def test_bucket_is_exact(configuration: tuple[bool, int, int], k: int) -> None:
    both, num_buckets, max_distance = configuration
    found = relative_position_bucket(
        k, bidirectional=both, num_buckets=num_buckets, max_distance=max_distance
    )
    assert found.shape == ()
    assert found.dtype == np.int64
    assert found == by_hand(k, both, num_buckets, max_distance)


def test_boundaries_are_whole_numbers_found_by_search() -> None:
    for directed, max_distance in [(2, 2), (3, 2), (5, 3), (16, 128), (31, 10**6), (25, 2**53)]:
        starts = bucket_starts(directed, max_distance).tolist()
        assert len(starts) == directed - 1
        assert starts == sorted(starts)
        for bucket, start in enumerate(starts, 1):
            at, before = (by_hand(-n, False, directed, max_distance) for n in (start, start - 1))
            assert before < bucket <= at


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64, np.uint8, np.uint64])
def test_integers_of_any_kind_and_shape(dtype: Any) -> None:
    k = np.arange(24, dtype=dtype).reshape(2, 3, 4)
    k.flags.writeable = False
    expected = [by_hand(number, True, 32, 128) for number in range(24)]
    assert_array_equal(relative_position_bucket(k), np.reshape(expected, (2, 3, 4)))
    assert relative_position_bucket(k[:, :0]).shape == (2, 0, 4)
    assert relative_position_bucket(k).dtype == np.int64


def test_smallest_numbers_of_buckets() -> None:
    k = [-9, -2, -1, 0, 1, 2, 9]
    both = relative_position_bucket(k, num_buckets=4, max_distance=2)
    assert both.tolist() == [1, 1, 1, 0, 3, 3, 3]
    behind = relative_position_bucket(k, bidirectional=False, num_buckets=2, max_distance=2)
    assert behind.tolist() == [1, 1, 1, 0, 0, 0, 0]


@given(configurations, st.integers(0, 6), st.integers(0, 6), st.integers(1, 3))
def test_bias_is_the_table_looked_up(
    configuration: tuple[bool, int, int], q_len: int, more: int, heads: int
) -> None:
    both, num_buckets, max_distance = configuration
    table = np.random.default_rng(num_buckets).normal(size=(num_buckets, heads))
    found = t5_bias(table, q_len, q_len + more, bidirectional=both, max_distance=max_distance)
    assert found.shape == (heads, q_len, q_len + more)
    assert found.dtype == np.float64
    for (head, row, key), value in np.ndenumerate(found):
        bucket = by_hand(key - (row + more), both, num_buckets, max_distance)
        assert value == table[bucket, head]


@pytest.mark.parametrize("name", ["t5_bi_20_100", "t5_bi_32_128", "t5_causal_32_128"])
def test_golden_buckets(name: str) -> None:
    case = CASES[name]
    assert (case.inputs, case.outputs) == (["relative_position"], ["bucket"])
    found = relative_position_bucket(case["relative_position"], **case.arguments)
    assert_array_equal(found, case["bucket"])


def test_golden_encoder_of_t5() -> None:
    case = CASES["t5_bias_encoder"]
    assert (case.inputs, case.outputs) == (["weight"], ["bias"])
    assert_array_equal(t5_bias(case["weight"], 5)[np.newaxis], case["bias"])


def test_golden_bias_of_x_transformers() -> None:
    case = CASES["xt_relbias_bi"]
    assert (case.inputs, case.outputs) == (["weight"], ["bias"])
    given_to = case.arguments
    found = t5_bias(case["weight"], given_to["i"], given_to["j"]) * given_to["scale"]
    deviation = case.deviation("bias")
    assert deviation is not None
    # A lookup is exact; their product with the scale is rounded to float32, ours to float64.
    np.testing.assert_allclose(found, case["bias"], rtol=0, atol=1.005 * deviation + 1e-15)
