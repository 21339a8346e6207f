"""posenc.laws: which functions and options they refuse."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from posenc import laws
from posenc.tables.sinusoidal import sinusoidal_positional_encoding

LAWS: dict[str, Callable[..., laws.Finding]] = {
    "unique": laws.unique,
    "bounded": laws.bounded,
    "even_steps": laws.even_steps,
    "smooth": laws.smooth,
    "same_at_every_length": laws.same_at_every_length,
    "extends": laws.extends,
    "shift_linear": laws.shift_linear,
    "dot_by_offset": laws.dot_by_offset,
}


def ramp(seq_len: int) -> list[list[int]]:
    return [[p] for p in range(seq_len)]


@pytest.mark.parametrize("law", [*LAWS.values(), laws.check])
def test_arguments_are_checked_before_the_function_is_called(law: Any) -> None:
    with pytest.raises(TypeError, match="encode must be callable"):
        law([[1.0]], 16)
    with pytest.raises(ValueError, match="seq_len must be at least 16, got seq_len=15"):
        law(lambda n: 1 / 0, 15)
    if law not in (laws.extends, laws.check):
        with pytest.raises(ValueError, match="limit must be above 0, got limit=0"):
            law(lambda n: 1 / 0, 32, limit=0)


@pytest.mark.parametrize(
    ("law", "first"), [(laws.bounded, 4), (laws.same_at_every_length, 4), (laws.unique, 32)]
)
@pytest.mark.parametrize(
    ("encode", "complaint"),
    [
        (np.zeros, "must have 2 axes, got shape ({n},)"),
        (lambda n: np.zeros((40, 4)), "must have the shape ({n}, d), got shape (40, 4)"),
        (lambda n: np.zeros((n, 0)), "must have the shape ({n}, d), got shape ({n}, 0)"),
        (lambda n: [[math.nan]] * n, "must be finite, got nan"),
    ],
)
def test_what_the_function_returns_must_be_a_table(
    law: Any, first: int, encode: Any, complaint: str
) -> None:
    with pytest.raises(ValueError, match="encode") as refusal:
        law(encode, 32)
    assert str(refusal.value) == f"encode({first}) {complaint.format(n=first)}"


@pytest.mark.parametrize("law", [laws.bounded, laws.same_at_every_length])
def test_width_must_not_depend_on_the_length(law: Any) -> None:
    with pytest.raises(ValueError, match="channels") as refusal:
        law(lambda n: np.ones((n, n)), 32)
    assert str(refusal.value) == (
        "encode must return the same number of channels at every length, got 4 at 4 and 8 at 8"
    )


@pytest.mark.parametrize(("offset", "words"), [(0, "at least 1"), (17, "at most seq_len // 2")])
def test_offset_must_fit_the_length(offset: int, words: str) -> None:
    with pytest.raises(ValueError, match=f"offset must be {words}, got offset={offset}"):
        laws.shift_linear(ramp, 32, offset=offset)
    assert laws.shift_linear(ramp, 32, offset=16).law == "shift_linear"


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_an_error_of_the_function_is_not_hidden(law: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        law(lambda n: 1 / 0, 32)


class Dropout:
    """An encoding in training: a tenth of its entries are zeros, others each time."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)

    def dropped(self, numbers: Any) -> Any:
        """Return numbers, a tenth of them zeros."""
        return np.where(self.rng.random(np.shape(numbers)) < 0.1, 0.0, numbers / 0.9)

    def encode(self, seq_len: int) -> Any:
        """Return a table."""
        return self.dropped(sinusoidal_positional_encoding(seq_len, 16))

    def score(self, x: Any, p: Any, y: Any, q: Any) -> Any:
        """Return scores that ALiBi gives."""
        return self.dropped(x @ y.T - 0.25 * abs(q - p[:, None]))


@pytest.mark.parametrize("law", [laws.unique, laws.smooth, laws.same_at_every_length, laws.check])
def test_refuses_an_encoding_in_training(law: Any) -> None:
    with pytest.raises(ValueError, match=r"dropout is on, as in training; call \.eval\(\) first"):
        law(Dropout().encode)


@pytest.mark.parametrize("law", [laws.equal_offsets, laws.cached_equals_full, laws.sees_position])
def test_refuses_scores_in_training(law: Any) -> None:
    with pytest.raises(ValueError, match=r"score of .* dropout is on, as in training"):
        law(Dropout().score)


def test_zeros_that_stay_where_they_are_are_no_dropout() -> None:
    def encode(seq_len: int) -> Any:
        table = sinusoidal_positional_encoding(seq_len, 16)
        table[:, 3] = 0
        return table

    assert all(isinstance(finding.holds, bool) for finding in laws.check(encode))
