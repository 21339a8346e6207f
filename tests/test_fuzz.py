"""A minute of `python -m tests.fuzz`, and tests of its own checks."""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import posenc
from tests import fuzz
from tests.hostile import KEYS


def find_problem(name: str, monkeypatch: pytest.MonkeyPatch, function: Any) -> str:
    """Return the error that the fuzzer reports for a replaced function."""
    monkeypatch.setattr(posenc, name, function)
    with pytest.raises(AssertionError) as error:
        fuzz.call_and_check(fuzz.Call(name, (np.ones(2),), {}))
    return str(error.value)


def modify_argument(x: Any) -> Any:
    x[0] = 7
    return x


def raise_in_numpy(x: Any) -> Any:
    return np.zeros(3) + x


def test_fuzzer_reports_nan_modified_arguments_and_foreign_errors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert find_problem("softmax", monkeypatch, lambda x: x * np.nan) == "NaN in the answer"
    assert find_problem("softmax", monkeypatch, modify_argument) == "modified an argument"
    assert "could not be broadcast" in find_problem("softmax", monkeypatch, raise_in_numpy)
    monkeypatch.setattr(posenc, "softmax", lambda x: warnings.warn("hm", stacklevel=1))
    with pytest.raises(UserWarning):
        fuzz.call_and_check(fuzz.Call("softmax", (np.ones(2),), {}))
    monkeypatch.setattr(posenc, "softmax", lambda x: x / 0)
    with pytest.raises(FloatingPointError):
        fuzz.call_and_check(fuzz.Call("softmax", (np.ones(2),), {}))


def test_errors_of_callbacks_are_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_key_error(z: Any) -> Any:
        raise KeyError("mine")

    for function in (int, raise_key_error):
        call = fuzz.Call("fire_bias", (function, 1, 4), {"c": 1.0, "threshold": 3.0})
        assert fuzz.call_and_check(call)[0] == "handed on"
    monkeypatch.setattr(posenc, "softmax", lambda f: float(f([2.0])[:0]))
    with pytest.raises(AssertionError, match="TypeError from"):
        # The package raises here, not the callback.
        fuzz.call_and_check(fuzz.Call("softmax", (np.sqrt,), {}))


def test_every_public_function_is_called() -> None:
    public = {name for name in posenc.__all__ if name not in fuzz.SKIPPED}
    assert {call.name for call in fuzz.list_examples()} == public


AWKWARD = {"long": 10**5000, "no multiple of 4": 10**5000 + 2, "deep": np.zeros((1,) * 40)}


def replace_everywhere(value: object) -> Iterator[tuple[fuzz.Call, int | str, object]]:
    """Yield each call with each of its arguments and a replacement for it."""
    for call in fuzz.list_examples():
        for place in fuzz.list_argument_keys(call):
            yield call, place, value
            before = fuzz.get_argument(call, place)
            if isinstance(before, dict):
                yield from ((call, place, {**before, key: value}) for key in KEYS)


@pytest.mark.parametrize("value", AWKWARD.values(), ids=AWKWARD)
def test_every_argument_may_be_a_value_that_python_or_numpy_mishandle(value: object) -> None:
    problems = []
    for call, place, new in replace_everywhere(value):
        try:
            with fuzz.simulate_small_machine():
                fuzz.call_and_check(fuzz.replace_argument(call, place, new))
        except Exception as error:
            problems.append(f"{call.name}, {place}: {error}")
    assert not problems


@pytest.mark.thorough
def test_thirty_thousand_hostile_calls() -> None:
    with fuzz.simulate_small_machine():
        counts, failures = fuzz.run_cases(range(30_000), [posenc])

    assert not failures
    assert counts["answered"] > 100
    assert counts["refused"] > 1000
