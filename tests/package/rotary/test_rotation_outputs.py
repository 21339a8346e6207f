"""rotary: arrays of the caller's that are filled, in place or not, and float32 inside."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from posenc.rotary.rotation import rotary_cos_sin, rotate_pairs
from tests.bits import assert_same_bits

Array = NDArray[Any]

LAYOUTS = ["interleaved", "half"]
DTYPES = [("float64", "float64"), ("float32", "float64"), ("float32", "float32"),
          ("float16", "float64"), ("float16", "float32")]  # fmt: skip


def queries(*shape: int, dtype: str = "float32") -> Array:
    return np.random.default_rng(7).normal(size=shape).astype(dtype)


@pytest.mark.parametrize(("dtype", "compute_dtype"), DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("rotary_dim", [64, 10])
@pytest.mark.parametrize("seq_len", [5, 1000])  # at once, and some positions at a time
def test_the_bits_are_those_of_a_new_array(
    seq_len: int, rotary_dim: int, layout: str, dtype: str, compute_dtype: str
) -> None:
    x = queries(2, 3, seq_len, 64, dtype=dtype)
    tables = rotary_cos_sin(np.arange(seq_len), rotary_dim)
    options: dict[str, Any] = {"layout": layout, "compute_dtype": compute_dtype}
    kept = x.copy()
    expected = rotate_pairs(x, *tables, **options)
    assert_same_bits(x, kept)

    filled = np.full_like(x, 9)
    assert rotate_pairs(x, *tables, out=filled, **options) is filled
    assert_same_bits(filled, expected)
    assert_same_bits(x, kept)

    assert rotate_pairs(x, *tables, out=x, **options) is x
    assert_same_bits(x, expected)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("compute_dtype", ["float64", "float32"])
def test_queries_and_keys_of_one_product_are_turned_where_they_lie(
    layout: str, compute_dtype: str
) -> None:
    """The parts of one array interleave in memory and have no number in common."""
    product = queries(2, 5, 3, 4, 16)  # B, L, then queries, keys and values, H, head_dim
    q, k, v = (product[:, :, part] for part in range(3))
    tables = rotary_cos_sin(np.arange(5), 16)
    options: dict[str, Any] = {"layout": layout, "compute_dtype": compute_dtype, "seq_axis": -3}
    values = v.copy()
    expected = [rotate_pairs(part.copy(), *tables, **options) for part in (q, k)]
    assert expected[0].flags.c_contiguous

    rotate_pairs(k, *tables, out=v, **options)  # from one part into another
    assert_same_bits(v, expected[1])
    v[:] = values
    for part in (q, k):
        rotate_pairs(part, *tables, out=part, **options)

    assert [part.tobytes() for part in (q, k, v)] == [
        *(part.tobytes() for part in expected),
        values.tobytes(),
    ]


@pytest.mark.parametrize("layout", LAYOUTS)
@given(data=st.data())
def test_float32_inside_is_within_its_bound(layout: str, data: Any) -> None:
    """In exact fractions, against the angles that were given: 3 · 2^-24 of the pair's length."""
    real = st.floats(-(2.0**40), 2.0**40, width=32).filter(lambda v: v == 0 or abs(v) > 1e-18)
    a, b = data.draw(real), data.draw(real)
    cos, sin = (table.item() for table in rotary_cos_sin(data.draw(st.floats(-1e6, 1e6)), 2))
    x = np.array([[a, b]], np.float32)
    turned = rotate_pairs(x, [[cos]], [[sin]], layout=layout, compute_dtype="float32")

    exact_a, exact_b, exact_cos, exact_sin = map(Fraction, (a, b, cos, sin))
    allowed = (3 * Fraction(1, 2**24)) ** 2 * (exact_a**2 + exact_b**2)
    first, second = (Fraction(number.item()) for number in turned[0])
    assert (first - (exact_a * exact_cos - exact_b * exact_sin)) ** 2 <= allowed
    assert (second - (exact_a * exact_sin + exact_b * exact_cos)) ** 2 <= allowed


