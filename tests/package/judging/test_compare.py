"""posenc.compare: equal where the dtype explains the difference, and what explains the rest."""

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import posenc
from docs.reference.mistakes import plain
from tests.goldens import load_cases

BFLOAT16: Any = ml_dtypes.bfloat16
K = plain.offsets(64)
EIGHT = plain.slopes(8)


def program(length: int = 96, d: int = 32, start: int = 0, dtype: Any = np.float32) -> Any:
    return plain.join_halves(
        plain.angles(length, plain.tensor2tensor_inv_freq(d, dtype=dtype), start, dtype)
    )


@pytest.mark.parametrize(
    ("table", "name"),
    [
        (plain.make_table(), "sinusoidal"),
        (
            plain.interleave(plain.angles(96, plain.inv_freq_by_log(32))),
            "sinusoidal",
        ),
        (plain.make_table(5000, 64, np.float32), "sinusoidal"),
        (plain.make_table(5000, 64, np.float32).astype(np.float64), "sinusoidal"),
        (plain.make_table(2000, 64, np.float32).astype(np.float16), "sinusoidal"),
        (plain.make_table(2000, 64, np.float32).astype(BFLOAT16), "sinusoidal"),
        (program(), "tensor2tensor"),
        (program(start=2).astype(BFLOAT16), "fairseq"),
    ],
)
def test_right_tables_are_equal(table, name):
    verdict = posenc.compare(table, name)

    assert verdict, str(verdict)
    assert verdict.compared == table.size
    assert verdict.largest <= verdict.limit
    assert (verdict.first, verdict.explanation) == (None, None)


@pytest.mark.parametrize(
    ("table", "first", "explanation"),
    [
        (
            plain.join_halves(plain.angles(64, plain.inv_freq(32))),
            (0, 1),
            "half layout instead of interleaved",
        ),
        (
            plain.interleave(plain.angles(64, plain.inv_freq(32), 1)),
            (0, 0),
            "first position 1 instead of",
        ),
        (
            plain.interleave(plain.angles(64, plain.inv_freq(32, 5e4))),
            (1, 2),
            "base 50000 instead of 10000",
        ),
        (
            plain.interleave(-plain.angles(64, plain.inv_freq(32))),
            (1, 0),
            "angles of the opposite sign",
        ),
        (plain.make_table() * math.sqrt(32), (0, 1), "all entries times 5.65685"),
        (plain.make_table(32).T, (0, 1), "it is transposed"),
        (
            plain.interleave(np.pi / 2 - plain.angles(64, plain.inv_freq(32))),
            (0, 0),
            "cosine first",
        ),
        (
            plain.interleave(plain.angles(64, plain.inv_freq(32)) / 64),
            (1, 0),
            "positions divided by 64",
        ),
        (
            plain.interleave(plain.angles(64, plain.tensor2tensor_inv_freq(32))),
            (1, 2),
            "exponent i/(d/2-1) instead of 2i/d",
        ),
        (
            plain.interleave(
                plain.angles(600, plain.inv_freq(32, dtype=np.float32), 0, np.float32).astype(
                    np.float64
                )
            ),
            None,
            "angles in float32 instead of float64",
        ),
        (
            plain.interleave(
                (
                    np.arange(600).astype(BFLOAT16)[:, None] * plain.inv_freq(32).astype(BFLOAT16)
                ).astype(np.float32)
            ),
            None,
            "angles in bfloat16",
        ),
        (
            np.where(
                np.arange(32) % 2,
                np.cos(np.outer(np.arange(64), 10000.0 ** (-np.arange(32) / 32))),
                np.sin(np.outer(np.arange(64), 10000.0 ** (-np.arange(32) / 32))),
            ),
            (1, 1),
            "exponent c/d",
        ),
    ],
)
def test_another_table_is_explained(table, first, explanation):
    verdict = posenc.compare(table, "sinusoidal")

    assert not verdict
    assert verdict.explanation is not None, str(verdict)
    assert explanation in verdict.explanation
    assert verdict.first is not None
    assert first is None or verdict.first == first
    assert verdict.given == table[verdict.first]
    # Within rounding: the reference is within 3e-16 of the exact value.
    assert verdict.wanted == pytest.approx(
        plain.make_table(len(table), 32)[verdict.first], abs=1e-12
    )
    assert verdict.largest > verdict.limit


