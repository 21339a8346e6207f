"""rotary: whatever the size and the strides, entries are those of the formula, bit by bit."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from numpy.typing import NDArray

from posenc.rotary.rotation import rotary_cos_sin, rotate_pairs
from tests.bits import assert_same_bits

Array = NDArray[Any]

LAYOUTS = ["interleaved", "half"]
# Below a block and above it; of many heads and of one; with a rest in each axis that is cut.
SHAPES = [(3, 8), (3000, 34), (2, 3, 700, 66), (5, 7, 67, 40), (1, 2, 40_000, 2)]


def by_the_formula(x: Array, cos: Array, sin: Array, layout: str, dtype: str) -> Array:
    """All pairs at once, each product and each sum rounded to a dtype."""
    r = 2 * cos.shape[-1]
    first, second = slice(0, r, 2), slice(1, r, 2)
    if layout == "half":
        first, second = slice(r // 2), slice(r // 2, r)
    a, b, c, s = (part.astype(dtype) for part in (x[..., first], x[..., second], cos, sin))
    rotated = x.copy()
    rotated[..., first], rotated[..., second] = a * c - b * s, a * s + b * c
    return rotated


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("memory", ["in order", "heads inside", "channels apart", "backwards"])
@pytest.mark.parametrize(
    ("dtype", "compute_dtype"),
    [
        ("float64", "float64"),
        ("float32", "float64"),
        ("float32", "float32"),
        ("float16", "float64"),
    ],
)
def test_rotation_of_large_arrays_follows_the_formula(
    dtype: str, compute_dtype: str, memory: str, shape: tuple[int, ...], layout: str
) -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=shape).astype(dtype)
    if memory == "heads inside":
        x = np.ascontiguousarray(x.swapaxes(0, -2)).swapaxes(0, -2)
    elif memory == "channels apart":
        x = np.asfortranarray(x)
    elif memory == "backwards":
        x = x[..., ::-1, :]
    for r in {2, shape[-1]}:
        tables = rotary_cos_sin(rng.uniform(-1e3, 1e3, shape[-2]), r)
        expected = by_the_formula(x, *tables, layout, compute_dtype)

        rotated = rotate_pairs(x, *tables, layout=layout, compute_dtype=compute_dtype)

        assert_same_bits(rotated, expected)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("compute_dtype", ["float64", "float32"])
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [(0, 0, 0, 0), (1, 2, 699, 65), (1, 0, 511, 7), (0, 2, 350, 33)])
def test_a_number_that_is_not_finite_is_refused_before_anything_is_written(
    place: tuple[int, ...], wrong: float, compute_dtype: str, layout: str
) -> None:
    x = np.ones((2, 3, 700, 66), np.float32)
    x[place] = wrong
    tables = rotary_cos_sin(np.arange(700), 10)
    options: dict[str, Any] = {"layout": layout, "compute_dtype": compute_dtype}
    for out in (None, np.zeros_like(x), x):
        before = [np.copy(array) for array in (x, out)]
        with pytest.raises(ValueError, match=f"^x must be finite, got {wrong}$"):
            rotate_pairs(x, *tables, out=out, **options)
        assert_array_equal(x, before[0])
        assert_array_equal(out, before[1])


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("compute_dtype", ["float64", "float32"])
@pytest.mark.parametrize("seq_axis", [-2, -3])
@pytest.mark.parametrize("rotary_dim", [128, 32])
@pytest.mark.parametrize("tokens", [4096, 1])
def test_intermediate_arrays_are_small(
    tokens: int, rotary_dim: int, seq_axis: int, compute_dtype: str, layout: str
) -> None:
    """Neither a long sequence nor a large batch of single tokens is copied as a whole."""
    shape = [4096 // tokens, tokens, tokens, 128]
    shape[-2 if seq_axis == -3 else -3] = 8  # heads
    x = np.ones(shape, np.float32)
    tables, out = rotary_cos_sin(np.arange(tokens), rotary_dim), np.zeros_like(x)
    options: dict[str, Any] = {"layout": layout, "compute_dtype": compute_dtype, "out": out}
    rotate_pairs(x, *tables, seq_axis=seq_axis, **options)  # what is made once, is made
    tracemalloc.start()
    try:
        rotate_pairs(x, *tables, seq_axis=seq_axis, **options)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    # Of a block of 2**16 numbers, four arrays of half of them in float64, and some rows.
    assert peak < 1.1 * 2**20 < x.nbytes / 14
