"""posenc.laws: tables that they read and leave alone, and functions that they refuse."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from posenc import laws
from posenc.added.sinusoidal import sinusoidal_positional_encoding

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
LIMITED = {name: law for name, law in LAWS.items() if name != "extends"}


def ramp(seq_len: int) -> list[list[int]]:
    return [[p] for p in range(seq_len)]


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_tables_of_any_kind_are_read_and_never_written(law: Any) -> None:
    whole = np.random.default_rng(7).integers(-9, 10, (64, 4))
    expected = law(lambda n: whole[:n].tolist(), 32)
    for dtype in ["int8", "int64", "float16", "float32", "float64"]:
        table = np.asfortranarray(whole.astype(dtype))
        table.flags.writeable = False  # a write raises
        assert law(lambda n: table[:n], 32) == expected  # noqa: B023  # called at once


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_functions_are_called_with_plain_integers(law: Any) -> None:
    lengths: list[Any] = []

    def encode(seq_len: int) -> list[list[int]]:
        lengths.append(seq_len)
        return ramp(seq_len)

    law(encode, np.int64(32))
    assert {type(length) for length in lengths} == {int}


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_findings_hold_plain_numbers(law: Any) -> None:
    finding = law(ramp, 32)
    assert type(finding.holds) is bool
    assert type(finding.measured) in (int, float)
    assert {type(position) for position in finding.where} == {int}


@pytest.mark.parametrize("law", [*LAWS.values(), laws.check])
@pytest.mark.parametrize(
    ("encode", "seq_len", "error", "complaint"),
    [
        ([[1.0]], 16, TypeError, "encode must be callable, got encode=[[1.0]]"),
        (ramp, 15, ValueError, "seq_len must be at least 16, got seq_len=15"),
        (ramp, 16.0, TypeError, "seq_len must be an integer, got seq_len=16.0"),
        (ramp, True, TypeError, "seq_len must be an integer, got seq_len=True"),
    ],
)
def test_refuses_before_it_asks(
    law: Any, encode: Any, seq_len: Any, error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error) as refusal:
        law(encode, seq_len)
    assert str(refusal.value) == complaint


@pytest.mark.parametrize("law", [*LAWS.values(), laws.check])
@pytest.mark.parametrize(
    ("encode", "error", "complaint"),
    [
        (lambda n: np.zeros(n), ValueError, "encode({n}) must have 2 axes, got shape ({n},)"),
        (
            lambda n: np.zeros((1, n, 4)),
            ValueError,
            "encode({n}) must have 2 axes, got shape (1, {n}, 4)",
        ),
        (
            lambda n: np.zeros((40, 4)),
            ValueError,
            "encode({n}) must have the shape ({n}, d), got shape (40, 4)",
        ),
        (
            lambda n: np.zeros((n, 0)),
            ValueError,
            "encode({n}) must have the shape ({n}, d), got shape ({n}, 0)",
        ),
        (lambda n: [[math.nan]] * n, ValueError, "encode({n}) must be finite, got nan"),
        (lambda n: [[-math.inf]] * n, ValueError, "encode({n}) must be finite, got -inf"),
        (
            lambda n: [[1j]] * n,
            TypeError,
            "encode({n}) must hold real numbers, got dtype complex128",
        ),
        (lambda n: None, TypeError, "encode({n}) must hold real numbers, got dtype object"),
    ],
)
def test_refuses_what_is_no_table(
    law: Any, encode: Any, error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error) as refusal:
        law(encode, 32)
    first = 4 if law in (laws.bounded, laws.same_at_every_length) else 32
    assert str(refusal.value) == complaint.format(n=first)


@pytest.mark.parametrize("law", [laws.bounded, laws.same_at_every_length])
def test_refuses_a_width_that_depends_on_the_length(law: Any) -> None:
    with pytest.raises(ValueError, match="channels") as refusal:
        law(lambda n: np.ones((n, n)), 32)
    assert str(refusal.value) == (
        "encode must give as many channels at every length, got 4 at 4 and 8 at 8"
    )


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_an_error_of_the_function_is_not_hidden(law: Any) -> None:
    with pytest.raises(ZeroDivisionError):
        law(lambda n: 1 / 0, 32)


@pytest.mark.parametrize("law", LIMITED.values(), ids=LIMITED)
@pytest.mark.parametrize(
    ("limit", "error", "complaint"),
    [
        (0, ValueError, "limit must be above 0, got limit=0"),
        (-1.0, ValueError, "limit must be above 0, got limit=-1.0"),
        (math.nan, ValueError, "limit must be finite, got limit=nan"),
        ("1", TypeError, "limit must be a real number, got limit='1'"),
    ],
)
def test_refuses_limits(law: Any, limit: Any, error: type[Exception], complaint: str) -> None:
    with pytest.raises(error) as refusal:
        law(ramp, 32, limit=limit)
    assert str(refusal.value) == complaint


@pytest.mark.parametrize(
    ("offset", "error", "complaint"),
    [
        (0, ValueError, "offset must be at least 1, got offset=0"),
        (17, ValueError, "offset must be at most seq_len // 2, got offset=17"),
        (1.0, TypeError, "offset must be an integer, got offset=1.0"),
    ],
)
def test_refuses_offsets(offset: Any, error: type[Exception], complaint: str) -> None:
    with pytest.raises(error) as refusal:
        laws.shift_linear(ramp, 32, offset=offset)
    assert str(refusal.value) == complaint
    assert laws.shift_linear(ramp, 32, offset=16).law == "shift_linear"


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
