"""posenc.exercises: solutions hold, each property can fail, and the pages have them."""

import re
from typing import Any

import numpy as np
import pytest

import posenc
from check.fences import find_fences
from check.page_source import read_page
from check.paths import ROOT
from posenc import exercises, laws
from posenc.exercises.exercise import by_law, differs
from tests import nav

# offsets-easy has a mistake that returns 0 for all arguments.
CONSTANT_MISTAKES = {
    "offsets-easy": (exercises.find("offsets-easy").properties[0].hint,),
}
LEVELS = ("easy", "medium", "hard")
PROPERTIES = [
    pytest.param(name, place, id=f"{name}-{asked.name.replace(' ', '-')}")
    for name in exercises.names()
    for place, asked in enumerate(exercises.find(name).properties)
]


@pytest.mark.parametrize("name", exercises.names())
def test_the_solution_has_all_properties(name):
    exercise = exercises.find(name)
    count = len(exercise.properties)

    report = exercises.check(name, exercise.solution)

    assert report.holds, report
    assert repr(report) == f"{name}: {count} of {count} properties hold"
    assert count >= 2
    assert re.match(r"\w+\(.+\): \S", exercise.asks), "a function, its arguments: the result"
    assert re.match(r"Return .+\.$", exercise.solution.__doc__ or ""), "what it returns, in a line"


@pytest.mark.parametrize(("name", "place"), PROPERTIES)
def test_the_mistake_that_a_property_tells_of_fails_it_and_none_before_it(name, place):
    """So a reader who makes it is told what it means: the report explains the first failure."""
    asked = exercises.find(name).properties[place]

    report = exercises.check(name, asked.wrong)

    assert not report.holds
    assert not any(report.findings[:place]), report
    assert re.search(r"found .+, expected .+", report.findings[place] or ""), report
    assert f"\n  fails: {asked.name}\n" in repr(report)
    assert asked.hint.endswith(".")
    assert max(map(len, repr(report).splitlines())) <= 80
    said = re.sub(r"\s+", " ", repr(report))
    assert f"hint: {asked.hint}" in said


def section(chapter: str) -> str:
    """Return the exercises of a page."""
    text = read_page(ROOT / f"docs/chapters/{chapter}.md")
    return text.partition("\n## Exercises\n")[2].partition("\n## ")[0]


def test_exercises_are_those_of_chapters_and_of_bugs():
    assert {name.rpartition("-")[0] for name in exercises.names()} == {*nav.CHAPTERS, "bug"}


@pytest.mark.parametrize("chapter", nav.CHAPTERS)
def test_a_chapter_has_three_exercises_with_solutions_and_a_wrong_answer(chapter):
    assert exercises.names(chapter) == tuple(f"{chapter}-{level}" for level in LEVELS)
    start, *parts = re.split(r"^### ", section(chapter), flags=re.MULTILINE)
    assert [fence.source for fence in find_fences(start)] == [">>> from posenc import exercises\n"]
    assert [part.partition(":")[0] for part in parts] == ["Easy", "Medium", "Hard"]
    for level, part in zip(LEVELS, parts, strict=True):
        name = f"{chapter}-{level}"
        task, folded, solution = part.partition("\n/// solution\n")
        function = exercises.find(name).asks.partition("(")[0]
        assert folded, name
        assert f"`{function}(" in task, f"{name} does not say which function"
        assert f'exercises.check("{name}", {function})`' in task
        assert "/// " not in solution.replace("\n///\n", "", 1)
        code = "".join(fence.source for fence in find_fences(solution))
        assert f'--8<-- "posenc/exercises/{chapter}.py:{name}"\n' in code, name
        assert f'>>> {function} = exercises.find("{name}").solution\n' in code, name
        count = len(exercises.find(name).properties)
        assert f"\n{name}: {count} of {count} properties hold\n" in f"\n{code}\n", name
        assert re.search(rf"^{name}: (?!{count} ).*\n  fails: ", code, re.MULTILINE), name


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(
        ValueError, match=r"no exercise has name='relativ-easy'; perhaps 'relative-easy'"
    ):
        exercises.check("relativ-easy", abs)
    with pytest.raises(ValueError, match=r"no exercise has name=''; perhaps "):
        exercises.find("")
    with pytest.raises(ValueError, match=r"no chapter has chapter='relatif'; perhaps 'relative'"):
        exercises.names("relatif")
    with pytest.raises(TypeError, match="name must be a string, got name=3"):
        exercises.find(3)
    with pytest.raises(TypeError, match="chapter must be a string, got chapter=3"):
        exercises.names(3)


def test_an_answer_that_writes_into_its_arguments_harms_no_later_check():
    def careless(layer: Any, tokens: Any, codes: Any, order: Any) -> float:
        tokens += codes
        return 0.0

    before = exercises.check("adding-easy", careless)

    assert exercises.check("adding-easy", exercises.find("adding-easy").solution).holds
    assert exercises.check("adding-easy", careless) == before