def test_the_first_and_the_largest_difference_are_found_far_down():
    table = plain.make_table(30000, 32, np.float32)
    table[17000, 30] += 0.25
    table[29999, 31] -= 0.5

    verdict = posenc.compare(table, "sinusoidal")

    assert (verdict.first, verdict.where) == ((17000, 30), (29999, 31))
    assert verdict.largest == pytest.approx(0.5, abs=1e-3)
    assert verdict.explanation is None
    assert "No convention that posenc knows explains it." in str(verdict)


def rotation(turned: Any, base: float = 10000.0, r: int = 64) -> Any:
    omega = plain.inv_freq(r, base, np.float32)

    def turn(x: Any, p: Any) -> Any:
        return plain.rotate_first_channels(turned, x, np.outer(p.astype(np.float32), omega))

    return turn


HALVES, NEIGHBOURS = plain.rotate_halves, plain.rotate_neighbours
LINEAR = {"rope_type": "linear", "factor": 4.0, "head_dim": 64}


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize(
    ("turn", "reference"),
    [
        (rotation(HALVES), "llama"),
        (rotation(HALVES, 5e5), "llama3"),
        (rotation(HALVES, r=16), "gpt-neox"),
        (rotation(NEIGHBOURS), "rotary"),
        (rotation(NEIGHBOURS), "gpt-j"),
        (lambda x, p: rotation(HALVES)(x, p / 4), LINEAR),
    ],
)
def test_right_rotations_are_equal(turn, reference, dtype):
    def same_dtype(x: Any, p: Any) -> Any:
        return turn(x.astype(np.float32), p).astype(BFLOAT16 if dtype == "bfloat16" else dtype)

    verdict = posenc.compare(same_dtype, reference, dtype=dtype)

    assert verdict, str(verdict)


@pytest.mark.parametrize(
    ("turn", "reference", "explanation"),
    [
        (rotation(NEIGHBOURS, 5e5), "llama3", "interleaved layout instead of half"),
        (rotation(HALVES), "llama3", "base 10000 instead of 500000"),
        (rotation(HALVES), "gpt-neox", "the first 64 channels rotated instead of 16"),
        (lambda x, p: rotation(HALVES)(x, -p), "llama", "rotating in the opposite direction"),
        (lambda x, p: rotation(HALVES)(x, p + 1), "llama", "first position 1 instead of"),
        (rotation(HALVES), LINEAR, "linear factor 4 missing"),
        (rotation(HALVES, 5e5), "llama3.1", "llama3 scaling missing"),
        (lambda x, p: x + plain.make_table(len(x), 64), "llama", "something is added"),
    ],
)
def test_another_rotation_is_explained(turn, reference, explanation):
    # 8192 positions would show the scaling of Llama 3.1 at once; slow pairs show it at 512.
    verdict = posenc.compare(turn, reference)

    assert not verdict
    assert verdict.explanation is not None, str(verdict)
    assert explanation in verdict.explanation
    assert len(verdict.first or ()) == 3


def test_two_rotations_are_compared_with_each_other():
    ours = rotation(HALVES)

    assert posenc.compare(ours, lambda x, p: posenc.apply_rotary(x, p, layout="half"))
    other = posenc.compare(ours, lambda x, p: posenc.apply_rotary(x, p))
    assert not other
    assert other.explanation == "half layout instead of interleaved"


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16, BFLOAT16])
@pytest.mark.parametrize("n_heads", [1, 8, 12, 20])
def test_right_biases_are_equal(n_heads, dtype):
    slopes = plain.slopes(n_heads)
    key_only = plain.hide_later_keys(
        plain.scale_by_head(slopes, np.tile(np.arange(64), (64, 1)))
    ).astype(dtype)
    falling = plain.scale_by_head(slopes, -abs(K)).astype(dtype)

    assert posenc.compare(plain.hide_later_keys(falling), "alibi")
    finite = plain.hide_later_keys(plain.scale_by_head(slopes, -abs(K)), -10000.0)
    assert posenc.compare(finite.astype(dtype), "alibi")
    assert posenc.compare(plain.hide_later_keys(falling.astype(np.float64), -1e9), "alibi")
    assert posenc.compare(falling, "alibi-symmetric")
    assert posenc.compare(falling[:, -8:], "alibi-symmetric")
    assert not posenc.compare(key_only, "alibi")
    assert posenc.compare(key_only, "alibi", ignore_row_constants=True)
    assert posenc.compare(plain.look_up(plain.buckets(plain.offsets(200))).astype(dtype), "t5")
    causal = plain.look_up(plain.buckets(plain.offsets(200), both=False))
    assert posenc.compare(causal.astype(dtype), "t5-decoder")
    assert posenc.compare(plain.hide_later_keys(causal).astype(dtype), "t5-decoder")


