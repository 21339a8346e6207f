"""Exercises of the chapter on the sinusoidal table."""

import math
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc
from posenc.exercises._exercise import (
    Answer,
    Exercise,
    Property,
    code,
    differs,
    first,
    pairs,
    unlike,
)

Table = NDArray[np.float64]

# Easy: the table of the other layout.


def halves(seq_len: int, d_model: int, base: float = 10000) -> Table:
    """Put all sines before all cosines."""
    angles = np.outer(np.arange(seq_len), pairs(d_model, base))
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)


def interleaved(seq_len: int, d_model: int, base: float = 10000) -> Table:
    """Let sines and cosines take turns."""
    return np.array([code(p, d_model, base) for p in range(seq_len)])


def with_channels(seq_len: int, d_model: int, base: float = 10000) -> Table:
    """Put the number of the channel where that of the pair belongs."""
    return halves(seq_len, d_model, base**2)


def with_one_base(seq_len: int, d_model: int, base: float = 10000) -> Table:
    """Forget the base."""
    return halves(seq_len, d_model)


def zeros_and_ones(answer: Answer) -> str | None:
    """Row 0 has the sines of 0, then its cosines."""
    return differs(answer(1, 8)[0], [0, 0, 0, 0, 1, 1, 1, 1], at="row 0", axes=("channel",))


def _by_hand(answer: Answer, base: float) -> str | None:
    rows = [
        [f(p / base ** (2 * i / 6)) for f in (math.sin, math.cos) for i in range(3)]
        for p in range(20)
    ]
    return differs(answer(20, 6, base), rows, at=f"base {base}", axes=("row", "channel"))


# Medium: name the convention of a row.


def convention_of(row: Any, position: float) -> tuple[str, str]:
    """Build the row in all four ways, and see which comes nearest."""
    n = len(row) // 2
    candidates = {}
    for exponent, steps in (("paper", n), ("tensor2tensor", n - 1)):
        angles = position * 10000.0 ** (-np.arange(n) / steps)
        sines, cosines = np.sin(angles), np.cos(angles)
        candidates["half", exponent] = np.concatenate([sines, cosines])
        candidates["interleaved", exponent] = np.stack([sines, cosines], axis=1).ravel()
    return min(candidates, key=lambda name: float(abs(candidates[name] - row).max()))


def of_one_layout(row: Any, position: float) -> tuple[str, str]:
    """Take the layout for granted."""
    return "interleaved", convention_of(row, position)[1]


def of_one_exponent(row: Any, position: float) -> tuple[str, str]:
    """Take the exponent for granted."""
    return convention_of(row, position)[0], "paper"


def of_two_digits(row: Any, position: float) -> tuple[str, str]:
    """Accept the first candidate that agrees to two digits."""
    n = len(row) // 2
    layout, exponent = convention_of(row, position)
    sines = np.asarray(row)[:n] if layout == "half" else np.asarray(row)[::2]
    near = abs(np.sin(position * 10000.0 ** (-np.arange(n) / n)) - sines).max() < 0.01
    return layout, "paper" if near else exponent


def _named(answer: Answer, layout: str, exponent: str, d_model: int, position: int) -> str | None:
    row = posenc.sinusoidal_at(position, d_model, layout=layout, exponent=exponent)
    return unlike(
        tuple(answer(row, position)),
        (layout, exponent),
        at=f"d_model {d_model}, position {position}",
    )


def layouts(answer: Answer) -> str | None:
    """Rows of the paper's exponent."""
    return first(_named(answer, name, "paper", 8, 1) for name in ("interleaved", "half"))


def exponents(answer: Answer) -> str | None:
    """Rows of the other one."""
    names = ("interleaved", "half")
    return first(_named(answer, name, "tensor2tensor", 8, p) for name in names for p in (1, 7))


def wide_rows(answer: Answer) -> str | None:
    """At d = 512 the two exponents hardly differ at position 1."""
    names = ("interleaved", "half")
    return first(_named(answer, name, "tensor2tensor", 512, 1) for name in names)


# Hard: a row far out, without the error of the angle.


def far_code(position: int, d_model: int) -> Table:
    """Take the whole turns away while there are digits enough."""
    with localcontext() as context:
        context.prec = 50
        turn = Decimal("6.28318530717958647692528676655900576839433879875021")
        angles = []
        for i in range(d_model // 2):
            omega = Decimal(10000) ** (Decimal(-2 * i) / d_model)
            angles.append(float(position * omega % turn))
    return np.array([f(angle) for angle in angles for f in (math.sin, math.cos)])


def far_code_of_channels(position: int, d_model: int) -> Table:
    """Put the number of the channel where that of the pair belongs."""
    return code(position, d_model, 10000.0**2)


def rounded_turns(position: int, d_model: int) -> Table:
    """Take turns away that are rounded to a float."""
    angles = pairs(d_model) * position % (2 * math.pi)
    return np.array([f(angle) for angle in angles for f in (math.sin, math.cos)])


def near_zero(answer: Answer) -> str | None:
    """Where the plain formula is right."""
    return first(
        differs(answer(p, 8), code(p, 8), at=f"position {p}", axes=("channel",)) for p in (0, 1, 5)
    )


def whole_turns(answer: Answer) -> str | None:
    """Of the first pair, whose angle is the position, so that `math` has all digits."""
    expected = [math.sin(10**9), math.cos(10**9)]
    found = np.asarray(answer(10**9, 2))
    return differs(found, expected, at="position 10**9, d_model 2", axes=("channel",), within=1e-14)


def far_rows(answer: Answer) -> str | None:
    """All pairs, as the package has them."""
    for p in (10**6, 10**9, 2**53):
        expected = posenc.sinusoidal_at(p, 64)
        said = differs(answer(p, 64), expected, at=f"position {p}", axes=("channel",), within=1e-14)
        if said:
            return said
    return None


EXERCISES = (
    Exercise(
        "sinusoidal-easy",
        "halves(seq_len, d_model, base=10000): the table with all sines before all cosines",
        (
            Property(
                "row 0",
                zeros_and_ones,
                "sines and cosines take turns; here all sines come first.",
                interleaved,
            ),
            Property(
                "frequencies",
                lambda answer: _by_hand(answer, 10000),
                "the number of the channel, 2i, stands where that of the pair, i, belongs.",
                with_channels,
            ),
            Property(
                "base",
                lambda answer: _by_hand(answer, 100),
                "the base was not used.",
                with_one_base,
            ),
        ),
        halves,
    ),
    Exercise(
        "sinusoidal-medium",
        "convention_of(row, position): layout and exponent of a row of base 10000, two words",
        (
            Property(
                "layout",
                layouts,
                "one layout was taken for granted.",
                of_one_layout,
            ),
            Property(
                "exponent",
                exponents,
                "one exponent was taken for granted.",
                of_one_exponent,
            ),
            Property(
                "wide rows",
                wide_rows,
                "two digits were compared; in wide rows the exponents differ in the third.",
                of_two_digits,
            ),
        ),
        convention_of,
    ),
    Exercise(
        "sinusoidal-hard",
        "far_code(position, d_model): the interleaved row of base 10000, right to 14 digits",
        (
            Property(
                "near 0",
                near_zero,
                "the number of the channel, 2i, stands where that of the pair, i, belongs.",
                far_code_of_channels,
            ),
            Property(
                "whole turns",
                whole_turns,
                "turns of a rounded length were taken away, millions of them.",
                rounded_turns,
            ),
            Property(
                "far rows",
                far_rows,
                "the angle was rounded before whole turns were taken away.",
                code,
            ),
        ),
        far_code,
    ),
)
