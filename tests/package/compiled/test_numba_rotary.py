"""Pairs turned in compiled loops: as Python turns them, with the bits and refusals of `posenc`."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import posenc
from posenc.numba import machine, rotate_pairs
from tests.bits import assert_same_bits

Array = NDArray[Any]

LAYOUTS = ["interleaved", "half"]
DTYPES = [("float64", "float64"), ("float32", "float64"), ("float32", "float32")]


def drawn(*shape: int, dtype: str = "float64") -> Array:
    return np.random.default_rng(7).normal(size=shape).astype(dtype)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_pairs_are_turned_as_python_turns_them(layout: str) -> None:
    x, (cos, sin) = drawn(2, 3, 5, 10), drawn(2, 5, 4)

    turned = rotate_pairs(x, cos, sin, layout=layout)

    wanted = x.copy()
    for place in np.ndindex(2, 3, 5):
        for i in range(4):
            first, second = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, 4 + i)
            a, b = float(x[*place, first]), float(x[*place, second])
            c, s = float(cos[place[-1], i]), float(sin[place[-1], i])
            wanted[*place, first], wanted[*place, second] = a * c - b * s, a * s + b * c
    assert_same_bits(turned, wanted)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_the_bits_are_those_of_posenc(data: st.DataObject) -> None:
    """Whatever the axes and their order, the tables, the dtypes, and how x lies in memory."""
    draw = data.draw
    shape = tuple(draw(st.lists(st.integers(0, 5), max_size=4)))
    channels = draw(st.integers(2, 13))
    pairs = draw(st.integers(1, channels // 2))
    axis = draw(st.sampled_from([-2, -3])) if len(shape) > 1 else -2
    axes = (*shape[:-2], shape[-1], shape[-2]) if axis == -3 else shape
    tables = [axes[-1:], axes] + ([(axes[0], axes[-1])] if len(axes) > 2 else [])
    dtype, compute = draw(st.sampled_from([*DTYPES, ("float16", "float64")]))
    x = drawn(*shape, channels, dtype=dtype)
    lies = draw(st.sampled_from(["C", "F", "apart", "read-only"]))
    if lies == "F":
        x = np.asfortranarray(x)
    if lies == "apart":
        x = np.repeat(x, 2, axis=-1)[..., ::2]
    cos, sin = drawn(2, *draw(st.sampled_from(tables)), pairs)
    x.flags.writeable = lies != "read-only"
    cos.flags.writeable = draw(st.booleans())
    options: dict[str, Any] = {
        "layout": draw(st.sampled_from(LAYOUTS)),
        "rotary_dim": 2 * pairs,
        "seq_axis": axis if len(shape) > 0 else None,
        "compute_dtype": compute,
    }
    if len(shape) == 1 and options["seq_axis"] == -3:
        options["seq_axis"] = -2

    wanted = posenc.rotate_pairs(x, cos, sin, **options)
    turned = rotate_pairs(x, cos, sin, **options)

    assert turned.dtype == wanted.dtype
    assert turned.shape == wanted.shape
    assert_same_bits(turned, wanted)
    if lies != "read-only":
        assert rotate_pairs(x, cos, sin, out=x, **options) is x
        assert_same_bits(x, wanted)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("dtype", "compute"), DTYPES)
@pytest.mark.parametrize("channels", [64, 66])  # with 66, not all rows begin at sixteen bytes
def test_large_arrays_have_the_bits_of_posenc(
    channels: int, dtype: str, compute: str, layout: str
) -> None:
    x = drawn(1, 3, 2**15, channels, dtype=dtype)
    tables = posenc.rotary_cos_sin(np.arange(2**15), 60)
    options: dict[str, Any] = {"layout": layout, "compute_dtype": compute}
    assert x.nbytes > machine.LARGE
    wanted = posenc.rotate_pairs(x, *tables, **options)

    outer = np.full((3, *x.shape[1:]), 9, dtype)
    filled = outer[1:2]
    assert rotate_pairs(x, *tables, out=filled, **options) is filled
    assert_same_bits(filled, wanted)
    assert (outer[[0, 2]] == 9).all()

    rotate_pairs(x, *tables, out=x, **options)
    assert_same_bits(x, wanted)


@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("dtype", "compute"), DTYPES)
def test_a_number_that_is_not_finite_is_refused_wherever_it_stands(
    dtype: str, compute: str, layout: str, wrong: float
) -> None:
    tables = posenc.rotary_cos_sin([0, 3], 12)
    for channel in range(15):  # those that are not turned, too
        x = drawn(3, 2, 15, dtype=dtype)
        x[2, 1, channel] = wrong
        kept = x.copy()
        for out in (None, x):
            with pytest.raises(ValueError, match=r"^x must be finite, got "):
                rotate_pairs(x, *tables, layout=layout, compute_dtype=compute, out=out)
            assert_same_bits(x, kept)


@pytest.mark.parametrize("name", ["cos", "sin"])
@pytest.mark.parametrize("in_place", [False, True])
def test_a_table_that_is_not_finite_is_refused(name: str, in_place: bool) -> None:
    x, zeros = np.zeros((3, 6)), np.zeros((3, 3))
    tables = {"cos": zeros, "sin": zeros} | {name: np.full((3, 3), np.inf)}

    with pytest.raises(ValueError, match=rf"^{name} must be finite, got inf"):
        rotate_pairs(x, **tables, out=x if in_place else None)
    assert not x.any()


def test_a_table_that_is_not_finite_is_refused_where_nothing_is_turned() -> None:
    with pytest.raises(ValueError, match=r"^sin must be finite, got nan"):
        rotate_pairs(np.zeros((0, 2, 4)), np.zeros((2, 2)), np.full((2, 2), np.nan))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_cosine_beyond_float32_is_infinite_there(layout: str) -> None:
    """It is rounded before it is multiplied, in either package."""
    asked: dict[str, Any] = {"compute_dtype": "float32", "layout": layout}
    x, cos, sin = np.ones((1, 4), np.float32), np.full((1, 2), 1e300), np.ones((1, 2))

    turned = rotate_pairs(x, cos, sin, **asked)

    assert_same_bits(turned, posenc.rotate_pairs(x, cos, sin, **asked))
    assert np.isposinf(turned).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("in_place", [False, True])
def test_a_difference_that_overflows_is_refused(in_place: bool, layout: str) -> None:
    x = np.full((1, 2), 1e300)

    with pytest.raises(ValueError, match=r"^x, cos and sin must be so small that no difference"):
        rotate_pairs(x, [[1e300]], [[1e300]], layout=layout, out=x if in_place else None)


@pytest.mark.parametrize("in_place", [False, True])
def test_overflow_of_float32_is_infinite(in_place: bool) -> None:
    x = np.full((1, 2), 3e38, np.float32)

    turned = rotate_pairs(x, [[2]], [[0]], out=x if in_place else None)

    assert turned.tolist() == [[np.inf, np.inf]]


@pytest.mark.parametrize(
    "wrong",
    [
        {"x": np.zeros((3, 4), int)},
        {"x": np.zeros((3, 4), ">f8")},
        {"x": 1.0},
        {"cos": np.zeros((3, 2), complex)},
        {"cos": np.zeros((2, 2))},
        {"cos": np.zeros((3, 3)), "sin": np.zeros((3, 3))},
        {"cos": np.full((3, 2), 2**53 + 1)},
        {"layout": "halves"},
        {"rotary_dim": 2},
        {"seq_axis": 0},
        {"compute_dtype": "float16"},
        {"compute_dtype": "float32"},
        {"out": np.zeros((3, 4), "float32")},
        {"out": [0]},
        {"x": np.zeros((2, 2, 2, 4)), "cos": np.zeros((2, 2)), "sin": np.zeros((2, 2))},
        # Two rules are broken: the same one is named.
        {"cos": np.full((3, 2), np.nan), "sin": np.zeros((3, 3))},
        {"sin": np.full((3, 2), np.inf), "compute_dtype": "halves"},
    ],
    ids=lambda wrong: "-".join(wrong),
)
def test_refusals_have_the_messages_of_posenc(wrong: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {
        "x": np.zeros((3, 4)), "cos": np.zeros((3, 2)), "sin": np.zeros((3, 2))
    } | wrong  # fmt: skip
    with pytest.raises((TypeError, ValueError)) as told:
        posenc.rotate_pairs(**arguments)

    with pytest.raises(told.type) as here:
        rotate_pairs(**arguments)
    assert str(here.value) == str(told.value)


def test_an_output_that_overlaps_an_input_is_refused() -> None:
    memory = np.zeros((4, 4))

    with pytest.raises(ValueError, match=r"^out must not overlap x"):
        rotate_pairs(memory[1:], np.zeros((3, 2)), np.zeros((3, 2)), out=memory[:3])


def test_tables_with_each_number_twice_are_refused() -> None:
    cos, sin = (np.tile(table, 2) for table in posenc.rotary_cos_sin([1, 2], 8))

    with pytest.raises(ValueError, match=r"^cos and sin hold every number twice"):
        rotate_pairs(np.zeros((2, 16)), cos, sin)
