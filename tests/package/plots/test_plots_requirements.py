"""posenc.plots: what the drawings of failing codes must show, judged by plain Python."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from posenc import plots
from tests.package.plots.drawings import PE, written, xy


def test_same_offset_is_the_product_of_rows_equally_far_apart() -> None:
    tables = {"codes": PE + 1, "index": np.arange(1, 41)[:, None]}
    axes = plots.same_offset(tables, 4).axes[0]
    codes, index = (xy(line) for line in axes.lines)

    expected = [
        math.fsum(a * b for a, b in zip(PE[p] + 1, PE[p + 4] + 1, strict=True)) for p in range(36)
    ]
    assert_allclose(codes[1], expected, rtol=1e-13)
    assert_array_equal(index[0], range(36))
    assert_array_equal(index[1], [(p + 1) * (p + 5) for p in range(36)])
    assert (axes.get_xscale(), axes.get_yscale()) == ("linear", "log")
    assert axes.get_xlabel() == "position p"
    assert axes.get_ylabel() == "rows p and p + 4: dot product"
    assert sorted(written(axes)) == ["codes", "index"]


def test_twins_are_joined_and_named() -> None:
    axes = plots.twins([0, 3, 1, 2, 3.5, 0.5], [(4, 1), (0, 5)]).axes[0]
    dots, *joined = (xy(line).tolist() for line in axes.lines)

    assert dots == [[0, 1, 2, 3, 4, 5], [0, 3, 1, 2, 3.5, 0.5]]
    assert joined == [[[4, 1], [3.5, 3]], [[0, 5], [0, 0.5]]]
    assert written(axes) == ["0 and 5", "1 and 4"]  # upwards
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("position", "value of the channel")


def test_closest_is_the_smallest_distance_at_each_length() -> None:
    codes: dict[str, Callable[[int], Any]] = {
        "fraction": lambda n: [[p / n] for p in range(n)],
        "plane": lambda n: [[3 * p, 4 * p] for p in range(n)],
    }
    axes = plots.closest(codes, [2, 5, 8]).axes[0]
    fraction, plane = (xy(line) for line in axes.lines)

    assert_array_equal(fraction[0], [2, 5, 8])
    assert_allclose(fraction[1], [1 / 2, 1 / 5, 1 / 8], rtol=1e-13)
    assert_array_equal(plane[1], [5, 5, 5])
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert axes.get_xlabel() == "positions in the table"
    assert axes.get_ylabel() == "distance of the two nearest rows"
    assert sorted(written(axes)) == ["fraction", "plane"]


@pytest.mark.parametrize(
    ("call", "error", "complaint"),
    [
        (
            lambda: plots.same_offset([PE], 1),
            TypeError,
            "tables must map names to tables, got list",
        ),
        (lambda: plots.same_offset({}, 1), ValueError, "tables must not be empty"),
        (
            lambda: plots.same_offset({"a": PE}, 40),
            ValueError,
            "offset must be below the 40 rows of tables['a'], got offset=40",
        ),
        (
            lambda: plots.same_offset({"a": PE}, 0),
            ValueError,
            "offset must be at least 1, got offset=0",
        ),
        (
            lambda: plots.same_offset({"a": PE}, 1.0),
            TypeError,
            "offset must be an integer, got offset=1.0",
        ),
        (
            lambda: plots.same_offset({"a": [1.0, 2.0]}, 1),
            ValueError,
            "tables['a'] must have 2 axes, got shape (2,)",
        ),
        (
            lambda: plots.same_offset({"a": [[0], [1], [2]]}, 1),
            ValueError,
            "the products of tables['a'] must be above 0",
        ),
        (lambda: plots.twins([1, 2], []), ValueError, "pairs must not be empty"),
        (
            lambda: plots.twins([1, 2], [(0, 2)]),
            ValueError,
            "pairs must lie within 0..1, got 2",
        ),
        (
            lambda: plots.twins([1, 2], [(0, 1, 1)]),
            ValueError,
            "pairs must hold two positions each, got [0, 1, 1]",
        ),
        (
            lambda: plots.twins([[1, 2]], [(0, 1)]),
            ValueError,
            "values must have 1 axis, got shape (1, 2)",
        ),
        (
            lambda: plots.closest({"a": lambda n: PE[:n]}, []),
            ValueError,
            "lengths must not be empty",
        ),
        (
            lambda: plots.closest({"a": lambda n: PE[:n]}, [1]),
            ValueError,
            "lengths must be at least 2, got lengths=1",
        ),
        (
            lambda: plots.closest({"a": 7}, [2]),  # type: ignore[dict-item]
            TypeError,
            "encodings['a'] must be callable, got 7",
        ),
        (lambda: plots.closest({}, [2]), ValueError, "encodings must not be empty"),
        (
            lambda: plots.closest({"a": lambda n: PE}, [2]),
            ValueError,
            "encodings['a'] must give as many rows as it is asked for",
        ),
        (
            lambda: plots.closest({"a": lambda n: np.ones((n, 1))}, [2]),
            ValueError,
            "encodings['a'] must not give two equal rows",
        ),
        (
            lambda: plots.closest({"a": lambda n: [[math.nan]] * n}, [2]),
            ValueError,
            "encodings['a'](2) must be finite, got nan",
        ),
    ],
)
def test_refuses(call: Callable[[], object], error: type[Exception], complaint: str) -> None:
    with pytest.raises(error) as refusal:
        call()
    assert str(refusal.value) == complaint
