"""The catalogue: each wrong function is caught and named, and no right one is complained of."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

import posenc
from tests.package.judging.right_functions import DTYPES, FRAMEWORKS, RIGHT, Framework, Right, wide
from tests.package.judging.wrong_functions import WRONG, Wrong, markdown


@pytest.mark.parametrize("entry", WRONG, ids=lambda entry: f"{entry.convention}:{entry.name}")
def test_a_wrong_function_is_caught_and_named_and_the_right_one_is_not(entry: Wrong):
    fine, said = entry.judge.judge(entry.right)
    assert fine, said
    assert not all(words in said for words in entry.says), said

    caught, named = entry.judge.judge(entry.wrong)
    assert not caught
    for words in entry.says:
        assert words in named


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


def test_markdown_table_lists_each_mistake_and_its_source():
    _, _, *rows = markdown().splitlines()

    assert len(rows) == len(WRONG)
    for entry in WRONG:
        (row,) = (row for row in rows if f"| {entry.mistake} |" in row)
        assert entry.drawn in row
