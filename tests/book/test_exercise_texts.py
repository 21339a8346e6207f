"""Sentences about the properties of exercises: they exist, and fail alone where a page says so."""

import re
from collections.abc import Iterator

import pytest

from check.paths import DOCS
from posenc import exercises

CHAPTERS = sorted((DOCS / "chapters").glob("*.md"))
CHECK = re.compile(r"exercises\.check\(\"([\w-]+)\"")
FAILURE = re.compile(r"\*(?P<name>[^*\n]+)\* (?P<first>alone )?(?:fails|does)\b(?P<then> alone)?")


def find_failures(text: str) -> Iterator[tuple[str, str, bool]]:
    """Yield exercise and property of each failure in a text, and whether it is the only one."""
    exercise = ""
    for line in text.split("\n"):
        exercise = next(iter(CHECK.findall(line)), exercise)
        if line.startswith("If "):
            for match in FAILURE.finditer(line):
                is_only = bool(match["first"] or match["then"]) or line.startswith("If only *")
                yield exercise, match["name"], is_only


FAILURES = [failure for page in CHAPTERS for failure in find_failures(page.read_text("utf-8"))]


def test_every_property_in_a_sentence_exists():
    assert len(FAILURES) > 60
    for exercise, name, _ in FAILURES:
        assert name in [each.name for each in exercises.find(exercise).properties]


@pytest.mark.parametrize(
    ("exercise", "name"), [(exercise, name) for exercise, name, is_only in FAILURES if is_only]
)
def test_property_fails_alone_for_its_wrong_answer(exercise, name):
    properties = exercises.find(exercise).properties
    (wrong,) = (each.wrong for each in properties if each.name == name)

    findings = exercises.check(exercise, wrong).findings
    failed = [each.name for each, finding in zip(properties, findings, strict=True) if finding]
    assert failed == [name]


def test_failures_are_found_with_and_without_alone():
    text = (
        'Check it: `exercises.check("tides", f)`.\n\nIf *low* fails, so; if *high* alone does, no.'
    )

    assert [*find_failures(text)] == [("tides", "low", False), ("tides", "high", True)]