@pytest.mark.parametrize(
    ("bias", "reference", "explanation"),
    [
        (
            plain.scale_by_head(EIGHT, -abs(K)),
            "alibi",
            "the same on both sides instead of later keys hidden",
        ),
        (
            plain.hide_later_keys(plain.scale_by_head(EIGHT, abs(K))),
            "alibi",
            "rises with the distance",
        ),
        (
            plain.hide_later_keys(plain.scale_by_head(EIGHT[::-1], K)),
            "alibi",
            "slopes in reverse order",
        ),
        (
            plain.scale_by_head([2 ** (-8 * (h + 1) / 12) for h in range(12)], -abs(K)),
            "alibi-symmetric",
            "slopes 2**(-8(h+1)/H) at every H",
        ),
        (
            plain.scale_by_head(EIGHT, K),
            "alibi-symmetric",
            "rising for later keys instead of the same",
        ),
        (
            plain.scale_by_head(EIGHT, -abs(K[:8])),
            "alibi-symmetric",
            "query positions count from 0",
        ),
        (
            plain.hide_later_keys(plain.scale_by_head(EIGHT, np.tile(np.arange(64), (64, 1)))),
            "alibi",
            "a constant in each row, which softmax ignores",
        ),
        (
            plain.look_up(plain.buckets(plain.offsets(200), False)),
            "t5",
            "past keys only instead of both",
        ),
        (
            plain.look_up(plain.buckets(plain.offsets(200), farthest=64)),
            "t5",
            "maximum distance 64 instead",
        ),
        (
            plain.look_up(plain.buckets(plain.offsets(200), count=16)),
            "t5",
            "16 buckets instead of 32",
        ),
        (plain.scale_by_head(EIGHT, -abs(plain.offsets(64))), "t5", "it is an ALiBi bias"),
    ],
)
def test_another_bias_is_explained(bias, reference, explanation):
    verdict = posenc.compare(bias, reference)

    assert not verdict
    assert verdict.explanation is not None, str(verdict)
    assert explanation in verdict.explanation


@pytest.mark.parametrize(
    ("moved", "explanation"),
    [
        (lambda t: t[::-1], "reverse order"),
        (lambda t: np.roll(t, -1, axis=0), "one position ahead"),
        (lambda t: -t, "opposite sign"),
        (lambda t: np.roll(t, 16, axis=1), "two halves of the channels are exchanged"),
        (lambda t: t.reshape(32, 16, 2)[..., ::-1].reshape(32, 32), "neighbouring channels"),
        (lambda t: t.T, "transposed"),
        (lambda t: 3 * t, "all entries times 3"),
        (lambda t: np.concatenate([t[:, ::2], t[:, 1::2]], axis=1), "half layout instead of"),
        (lambda t: t + 1e-3, None),
    ],
)
def test_what_was_moved_in_any_array_is_named(moved, explanation):
    table = np.random.default_rng(0).normal(size=(32, 32))

    verdict = posenc.compare(moved(table), table)

    assert not verdict
    if explanation is None:
        assert verdict.explanation is None
    else:
        assert explanation in (verdict.explanation or "")
    assert posenc.compare(table.astype(np.float32), table)
    assert posenc.compare(table, table.astype(np.float32))


def test_rows_that_are_one_ahead_are_named():
    table = np.random.default_rng(0).normal(size=(33, 32))

    assert "one position ahead" in (posenc.compare(table[1:], table[:-1]).explanation or "")
    assert "one position behind" in (posenc.compare(table[:-1], table[1:]).explanation or "")


