"""alibi against five other implementations: slopes, and biases up to a constant a row."""

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from posenc import alibi_bias, alibi_slopes
from tests.goldens import Case, load_cases

CASES = {case.name: case for case in load_cases("alibi")}
SLOPES = sorted(name for name in CASES if name.startswith("slopes_"))
OTHERS = [
    "bloom_bias_leftpad",
    "mpt_bias_12x9",
    "paper_buffer_8x6",
    "xt_alibi_4_of_6",
    "xt_alibi_4x5x8",
]

# Slopes are below 1, and ours within one unit in the last place.
OURS = 2.0**-53


def tolerance(case: Case, array: str) -> float:
    """What the library is off by, known to three digits, and what we are."""
    deviation = case.deviation(array)
    assert deviation is not None
    return 1.005 * deviation + OURS


def bfloat16(numbers: Any) -> Any:
    """Round float32 numbers to the 8 leading bits, half to even."""
    bits = np.asarray(numbers, np.float32).view(np.uint32)
    rounded = bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))
    return (rounded & np.uint32(0xFFFF0000)).view(np.float32)


def weights(logits: Any, allowed: Any) -> Any:
    """Softmax over the keys that are allowed; a row has at least one."""
    powers = np.where(allowed, np.exp(logits), 0)
    return powers / powers.sum(axis=-1, keepdims=True)


def test_every_golden_case_is_used() -> None:
    assert sorted(CASES) == sorted([*SLOPES, *OTHERS])
    assert len(SLOPES) == 8
    named = ["bias_bloom", "bias_falcon"], ["bias"], ["bias"], ["bias"], ["bias"]
    assert [CASES[name].outputs for name in OTHERS] == list(named)


@pytest.mark.parametrize("name", SLOPES)
def test_golden_slopes(name: str) -> None:
    case = CASES[name]
    found = alibi_slopes(case.arguments["num_heads"])
    assert len(case.outputs) == 6
    for array in case.outputs:
        assert_allclose(found, case[array], rtol=0, atol=tolerance(case, array))


def test_bloom_and_falcon_with_padding_on_the_left() -> None:
    case = CASES["bloom_bias_leftpad"]
    heads, real = case.arguments["num_heads"], case["attention_mask"].astype(bool)
    positions = (np.cumsum(real, axis=1) - 1) * real  # of the keys; 0 for padding
    slopes = alibi_slopes(heads)
    formula = (slopes[:, None] * positions[:, None, None, :].astype(float)).reshape(12, 1, 7)
    # Slopes are rounded to float32, the product once more: both half of 2**-23.
    assert_allclose(case["bias_bloom"], formula, rtol=2.0**-23 + 2.0**-48, atol=0)
    rough = bfloat16(slopes)[:, None] * positions[:, None, None, :].astype(np.float32)
    assert_array_equal(case["bias_falcon"], bfloat16(rough).reshape(12, 1, 7))

    # Their positions start at the first real key, ours at the first key: a constant a row.
    causal = np.arange(7)[:, None] >= np.arange(7)
    scores = np.random.default_rng(0).normal(size=(heads, 7, 7))
    for batch, keys in enumerate(real):
        rows = np.flatnonzero(keys)  # queries that are padding see nothing
        theirs = case["bias_bloom"].reshape(2, heads, 1, 7)[batch].astype(float)
        ours = np.where(causal, alibi_bias(heads, 7), 0)  # without the -inf
        allowed = (causal & keys)[rows]
        assert allowed.any(axis=1).all()
        expected = weights((scores + theirs)[:, rows], allowed)
        # Logits of theirs up to 4 are in float32: off by 2.4e-7, as are the weights at most.
        assert_allclose(weights((scores + ours)[:, rows], allowed), expected, atol=5e-7)
    assert not real.all()


def test_mpt_bias_is_the_last_row() -> None:
    case = CASES["mpt_bias_12x9"]
    found = alibi_bias(12, 1, case.arguments["sequence_length"])
    # Ours is off by one unit of a slope, and a rounding, times 8 positions.
    assert_allclose(found, case["bias"], rtol=0, atol=tolerance(case, "bias") + 2e-15)


def test_paper_buffer_is_the_last_row_up_to_a_constant() -> None:
    case = CASES["paper_buffer_8x6"]
    last = case.arguments["maxpos"] - 1
    constant = alibi_slopes(8)[:, None, None] * last
    assert_array_equal(alibi_bias(8, 1, 6) + constant, case["bias"])  # powers of two: exact


@pytest.mark.parametrize("name", ["xt_alibi_4x5x8", "xt_alibi_4_of_6"])
def test_x_transformers_bias_is_the_symmetric_form(name: str) -> None:
    case = CASES[name]
    given = case.arguments
    found = np.zeros((given["total_heads"], given["i"], given["j"]))
    heads = given["heads"]
    found[:heads] = alibi_bias(heads, given["i"], given["j"], form="symmetric")
    assert_array_equal(found, case["bias"])  # powers of two: exact
