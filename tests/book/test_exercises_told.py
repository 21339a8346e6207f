"""What a page says of an exercise that fails: the property is there, and fails as it is told."""

import re
from collections.abc import Iterator

import pytest

from check.paths import DOCS
from posenc import exercises

CHAPTERS = sorted((DOCS / "chapters").glob("*.md"))
CHECKED = re.compile(r"exercises\.check\(\"([\w-]+)\"")
TOLD = re.compile(r"\*(?P<name>[^*\n]+)\* (?P<first>alone )?(?:fails|does)\b(?P<then> alone)?")


def told(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield each exercise and property that a page tells of, and whether it is to fail alone."""
    exercise = ""
    for line in text.split("\n"):
        exercise = next(iter(CHECKED.findall(line)), exercise)
        if line.startswith("If "):
            for match in TOLD.finditer(line):
                alone = bool(match["first"] or match["then"]) or line.startswith("If only *")
                yield exercise, match["name"], alone


SAID = [said for chapter in CHAPTERS for said in told(chapter.read_text("utf-8"))]


def test_each_property_that_is_told_of_is_one_of_the_exercise():
    assert len(SAID) > 60
    for exercise, name, _ in SAID:
        assert name in [asked.name for asked in exercises.find(exercise).properties]


@pytest.mark.parametrize(
    ("exercise", "name"), [(exercise, name) for exercise, name, alone in SAID if alone]
)
def test_one_that_is_said_to_fail_alone_does_so(exercise, name):
    asked = exercises.find(exercise).properties
    (wrong,) = (one.wrong for one in asked if one.name == name)

    found = exercises.check(exercise, wrong).findings
    assert [one.name for one, complaint in zip(asked, found, strict=True) if complaint] == [name]


def test_a_name_of_no_property_and_a_failure_with_company_are_found():
    text = (
        'Check it: `exercises.check("tides", f)`.\n\nIf *low* fails, so; if *high* alone does, no.'
    )

    assert [*told(text)] == [("tides", "low", False), ("tides", "high", True)]