def test_unrotated_channels_keep_their_bits() -> None:
    x = queries(1, 1, 4, 8)
    x[..., -1] = [-0.0, np.float32(1e-45), np.float32(3e38), 1]
    tables = rotary_cos_sin(np.arange(4), 6)
    for layout in LAYOUTS:
        turned = rotate_pairs(x, *tables, layout=layout, compute_dtype="float32")
        assert_same_bits(turned[..., 6:], x[..., 6:])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_overflows_is_infinite_and_a_difference_that_does_is_refused(layout: str) -> None:
    large, ones, huge = np.full((1, 2), 3e38, np.float32), [[1.0]], [[1e300]]
    for dtype in ("float32", "float64"):
        turned = rotate_pairs(large, ones, ones, layout=layout, compute_dtype=dtype)
        assert turned.tolist() == [[0.0, np.inf]]

    # In float64, 1e300 times 3e38 is infinite; in float32, 1e300 itself is.
    for options in ({}, {"compute_dtype": "float32"}, {"out": large}):
        with pytest.raises(ValueError, match="so small that no difference overflows"):
            rotate_pairs(large, huge, huge, layout=layout, **options)


def test_no_numpy_warning_or_error_escapes() -> None:
    """Whatever a caller has set NumPy to."""
    with np.errstate(all="raise"):
        for layout in LAYOUTS:
            x = np.array([[1e-45, 3e38]], np.float32)
            for compute_dtype in ("float32", "float64"):
                turned = rotate_pairs(
                    x, [[1e-300]], [[1e30]], layout=layout, compute_dtype=compute_dtype
                )
                assert turned[0, 0] == -np.inf


X = queries(1, 2, 3, 4)
COS, SIN = rotary_cos_sin(np.arange(3), 4)
LOCKED = X.copy()
LOCKED.flags.writeable = False
ROOM = np.zeros(40)
NARROW = np.zeros(24, np.float32)  # as narrow tables, which are not computed with as they are


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"out": X.tolist()}, TypeError, "out must be a NumPy array, got list"),
        ({"out": X[0]}, ValueError, r"out must have shape \(1, 2, 3, 4\) and dtype float32"),
        ({"out": X.astype("float64")}, ValueError, "and dtype float32, got .* and float64"),
        ({"out": LOCKED}, ValueError, "out must be writable"),
        ({"x": ROOM[:16].reshape(1, 4, 4)[:, :3], "out": ROOM[4:16].reshape(1, 3, 4)},
         ValueError, "out must not overlap x"),
        ({"x": np.zeros((3, 4)), "cos": ROOM[:6].reshape(3, 2), "out": ROOM[:12].reshape(3, 4)},
         ValueError, "out must not overlap cos"),
        ({"x": np.zeros((3, 4)), "sin": ROOM[:6].reshape(3, 2), "out": ROOM[:12].reshape(3, 4)},
         ValueError, "out must not overlap sin"),
        ({"cos": NARROW[:6].reshape(3, 2), "out": NARROW.reshape(1, 2, 3, 4)},
         ValueError, "out must not overlap cos"),
        ({"compute_dtype": "float16"}, ValueError,
         "compute_dtype must be float64 or float32 for x of float32, got compute_dtype=float16"),
        ({"x": X.astype("float64"), "compute_dtype": "float32"}, ValueError,
         "compute_dtype must be float64 for x of float64, got compute_dtype=float32"),
        ({"compute_dtype": "int32"}, ValueError, "compute_dtype must be float16, float32 or"),
        ({"compute_dtype": None}, TypeError, "compute_dtype must be a NumPy dtype, such as"),
    ],
)  # fmt: skip
def test_what_cannot_be_filled_is_refused_before_it_is_touched(
    arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    given_arguments = {"x": X, "cos": COS, "sin": SIN} | arguments
    before = {name: np.array(value) for name, value in given_arguments.items()}
    with pytest.raises(error, match=words):
        rotate_pairs(**given_arguments)
    for name, value in given_arguments.items():
        assert np.array_equal(value, before[name])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_float32_inside_rotates_as_float64_does(layout: str) -> None:
    x = queries(2, 1000, 64)
    tables = rotary_cos_sin(range(1000), 64)
    exact = rotate_pairs(x.astype("float64"), *tables, layout=layout)
    rotated = rotate_pairs(x, *tables, layout=layout, compute_dtype="float32")
    # Two products and a sum of entries of at most 5, each rounded by 2**-24 of its size.
    assert abs(rotated - exact).max() < 4 * 5 * 2.0**-24
