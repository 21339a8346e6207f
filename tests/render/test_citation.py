"""Citations: BibTeX entries that are well-formed and agree with CITATION.cff."""

import re
from importlib import metadata

import pytest

import posenc
from check.paths import ROOT
from render import citation

FIELD = re.compile(r"^  (?P<name>\w+) *= \{(?P<value>.*)\},?$")
CHAPTER = ROOT / "docs/chapters/relative.md"


def parse_entry(entry: str) -> dict[str, str]:
    """Return the fields of a well-formed entry."""
    first, *lines, last = entry.split("\n")
    assert re.fullmatch(r"@(misc|incollection)\{[a-z][a-z0-9-]*,", first), first
    assert last == "}"
    assert entry.count("{") == entry.count("}")
    assert all(line.endswith(",") for line in lines[:-1])
    assert not lines[-1].endswith(",")
    matches = [FIELD.fullmatch(line) for line in lines]
    return {match["name"]: match["value"] for match in matches if match}


def test_entry_of_a_chapter_has_number_book_and_version():
    url = "https://book.example/chapters/relative/"
    entry = parse_entry(citation.render_bibtex(CHAPTER, "A title", "6", url))

    assert entry == {
        "author": "{The posenc authors}",
        "title": "{A title}",
        "booktitle": f"{{{citation.read_citation().title}}}",
        "chapter": "6",
        "publisher": "{The posenc authors}",
        "year": str(citation.read_citation().year),
        "note": f"Version {citation.read_citation().version}",
        "url": url,
    }


def test_empty_url_and_chapter_are_left_out():
    entry = parse_entry(
        citation.render_bibtex(ROOT / "docs/reference/notation.md", "Notation", "", "")
    )

    assert not {"url", "chapter"} & set(entry)


def test_entry_of_the_home_page_is_the_whole_book():
    entry = parse_entry(citation.render_bibtex(ROOT / "docs/index.md", "Home", "", ""))

    assert entry["title"] == f"{{{citation.read_citation().title}}}"
    assert "booktitle" not in entry


def test_keys_are_unique():
    pages = sorted((ROOT / "docs").rglob("*.md"))
    keys = [citation.render_bibtex(page, "A", "", "").partition(",")[0] for page in pages]

    assert len(set(keys)) == len(pages)


def test_special_characters_of_latex_are_escaped():
    assert r"{{A \& B\_c}}" in citation.render_bibtex(CHAPTER, "A & B_c", "", "")


def test_version_agrees_with_the_package():
    assert citation.read_citation().version == posenc.__version__ == metadata.version("posenc")


@pytest.mark.parametrize(
    ("authors", "expected"),
    [
        ("[{family-names: Noether, given-names: Emmy}]", "Noether, Emmy"),
        ("[{name: The A}, {family-names: B, given-names: C}]", "{The A} and B, C"),
    ],
)
def test_authors_may_be_people_and_groups(authors, expected):
    text = f"title: T\nversion: 1.0.0\ndate-released: 2026-01-02\nauthors: {authors}\n"

    assert citation._parse_citation(text).author == expected
