"""Exercises of bugs: their solutions against the package, and what shows a bug to be itself."""

import pytest

from posenc import exercises

NAMES = exercises.names("bug")


@pytest.mark.parametrize("name", NAMES)
def test_a_bug_and_its_repair_take_the_same_arguments(name):
    """A reader changes what is inside."""
    exercise = exercises.find(name)
    code = exercise.solution.__code__
    names = code.co_varnames[: code.co_argcount]

    for asked in exercise.properties:
        wrong = asked.wrong.__code__
        assert wrong.co_varnames[: wrong.co_argcount] == names


@pytest.mark.parametrize("name", NAMES)
def test_a_report_is_the_same_when_asked_for_again(name):
    """Also where the bug is a memory that lasts."""
    exercise = exercises.find(name)
    for asked in exercise.properties:
        reports = [repr(exercises.check(name, asked.wrong)) for _ in range(2)]
        assert len(set(reports)) == 1
