"""Exercises of the chapter on the sinusoidal table."""

import math
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

import posenc
from posenc.core.frequencies import Exponent
from posenc.core.layouts import LAYOUTS, Layout
from posenc.exercises.exercise import (
    Answer,
    Exercise,
    code,
    differs,
    first,
    judges,
    unlike,
)

Table = NDArray[np.float64]

# Easy: the table of the other layout.


# --8<-- [start:sinusoidal-easy]
def halves(seq_len: int, d_model: int, base: float = 10000) -> Table:
    """Return the table with all sines before all cosines."""
    omega = base ** (-2 * np.arange(d_model // 2) / d_model)
    angles = np.outer(np.arange(seq_len), omega)
    return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    # --8<-- [end:sinusoidal-easy]


def interleaved(seq_len: int, d_model: int, base: float = 10000) -> Table:
    """Alternate sines and cosines."""
    return np.array([code(p, d_model, base) for p in range(seq_len)])


# --8<-- [start:sinusoidal-easy-wrong]
def with_channels(seq_len: int, d_model: int, base: float = 10000) -> Table:
    """Use the channel number instead of the pair number."""
    return halves(seq_len, d_model, base**2)
    # --8<-- [end:sinusoidal-easy-wrong]


def with_one_base(seq_len: int, d_model: int, base: float = 10000) -> Table:
    """Forget the base."""
    return halves(seq_len, d_model)


@judges("row 0", hint="sines and cosines alternate; here all sines come first.", wrong=interleaved)
def zeros_and_ones(answer: Answer) -> str | None:
    """Row 0 has the sines of 0, then its cosines."""
    return differs(answer(1, 8)[0], [0, 0, 0, 0, 1, 1, 1, 1], at="row 0", axes=("channel",))


def _by_hand(answer: Answer, base: float) -> str | None:
    rows = [
        [f(p / base ** (2 * i / 6)) for f in (math.sin, math.cos) for i in range(3)]
        for p in range(20)
    ]
    return differs(answer(20, 6, base), rows, at=f"base {base}", axes=("row", "channel"))


@judges(
    "frequencies",
    hint="the channel number 2i was used instead of the pair number i.",
    wrong=with_channels,
)
def frequencies(answer: Answer) -> str | None:
    """All sines and cosines are right for base 10000."""
    return _by_hand(answer, 10000)


@judges("base", hint="the base was not used.", wrong=with_one_base)
def other_base(answer: Answer) -> str | None:
    """They are right for another base."""
    return _by_hand(answer, 100)


# Medium: name the convention of a row.


# --8<-- [start:sinusoidal-medium]
def convention_of(row: Any, position: float) -> tuple[str, str]:
    """Return layout and exponent of a row of base 10000, two words."""
    n, candidates = len(row) // 2, {}
    for exponent, steps in (("paper", n), ("tensor2tensor", n - 1)):
        angles = position * 10000.0 ** (-np.arange(n) / steps)
        both = np.stack([np.sin(angles), np.cos(angles)])
        candidates["half", exponent] = both.ravel()
        candidates["interleaved", exponent] = both.T.ravel()
    errors = {name: abs(codes - row).max() for name, codes in candidates.items()}
    return min(errors, key=lambda name: float(errors[name]))
    # --8<-- [end:sinusoidal-medium]


def of_one_layout(row: Any, position: float) -> tuple[str, str]:
    """Take the layout for granted."""
    return "interleaved", convention_of(row, position)[1]


def of_one_exponent(row: Any, position: float) -> tuple[str, str]:
    """Take the exponent for granted."""
    return convention_of(row, position)[0], "paper"


# --8<-- [start:sinusoidal-medium-wrong]
def of_two_digits(row: Any, position: float) -> tuple[str, str]:
    """Accept the first candidate that agrees to two digits."""
    for layout in ("interleaved", "half"):
        for exponent in ("paper", "tensor2tensor"):
            other = posenc.sinusoidal_at(
                position,
                len(row),
                layout=layout,
                exponent=exponent,
            )
            if np.allclose(row, other, atol=0.01):
                return layout, exponent
    return "", ""
    # --8<-- [end:sinusoidal-medium-wrong]


def _named(
    answer: Answer, layout: Layout, exponent: Exponent, d_model: int, position: int
) -> str | None:
    row = posenc.sinusoidal_at(position, d_model, layout=layout, exponent=exponent)
    return unlike(
        tuple(answer(row, position)),
        (layout, exponent),
        at=f"d_model {d_model}, position {position}",
    )


@judges("layout", hint="one layout was taken for granted.", wrong=of_one_layout)
def layouts(answer: Answer) -> str | None:
    """Both layouts are recognized."""
    return first(_named(answer, name, "paper", 8, 1) for name in LAYOUTS)


@judges("exponent", hint="one exponent was taken for granted.", wrong=of_one_exponent)
def exponents(answer: Answer) -> str | None:
    """Both exponents are recognized."""
    return first(_named(answer, name, "tensor2tensor", 8, p) for name in LAYOUTS for p in (1, 7))


@judges(
    "wide rows",
    hint="two digits were compared; in wide rows the exponents differ in the third.",
    wrong=of_two_digits,
)
def wide_rows(answer: Answer) -> str | None:
    """Exponents are recognized at d = 512, where they hardly differ."""
    return first(_named(answer, name, "tensor2tensor", 512, 1) for name in LAYOUTS)


# Hard: a row far out, without the error of the angle.


# --8<-- [start:sinusoidal-hard]
def far_code(position: int, d_model: int) -> Table:
    """Return the interleaved row of base 10000, right to 14 digits."""
    with localcontext() as context:
        context.prec = 50
        turn = Decimal("6.28318530717958647692528676655900576839433879875021")
        angles = []
        for i in range(d_model // 2):
            omega = Decimal(10000) ** (Decimal(-2 * i) / d_model)
            angles.append(float(position * omega % turn))
    return np.array([f(angle) for angle in angles for f in (math.sin, math.cos)])
    # --8<-- [end:sinusoidal-hard]


def far_code_of_channels(position: int, d_model: int) -> Table:
    """Use the channel number instead of the pair number."""
    return code(position, d_model, 10000.0**2)


# --8<-- [start:sinusoidal-hard-wrong]
def rounded_turns(position: int, d_model: int) -> Table:
    """Subtract whole turns whose length is rounded to a float."""
    omega = 10000.0 ** (-2 * np.arange(d_model // 2) / d_model)
    angles = position * omega % (2 * math.pi)
    return np.stack([np.sin(angles), np.cos(angles)], axis=1).ravel()
    # --8<-- [end:sinusoidal-hard-wrong]


@judges(
    "near 0",
    hint="the channel number 2i was used instead of the pair number i.",
    wrong=far_code_of_channels,
)
def near_zero(answer: Answer) -> str | None:
    """Rows near position 0 are right."""
    return first(
        differs(answer(p, 8), code(p, 8), at=f"position {p}", axes=("channel",)) for p in (0, 1, 5)
    )


@judges(
    "whole turns",
    hint="a rounded value of 2π was subtracted millions of times.",
    wrong=rounded_turns,
)
def whole_turns(answer: Answer) -> str | None:
    """The first pair has all digits at position 10**9."""
    expected = [math.sin(10**9), math.cos(10**9)]
    found = np.asarray(answer(10**9, 2))
    return differs(found, expected, at="position 10**9, d_model 2", axes=("channel",), within=1e-14)


@judges("far rows", hint="the angle was rounded before whole turns were subtracted.", wrong=code)
def far_rows(answer: Answer) -> str | None:
    """All pairs have all digits up to position 2**53."""
    for p in (10**6, 10**9, 2**53):
        expected = posenc.sinusoidal_at(p, 64)
        said = differs(answer(p, 64), expected, at=f"position {p}", axes=("channel",), within=1e-14)
        if said:
            return said
    return None


EXERCISES = (
    Exercise("sinusoidal-easy", halves, (zeros_and_ones, frequencies, other_base)),
    Exercise("sinusoidal-medium", convention_of, (layouts, exponents, wide_rows)),
    Exercise("sinusoidal-hard", far_code, (near_zero, whole_turns, far_rows), forbids="posenc"),
)
