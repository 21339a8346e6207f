"""outputs: which arrays of the caller's are filled, judged by the address of each number."""

import itertools
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from posenc.core.outputs import apart, same, to_fill

Array = NDArray[Any]


def addresses(array: Array) -> list[int]:
    """Where each number of an array begins."""
    start = array.__array_interface__["data"][0]
    steps = zip(array.strides, array.shape, strict=True)
    axes = [[step * place for place in range(length)] for step, length in steps]
    return [start + sum(places) for places in itertools.product(*axes)]


def views() -> list[Array]:
    """Ways to cut, to turn round and to repeat 24 numbers."""
    numbers = np.zeros(24, np.float32)
    cube = numbers.reshape(2, 3, 4)
    strided = [
        as_strided(numbers, shape, [4 * step for step in steps], writeable=True)
        for shape in [(4,), (2, 3), (3, 2), (2, 2, 2)]
        for steps in itertools.product([0, 1, 2, 3, 4], repeat=len(shape))
    ]
    cut = [numbers[::-1], numbers[::5], numbers[:0], cube.transpose(2, 0, 1), cube[:, ::-1, ::2]]
    return [numbers, *cut, cube[:, :1], cube[..., 1:2], *strided]


def fills(array: Array) -> bool:
    """Whether an array is taken as the output."""
    try:
        return to_fill(array, array.shape, array.dtype) is array
    except ValueError:
        return False


def test_an_array_is_filled_unless_it_repeats_a_number() -> None:
    repeated = [len({*addresses(view)}) < view.size for view in views()]
    filled = [fills(view) for view in views()]

    assert not any(a and b for a, b in zip(repeated, filled, strict=True))
    # Steps of 2 and 3, say, interleave without a repetition: no slice or transpose has such,
    # and they are refused as well.
    assert filled[:8] == [True] * 8
    needless = [not (a or b) for a, b in zip(repeated, filled, strict=True)]
    assert sum(needless) < sum(filled)


def test_what_cannot_fit_is_refused_before_it_is_tried() -> None:
    with pytest.raises(ValueError, match="must fit into the memory of this machine"):
        to_fill(None, (2**40, 2**10), np.dtype(np.float64))


def locked() -> Array:
    array = np.zeros((2, 3))
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("out", "error", "words"),
    [
        ([[0.0]], TypeError, "out must be a NumPy array, got list"),
        (np.ma.zeros((2, 3)), TypeError, "out must be a NumPy array, got MaskedArray"),
        (np.zeros((3, 2)), ValueError, r"shape \(2, 3\) and dtype float64, got \(3, 2\)"),
        (np.zeros((2, 3), np.float32), ValueError, "dtype float64, got .* and float32"),
        (np.zeros((2, 3), ">f8"), ValueError, "dtype float64, got .* and >f8"),
        (
            as_strided(np.zeros(3), (2, 3), (0, 8)),
            ValueError,
            "out must have memory for each entry",
        ),
        (locked(), ValueError, "out must be writable, got a read-only array"),
    ],
)
def test_what_does_not_fit_is_refused(out: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        to_fill(out, (2, 3), np.dtype(np.float64))


def test_two_views_are_apart_where_they_have_no_number_in_common() -> None:
    numbers = np.zeros((4, 6))
    cuts = [numbers[:, :2], numbers[:, 2:], numbers[:2], numbers[::2], numbers[1::2, ::3]]
    for one, other in itertools.product(cuts, repeat=2):
        if {*addresses(one)} & {*addresses(other)}:
            with pytest.raises(ValueError, match=r"out must not overlap x, got two arrays"):
                apart(one, "x", other)
        else:
            apart(one, "x", other)


def test_overlap_too_hard_to_decide_is_refused() -> None:
    """Steps of coprime lengths along many axes: whether sums of them meet is a hard problem."""
    numbers = np.zeros(10**6, np.int8)
    steps = [11_111, 7_919, 6_007, 5_003, 3_001, 2_003, 1_009]
    one = as_strided(numbers, [6] * 7, steps)
    other = as_strided(numbers[1:], [6] * 7, [step + 1 for step in steps])
    with pytest.raises(ValueError, match="out must not overlap x"):
        apart(one, "x", other)


def test_same_compares_memory_addresses() -> None:
    numbers = np.arange(16.0).reshape(4, 4)

    assert same(numbers, numbers)
    assert same(numbers[1:], numbers[1:])
    assert not same(numbers, numbers.T)
    assert not same(numbers, numbers.copy())
    assert not same(numbers, numbers.view(np.int64))
    assert not same(numbers[:2], numbers[:3])
    assert not same(numbers[:2], numbers[2:])
