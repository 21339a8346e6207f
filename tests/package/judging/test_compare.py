"""posenc.compare: equal where the dtype explains the difference, and what explains the rest."""

import json
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


GLM = {"model_type": "glm4", "head_dim": 64, "partial_rotary_factor": 0.5, "rope_theta": 1e4}


class Config:
    """A config as transformers has it."""

    def to_dict(self) -> dict[str, Any]:
        """Return all keys."""
        return GLM


def test_a_config_may_be_a_mapping_an_object_or_a_path(tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(GLM))
    right, wrong = rotation(NEIGHBOURS, r=32), rotation(HALVES, r=32)

    for config in (GLM, Config(), path, str(path), tmp_path):
        assert posenc.compare(right, config)
        verdict = posenc.compare(wrong, config)
        assert verdict.explanation == "half layout instead of interleaved"
        assert posenc.compare(wrong, config, layout="half")


@pytest.mark.parametrize(
    ("model", "turned", "sign"),
    [
        ({"model_type": "cohere"}, NEIGHBOURS, 1),
        ({"model_type": "gpt_neox", "rotary_pct": 1.0}, HALVES, 1),
        ({"model_type": "nanochat"}, HALVES, -1),
        ({"model_type": "llama"}, HALVES, 1),
        ({}, HALVES, 1),
    ],
)
def test_pairs_and_direction_are_those_of_the_model(model, turned, sign):
    config = {"head_dim": 64, "rope_theta": 1e4, **model}
    other = NEIGHBOURS if turned is HALVES else HALVES

    assert posenc.compare(lambda x, p: rotation(turned)(x, sign * p), config)
    for wrong in (
        lambda x, p: rotation(other)(x, sign * p),
        lambda x, p: rotation(turned)(x, -sign * p),
        lambda x, p: rotation(turned, r=32)(x, sign * p),
    ):
        assert not posenc.compare(wrong, config)


def test_latent_attention_may_write_its_neighbours_as_halves():
    config = {"model_type": "deepseek_v3", "qk_rope_head_dim": 64, "rope_theta": 1e4}
    right = rotation(NEIGHBOURS)
    order = [*range(0, 64, 2), *range(1, 64, 2)]

    assert posenc.compare(right, config)
    assert posenc.compare(lambda x, p: right(x, p)[:, order], config)
    assert not posenc.compare(rotation(HALVES), config)
    assert posenc.compare(rotation(HALVES), config | {"rope_interleave": False})


def test_long_context_frequencies_are_those_of_the_length():
    config = {"rope_type": "longrope", "head_dim": 64, "original_max_position_embeddings": 32}
    config |= {"short_factor": [1.0] * 32, "long_factor": [4.0] * 32, "factor": 4.0}

    def rotate(x: Any, p: Any) -> Any:  # chooses by the last position, as transformers does
        found = posenc.rope_parameters(config, int(p.max()) + 1)
        angles = np.outer(p, found.inv_freq)
        return found.attention_factor * HALVES(x, angles)

    for length in (32, 33, 100):
        assert posenc.compare(rotate, config, seq_len=length)


def right_for(condition: Any, wrong: Any) -> Any:
    """Return a rotation that is wrong where a condition of x and positions holds."""
    right = rotation(HALVES)
    return lambda x, p: wrong(x, p) if condition(x, p) else right(x, p)


def rotate_heads(x: Any, p: Any) -> Any:
    """Rotate (..., L, d) by positions (L,) or (B, L)."""
    angles = (p[:, np.newaxis] if p.ndim == 2 else p)[..., np.newaxis] * plain.inv_freq(64)
    cos, sin = np.cos(angles), np.sin(angles)
    a, b = x[..., :32], x[..., 32:]
    return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def rotate_one_head(x: Any, p: Any) -> Any:
    y = rotate_heads(x, p)
    if x.ndim == 4:
        y[:, 1:] = x[:, 1:]
    return y


@pytest.mark.parametrize(
    ("wrong", "call", "explanation"),
    [
        (right_for(lambda x, p: len(x) == 1, lambda x, p: x), "one token", "nothing is rotated"),
        (
            right_for(lambda x, p: len(x) < 9, lambda x, p: rotation(HALVES)(x, p + 1)),
            "one token, at position 511",
            None,
        ),
        (
            lambda x, p: rotation(HALVES)(x, p[0] + np.arange(len(p))),
            "3 tokens, at positions 511, 0, 2",
            "positions are counted on from that of the first token",
        ),
        (
            lambda x, p: rotation(HALVES)(x.astype(BFLOAT16).astype(x.dtype), p),
            "512 tokens",
            "vectors are rounded to bfloat16",
        ),
        (rotate_one_head, "(B, H, L, d)", "nothing is rotated in heads 1, 2"),
        (
            lambda x, p: rotate_heads(x, p if p.ndim == 1 else np.tile(p[:1], (len(p), 1))),
            "(B, H, L, d), positions (B, L)",
            "positions are those of the first sequence",
        ),
    ],
)
def test_a_rotation_is_called_as_models_call_it(wrong, call, explanation):
    verdict = posenc.compare(wrong, "llama")

    assert not verdict
    assert call in (verdict.call or "")
    assert verdict.explanation == explanation
    assert f"Different in a call {verdict.call}: first at" in str(verdict)


