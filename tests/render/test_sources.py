"""The source texts: every section is covered or has a reason, and mistakes are reported."""

import json

import pytest
from sybil import Document

from check.page_source import read_page
from check.paths import ROOT
from render import sources

CHAPTER = str(ROOT / "docs/chapters/invented.md")
LISTED = """
## A notebook {{ #text-000 }}

| section | chapter |
| :-- | :-- |
| Are Humans? | |
| Summary | {reason} |
{more}
"""


def find_problems(text: str, path: str = CHAPTER) -> list[str]:
    return [region.parsed for region in sources.parse(Document(text, path))]


@pytest.fixture
def write_sources(monkeypatch, tmp_path):
    """Return a function that replaces the page of sources and the pages that mirror them."""

    def write(reason="a recapitulation", more="", mirrored=(("000", "Are Humans?"),)):
        page = tmp_path / "sources.md"
        page.write_text(LISTED.format(reason=reason, more=more), "utf-8")
        monkeypatch.setattr(sources, "SOURCES", page)
        pages = {key: [(tmp_path / "order.md", "Order", "humans")] for key in mirrored}
        monkeypatch.setattr(sources, "find_mirroring_pages", lambda: pages)
        return page

    return write


def page(front: str) -> str:
    return f"---\ntitle: Order\n{front}---\n\n# Order\n\n## People {{ #humans }}\n"


def test_every_section_of_every_text_is_listed():
    """The stored titles come from the texts, which are not part of this project."""
    golden = json.loads((ROOT / "tests/golden/sections.json").read_text("utf-8"))
    listed = sources.read_texts(read_page(sources.SOURCES))

    assert {number: text.section_titles for number, text in listed.items()} == golden


def test_every_section_has_a_chapter_or_a_reason():
    assert find_problems(read_page(sources.SOURCES), str(sources.SOURCES)) == []


def test_valid_mirror_has_no_problems(write_sources):
    write_sources()

    assert find_problems(page('mirrors:\n  "000":\n    "Are Humans?": humans\n')) == []


@pytest.mark.parametrize(
    ("front", "message"),
    [
        ('mirrors:\n  "000": [Are Humans]\n', "must map texts"),
        ('mirrors:\n  "000":\n    "Are Horses?": humans\n', "no section 'Are Horses?'"),
        ('mirrors:\n  "005":\n    "Are Humans?": humans\n', "of text 005"),
        ('mirrors:\n  "000":\n    "Are Humans?": horses\n', "no anchor #horses"),
    ],
)
def test_wrong_mirrors_are_reported(write_sources, front, message):
    write_sources()

    (problem,) = find_problems(page(front))

    assert message in problem


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"reason": ""}, "no chapter mirrors 'Summary'"),
        ({"mirrored": ()}, "no chapter mirrors 'Are Humans?'"),
        ({"mirrored": [("000", "Are Humans?"), ("000", "Summary")]}, "order.md mirrors 'Summary'"),
        ({"more": "| Summary | a duplicate |"}, "lists 'Summary' twice"),
    ],
)
def test_wrong_rows_are_reported(write_sources, arguments, message):
    path = write_sources(**arguments)

    (problem,) = find_problems(read_page(path), str(path))

    assert message in problem


def test_page_of_sources_links_to_chapters(write_sources):
    path = write_sources()

    ((_, _, cell),) = sources.link_mirroring_pages(read_page(path))

    assert cell == " [Order](order.md#humans) "


def test_chapter_lists_the_sections_it_mirrors(write_sources):
    path = write_sources()
    text = page('mirrors:\n  "000":\n    "Are Humans?": humans\n')

    box = sources.render_mirrors_box(path.parent / "order.md", text)

    assert "- [A notebook](sources.md#text-000) (000): [Are Humans?](#humans)\n" in box
    assert sources.render_mirrors_box(path, "# No front matter\n") == ""


@pytest.mark.parametrize(
    ("front", "message"),
    [
        ("mirrors: false\n", "must map texts"),
        ("mirrors:\n", "must map texts"),
    ],
)
def test_empty_mirrors_are_reported(write_sources, front, message):
    write_sources()

    (problem,) = find_problems(page(front))

    assert message in problem


def test_titles_may_have_brackets_and_bars(write_sources):
    path = write_sources(
        more=r"| A \| [B | |", mirrored=(("000", "Are Humans?"), ("000", "A | [B"))
    )
    text = page('mirrors:\n  "000":\n    "A | [B": humans\n')

    assert find_problems(text) == find_problems(read_page(path), str(path)) == []
    assert r"[A \| \[B](#humans)" in sources.render_mirrors_box(path.parent / "order.md", text)


def test_page_of_sources_may_lack_texts():
    assert sources.read_texts("# Nothing\n") == {}
