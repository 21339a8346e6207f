"""A minute of `python -m tests.fuzz`, and that it sees what it looks for."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import posenc
from tests import fuzz
from tests.hostile import KEYS


def wrong(name: str, monkeypatch: pytest.MonkeyPatch, function: Any) -> str:
    """Return the complaint about a call of a function that is put in place of another."""
    monkeypatch.setattr(posenc, name, function)
    with pytest.raises(AssertionError) as complaint:
        fuzz.outcome(fuzz.Call(name, (np.ones(2),), {}))
    return str(complaint.value)


def changing(x: Any) -> Any:
    x[0] = 7
    return x


def foreign(x: Any) -> Any:
    return np.zeros(3) + x


def test_it_sees_what_it_looks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wrong("softmax", monkeypatch, lambda x: x * np.nan) == "NaN in the answer"
    assert wrong("softmax", monkeypatch, changing) == "changed what was given"
    assert "could not be broadcast" in wrong("softmax", monkeypatch, foreign)
    monkeypatch.setattr(posenc, "softmax", lambda x: warnings.warn("hm", stacklevel=1))
    with pytest.raises(UserWarning):
        fuzz.outcome(fuzz.Call("softmax", (np.ones(2),), {}))
    monkeypatch.setattr(posenc, "softmax", lambda x: x / 0)
    with pytest.raises(FloatingPointError):
        fuzz.outcome(fuzz.Call("softmax", (np.ones(2),), {}))


def test_what_a_function_of_the_caller_raises_is_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def own(z: Any) -> Any:
        raise KeyError("mine")

    for function in (int, own):  # one of C, and one whose exception is none of ours
        call = fuzz.Call("fire_bias", (function, 1, 4), {"c": 1.0, "threshold": 3.0})
        assert fuzz.outcome(call)[0] == "handed on"
    call = fuzz.Call("compare", (int, lambda x, p: x), {})
    assert fuzz.outcome(call)[0] == "handed on"
    monkeypatch.setattr(posenc, "softmax", lambda f: float(f([2.0])[:0]))
    with pytest.raises(AssertionError, match="TypeError from"):
        # It does not raise: the call around it does.
        fuzz.outcome(fuzz.Call("softmax", (np.sqrt,), {}))


def test_every_public_function_is_called() -> None:
    public = {name for name in posenc.__all__ if name not in fuzz.LEFT_OUT}
    assert {call.name for call in fuzz.examples()} == public


AWKWARD = {"long": 10**5000, "no multiple of 4": 10**5000 + 2, "deep": np.zeros((1,) * 40)}


def awkward(value: object) -> Iterator[tuple[fuzz.Call, int | str, object]]:
    """Yield each call with each of its places, and what to put there: a value, or a dict of it."""
    for call in fuzz.examples():
        for place in fuzz.places_of(call):
            yield call, place, value
            before = fuzz.value_at(call, place)
            if isinstance(before, dict):
                yield from ((call, place, {**before, key: value}) for key in KEYS)


@pytest.mark.parametrize("value", AWKWARD.values(), ids=AWKWARD)
def test_each_place_takes_what_python_and_numpy_have_trouble_with(value: object) -> None:
    wrong = []
    for call, place, new in awkward(value):
        try:
            with fuzz.small_machine():
                fuzz.outcome(fuzz.replaced(call, place, new))
        except Exception as error:
            wrong.append(f"{call.name}, {place}: {error}")
    assert not wrong


@pytest.mark.thorough
def test_a_minute() -> None:
    with fuzz.small_machine():
        counts, failures = fuzz.run(fuzz.lasting(1.0), [posenc])

    assert not failures
    assert counts["answered"] > 100
    assert counts["refused"] > 1000
