"""The front matter of a page: read, or complained of at its line, with what to write."""

import pytest
from sybil import Document

from check import front_matter

GOOD = "title: Tides\ndescription: Codes for the hour of a tide, and how long they are.\n"


@pytest.fixture
def complaints(monkeypatch, tmp_path):
    monkeypatch.setattr(front_matter, "DOCS", tmp_path)

    def found(text: str) -> list[tuple[int, str]]:
        document = Document(text, str(tmp_path / "page.md"))
        return [
            (text.count("\n", 0, region.start) + 1, region.parsed)
            for region in front_matter.parse(document)
        ]

    return found


def test_a_page_with_title_and_description_passes(complaints):
    assert complaints(f"---\n{GOOD}---\n\n# Tides\n") == []


@pytest.mark.parametrize(
    ("line", "message", "text"),
    [
        (1, "without front matter; between two lines of ---", "# Tides\n"),
        (1, "without front matter", f"\n---\n{GOOD}---\n"),  # not at the very top
        (1, "without front matter", f"---\n{GOOD}\n# Tides\n"),  # not closed
        (2, "quotation marks", "---\ntitle: Tides: an hour\n---\n"),
        (4, "cannot be read", f'---\n{GOOD}mirrors: "000\n---\n'),
        (1, "no mapping", "---\ntitle\n---\n"),
        (1, "write title: …", f"---\n{GOOD.replace('title', 'tide')}---\n"),
        (3, "of 5 characters; search engines", "---\ntitle: A\ndescription: Short\n---\n"),
        (1, "of 0 characters", "---\ntitle: A\n---\n"),
        (4, "unknown 'mirors'; perhaps mirrors", f"---\n{GOOD}mirors: {{}}\n---\n"),
    ],
)  # fmt: skip
def test_what_a_page_lacks_is_said_at_its_line(complaints, line, message, text):
    found = complaints(text)

    assert [place for place, said in found if message in said] == [line], found


def test_the_readme_is_no_page_of_the_site(complaints):
    assert list(front_matter.parse(Document("# Hello\n", "README.md"))) == []


@pytest.mark.parametrize(
    ("counts", "refused"),
    [
        ("the five demands", False),
        ("Five demands", False),
        ("the six demands", True),
        ("four simple encodings", False),
        ("three simple encodings", True),
        ("the demands", False),
    ],
)
def test_what_a_description_counts_its_chapter_counts(counts, refused):
    text = "Name the five demands. Here are\nfour very simple encodings, and three others.\n"

    assert bool([*front_matter.find_wrong_counts(f"How {counts} follow.", text)]) is refused


def test_a_false_count_is_told_at_the_description(complaints, monkeypatch, tmp_path):
    monkeypatch.setattr(front_matter, "DOCS", tmp_path)
    page = tmp_path / "chapters/tides.md"
    text = f"---\n{GOOD.replace('how long', 'the two moons; how long')}---\n\n# The three moons\n"

    (region,) = front_matter.parse(Document(text, str(page)))

    assert text.count("\n", 0, region.start) == 2
    assert region.parsed == "the description counts two moons, and the chapter does not"
