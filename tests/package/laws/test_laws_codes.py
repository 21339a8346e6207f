"""posenc.laws: encodings that are broken on purpose, and which laws find it; the scorecard."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import posenc
from posenc import laws

Encode = Callable[[int], Any]


def sinusoids(seq_len: int, d: int = 64, layout: str = "interleaved") -> Any:
    """Section 3.5 of the paper in plain NumPy."""
    angles = np.outer(np.arange(seq_len), 10000.0 ** (-2 * np.arange(d // 2) / d))
    table = np.stack([np.sin(angles), np.cos(angles)], axis=2)
    return (table if layout == "interleaved" else table.swapaxes(1, 2)).reshape(seq_len, d)


def replaced(rows: slice | list[int], by: Any) -> Encode:
    """Return sinusoids in which some rows are others."""
    table = sinusoids(1024)
    table[rows] = by
    return lambda seq_len: table[:seq_len]


def own_exponent(seq_len: int) -> Any:
    """A frequency for each channel, so that no cosine shares that of its sine."""
    channels = np.arange(64)
    angles = np.outer(np.arange(seq_len), 10000.0 ** (-channels / 64))
    return np.where(channels % 2, np.cos(angles), np.sin(angles))


def half_precision_positions(seq_len: int) -> Any:
    """Whole numbers above 2048 lose their last bit."""
    return posenc.sinusoidal_at(np.arange(seq_len).astype(np.float16), 16)


def padded_left(seq_len: int) -> Any:
    """A batch of 4096, filled up at the left: the last row has the last position."""
    return posenc.sinusoidal_positional_encoding(seq_len, 64, start=4096 - seq_len)


def fraction(seq_len: int) -> Any:
    return np.arange(seq_len)[:, None] / seq_len * np.ones(64)


def normal(seq_len: int) -> Any:
    table = np.random.default_rng(0).normal(size=(512, 64))
    return table[np.arange(seq_len)]  # an IndexError beyond


def interpolated(seq_len: int) -> Any:
    """Positions pressed into the first 256."""
    return posenc.sinusoidal_at(np.arange(seq_len) * min(1, 256 / seq_len), 64)


TABLE_LAWS = {"even_steps", "smooth", "shift_linear", "dot_by_offset"}

# An encoding, how many positions to look at, and the laws that it breaks: those and no others.
BROKEN: dict[str, tuple[Encode, int, set[str]]] = {
    "layout swapped halfway": (
        replaced(slice(200, None), sinusoids(1024, layout="half")[200:]),
        512,
        TABLE_LAWS,
    ),
    "cosine with its own exponent": (own_exponent, 512, TABLE_LAWS),
    "float16 positions": (half_precision_positions, 2100, {"unique", *TABLE_LAWS}),
    "a row twice": (replaced([300], sinusoids(8)[7]), 512, {"unique", *TABLE_LAWS}),
    "a row of zeros for padding": (replaced([1], 0), 512, TABLE_LAWS),
    "padding at the left": (padded_left, 512, {"same_at_every_length"}),
    "positions pressed together": (interpolated, 512, {"same_at_every_length"}),
    "index": (
        lambda n: np.arange(n)[:, None] * np.ones(64),
        512,
        {"bounded", "shift_linear", "dot_by_offset"},
    ),
    "index, appended": (
        lambda n: np.arange(n)[:, None],
        512,
        {"bounded", "shift_linear", "dot_by_offset"},
    ),
    "pos/L": (fraction, 512, {"same_at_every_length", "shift_linear", "dot_by_offset"}),
    "one sine": (lambda n: np.sin(np.arange(n))[:, None], 512, {"unique", *TABLE_LAWS}),
    "one pair": (lambda n: sinusoids(n, 2), 512, {"smooth"}),
    "one pair, longer": (lambda n: sinusoids(n, 2), 1024, {"unique", "smooth"}),
    "random table": (normal, 512, {"extends", *TABLE_LAWS}),
    "new numbers at every length": (
        lambda n: np.random.default_rng(n).normal(size=(n, 64)),
        512,
        {"same_at_every_length", *TABLE_LAWS},
    ),
    "sines alone": (lambda n: sinusoids(n)[:, ::2], 512, TABLE_LAWS),
    "constant": (lambda n: np.ones((n, 4)), 512, {"unique", "smooth"}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_code_breaks_its_laws_and_no_others(name: str) -> None:
    encode, seq_len, expected = BROKEN[name]
    findings = laws.check(encode, seq_len)

    assert {finding.law for finding in findings if not finding.holds} == expected


@pytest.mark.parametrize(
    ("law", "name", "where"),
    [
        (laws.unique, "a row twice", {7, 300}),
        (laws.unique, "float16 positions", {2048, 2049}),
        (laws.unique, "one sine", {11, 344}),
        (laws.smooth, "a row twice", {7, 300}),
        (laws.even_steps, "layout swapped halfway", {199}),
        (laws.even_steps, "a row of zeros for padding", {0}),
        (laws.shift_linear, "a row twice", {299, 300}),
        (laws.shift_linear, "a row of zeros for padding", {1}),
        (laws.shift_linear, "layout swapped halfway", {198, 199}),
        (laws.dot_by_offset, "a row of zeros for padding", {1}),
        (laws.dot_by_offset, "a row twice", {7, 300}),
    ],
)
def test_the_positions_named_are_those_that_are_broken(
    law: Any, name: str, where: set[int]
) -> None:
    encode, seq_len, _ = BROKEN[name]

    assert where & set(law(encode, seq_len).where)
