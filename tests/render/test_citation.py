"""How to cite: BibTeX that can be read, and says what CITATION.cff says."""

import re
from importlib import metadata

import pytest

import posenc
from check.paths import ROOT
from render import citation

FIELD = re.compile(r"^  (?P<name>\w+) *= \{(?P<value>.*)\},?$")
CHAPTER = ROOT / "docs/chapters/relative.md"


def fields(entry: str) -> dict[str, str]:
    """Return the fields of an entry that BibTeX can read."""
    first, *lines, last = entry.split("\n")
    assert re.fullmatch(r"@(misc|incollection)\{[a-z][a-z0-9-]*,", first), first
    assert last == "}"
    assert entry.count("{") == entry.count("}")
    assert all(line.endswith(",") for line in lines[:-1])
    assert not lines[-1].endswith(",")
    found = [FIELD.fullmatch(line) for line in lines]
    return {match["name"]: match["value"] for match in found if match}


def test_a_chapter_is_cited_with_its_number_its_book_and_its_version():
    url = "https://book.example/chapters/relative/"
    found = fields(citation.render_bibtex(CHAPTER, "A title", "6", url))

    assert found == {
        "author": f"{{{'The posenc authors'}}}",
        "title": "{A title}",
        "booktitle": f"{{{citation.read_citation().title}}}",
        "chapter": "6",
        "publisher": "{The posenc authors}",
        "year": str(citation.read_citation().year),
        "note": f"Version {citation.read_citation().version}",
        "url": url,
    }


def test_without_an_address_there_is_no_url_and_without_a_number_no_chapter():
    found = fields(citation.render_bibtex(ROOT / "docs/reference/notation.md", "Notation", "", ""))

    assert not {"url", "chapter"} & set(found)


def test_the_first_page_cites_the_whole():
    found = fields(citation.render_bibtex(ROOT / "docs/index.md", "Home", "", ""))

    assert found["title"] == f"{{{citation.read_citation().title}}}"
    assert "booktitle" not in found


def test_every_page_has_a_key_of_its_own():
    pages = sorted((ROOT / "docs").rglob("*.md"))
    keys = [citation.render_bibtex(page, "A", "", "").partition(",")[0] for page in pages]

    assert len(set(keys)) == len(pages)


def test_a_title_is_plain_for_latex():
    assert r"{{A \& B\_c}}" in citation.render_bibtex(CHAPTER, "A & B_c", "", "")


def test_the_version_is_that_of_the_package():
    assert citation.read_citation().version == posenc.__version__ == metadata.version("posenc")


@pytest.mark.parametrize(
    ("authors", "said"),
    [
        ("[{family-names: Noether, given-names: Emmy}]", "Noether, Emmy"),
        ("[{name: The A}, {family-names: B, given-names: C}]", "{The A} and B, C"),
    ],
)
def test_people_and_groups_are_authors(authors, said):
    text = f"title: T\nversion: 1.0.0\ndate-released: 2026-01-02\nauthors: {authors}\n"

    assert citation._parse_citation(text).author == said
