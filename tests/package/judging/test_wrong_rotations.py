"""Causes of rotations that go wrong in their angles or in the channels of a pair.

Errors next to those that have a cause must not get it: a false cause is worse than none.
"""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import posenc
from docs.reference.mistakes import plain

DTYPES = {"float64": np.float64, "float32": np.float32, "bfloat16": ml_dtypes.bfloat16}
WIDTH = 32
OMEGA = plain.inv_freq(WIDTH)
MULTIPLIED = "positions are multiplied by base**(2i/d) instead of divided by it"


def by_angles(angles: Any, rotate: Any = plain.rotate_halves) -> Any:
    """Return a rotation by angles that a function of the positions gives."""
    return lambda x, p: rotate(x, angles(p)).astype(x.dtype)


def by_positions(change: Any, omega: Any = OMEGA, rotate: Any = plain.rotate_halves) -> Any:
    """Return a rotation by positions that a function changes."""
    return by_angles(lambda p: np.outer(change(p), omega), rotate)


def by_entries(entries: Any, omega: Any = OMEGA) -> Any:
    """Return a function of halves (a, b) and the cosines and sines of their angles."""

    def turn(x: Any, p: Any) -> Any:
        theta = np.outer(p, omega)
        a, b = np.split(x, 2, axis=-1)
        return np.concatenate(entries(a, b, np.cos(theta), np.sin(theta)), axis=-1).astype(x.dtype)

    return turn


def each_channel(x: Any, p: Any) -> Any:
    theta = np.outer(p, 10000.0 ** (-np.arange(32) / 32))
    a, b = np.split(x, 2, axis=-1)
    turned = np.concatenate([-b, a], axis=-1)
    return (x * np.cos(theta) + turned * np.sin(theta)).astype(x.dtype)


def written_in_turn(x: Any, p: Any) -> Any:
    y = plain.rotate_halves(x, np.outer(p, OMEGA))
    return np.stack(np.split(y, 2, axis=-1), axis=-1).reshape(x.shape).astype(x.dtype)


CAUSES = [
    (by_angles(lambda p: np.outer(p, 1 / OMEGA)), MULTIPLIED),
    (by_angles(lambda p: np.outer(p, 1 / OMEGA), plain.rotate_neighbours), MULTIPLIED),
    (by_angles(lambda p: np.outer(p, 500000.0 ** (np.arange(16) / 16))), MULTIPLIED),
    (
        by_angles(lambda p: np.outer(p, 2 * np.pi / OMEGA)),
        "wavelengths are used as frequencies: positions are multiplied by 2π·base**(2i/d)",
    ),
    (
        by_positions(lambda p: p % 256),
        "positions start again after 256 rows",
    ),
    (
        by_positions(lambda p: p % 100, rotate=plain.rotate_neighbours),
        "positions start again after 100 rows",
    ),
    (
        by_positions(lambda p: p.astype(np.int8)),
        "positions from 128 on are negative, as in integers of 8 bits",
    ),
    (
        by_angles(lambda p: np.outer(p, OMEGA) // 1),
        "angles are rounded down to integers, as // does",
    ),
    (by_angles(lambda p: np.rint(np.outer(p, OMEGA))), "angles are rounded to integers"),
    (
        by_entries(lambda a, b, c, s: [a * c - a * s, b * c + b * s]),
        "the channels of a pair aren't exchanged before they are multiplied by the sines",
    ),
    (
        by_entries(lambda a, b, c, s: [a * (c + s), b * (c + s)]),
        "vectors are multiplied by cos + sin: rotate_half is missing",
    ),
    (
        by_entries(lambda a, b, c, s: [a * c - b * s, b * c]),
        "the second channel of a pair lacks its product with the sine",
    ),
    (
        by_entries(lambda a, b, c, s: [a * c, b * c + a * s]),
        "the first channel of a pair lacks its product with the sine",
    ),
    (
        by_entries(lambda a, b, c, s: [a * c - b * s, a * c + b * s]),
        "sine and cosine are exchanged in the second channel of a pair",
    ),
    (
        by_entries(lambda a, b, c, s: [b * c + a * s, a * c - b * s]),
        "the two channels of each pair are exchanged in the result",
    ),
    (
        by_entries(lambda a, b, c, s: [a * c, b * s]),
        "vectors are multiplied by cosines and sines channel by channel instead of rotated",
    ),
    (
        each_channel,
        "each channel has its own frequency, exponent c/d, so the channels of a pair rotate by"
        " different angles",
    ),
]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("turn", "cause"), CAUSES, ids=range(len(CAUSES)))
def test_the_cause_of_a_wrong_rotation_is_named(turn, cause, dtype):
    verdict = posenc.compare(turn, "rotary", head_dim=WIDTH, dtype=dtype)

    assert not verdict
    assert verdict.explanation == cause


def test_wrong_angles_are_named_in_the_first_channels_of_a_head():
    omega = plain.inv_freq(16)

    def turn(x: Any, p: Any) -> Any:
        return plain.rotate_first_channels(plain.rotate_halves, x, np.outer(p, 1 / omega))

    assert posenc.identify(turn, head_dim=WIDTH).cause == MULTIPLIED


