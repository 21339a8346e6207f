"""Compiled loops with hostile arguments: whatever comes of them comes of `posenc`, too."""

from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np
import pytest

import posenc.numba
from posenc.numba import _rotary
from tests import fuzz
from tests.hostile import Array

CALLS = 4000


def test_what_comes_of_each_call_comes_of_posenc() -> None:
    with fuzz.small_machine():
        counts, failures = fuzz.run(range(CALLS), [posenc.numba])

    assert not failures
    assert set(counts) == {"answered alike", "refused alike"}
    assert min(counts.values()) > CALLS / 5


def test_every_function_is_called_with_all_that_it_takes() -> None:
    """Each that is public, and each of its arguments, in a call that is answered."""
    given = {name: set[str]() for name in posenc.numba.__all__}
    for case, make in enumerate(fuzz.makers(posenc.numba) * 40):
        call = fuzz.made(case, make)
        names = [*signature(call.function).parameters]
        if fuzz.outcome(call)[0] == "answered":
            given[call.name] |= {*names[: len(call.args)], *call.options}

    for name, found in given.items():
        assert found == {*signature(getattr(posenc.numba, name)).parameters}


def turned(*args: Any, **options: Any) -> Array:
    answer: Array = _rotary.rotate_pairs(*args, **options)
    return answer


def one_bit_off(*args: Any, **options: Any) -> Array:
    answer = turned(*args, **options)
    answer[-1, -1] = np.nextafter(answer[-1, -1], 9)
    return answer


def narrowed(*args: Any, **options: Any) -> Array:
    return turned(*args, **options).astype("f4")


def elsewhere(*args: Any, **options: Any) -> Array:
    return turned(*args, **options).copy()


def one_row_further(*args: Any, out: Array) -> Array:
    assert out.base is not None
    out.base[-1] = 9
    return turned(*args, out=out)


def of_another_layout(*args: Any, layout: str = "half", **options: Any) -> Array:
    return turned(*args, layout=layout[:4], **options)


def over_x(x: Array, *args: Any) -> Array:
    return turned(x, *args, out=x)


def over_cos_at_last(x: Array, cos: Array, sin: Array, **options: Any) -> Array:
    cos[0] = 9
    return turned(x, cos, sin, **options)


@pytest.mark.parametrize(
    ("function", "options", "complaint"),
    [
        (one_bit_off, {}, "other bits in the answer"),
        (narrowed, {}, "an answer of another dtype: float32, not float64"),
        (of_another_layout, {}, "other bits in the answer"),
        (of_another_layout, {"layout": "halfway"}, "answered, by posenc refused"),
        (of_another_layout, {"layout": "third"}, "refused in other words: .*'thir', not .*'third'"),
        (of_another_layout, {"layout": "interleaved"}, "refused, by posenc answered"),
        (elsewhere, {"out": True}, "not out"),
        (one_row_further, {"out": True}, "other bits in the memory of an argument"),
        (over_x, {}, "changed what was given"),
        (over_cos_at_last, {"layout": "halves"}, "changed what was given"),
    ],
)
def test_it_sees_what_it_looks_for(
    function: Callable[..., Any],
    options: dict[str, Any],
    complaint: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(posenc.numba, "rotate_pairs", function)

    def make() -> fuzz.Call:
        x, cos, sin = np.ones((3, 4)), np.full((3, 2), 0.6), np.full((3, 2), 0.8)
        own = {"out": np.zeros((5, 4))[1:4]} if "out" in options else options
        return fuzz.Call("rotate_pairs", (x, cos, sin), own, package=posenc.numba)

    with pytest.raises(AssertionError, match=complaint):
        fuzz.judged(make)