def raises(rows: Any, offset: float, base: float = 1) -> Any:
    raise KeyError("no such row")


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (raises, "raised KeyError: 'no such row'"),
        (lambda: 3, "raised TypeError: <lambda>() takes 0 positional arguments"),
        (lambda rows, offset, base=1: None, "returned None, expected an array of shape (8,)"),
        (
            lambda rows, offset, base=1: [[1], [1, 2]],
            "returned a list of length 2 ([[1], [1, 2]])",
        ),
        (lambda rows, offset, base=1: "moved", "returned a string ('moved'), expected an array"),
        (lambda rows, offset, base=1: 0.5, "returned a number (0.5), expected an array of shape"),
    ],
)
def test_answer_without_values_is_told_the_expected_signature(answer, said):
    report = exercises.check("relative-medium", answer)

    assert not report.holds
    assert said in re.sub(r"\s+", " ", repr(report))
    assert "\n  asked for: moved(rows, offset, base=10000): " in repr(report)
    assert "hint" not in repr(report)


def halves_with(factor: float) -> Any:
    """Return a wrong answer to sinusoidal-easy with this factor in the exponent."""

    def halves(seq_len: int, d_model: int, base: float = 10000) -> Any:
        angles = np.outer(np.arange(seq_len), base ** (factor * np.arange(d_model // 2) / d_model))
        return np.concatenate([np.sin(angles), np.cos(angles)], axis=1)

    return halves


def test_a_hint_is_only_for_the_mistake_that_the_answer_makes():
    assert "pair number i" in exercises.check("sinusoidal-easy", halves_with(-4)).hint
    for factor in (-1, 2, 0):
        report = exercises.check("sinusoidal-easy", halves_with(factor))
        assert report.hint == ""
        assert "\n  last call: halves(20, 6, 10000)\n" in repr(report)


@pytest.mark.parametrize("value", [True, False, None, 0, 1, 0.5, "word", [], (), [0, 1]])
@pytest.mark.parametrize("name", exercises.names())
def test_a_constant_gets_no_hint_unless_a_known_mistake_is_constant(name, value):
    report = exercises.check(name, lambda *args, **keywords: value)

    assert not report.holds
    assert report.hint in ("", *CONSTANT_MISTAKES.get(name, ()))


def test_calls_that_an_exercise_forbids_are_found():
    def hidden(position: int, d_model: int) -> Any:
        try:
            return posenc.sinusoidal_at(position, d_model)
        except Exception:  # the check isn't an exception that an answer could catch
            return None

    report = exercises.check("sinusoidal-hard", hidden)
    assert "  called posenc.sinusoidal_at, which this exercise forbids\n" in repr(report)
    report = exercises.check("requirements-hard", lambda table: laws.shift_linear(table).holds)
    assert "shift_linear, which this exercise forbids\n" in repr(report)
    assert exercises.check("sinusoidal-hard", exercises.find("sinusoidal-hard").solution).holds


def test_the_first_place_that_differs_is_named_with_both_values():
    assert differs([1, 2.5], [1, 2.5]) is None
    assert differs(np.inf, np.inf) is None
    assert differs([1, 2.5], [1, 2.25]) == "at index 1: found 2.5, expected 2.25"
    assert differs(3, 4) == "found 3, expected 4"
    assert differs(True, False, at="row 2") == "at row 2: found True, expected False"
    found = differs(np.ones((2, 3)), np.zeros((2, 3)), at="d=3", axes=("row", "channel"))
    assert found == "at d=3, row 0, channel 0: found 1.0, expected 0.0"
    assert differs(np.nan, 1.0) == "found nan, expected 1.0"


def test_values_have_as_many_digits_as_tell_them_apart():
    assert differs(1 / 3, 2 / 3) == "found 0.3333, expected 0.6667"
    assert differs(1.00000001, 1.0, within=1e-9) == "found 1.00000001, expected 1.0"
    assert differs(2 / 3, 2 / 3 + 2e-6) == "found 0.666667, expected 0.666669"
    assert differs(-1e-17, 1.0) == "found 0.0, expected 1.0"


def test_what_lies_within_the_tolerance_does_not_differ():
    assert differs(1 + 5e-7, 1.0, within=1e-6) is None
    assert differs(1 + 5e-6, 1.0, within=1e-6) is not None


def test_law_report_names_place_value_and_limit():
    grows = laws.bounded(lambda seq_len: [[p] for p in range(seq_len)])
    repeats = laws.unique(lambda seq_len: [[p % 20] for p in range(seq_len)])

    assert by_law(laws.unique(lambda seq_len: [[p] for p in range(seq_len)])) is None
    assert by_law(grows) == "at law bounded, positions 511: found 8.11, expected at most 2"
    assert by_law(repeats) == "at law unique, positions 0, 20: found 0, expected above 0.000977"
