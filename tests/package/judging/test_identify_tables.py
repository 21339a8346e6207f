"""posenc.identify on tables: right ones in every layout and dtype, and well-known wrong ones."""

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import posenc
from docs.reference.mistakes import plain

BFLOAT16: Any = ml_dtypes.bfloat16
DTYPES = {"float64": np.float64, "float32": np.float32, "float16": np.float16, "bfloat16": BFLOAT16}
LAYOUTS = {
    "interleaved": (plain.interleave, "interleaved", "sin"),
    "half": (plain.join_halves, "half", "sin"),
    "cosines first": (plain.join_cosines_first, "half", "cos"),
}
RULES = {
    "paper": plain.inv_freq_by_log,
    "tensor2tensor": plain.tensor2tensor_inv_freq,
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("rule", RULES)
def test_a_right_table_is_named_in_every_layout_and_dtype(dtype, layout, rule):
    arrange, name, first = LAYOUTS[layout]
    wide = np.float64 if dtype == "float64" else np.float32
    angles = plain.angles(160, RULES[rule](64, dtype=wide), dtype=wide)

    found = posenc.identify(arrange(angles).astype(DTYPES[dtype]))

    assert (found.kind, found.layout, found.first) == ("sinusoidal", name, first), str(found)
    assert (found.exponent, found.base, found.start) == (rule, 10000, 0)
    assert (found.sign, found.step, found.scale) == (1, 1, 1)
    assert (found.dtype, found.angles) == (dtype, wide.__name__)
    assert found.largest <= found.limit


@pytest.mark.parametrize(
    ("made", "conventions"),
    [
        (
            lambda: plain.interleave(plain.angles(80, plain.inv_freq(16, 500000.0))),
            {"base": 500000},
        ),
        (
            lambda: plain.interleave(plain.angles(80, plain.inv_freq(16, 1234.5))),
            {"base": 1234.5},
        ),
        (
            lambda: plain.interleave(plain.angles(80, plain.inv_freq(16), start=1)),
            {"start": 1},
        ),
        (
            lambda: plain.join_halves(plain.angles(80, plain.tensor2tensor_inv_freq(16), start=2)),
            {"start": 2},
        ),
        (
            lambda: plain.interleave(plain.angles(80, plain.inv_freq(16), start=-7)),
            {"start": -7},
        ),
        (
            lambda: plain.interleave(plain.angles(80, plain.inv_freq(16), start=0.5)),
            {"start": 0.5},
        ),
        (
            lambda: plain.interleave(plain.angles(80, plain.inv_freq(16), start=100000)),
            {"start": 100000},
        ),
        (lambda: plain.make_table() * math.sqrt(32), {"scale": math.sqrt(32)}),
        (lambda: plain.make_table() / math.sqrt(32), {"scale": 1 / math.sqrt(32)}),
        (lambda: plain.make_table() * 0.3, {"scale": 0.3}),
        (
            lambda: plain.interleave(-plain.angles(80, plain.inv_freq(16))),
            {"sign": -1, "scale": 1},
        ),
        (lambda: -plain.make_table(), {"sign": 1, "scale": -1}),
        (
            lambda: plain.interleave(plain.angles(80, plain.inv_freq(16)) / 80),
            {"step": 1 / 80},
        ),
        (
            lambda: plain.interleave(plain.angles(80, plain.inv_freq(16)) / 4),
            {"step": 0.25, "base": 10000},
        ),
        (lambda: plain.make_table()[:, np.newaxis], {"layout": "interleaved", "base": 10000}),
        (lambda: plain.make_table()[np.newaxis], {"layout": "interleaved", "base": 10000}),
        (lambda: plain.make_table(96, 2), {"layout": "interleaved", "first": "sin", "start": 0}),
        (lambda: plain.make_table(8, 512), {"base": 10000, "exponent": "paper"}),
        (lambda: plain.make_table(2, 64), {"base": 10000, "exponent": "paper"}),
        (lambda: plain.make_table(5000, 512, np.float32), {"base": 10000, "angles": "float32"}),
        (
            lambda: plain.make_table(300, 64, np.float32).astype(np.float64),
            {"dtype": "float64", "numbers": "float32", "angles": "float32"},
        ),
        (lambda: plain.make_table(300, 64).astype(np.float32).tolist(), {"numbers": "float32"}),
        (
            lambda: plain.interleave(plain.angles(64, plain.inv_freq(33)))[:, :33],
            {"exponent": "paper"},
        ),
        (
            lambda: plain.interleave(plain.angles(64, plain.inv_freq(34)))[:, :33],
            {"exponent": "next even"},
        ),
        (
            lambda: np.pad(
                plain.join_halves(plain.angles(64, plain.tensor2tensor_inv_freq(32))),
                ((0, 0), (0, 1)),
            ),
            {"exponent": "tensor2tensor", "layout": "half"},
        ),
        (
            lambda: np.where(np.arange(64)[:, None] == 1, 0, plain.make_table(64)),
            {"start": 0, "notes": ("Row 1 is zero, as for padding, and ignored.",)},
        ),
    ],
)
def test_a_right_table_with_a_convention_of_its_own_is_named(made, conventions):
    found = posenc.identify(made())

    assert found.kind == "sinusoidal", str(found)
    for name, value in conventions.items():
        exact = not isinstance(value, float)
        assert getattr(found, name) == (value if exact else pytest.approx(value, rel=1e-14)), name


def in_narrow_dtype(dtype: Any) -> Any:
    """Positions, frequencies and angles all in the dtype of the table."""
    p, omega = np.arange(600).astype(dtype), plain.inv_freq(64).astype(dtype)
    return plain.join_halves((p[:, np.newaxis] * omega).astype(np.float32)).astype(dtype)


@pytest.mark.parametrize(
    ("dtype", "rounded"), [("bfloat16", "Positions and"), ("float16", "Frequencies and")]
)
def test_angles_in_a_narrow_dtype_are_named(dtype, rounded):
    found = posenc.identify(in_narrow_dtype(DTYPES[dtype]))

    assert (found.kind, found.base, found.angles) == ("sinusoidal", 10000, dtype)
    assert found.notes[0].startswith(rounded)
    assert f"were rounded to {dtype}" in found.notes[0]


def test_positions_alone_in_bfloat16_are_named():
    p = np.arange(600).astype(BFLOAT16).astype(np.float32)

    found = posenc.identify(plain.interleave(np.outer(p, plain.inv_freq(64, dtype=np.float32))))

    assert found.angles == "bfloat16"
    assert found.notes[0].startswith("Positions were rounded to bfloat16")


def test_a_formula_computed_in_float16_throughout_is_told_from_a_right_one():
    half = np.float16
    omega = np.exp(np.arange(0, 64, 2, dtype=half) * half(-math.log(10000.0) / 64))

    found = posenc.identify(plain.interleave(np.arange(600, dtype=half)[:, None] * omega))

    assert (found.kind, found.angles) == ("sinusoidal", "float16")
    assert found.notes == (
        "Frequencies and angles were rounded to float16, so far positions collide.",
    )


def channels(d: int) -> Any:
    return np.arange(d)


def each_channel(power: float, d: int = 32) -> Any:
    theta = np.outer(np.arange(64), 10000.0 ** (-power * channels(d) / d))
    return np.where(channels(d) % 2, np.cos(theta), np.sin(theta))


def pairs_of(function: Any, d: int = 32) -> Any:
    return function(np.outer(np.arange(64), 10000.0 ** (-2 * (channels(d) // 2) / d)))


def stacked() -> Any:
    theta = plain.angles(64, plain.inv_freq(32))
    return np.stack([np.sin(theta), np.cos(theta)]).reshape(64, 32)


@pytest.mark.parametrize(
    ("made", "cause"),
    [
        (lambda: each_channel(1), "exponent c/d"),
        (lambda: each_channel(2), "exponent 2c/d"),
        (
            lambda: plain.interleave(plain.angles(64, 1 / plain.inv_freq(32))),
            "multiplied by base",
        ),
        (
            lambda: plain.interleave(np.deg2rad(plain.angles(64, plain.inv_freq(32)))),
            "taken for degrees",
        ),
        (lambda: pairs_of(np.sin), "the cosines are missing"),
        (lambda: pairs_of(np.cos), "the sines are missing"),
        (lambda: plain.make_table(64).astype(int), "truncated to integers"),
        (lambda: plain.make_table(64).round(), "rounded to integers"),
        (stacked, "stacked and then reshaped"),
        (lambda: pairs_of(lambda theta: theta), "sine and cosine are missing"),
        (lambda: np.tile(plain.make_table(1), (64, 1)), "the position is not used"),
        (
            lambda: np.sin(np.outer(np.arange(64), 10000.0 ** (-channels(32) / 32))),
            "all channels are sines",
        ),
    ],
)
def test_a_known_mistake_in_a_table_is_named(made, cause):
    found = posenc.identify(made(), kind="table")

    assert cause in (found.cause or "") or found.kind == "sinusoidal", str(found)
    assert found.cause is None or (found.kind == "unknown" and cause in found.cause)
    if found.cause is None:  # degrees are a step of their own
        assert found.step == pytest.approx(math.pi / 180, rel=1e-6)


@pytest.mark.parametrize(
    ("omega", "conventions", "note"),
    [
        (plain.inv_freq(32) ** 2, {"base": 1e8}, "doubled exponent, 4i/d"),
        (plain.inv_freq(32) ** 0.5, {"base": 100}, "half the exponent, i/d"),
        (np.exp(np.arange(16) * (-math.log(10000) / 32 // 2)), {}, "divided by e"),
        (np.ones(16), {"base": None}, "the same frequency"),
        (np.linspace(1, 0.1, 16), {"base": None}, None),
    ],
)
def test_frequencies_of_another_rule_are_told(omega, conventions, note):
    found = posenc.identify(plain.interleave(plain.angles(64, omega)))

    assert found.kind == "sinusoidal"
    assert {name: getattr(found, name) for name in conventions} == conventions
    assert note is None or any(note in said for said in found.notes), found.notes
    if found.base is None:
        # Measured over 63 rows, each phase within a few roundings.
        assert found.inv_freq == pytest.approx(omega, abs=1e-14)


def test_a_transposed_table_is_said_to_be_one():
    found = posenc.identify(plain.make_table(48, 32).T)

    assert found.kind == "sinusoidal"
    assert found.notes[0].startswith("It is transposed")


def test_one_wrong_entry_makes_a_table_unknown_and_is_found():
    table = plain.make_table()
    table[40, 3] += 1e-9

    found = posenc.identify(table)

    assert (found.kind, found.cause) == ("unknown", None)
    assert found.nearest is not None
    assert "base 10000" in found.nearest
    assert found.first_difference is not None
    index, given, wanted = found.first_difference
    assert index == (40, 3)
    assert given == table[40, 3]
    assert wanted == pytest.approx(plain.make_table()[40, 3], abs=1e-15)


def test_rows_that_repeat_from_somewhere_on_are_found():
    """A position that is clamped to the length seen in training."""
    omega = plain.inv_freq(32)
    table = plain.interleave(np.outer(np.minimum(np.arange(64), 31), omega))

    found = posenc.identify(table)

    assert found.kind == "unknown"
    assert found.first_difference is not None
    assert found.first_difference[0] == (32, 0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("positions", "cause"),
    [
        (np.minimum(np.arange(96), 40), "all rows from 40 on are equal: positions are clamped"),
        (np.arange(96) % 40, "positions start again after 40 rows"),
        (np.arange(96) % 3, "positions start again after 3 rows"),
    ],
)
def test_positions_that_do_not_go_on_are_named(positions, cause, dtype):
    table = plain.interleave(np.outer(positions, plain.inv_freq(32))).astype(np.float32)

    found = posenc.identify(table.astype(DTYPES[dtype]))

    assert found.kind == "unknown"
    assert cause in (found.cause or ""), str(found)


def test_rows_that_were_learned_and_repeat_are_no_positions():
    learned = np.random.default_rng(0).normal(size=(96, 32))

    assert posenc.identify(learned[np.arange(96) % 40]).cause is None
    assert posenc.identify(learned[np.minimum(np.arange(96), 40)]).cause is None


@pytest.mark.parametrize("dtype", ["float64", "bfloat16"])
@pytest.mark.parametrize("shape", [(6, 10), (3, 32)])
def test_a_grid_is_unknown_and_no_text_far_away(shape, dtype):
    """Positions of 1e13 would explain everything, since their angles are not known at all."""
    y, x = np.divmod(np.arange(np.prod(shape)), shape[1])
    grid = np.hstack([plain.interleave(np.outer(part, plain.inv_freq(16))) for part in (y, x)])

    found = posenc.identify(grid.astype(DTYPES[dtype]))

    assert (found.kind, found.cause) == ("unknown", None), str(found)


@pytest.mark.parametrize("seed", range(4))
def test_learned_table_is_unknown_without_a_mistake(seed):
    table = np.random.default_rng(seed).normal(size=(64, 32)) * 0.02

    found = posenc.identify(table)

    assert (found.kind, found.cause) == ("unknown", None)
    assert str(found).startswith("None of the encodings that posenc knows.")


def test_a_large_table_is_read_by_rows():

    table = plain.join_halves(
        plain.angles(20000, plain.inv_freq(128, dtype=np.float32), dtype=np.float32)
    )
    assert posenc.identify(table).base == 10000
    assert posenc.identify(table).rows < 400
    table[19999] = table[3]
    assert posenc.identify(table).kind == "unknown"  # the last row is among those looked at
