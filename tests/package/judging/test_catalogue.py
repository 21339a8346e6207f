"""The catalogue of mistakes: wrong functions are rejected and explained, right ones accepted."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

import posenc
from docs.reference.mistakes import MISTAKES, Mistake
from tests.package.judging.right_functions import DTYPES, FRAMEWORKS, RIGHT, Framework, Right, wide


@pytest.mark.parametrize("entry", MISTAKES, ids=lambda entry: f"{entry.section}:{entry.name}")
def test_a_wrong_function_is_rejected_with_the_stored_message_and_the_right_one_is_not(
    entry: Mistake,
):
    right, wrong = entry.judge(entry.right), entry.judge(entry.wrong)

    assert right.accepted, right.words
    assert entry.message not in right.words.splitlines()
    assert not wrong.accepted
    assert entry.message in wrong.words.splitlines()
    assert entry.first == wrong.first


def everywhere() -> Iterator[Any]:
    """Yield each right function in each dtype and framework.

    Of frameworks other than NumPy, every fourth function in one dtype, in turn, is quick enough for
    every run; the others are thorough.
    """
    for number, entry in enumerate(RIGHT):
        for framework, (place, dtype) in itertools.product(FRAMEWORKS, enumerate(DTYPES)):
            quick = framework.name == "numpy" or number % 16 == 4 * place
            yield pytest.param(
                entry,
                framework,
                dtype,
                id=f"{entry.name}-{framework.name}-{dtype}",
                marks=() if quick else pytest.mark.thorough,
            )


@pytest.mark.parametrize(("entry", "framework", "dtype"), list(everywhere()))
def test_right_functions_raise_no_complaint(entry: Right, framework: Framework, dtype: str):
    with framework.exact():
        thing = entry.make(framework, dtype)
        found = posenc.identify(thing, **entry.options)

        assert {name: getattr(found, name) for name in entry.expected} == entry.expected, str(found)
        assert found.cause is None
        if found.angles is not None:
            assert (found.dtype, found.angles) == (dtype, wide(dtype))
        if entry.reference is not None:
            verdict = posenc.compare(thing, entry.reference, **entry.options)
            assert verdict, str(verdict)