def test_a_rotation_that_ignores_its_positions_is_not_equal_to_one_that_does_not():
    """At positions 0 to L - 1, in this order, both would agree."""

    def ignoring(x: Any, p: Any) -> Any:
        return rotation(HALVES)(x, np.arange(len(x)))

    for reference in ("llama", rotation(HALVES)):
        verdict = posenc.compare(ignoring, reference)
        assert not verdict
        assert verdict.first is not None
        assert verdict.explanation is not None
        assert "the positions argument is ignored" in verdict.explanation
    assert posenc.compare(ignoring, ignoring)
    assert posenc.compare(lambda x, p: x, lambda x, p: x)


@pytest.mark.parametrize(
    ("moved", "explanation"),
    [
        (lambda b: b.swapaxes(1, 2), "it is transposed: queries and keys are exchanged"),
        (lambda b: -b, "all entries have the opposite sign"),
        (lambda b: b[::-1], "heads in reverse order"),
        (lambda b: 0.5 * b, "all entries times 0.5"),
        (lambda b: b + 1e-3, None),
    ],
)
@pytest.mark.parametrize("hidden", [False, True])
def test_what_was_moved_in_any_bias_is_named(moved, explanation, hidden):
    bias = np.random.default_rng(0).normal(size=(3, 32, 32))
    if hidden:
        bias = plain.hide_later_keys(bias)

    verdict = posenc.compare(moved(bias), bias)

    assert not verdict
    if hidden and explanation is not None and "transposed" in explanation:
        explanation = None  # the mask is another, too
    assert verdict.explanation == explanation


@pytest.mark.parametrize(
    ("classes", "explanation"),
    [
        (lambda k: 63 - k, "entries that are equal in the reference are equal, with other values"),
        (lambda k: k // 2, "entries are equal that differ in the reference"),
        (lambda k: 100 * k + np.arange(32) % 2, "entries differ that are equal in the"),
        (lambda k: k // 2 + 40 * (np.arange(32) % 2), None),
    ],
)
def test_report_says_which_positions_share_a_value(classes, explanation):
    k = plain.offsets(32) + 31
    ours = plain.look_up(classes(k), buckets=7000)

    verdict = posenc.compare(ours, plain.look_up(k), kind="bias")

    assert not verdict
    assert (verdict.explanation is None) == (explanation is None)
    assert (explanation or "") in (verdict.explanation or "")


def grid(h: int, width: int, bases: tuple[float, float] = (1e4, 1e4)) -> Any:
    cells = np.divmod(np.arange(h * width), width)
    parts = zip(cells, bases, strict=True)
    return np.hstack([plain.interleave(np.outer(p, plain.inv_freq(16, base))) for p, base in parts])


@pytest.mark.parametrize(
    ("given", "explanation"),
    [
        (grid(6, 10, (1e4, 100.0)), "in the half that counts columns: base 100 instead of 10000"),
        (grid(6, 10, (100.0, 100.0)), "base 100 instead of 10000"),
        (grid(10, 6), "a grid of 10 x 6 cells instead of 6 x 10"),
        (grid(5, 12), "a grid of 5 x 12 cells instead of 6 x 10"),
        (np.roll(grid(5, 12), 16, axis=1), "the first half of the channels counts columns in"),
        (
            plain.make_table(60, 32),
            "one position for each cell instead of its row and column",
        ),
        (np.random.default_rng(0).normal(size=(60, 32)), None),
    ],
)
def test_another_grid_is_explained(given, explanation):
    verdict = posenc.compare(given, grid(6, 10))

    assert not verdict
    assert (verdict.explanation is None) == (explanation is None), verdict.explanation
    assert (explanation or "") in (verdict.explanation or "")


@pytest.mark.parametrize("case", load_cases("alibi"), ids=lambda case: case.name)
def test_no_false_alarm_on_the_biases_of_libraries(case):
    """Whatever a library returned is named as ALiBi, or has no positions to tell."""
    for array in case.outputs:
        bias = case[array]
        if bias.ndim < 2 or min(bias.shape[-1], bias.size // bias.shape[-1]) < 2:
            continue
        found = posenc.identify(bias, kind="bias")
        # Padding on the left counts positions in another way.
        kind = "unknown" if "leftpad" in case.name else "alibi"
        assert found.kind == kind, f"{array} {bias.shape}: {found}"
