"""The source texts: no section of them is lost, and what is wrong is complained of."""

import json

import pytest
from sybil import Document

from check.page_source import read_page
from check.paths import ROOT
from render import sources

CHAPTER = str(ROOT / "docs/chapters/invented.md")
LISTED = """
## A notebook {{ #text-000 }}

| section | where it is told |
| :-- | :-- |
| Are Humans? | |
| Summary | {reason} |
{more}
"""


def complaints(text: str, path: str = CHAPTER) -> list[str]:
    return [region.parsed for region in sources.parse(Document(text, path))]


@pytest.fixture
def invented(monkeypatch, tmp_path):
    """Put an invented page of sources in the place of the book's, and one page that mirrors."""

    def write(reason="a recapitulation", more="", mirrored=(("000", "Are Humans?"),)):
        page = tmp_path / "sources.md"
        page.write_text(LISTED.format(reason=reason, more=more), "utf-8")
        monkeypatch.setattr(sources, "SOURCES", page)
        there = {key: [(tmp_path / "order.md", "Order", "humans")] for key in mirrored}
        monkeypatch.setattr(sources, "find_mirroring_pages", lambda: there)
        return page

    return write


def page(front: str) -> str:
    return f"---\ntitle: Order\n{front}---\n\n# Order\n\n## People {{ #humans }}\n"


def test_every_section_of_every_text_is_listed():
    """The lists were taken from the texts themselves; the book does not hold those."""
    golden = json.loads((ROOT / "tests/golden/sections.json").read_text("utf-8"))
    listed = sources.read_texts(read_page(sources.SOURCES))

    assert {number: list(text.sections) for number, text in listed.items()} == golden


def test_every_section_has_a_chapter_or_a_reason():
    assert complaints(read_page(sources.SOURCES), str(sources.SOURCES)) == []


def test_a_chapter_mirrors_a_section(invented):
    invented()

    assert complaints(page('mirrors:\n  "000":\n    "Are Humans?": humans\n')) == []


@pytest.mark.parametrize(
    ("front", "message"),
    [
        ('mirrors:\n  "000": [Are Humans]\n', "mapping"),
        ('mirrors:\n  "000":\n    "Are Horses?": humans\n', "no section 'Are Horses?'"),
        ('mirrors:\n  "005":\n    "Are Humans?": humans\n', "of text 005"),
        ('mirrors:\n  "000":\n    "Are Humans?": horses\n', "no place #horses"),
    ],
)
def test_a_chapter_that_mirrors_nothing_real(invented, front, message):
    invented()

    (complaint,) = complaints(page(front))

    assert message in complaint


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"reason": ""}, "no chapter mirrors 'Summary'"),
        ({"mirrored": ()}, "no chapter mirrors 'Are Humans?'"),
        ({"mirrored": [("000", "Are Humans?"), ("000", "Summary")]}, "order.md mirrors 'Summary'"),
        ({"more": "| Summary | said again |"}, "listed twice"),
    ],
)
def test_a_section_that_is_not_accounted_for(invented, arguments, message):
    path = invented(**arguments)

    (complaint,) = complaints(read_page(path), str(path))

    assert message in complaint


def test_the_page_of_sources_links_to_the_chapters(invented):
    path = invented()

    ((_, _, cell),) = sources.link_mirroring_pages(read_page(path))

    assert cell == " [Order](order.md#humans) "


def test_the_foot_of_a_chapter(invented):
    path = invented()
    text = page('mirrors:\n  "000":\n    "Are Humans?": humans\n')

    foot = sources.render_mirrors_box(path.parent / "order.md", text)

    assert "- [A notebook](sources.md#text-000) (000): [Are Humans?](#humans)\n" in foot
    assert sources.render_mirrors_box(path, "# No front matter\n") == ""


@pytest.mark.parametrize(
    ("front", "message"),
    [
        ("mirrors: false\n", "mapping: text"),
        ("mirrors:\n", "mapping: text"),
    ],
)
def test_front_matter_that_says_nothing_is_not_passed_over(invented, front, message):
    invented()

    (complaint,) = complaints(page(front))

    assert message in complaint


def test_titles_with_brackets_and_bars(invented):
    path = invented(more=r"| A \| [B | |", mirrored=(("000", "Are Humans?"), ("000", "A | [B")))
    text = page('mirrors:\n  "000":\n    "A | [B": humans\n')

    assert complaints(text) == complaints(read_page(path), str(path)) == []
    assert r"[A \| \[B](#humans)" in sources.render_mirrors_box(path.parent / "order.md", text)


def test_a_page_of_sources_without_texts():
    assert sources.read_texts("# Nothing\n") == {}
