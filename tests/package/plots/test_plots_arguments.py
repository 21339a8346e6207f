"""posenc.plots: bad input."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.figure import Figure

from posenc import plots
from tests.package.plots.drawings import PE

REFUSED: list[tuple[Callable[[], Figure], type[Exception], str]] = [
    (lambda: plots.heatmap([1.0]), ValueError, "pe must have 2 axes, got shape (1,)"),
    (
        lambda: plots.heatmap(np.ones((0, 4))),
        ValueError,
        "pe must have a shape of at least (1, 1), got shape (0, 4)",
    ),
    (lambda: plots.heatmap([["a"]]), TypeError, "pe must hold real numbers, got dtype <U1"),
    (lambda: plots.heatmap([[math.nan]]), ValueError, "pe must be finite, got nan"),
    (lambda: plots.heatmap([[-1.5]]), ValueError, "pe must lie within ±1.0, got 1.5 in it"),
    (lambda: plots.heatmap(PE, limit=0), ValueError, "limit must be above 0, got limit=0.0"),
    (
        lambda: plots.heatmap(PE, limit=math.inf),
        ValueError,
        "limit must be finite, got limit=inf",
    ),
    (
        lambda: plots.heatmap(PE, start=0.5),
        TypeError,
        "start must be an integer, got start=0.5",
    ),
    (
        lambda: plots.heatmap(PE, start=2**41),
        ValueError,
        "start must lie within ±2**40, got start=2199023255552",
    ),
    (lambda: plots.gram([[1, 2]]), ValueError, "D must be square, got shape (1, 2)"),
    (
        lambda: plots.gram(np.ones((0, 0))),
        ValueError,
        "D must not be empty, got shape (0, 0)",
    ),
    (lambda: plots.matrix([[1, 2]]), ValueError, "M must be square, got shape (1, 2)"),
    (
        lambda: plots.matrix(np.eye(3)),
        ValueError,
        "rows of M must be even and at least 2, got rows of M=3",
    ),
    (lambda: plots.waves(5, 8, [0]), ValueError, "dim must be even and at least 2, got dim=5"),
    (lambda: plots.waves(4, 1, [0]), ValueError, "seq_len must be at least 2, got seq_len=1"),
    (lambda: plots.waves(4, 8, []), ValueError, "pairs must not be empty"),
    (lambda: plots.waves(4, 8, [2]), ValueError, "pairs must lie within 0..1, got 2"),
    (lambda: plots.waves(4, 8, [-1]), ValueError, "pairs must lie within 0..1, got -1"),
    (
        lambda: plots.waves(4, 8, 1),
        TypeError,
        "pairs must hold integers, got pairs=1",
    ),
    (
        lambda: plots.waves(4, 8, [0.0]),  # type: ignore[list-item]
        TypeError,
        "pairs must be an integer, got pairs=0.0",
    ),
    (
        lambda: plots.waves(4, 8, [0], base=1.0),
        ValueError,
        "base must be above 1, got base=1.0",
    ),
    (lambda: plots.spectrum(2), ValueError, "d_model must be at least 4, got d_model=2"),
    (
        lambda: plots.spectrum(7),
        ValueError,
        "d_model must be even and at least 2, got d_model=7",
    ),
    (lambda: plots.spectrum(8, base=0.5), ValueError, "base must be above 1, got base=0.5"),
    (
        lambda: plots.similarity(PE, [40]),
        ValueError,
        "anchors must lie within 0..39, got 40",
    ),
    (lambda: plots.similarity(PE, []), ValueError, "anchors must not be empty"),
    (
        lambda: plots.similarity_by_distance([1]),
        ValueError,
        "curve must have at least 2 entries, got 1",
    ),
    (
        lambda: plots.similarity_by_distance([[1, 2]]),
        ValueError,
        "curve must have 1 axis, got shape (1, 2)",
    ),
    (
        lambda: plots.errors([0, 1], {"a": [1, 1]}),
        ValueError,
        "positions must be above 0 and rising",
    ),
    (
        lambda: plots.errors([2, 1], {"a": [1, 1]}),
        ValueError,
        "positions must be above 0 and rising",
    ),
    (lambda: plots.errors([1, 2], {}), ValueError, "curves must not be empty"),
    (
        lambda: plots.errors([1, 2], [[1, 1]]),
        TypeError,
        "curves must map names to errors, got list",
    ),
    (
        lambda: plots.errors([1, 2], {"a": [1]}),
        ValueError,
        "curves['a'] must have shape (2,), got shape (1,)",
    ),
    (
        lambda: plots.errors([1, 2], {"a": [1, -1]}),
        ValueError,
        "curves['a'] must be at least 0 and somewhere above it",
    ),
    (
        lambda: plots.errors([1, 2], {"a": [0, 0]}),
        ValueError,
        "curves['a'] must be at least 0 and somewhere above it",
    ),
    (lambda: plots.rotation([], 1, 1), ValueError, "positions must not be empty, got shape (0,)"),
    (lambda: plots.rotation(3, 1, 1), ValueError, "positions must have 1 axis, got shape ()"),
    (
        lambda: plots.rotation([1], math.nan, 1),
        ValueError,
        "offset must be finite, got offset=nan",
    ),
    (
        lambda: plots.rotation([1], 1, "1"),
        TypeError,
        "omega must be a real number, got omega='1'",
    ),
    (
        lambda: plots.regression([1, 2], [[1, 2]], ["a", "b"]),
        ValueError,
        "predictions must have shape (labels, targets) = (2, 2) "
        "with at least one label, got shape (1, 2)",
    ),
    (
        lambda: plots.regression([1, 2], np.ones((0, 2)), []),
        ValueError,
        "predictions must have shape (labels, targets) = (0, 2) "
        "with at least one label, got shape (0, 2)",
    ),
    (
        lambda: plots.regression([2, 2], [[1, 2]], ["a"]),
        ValueError,
        "targets must not be all equal",
    ),
]


@pytest.mark.parametrize(("draw", "kind", "complaint"), REFUSED, ids=[r[2] for r in REFUSED])
def test_refuses(draw: Callable[[], Figure], kind: type[Exception], complaint: str) -> None:
    with pytest.raises(kind) as refusal:
        draw()
    assert str(refusal.value) == complaint
