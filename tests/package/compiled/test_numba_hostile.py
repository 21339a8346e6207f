"""Compiled loops with hostile arguments: whatever comes of them comes of `posenc`, too."""

from inspect import signature

import posenc.numba
from tests import fuzz

CALLS = 4000


def test_hostile_arguments_give_the_results_of_posenc() -> None:
    with fuzz.simulate_small_machine():
        counts, failures = fuzz.run_cases(range(CALLS), [posenc.numba])

    assert not failures
    assert set(counts) == {"answered alike", "refused alike"}
    assert min(counts.values()) > CALLS / 5


def test_every_function_is_called_with_all_that_it_takes() -> None:
    """Each that is public, and each of its arguments, in a call that is answered."""
    given = {name: set[str]() for name in posenc.numba.__all__}
    for case, make in enumerate(fuzz.list_makers(posenc.numba) * 40):
        call = fuzz.make_call(case, make)
        names = [*signature(call.function).parameters]
        if fuzz.call_and_check(call)[0] == "answered":
            given[call.name] |= {*names[: len(call.args)], *call.options}

    for name, found in given.items():
        assert found == {*signature(getattr(posenc.numba, name)).parameters}
