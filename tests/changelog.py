"""Print the notes of a release from CHANGELOG.md, if all files agree on its version.

uv run python -m tests.changelog v0.2.0
"""

import re
import sys
from pathlib import Path

import posenc

ROOT = Path(__file__).resolve().parents[1]
HEADING = re.compile(r"^## \[(?P<version>[^\]]+)\](?: - (?P<date>\d{4}-\d\d-\d\d))?$", re.MULTILINE)
CITED = re.compile(r"^(version|date-released): (.+)$", re.MULTILINE)


def find_sections(text: str) -> dict[str, tuple[str, str]]:
    """Return date and notes by version, newest first."""
    headings = [*HEADING.finditer(text)]
    ends = [*(match.start() for match in headings[1:]), len(text)]
    return {
        match["version"]: (match["date"] or "", text[match.end() : end].strip())
        for match, end in zip(headings, ends, strict=True)
    }


def extract_notes(tag: str, changelog: str, citation: str, version: str) -> str:
    """Return the notes of a tag; raise ValueError if the files disagree."""
    versions, cited = find_sections(changelog), dict(CITED.findall(citation))
    if tag != f"v{version}":
        raise ValueError(f"the tag is {tag}, and posenc.__version__ is {version}")
    if version not in versions:
        raise ValueError(f"CHANGELOG.md has no section ## [{version}] - YYYY-MM-DD")
    date, notes = versions[version]
    if versions.get("Unreleased", ("", ""))[1]:
        raise ValueError(f"CHANGELOG.md has changes under Unreleased; move them to {version}")
    if (cited["version"], cited["date-released"]) != (version, date):
        raise ValueError(
            f"CITATION.cff has version {cited['version']} of {cited['date-released']}, "
            f"and CHANGELOG.md has {version} of {date}; make them agree"
        )
    return notes


def main(tag: str) -> str:
    """Return the notes of a tag in this project."""
    changelog, citation = (
        (ROOT / name).read_text("utf-8") for name in ("CHANGELOG.md", "CITATION.cff")
    )
    return extract_notes(tag, changelog, citation, posenc.__version__)


if __name__ == "__main__":
    try:
        print(main(sys.argv[1]))
    except ValueError as error:
        sys.exit(str(error))
