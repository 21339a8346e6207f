"""posenc.identify on rotations: right ones in every layout and dtype, and well-known wrong ones."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import posenc
from docs.reference.mistakes import plain

BFLOAT16: Any = ml_dtypes.bfloat16
DTYPES = {"float64": np.float64, "float32": np.float32, "float16": np.float16, "bfloat16": BFLOAT16}
TURNED = {"half": plain.rotate_halves, "interleaved": plain.rotate_neighbours}


def turn(turned: Any, d: int = 32, base: float = 10000.0, dtype: Any = np.float64) -> Any:
    """Return a function that turns all channels."""
    omega = plain.inv_freq(d, base, dtype)
    return lambda x, p: turned(x, np.outer(p.astype(dtype), omega))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", TURNED)
def test_a_right_rotation_is_named_in_every_layout_and_dtype(layout, dtype):
    wide = np.float64 if dtype == "float64" else np.float32
    exact = turn(TURNED[layout], base=500000.0, dtype=wide)

    found = posenc.identify(
        lambda x, p: exact(x.astype(wide), p).astype(DTYPES[dtype]),
        head_dim=32,
        dtype="float64",
    )

    assert (found.kind, found.layout, found.base) == ("rotary", layout, 500000), str(found)
    assert (found.start, found.sign, found.scale, found.rotary_dim) == (0, 1, 1, 32)
    assert (found.exponent, found.angles) == ("paper", wide.__name__)
    assert found.largest <= found.limit


def backwards(x: Any, p: Any) -> Any:
    return plain.rotate_halves(x, -np.outer(p, plain.inv_freq(32)))


def written_in_halves(x: Any, p: Any) -> Any:
    y = plain.rotate_neighbours(x, np.outer(p, plain.inv_freq(32)))
    return np.concatenate([y[:, ::2], y[:, 1::2]], axis=1)


@pytest.mark.parametrize(
    ("function", "conventions"),
    [
        (
            lambda x, p: plain.rotate_first_channels(
                plain.rotate_halves, x, np.outer(p, plain.inv_freq(8))
            ),
            {"rotary_dim": 8},
        ),
        (
            lambda x, p: plain.rotate_first_channels(
                plain.rotate_neighbours, x, np.outer(p, plain.inv_freq(8))
            ),
            {"rotary_dim": 8},
        ),
        (
            lambda x, p: plain.rotate_first_channels(
                plain.rotate_halves, x, np.outer(p, plain.inv_freq(32)[:4])
            ),
            {"rotary_dim": 8, "exponent": "head_dim", "base": 10000},
        ),
        (backwards, {"sign": -1}),
        (lambda x, p: turn(plain.rotate_halves)(x, p + 1), {"start": 1}),
        (lambda x, p: turn(plain.rotate_halves)(x, p / 4), {"step": 0.25, "base": 10000}),
        (lambda x, p: 1.25 * turn(plain.rotate_halves)(x, p), {"scale": 1.25, "base": 10000}),
        (turn(plain.rotate_neighbours, base=100.0), {"base": 100}),
        (
            written_in_halves,
            {"notes": ("Pairs are read as neighbouring channels and written as halves.",)},
        ),
        (
            lambda x, p: turn(plain.rotate_halves)(x, p)[np.newaxis, :, np.newaxis],
            {"layout": "half"},
        ),
        (
            lambda x, p: plain.rotate_neighbours(x, np.pi / 2 - np.outer(p, plain.inv_freq(32))),
            {"notes": ("Sine and cosine are exchanged.",)},
        ),
    ],
)
def test_a_rotation_with_a_convention_of_its_own_is_named(function, conventions):
    found = posenc.identify(function, head_dim=32, dtype="float64")

    assert found.kind == "rotary", str(found)
    assert {name: getattr(found, name) for name in conventions} == conventions


def test_a_rotation_that_counts_for_itself_needs_its_kind():
    def function(x: Any) -> Any:
        return turn(plain.rotate_halves)(x, np.arange(len(x)))

    found = posenc.identify(function, kind="rotary", head_dim=32)

    assert (found.kind, found.base, found.start) == ("rotary", 10000, 0)


def test_stretched_frequencies_are_measured():
    """Slow pairs by a fourth, fast ones as they were, as by-parts rules make them."""
    omega = plain.inv_freq(64, 1e6) * np.where(np.arange(32) < 12, 1, 0.25)

    found = posenc.identify(
        lambda x, p: plain.rotate_halves(x, np.outer(p, omega)), dtype="float64"
    )

    assert (found.kind, found.base) == ("rotary", None)
    # 511 positions, each phase within a few roundings.
    assert found.inv_freq == pytest.approx(omega, abs=1e-15)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
def test_stretched_frequencies_are_measured_in_narrow_dtypes_too(dtype):
    omega = plain.inv_freq(32, 1e6) * np.where(np.arange(16) < 6, 1, 0.25)

    found = posenc.identify(
        lambda x, p: plain.rotate_halves(x, np.outer(p, omega)).astype(DTYPES[dtype]), head_dim=32
    )

    assert (found.kind, found.base, found.start, found.notes) == ("rotary", None, 0, ()), str(found)
    # Over 511 positions, both ends rounded in two channels each.
    spacing = {"float32": 2**-22, "float16": 2**-10, "bfloat16": 2**-7}
    assert found.inv_freq == pytest.approx(omega, abs=2 * spacing[dtype] / 511)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
@pytest.mark.parametrize("step", [4.0, 3.5, 8.0])
def test_positions_that_are_too_far_apart_to_see_the_first_pair_turn_are_named(step, dtype):
    found = posenc.identify(
        lambda x, p: turn(plain.rotate_halves)(x, step * p).astype(dtype), head_dim=32, seq_len=64
    )

    assert (found.kind, found.base, found.step) == ("rotary", 10000, step), str(found)


@pytest.mark.parametrize("turned", TURNED.values(), ids=TURNED)
def test_the_last_channels_are_named_where_they_turn(turned):
    def last(x: Any, p: Any) -> Any:
        return np.concatenate(
            [x[:, :24], turned(x[:, 24:], np.outer(p, plain.inv_freq(8)))], axis=1
        )

    found = posenc.identify(last, head_dim=32, dtype="float64")

    assert (found.kind, found.passed, found.rotary_dim, found.base) == ("rotary", 24, 8, 10000)
    assert "channels 24 to 31 rotated" in str(found)
    whole = posenc.identify(turn(turned), head_dim=32, dtype="float64")
    assert (whole.passed, whole.rotary_dim) == (0, 32)


def test_pairs_that_stand_still_are_counted():
    omega = np.concatenate([plain.inv_freq(8), np.zeros(12)])

    found = posenc.identify(
        lambda x, p: plain.rotate_halves(x, np.outer(p, omega)), head_dim=32, dtype="float64"
    )

    assert (found.kind, found.notes) == ("rotary", ("Only 4 of 16 pairs rotate.",))


@pytest.mark.parametrize("farthest", [16, 37, 300])
def test_positions_that_stop_growing_are_named(farthest):
    found = posenc.identify(
        lambda x, p: turn(plain.rotate_halves)(x, np.minimum(p, farthest)), head_dim=32
    )

    assert found.cause is not None
    assert found.cause.endswith(f"positions are clamped to {farthest}")


def test_angles_that_were_kept_from_another_call_are_told_from_positions_that_are_ignored():
    kept: dict[int, Any] = {}

    def remembering(x: Any, p: Any) -> Any:
        return turn(plain.rotate_halves)(x, kept.setdefault(len(x), p))

    found = posenc.identify(remembering, head_dim=32)
    again = posenc.identify(remembering, head_dim=32)
    ignored = posenc.identify(
        lambda x, p: turn(plain.rotate_halves)(x, np.arange(len(x))), head_dim=32
    )

    assert found.cause == again.cause
    assert "of an earlier call" in (found.cause or "")
    assert "positions argument is ignored" in (ignored.cause or "")


def minus_lost(x: Any, p: Any) -> Any:
    theta = np.outer(p, plain.inv_freq(32))
    cos, sin = np.cos(theta), np.sin(theta)
    a, b = x[:, ::2], x[:, 1::2]
    return np.stack([a * cos + b * sin, a * sin + b * cos], axis=-1).reshape(x.shape)


def rolled(x: Any, p: Any) -> Any:
    """The halves are exchanged by np.roll, which knows no sign."""
    theta = np.tile(np.outer(p, plain.inv_freq(32)), 2)
    return x * np.cos(theta) + np.roll(x, 16, axis=1) * np.sin(theta)


def overwritten(x: Any, p: Any) -> Any:
    theta, y = np.outer(p, plain.inv_freq(32)), x.copy()
    y[:, ::2] = y[:, ::2] * np.cos(theta) - y[:, 1::2] * np.sin(theta)
    y[:, 1::2] = y[:, ::2] * np.sin(theta) + y[:, 1::2] * np.cos(theta)
    return y


def halves_with_neighbours_angles(x: Any, p: Any) -> Any:
    theta = np.repeat(np.outer(p, plain.inv_freq(32)), 2, axis=1)
    swapped = np.concatenate([-x[:, 16:], x[:, :16]], axis=1)
    return x * np.cos(theta) + swapped * np.sin(theta)


def neighbours_with_halves_angles(x: Any, p: Any) -> Any:
    theta = np.tile(np.outer(p, plain.inv_freq(32)), 2)
    swapped = np.stack([-x[:, 1::2], x[:, ::2]], axis=-1).reshape(x.shape)
    return x * np.cos(theta) + swapped * np.sin(theta)


def sign_at_the_other_half(x: Any, p: Any) -> Any:
    """The second half is negated where it should be the first: turns the other way."""
    theta = np.tile(np.outer(p, plain.inv_freq(32)), 2)
    swapped = np.concatenate([x[:, 16:], -x[:, :16]], axis=1)
    return x * np.cos(theta) + swapped * np.sin(theta)


def mirrored(x: Any, p: Any) -> Any:
    theta = np.outer(p, plain.inv_freq(32))
    a, b = x[:, :16], x[:, 16:]
    cos, sin = np.cos(theta), np.sin(theta)
    return np.concatenate([a * cos + b * sin, a * sin - b * cos], axis=1)


@pytest.mark.parametrize(
    ("function", "cause"),
    [
        (minus_lost, "minus sign of the rotation is missing"),
        (rolled, "minus sign of the rotation is missing"),
        (overwritten, "overwritten before the second"),
        (halves_with_neighbours_angles, "cos and sin"),
        (neighbours_with_halves_angles, "cos and sin"),
        (mirrored, "reflected instead of rotated"),
        (
            lambda x, p: x * np.tile(np.cos(np.outer(p, plain.inv_freq(32))), 2),
            "sines are missing",
        ),
        (lambda x, p: x + plain.make_table(len(x)), "something is added"),
        (lambda x, p: x.copy(), "nothing is rotated"),
        (
            lambda x, p: turn(plain.rotate_halves)(x, np.arange(len(x))),
            "positions argument is ignored",
        ),
        (
            lambda x, p: x * plain.interleave(np.outer(p, plain.inv_freq(32))),
            "channel by channel",
        ),
    ],
)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_known_mistake_in_a_rotation_is_named(function, cause, dtype):
    found = posenc.identify(
        lambda x, p: function(x, p).astype(dtype), head_dim=32, dtype=dtype, seq_len=256
    )

    assert found.kind == "unknown", str(found)
    assert found.cause is not None
    assert cause in found.cause


def test_a_sign_at_the_other_half_turns_the_other_way():
    found = posenc.identify(sign_at_the_other_half, head_dim=32, dtype="float64")

    assert (found.kind, found.layout, found.sign) == ("rotary", "half", -1)


@pytest.mark.parametrize("rounded", ["positions", "all"])
def test_angles_in_bfloat16_are_named(rounded):
    def function(x: Any, p: Any) -> Any:
        omega = plain.inv_freq(32, dtype=np.float32)
        p = p.astype(BFLOAT16)
        if rounded == "all":
            theta = (p[:, np.newaxis] * omega.astype(BFLOAT16)).astype(np.float32)
        else:
            theta = np.outer(p.astype(np.float32), omega)
        return plain.rotate_halves(x, theta)

    found = posenc.identify(function, head_dim=32)

    assert (found.kind, found.base, found.angles) == ("rotary", 10000, "bfloat16"), str(found)


def test_tables_of_cosines_and_sines_are_named_as_libraries_keep_them():
    theta = plain.angles(64, plain.inv_freq(32, 500000.0))
    cos, sin = np.cos(theta), np.sin(theta)
    kept: dict[str | None, Any] = {
        None: (cos, sin),
        "half": (np.tile(cos, 2), np.tile(sin, 2)),
        "interleaved": (np.repeat(cos, 2, axis=1), np.repeat(sin, 2, axis=1)),
    }
    for layout, both in kept.items():
        found = posenc.identify(both)
        assert (found.kind, found.base, found.layout) == ("rotary", 500000, layout)
        assert found.rotary_dim == 32

    found = posenc.identify(np.exp(1j * theta).astype(np.complex64))
    assert (found.kind, found.base, found.numbers) == ("rotary", 500000, "float32")
    assert posenc.identify((sin, cos)).notes == ("Sine and cosine are exchanged.",)
    assert posenc.identify((cos, np.cos(theta))).kind == "unknown"


def test_each_call_receives_new_arrays():
    """A function that works in place must not change what the next call is given."""

    def function(x: Any, p: Any) -> Any:
        p += 1
        x *= 2
        return turn(plain.rotate_halves)(x, p)

    found = posenc.identify(function, head_dim=32, dtype="float64")

    assert (found.start, found.scale) == (1, 2)
