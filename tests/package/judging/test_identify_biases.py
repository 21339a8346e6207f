"""posenc.identify on biases: ALiBi and T5's buckets as libraries have them, right and wrong."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import posenc
from docs.reference.mistakes import plain

BFLOAT16: Any = ml_dtypes.bfloat16
DTYPES = {"float64": np.float64, "float32": np.float32, "float16": np.float16, "bfloat16": BFLOAT16}

K = plain.offsets(64)
EIGHT = plain.slopes(8)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n_heads", [1, 6, 8, 12, 40])
def test_alibi_is_named_in_every_form_and_dtype(n_heads, dtype):
    slopes = plain.slopes(n_heads)
    forms = {
        "causal": plain.hide_later_keys(plain.scale_by_head(slopes, K)),
        "symmetric": plain.scale_by_head(slopes, -abs(K)),
        "signed": plain.scale_by_head(slopes, K),
        "lower": plain.scale_by_head(slopes, np.minimum(K, 0)),
        "key": plain.scale_by_head(slopes, np.tile(np.arange(64), (64, 1))),
    }
    for form, bias in forms.items():
        found = posenc.identify(bias.astype(DTYPES[dtype]), kind="bias")
        assert (found.kind, found.form, found.slopes_rule) == ("alibi", form, "paper"), str(found)
        assert found.slopes == pytest.approx(slopes, rel=1e-14)
        assert (found.sign, found.row_constants) == (1, form == "key")
        assert found.largest <= found.limit


@pytest.mark.parametrize("value", [-1e9, -10000.0, -65504.0, float(np.finfo(np.float32).min)])
def test_a_finite_number_hides_keys_too(value):
    found = posenc.identify(plain.hide_later_keys(plain.scale_by_head(EIGHT, K), value))

    assert (found.kind, found.form) == ("alibi", "causal")


def geometric(n: int, first: float = 1, farthest: float = 8) -> Any:
    return [2.0 ** (-farthest * (h + first) / n) for h in range(n)]


@pytest.mark.parametrize(
    ("slopes", "rule"),
    [
        (geometric(12), "geometric"),
        (geometric(8, first=0), "2**(-8h/H), one head too early"),
        (EIGHT[::-1], "in reverse order"),
        (sorted(plain.slopes(12), reverse=True), "in falling order"),
        (geometric(12, farthest=12), "2**(-(h+1)) for any number of heads"),
        (geometric(8, farthest=16), "2**(-16(h+1)/H)"),
        ([1.0] * 8, "all 1"),
        (np.exp([-8 * (h + 1) / 12 for h in range(12)]), "exp(-8(h+1)/H), powers of e"),
        ([0.3, 0.1, 0.07], None),
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_slopes_of_another_rule_are_named(slopes, rule, dtype):
    found = posenc.identify(plain.scale_by_head(slopes, -abs(K)).astype(dtype))

    assert found.kind == "alibi"
    if rule is None:
        assert found.slopes_rule is None
    else:
        assert found.slopes_rule is not None
        assert found.slopes_rule.startswith(rule)
    assert found.slopes == pytest.approx(slopes, rel=2.0**-10)


def test_rising_bias_is_reported():
    found = posenc.identify(plain.scale_by_head(EIGHT, abs(K)))

    assert (found.kind, found.sign) == ("alibi", -1)
    assert found.notes == ("It rises with the distance, and ALiBi falls.",)


def test_a_transposed_mask_is_named():
    bias = np.where(K < 0, -np.inf, plain.scale_by_head(EIGHT, -abs(K)))

    found = posenc.identify(bias)

    assert found.kind == "unknown"
    assert found.cause == "past keys are hidden and later ones shown: the mask is transposed"


def test_queries_counted_from_zero_while_decoding_are_reported():
    right = posenc.identify(plain.scale_by_head(EIGHT, -abs(K[-16:])))
    wrong = posenc.identify(plain.scale_by_head(EIGHT, -abs(K[:16])))

    assert (right.kind, right.notes) == ("alibi", ())
    assert wrong.kind == "alibi"
    assert wrong.notes[0].startswith("Query positions count from 0")


def test_one_query_is_enough_to_name_slopes():
    found = posenc.identify(plain.scale_by_head(EIGHT, K[-1:]))  # (8, 1, 64)

    assert (found.kind, found.slopes_rule) == ("alibi", "paper")


def test_row_constants_are_reported():
    constants = np.random.default_rng(0).normal(size=(8, 64, 1))

    found = posenc.identify(plain.hide_later_keys(plain.scale_by_head(EIGHT, K) + constants))

    assert (found.kind, found.slopes_rule, found.row_constants) == ("alibi", "paper", True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n_heads", [8, 12, 20])
def test_keys_that_are_counted_from_the_first_one_have_constants_in_their_rows(n_heads, dtype):
    """As BLOOM has them: at the first key there is 0, and its own constant in each row."""
    slopes = plain.slopes(n_heads)
    keys = plain.hide_later_keys(
        plain.scale_by_head(slopes, np.tile(np.arange(64), (64, 1)))
    ).astype(DTYPES[dtype])

    found = posenc.identify(keys)

    assert (found.kind, found.slopes_rule, found.row_constants) == ("alibi", "paper", True)
    assert posenc.compare(keys, "alibi", ignore_row_constants=True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("factor", "rule"),
    [
        (64**-0.5, "of the paper's authors, divided by the root of 64"),
        (80**-0.5, "of the paper's authors, divided by the root of 80"),
        (3.0, "of the paper's authors, times 3"),
    ],
)
def test_slopes_that_were_scaled_are_named(factor, rule, dtype):
    slopes = np.array(plain.slopes(12)) * factor

    found = posenc.identify(plain.scale_by_head(slopes, -abs(K)).astype(DTYPES[dtype]))

    assert (found.kind, found.slopes_rule) == ("alibi", rule)


@pytest.mark.parametrize("shape", [(8, 64, 64), (8, 1, 64), (8, 1, 1, 64)])
def test_a_bias_of_zeros_is_called_that(shape):
    found = posenc.identify(np.zeros(shape), kind="bias")

    assert (found.kind, found.cause) == (
        "unknown",
        "all entries are 0, so positions make no difference",
    )


@pytest.mark.parametrize("shape", [(8, 1, 64), (1, 8, 1, 64), (8, 1, 1, 64)])
def test_one_new_query_is_right_in_every_shape(shape):
    bias = plain.scale_by_head(EIGHT, K[-1:]).reshape(shape)

    assert posenc.identify(bias, kind="bias").slopes_rule == "paper"
    assert posenc.compare(bias, "alibi")
    assert not posenc.compare(bias / 2, "alibi")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("both", "buckets", "farthest"),
    [(True, 32, 128), (False, 32, 128), (True, 64, 256), (False, 16, 64), (True, 32, 100)],
)
def test_buckets_are_named(both, buckets, farthest, dtype):
    numbers = plain.buckets(plain.offsets(300), both, buckets, farthest)

    found = posenc.identify(plain.look_up(numbers).astype(DTYPES[dtype]))

    assert found.kind == "t5", str(found)
    named = (found.bidirectional, found.num_buckets, found.max_distance)
    assert named == (both, buckets, farthest)
    assert (found.sign, found.notes) == (1, ())


def test_numbers_of_buckets_show_the_sign_of_the_offset():
    for both in (True, False):
        right = posenc.identify(plain.buckets(plain.offsets(300), both), kind="bias")
        wrong = posenc.identify(plain.buckets(-plain.offsets(300), both), kind="bias")
        assert (right.kind, right.sign) == (wrong.kind, -wrong.sign) == ("t5", 1)
        assert wrong.notes[-1] == "Offsets have the other sign (query minus key)."


def test_hidden_keys_leave_the_buckets_of_the_past():
    bias = plain.hide_later_keys(plain.look_up(plain.buckets(plain.offsets(300), both=False)))

    found = posenc.identify(bias)

    assert (found.kind, found.bidirectional, found.num_buckets) == ("t5", False, 32)


def test_too_few_offsets_are_reported():
    found = posenc.identify(plain.look_up(plain.buckets(plain.offsets(64))))

    assert (found.num_buckets, found.max_distance) == (32, 128)
    assert "other maximum distances may fit" in found.notes[0]


def unclamped(k: Any) -> Any:
    """The last bucket goes on: the minimum is missing."""
    n = abs(k)
    with np.errstate(divide="ignore"):
        wide = 8 + (np.log(np.maximum(n, 1) / 8) / np.log(16) * 8).astype(np.int64)
    return (k > 0) * 16 + np.where(n < 8, n, wide)


@pytest.mark.parametrize(
    "bias",
    [
        plain.look_up(unclamped(plain.offsets(512))),
        plain.look_up(np.clip(plain.offsets(64), -8, 8) + 8),  # clipped offsets, as Shaw has them
        plain.scale_by_head(EIGHT, -np.log1p(abs(K))),
        plain.scale_by_head(EIGHT, -(K**2.0)),
    ],
)
def test_another_bias_of_the_offset_is_called_no_more_than_that(bias):
    found = posenc.identify(bias)

    assert found.kind == "relative", str(found)
    assert "neither ALiBi nor T5" in str(found)


@pytest.mark.parametrize(
    ("bias", "cause"),
    [
        (
            plain.look_up(unclamped(plain.offsets(512))),
            "distances are not clamped to the last bucket",
        ),
        (
            plain.look_up(plain.buckets(plain.offsets(200)) % 16),
            "ignore the direction",
        ),
        (
            plain.look_up(plain.buckets(-abs(plain.offsets(200)), both=False)),
            "ignore the direction",
        ),
        (plain.look_up(abs(plain.offsets(64))), None),
        (plain.look_up(np.clip(plain.offsets(64), -8, 8) + 8), None),
        (plain.scale_by_head(EIGHT, -np.log1p(abs(K))), None),
    ],
)
def test_a_mistake_in_buckets_is_named_and_no_other_bias_for_one(bias, cause):
    found = posenc.identify(bias)

    assert found.kind == "relative"
    assert (found.cause is None) == (cause is None), found.cause
    assert (cause or "") in str(found)


def test_a_bias_that_knows_more_than_the_offset_is_unknown():
    bias = plain.scale_by_head(EIGHT, -abs(K)).copy()
    bias[3, 20, 10] += 1e-9

    found = posenc.identify(bias)

    assert (found.kind, found.cause) == ("unknown", None)
    assert found.first_difference == ((3, 20, 10), bias[3, 20, 10], -10 * EIGHT[3])


def test_randomly_hidden_keys_are_reported():
    bias = plain.scale_by_head(EIGHT, -abs(K)).copy()
    bias[:, :, :3] = -np.inf  # padding on the left

    assert posenc.identify(bias).cause == "keys are hidden that a causal mask shows"