@pytest.mark.parametrize(
    ("angles", "cause"),
    [
        (np.outer(np.arange(512), 1 / OMEGA), MULTIPLIED),
        (np.outer(np.arange(1, 513), 1 / OMEGA), f"{MULTIPLIED}, counted from position 1"),
        (
            np.outer(np.arange(512).astype(np.int8), OMEGA),
            "positions from 128 on are negative, as in integers of 8 bits",
        ),
        (np.rint(np.outer(np.arange(512), OMEGA)), "angles are rounded to integers"),
    ],
)
def test_wrong_angles_of_a_table_are_named_in_both_layouts(angles, cause):
    halves = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    side_by_side = np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(halves.shape)

    for table in (halves, side_by_side):
        for dtype in (np.float64, np.float32):
            assert posenc.identify(table.astype(dtype)).cause == cause


@pytest.mark.parametrize(
    ("second", "cause"),
    [
        (np.zeros_like, "channels of the cosines are zero: they are never written"),
        (np.sin, "both halves are sines; the cosines are missing"),
    ],
)
def test_tables_without_cosines_are_named(second, cause):
    angles = np.outer(np.arange(512), OMEGA)
    table = np.concatenate([np.sin(angles), second(angles)], axis=1)

    assert posenc.identify(table).cause == cause
    if second is np.zeros_like:
        side_by_side = np.stack([np.sin(angles), second(angles)], axis=2).reshape(table.shape)
        assert posenc.identify(side_by_side).cause == cause
        assert posenc.identify(np.roll(side_by_side, 1, axis=1)).cause is None


NEIGHBOURS = [
    # next to a positive exponent
    by_angles(lambda p: np.outer(p, 10000.0 ** (np.arange(16) / 32))),
    by_angles(lambda p: np.outer(p, 10000.0 ** (2 * np.arange(1, 17) / 32))),
    by_angles(lambda p: np.outer(p, 1 / OMEGA[::-1])),
    by_angles(lambda p: np.outer(p + 1, 1 / OMEGA)),
    by_angles(lambda p: np.outer(p, 1 / OMEGA), lambda x, a: plain.rotate_halves(x, -a)),
    by_angles(lambda p: np.outer(p, 700.0 ** (np.arange(16) / 16))),
    by_angles(lambda p: np.outer(p, 1 / OMEGA) % 6.28),
    # next to positions that start again
    by_positions(lambda p: p % 256 + 1),
    by_positions(lambda p: np.where(p < 256, p, p - 200)),
    by_positions(lambda p: np.where(p < 256, p, 0)),
    by_positions(lambda p: np.where(p < 256, p, 511 - p)),
    by_positions(lambda p: 3 * p % 256),
    by_positions(lambda p: p % 256, plain.inv_freq(32, 300.0)),
    by_positions(lambda p: p // 2),
    by_positions(lambda p: p & ~1),
    by_positions(lambda p: np.where(p < 300, p % 256, p)),
    # next to rounded angles
    by_angles(lambda p: np.ceil(np.outer(p, OMEGA))),
    by_angles(lambda p: np.round(np.outer(p, OMEGA), 1)),
    # next to wrong channels of a pair
    by_entries(lambda a, b, c, s: [a * c + a * s, b * c - b * s]),
    by_entries(lambda a, b, c, s: [a * c + b * s, b * c]),
    by_entries(lambda a, b, c, s: [a * c, b * c - a * s]),
    by_entries(lambda a, b, c, s: [a * s - b * c, b * c + a * s]),
    by_entries(lambda a, b, c, s: [b * c - a * s, a * c + b * s]),
    by_entries(lambda a, b, c, s: [a * (c - s), b * (c - s)]),
]


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
@pytest.mark.parametrize("turn", NEIGHBOURS, ids=range(len(NEIGHBOURS)))
def test_an_error_next_to_a_known_one_does_not_get_its_cause(turn, dtype):
    verdict = posenc.compare(turn, "rotary", head_dim=WIDTH, dtype=dtype)

    assert not verdict
    assert verdict.explanation not in {cause for _, cause in CAUSES}


@pytest.mark.parametrize(
    ("turn", "cause"),
    [
        (
            by_positions(lambda p: p, 10000.0 ** (-np.arange(1, 17) / 16)),
            "positions divided by 1.77828; the same as counting pairs from 1 instead of 0 in the"
            " exponent",
        ),
        (
            by_positions(lambda p: p, np.exp(-np.log10(10000.0) * np.arange(16) / 16)),
            "base 54.5982 instead of 10000; the same as base 10000 with log10 in place of the"
            " natural logarithm",
        ),
        (by_positions(lambda p: 2 * np.pi * p), "positions multiplied by 6.28319 (2π)"),
        (written_in_turn, "pairs are read as halves and written as neighbouring channels"),
    ],
)
def test_a_convention_says_where_it_may_come_from(turn, cause):
    for dtype in ("float64", "float32"):
        verdict = posenc.compare(turn, "llama", head_dim=WIDTH, dtype=dtype)
        assert verdict.explanation == cause


def test_numbers_next_to_such_a_convention_are_only_numbers():
    for turn, cause in (
        (by_positions(lambda p: p / 1.3336), "positions divided by 1.3336"),
        (by_positions(lambda p: p, plain.inv_freq(32, 54.61)), "base 54.61 instead of 10000"),
        (by_positions(lambda p: 6.2832 * p), "positions multiplied by 6.2832"),
    ):
        assert posenc.compare(turn, "llama", head_dim=WIDTH, dtype="float64").explanation == cause