def loop_over_rows(x: Any, p: Any) -> Any:
    """Rotate row by row; with heads it would take them for positions, up to the shorter axis."""
    right = rotation(HALVES)
    rows = zip(x, p, strict=False)
    return np.stack([right(np.atleast_2d(row), np.array([q]))[: row.ndim] for row, q in rows])[:, 0]


@pytest.mark.parametrize("turn", [rotation(HALVES), rotate_heads, loop_over_rows])
def test_right_functions_are_right_in_each_call(turn):
    verdict = posenc.compare(turn, "llama", seq_len=32)

    assert verdict, str(verdict)


def test_functions_with_heads_are_called_with_heads():
    def rotate(x: Any, p: Any) -> Any:
        batch, _, length, _ = x.shape
        assert p.shape == (batch, length)
        return rotate_heads(x, p)

    def heads_last(x: Any, p: Any) -> Any:
        return rotate(x.swapaxes(1, 2), p).swapaxes(1, 2)

    for function in (rotate, heads_last):
        assert posenc.compare(function, "llama", seq_len=32)
        assert posenc.identify(function, seq_len=32).layout == "half"
        verdict = posenc.compare(function, "rotary", seq_len=32)
        assert verdict.explanation == "half layout instead of interleaved"


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("narrow", ["float32", "float16", "bfloat16"])
def test_rounded_tables_inside_a_wider_function_are_seen(dtype, narrow):
    def rotate(x: Any, p: Any) -> Any:
        angles = np.outer(p, plain.inv_freq(64))
        to = BFLOAT16 if narrow == "bfloat16" else narrow
        cos, sin = (f(angles).astype(to).astype(x.dtype) for f in (np.cos, np.sin))
        return np.concatenate(
            [x[:, :32] * cos - x[:, 32:] * sin, x[:, :32] * sin + x[:, 32:] * cos], 1
        )

    verdict = posenc.compare(rotate, "llama", dtype=dtype)

    assert bool(verdict) == (narrow == dtype)
    if not verdict:
        assert verdict.explanation == f"cos and sin in {narrow} instead of {dtype}"
    if narrow == "bfloat16":
        assert posenc.compare(rotate, "llama", dtype="bfloat16")


def test_a_table_is_as_exact_as_was_asked():
    table = plain.make_table().astype(BFLOAT16)
    wider = table.astype(np.float32)

    assert posenc.compare(table, "sinusoidal")
    assert (
        posenc.compare(wider, "sinusoidal").explanation == "entries in bfloat16 instead of float32"
    )
    assert posenc.compare(wider, "sinusoidal", dtype="bfloat16")


@pytest.mark.parametrize(
    ("bias", "name", "explanation"),
    [
        (plain.buckets(-plain.offsets(300)), "t5", "offsets of the other sign (query minus key)"),
        (np.zeros((2, 50, 50)), "t5", "all entries are 0, so positions make no difference"),
        (
            np.full((2, 50, 50), 0.3),
            "t5-decoder",
            "all entries are equal, so positions make no difference",
        ),
        (np.zeros((8, 50, 50)), "alibi", "all entries are 0, so positions make no difference"),
        (
            posenc.alibi_slopes(8)[:, None, None] * abs(plain.offsets(50)),
            "alibi-symmetric",
            "it rises with the distance instead of falling",
        ),
    ],
)
def test_biases_without_positions_or_of_the_other_sign_are_different(bias, name, explanation):
    verdict = posenc.compare(np.asarray(bias, dtype=float), name, kind="bias")

    assert not verdict
    assert verdict.explanation == explanation


def test_bucket_numbers_are_equal_to_t5():
    assert posenc.compare(plain.buckets(plain.offsets(300)), "t5", kind="bias")


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (lambda x, p: (x, x), r"got a tuple of 2: where f rotates queries and keys, pass lambda"),
        (
            lambda x, p: (np.cos(np.outer(p, np.ones(4))), np.sin(np.outer(p, np.ones(4)))),
            "cosines and sines: rotate x by them",
        ),
        (lambda x, p: x.float(), "called with NumPy arrays.*pass arrays='torch' if it takes"),
        (lambda x, p: x[:, 0], r"must return the shape \(512, 64\)"),
    ],
)
def test_functions_that_return_something_else_are_refused(function, complaint):
    with pytest.raises(ValueError, match=complaint):
        posenc.compare(function, "llama")


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
        (lambda x, p: rotation(HALVES)(x, np.rad2deg(p)), "llama", "180/π"),
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
