"""aliasing: bad input is refused by name, before any work."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from posenc.limits.aliasing import alias_bound, first_alias, least_distance

REFUSED: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: first_alias(3, 9), ValueError, "d_model must be even and at least 2, got d_model=3"),
    (
        lambda: first_alias(4, 2.0),
        TypeError,
        "max_offset must be an integer, got max_offset=2.0",
    ),
    (
        lambda: first_alias(10**5000, 9, inv_freq=[1.0]),
        ValueError,
        "inv_freq must have shape (a number of 16609 bits,), one number for each of the pairs in"
        " a number of 16610 bits channels, got shape (1,)",
    ),
    (
        lambda: alias_bound(2, inv_freq=[0.0]),
        ValueError,
        "distance must be given, as with this inv_freq all codes are one",
    ),
    (lambda: first_alias(4, 0), ValueError, "max_offset must be at least 1, got max_offset=0"),
    (
        lambda: first_alias(4, 9, min_offset=10),
        ValueError,
        "max_offset must be at least 10, got max_offset=9",
    ),
    (
        lambda: first_alias(4, 9, min_offset=0),
        ValueError,
        "min_offset must be at least 1, got min_offset=0",
    ),
    (
        lambda: first_alias(4, 2**53 + 1, min_offset=2**53),
        ValueError,
        "max_offset must be at most 2**53, got max_offset=9007199254740993",
    ),
    (
        lambda: first_alias(4, 9, distance=0.0),
        ValueError,
        "distance must be above 0, got distance=0.0",
    ),
    (
        lambda: first_alias(4, 9, distance=math.nan),
        ValueError,
        "distance must be finite, got distance=nan",
    ),
    (
        lambda: first_alias(4, 9, distance=-math.inf),
        ValueError,
        "distance must be finite, got distance=-inf",
    ),
    (
        lambda: first_alias(4, 9, distance="1"),
        TypeError,
        "distance must be a real number, got distance='1'",
    ),
    (lambda: first_alias(4, 9, base=1), ValueError, "base must be above 1, got base=1"),
    (
        lambda: first_alias(4, 9, distance=1.0, exponent="x"),
        ValueError,
        "exponent must be 'paper' or 'tensor2tensor', got exponent='x'",
    ),
    (lambda: alias_bound(0), ValueError, "d_model must be even and at least 2, got d_model=0"),
    (
        lambda: alias_bound(4, distance=-1.0),
        ValueError,
        "distance must be above 0, got distance=-1.0",
    ),
    (
        lambda: alias_bound(4, distance=True),
        TypeError,
        "distance must be a real number, got distance=True",
    ),
    (lambda: alias_bound(4, base=0.5), ValueError, "base must be above 1, got base=0.5"),
    (
        lambda: least_distance([1, math.nan], 1, 4),
        ValueError,
        "centers must be finite, got nan",
    ),
    (
        lambda: least_distance(2**53 + 1, 1, 4),
        ValueError,
        "centers must lie within ±2**53, got 9007199254740993",
    ),
    (
        lambda: least_distance(np.ma.masked_array([1.0]), 1, 4),
        TypeError,
        "centers must not be a masked array: the mask would be lost",
    ),
    (
        lambda: least_distance(1, -0.5, 4),
        ValueError,
        "half_width must be at least 0, got half_width=-0.5",
    ),
    (
        lambda: least_distance(1, math.inf, 4),
        ValueError,
        "half_width must be finite, got half_width=inf",
    ),
    (
        lambda: least_distance(1, 1, 7),
        ValueError,
        "d_model must be even and at least 2, got d_model=7",
    ),
    (
        lambda: least_distance(1, 1, 4, exponent="x"),
        ValueError,
        "exponent must be 'paper' or 'tensor2tensor', got exponent='x'",
    ),
]


@pytest.mark.parametrize(("call", "error", "complaint"), REFUSED, ids=[r[2] for r in REFUSED])
def test_refuses(call: Callable[[], object], error: type[Exception], complaint: str) -> None:
    with pytest.raises(error) as refusal:
        call()
    assert str(refusal.value) == complaint


def test_offsets_of_any_kind_are_read_and_never_written() -> None:
    whole = np.array([3, -7, 120])
    expected = least_distance(whole, 2, 8)
    for dtype in ["int8", "int64", "float16", "float32"]:
        centers = whole.astype(dtype)
        centers.flags.writeable = False  # a write raises
        found = least_distance(centers, 2, 8)
        assert found.dtype == np.float64
        assert (found == expected).all()
