"""Changelog, package and CITATION.cff agree on the version, and a release requires it."""

import re
from importlib.util import find_spec

import pytest

import posenc
from check.paths import ROOT
from tests import changelog

CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")
CITATION = (ROOT / "CITATION.cff").read_text("utf-8")
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}

READY = """# Changelog

## [Unreleased]

## [0.2.0] - 2026-12-01

### Added

- A thing.

## [0.1.0] - 2026-11-21

The first.
"""
CITED = "version: 0.2.0\ndate-released: 2026-12-01\n"


def test_newest_version_agrees_with_the_package_and_its_citation():
    """Between two releases the package has the version of the next one, with .dev0."""
    sections = changelog.find_sections(CHANGELOG)
    newest = next(version for version in sections if version != "Unreleased")
    cited = dict(changelog.CITED.findall(CITATION))
    release, _, development = posenc.__version__.partition(".dev")

    assert cited["version"] == posenc.__version__
    assert cited["date-released"] == sections[newest][0]
    assert (_split(release) > _split(newest)) if development else (release == newest)


def _split(version: str) -> list[int]:
    return [int(number) for number in version.split(".")]


def test_versions_are_in_order_and_changes_have_one_of_six_kinds():
    sections = changelog.find_sections(CHANGELOG)
    dates = [date for date, _ in sections.values()]

    assert next(iter(sections)) == "Unreleased"
    assert dates[1:] == sorted(dates[1:], reverse=True)
    assert {*re.findall(r"^### (.+)$", CHANGELOG, re.MULTILINE)} <= KINDS
    assert len(re.findall(r"^## ", CHANGELOG, re.MULTILINE)) == len(sections)


def test_names_in_the_changelog_exist():
    named = set(re.findall(r"`posenc\.(\w+)`", CHANGELOG))

    assert named >= {"compare", "identify", "torch", "golden"}
    assert {
        name for name in named if not (hasattr(posenc, name) or find_spec(f"posenc.{name}"))
    } == set()


def test_notes_of_a_release_are_its_section():
    assert changelog.extract_notes("v0.2.0", READY, CITED, "0.2.0") == "### Added\n\n- A thing."


@pytest.mark.parametrize(
    ("tag", "old", "new", "message"),
    [
        ("v0.3.0", "", "", "the tag is v0.3.0, and posenc.__version__ is 0.2.0"),
        ("0.2.0", "", "", "the tag is 0.2.0"),
        ("v0.2.0", "[0.2.0]", "[0.2.1]", "no section"),
        ("v0.2.0", "[Unreleased]\n", "[Unreleased]\n\n- B.\n", "move them to 0.2.0"),
        ("v0.2.0", "2026-12-01", "2026-12-02", "CITATION.cff has version 0.2.0 of 2026-12-01"),
    ],
    ids=["another tag", "a tag without v", "no section", "changes left over", "another date"],
)
def test_release_with_disagreeing_files_is_refused(tag, old, new, message):
    assert old in READY
    with pytest.raises(ValueError, match=re.escape(message)):
        changelog.extract_notes(tag, READY.replace(old, new, 1), CITED, "0.2.0")
